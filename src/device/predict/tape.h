/* SPDX-License-Identifier: Apache-2.0
 *
 * A tape of what the warps of a block access, for patterns that follow a kernel's steps lane after lane: a lane's accesses of a place in the code
 * are noted one after the other, and when the lanes meet again the k-th of each lane are an access of the warp.
 *
 *     lane 0: a b b     lane 1: a b      ->      a of both, b of both, b of lane 0
 *
 * Lanes that come to a place in other turns than their neighbours are to meet after each turn.
 */
#ifndef RIFFLE_DEVICE_PREDICT_TAPE_H
#define RIFFLE_DEVICE_PREDICT_TAPE_H

#include "device/predict/pattern.h"

enum { TAPE_TURNS = 24 /* accesses of a lane to a place before it meets the others, at most */ };

typedef struct tape {
    pattern *p;
    unsigned warp;                   /**< the one whose lanes are followed */
    size_t (*done)[PATTERN_SITES];   /**< [warp]: rounds that it has come through */
    pattern_lanes (*at)[TAPE_TURNS]; /**< [site]: what the lanes access in each of their turns */
    unsigned turns[PATTERN_SITES];   /**< the lane's so far */
} tape;

/** For a block of so many warps; RIFFLE_ERROR_OUT_OF_MEMORY. Its sites are to be declared (pattern.h). It is to be freed, also after a failure. */
riffle_status tape_create(pattern *p, unsigned warps, tape *out);
void tape_free(tape *t);

/** Another block begins, whose warps have accessed nothing. */
void tape_begin_block(tape *t, unsigned warps);

/** The next accesses are those of a lane of that warp. */
void tape_lane(tape *t, unsigned warp);

/** The lane accesses the byte `at`. */
void tape_note(tape *t, unsigned site, uint64_t at);

/** The warp's lanes meet. */
void tape_meet(tape *t);

#endif
