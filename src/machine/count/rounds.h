/* SPDX-License-Identifier: Apache-2.0
 *
 * From accesses to rounds. While the lanes of a warp run, one after the other, each call site logs where each
 * lane accesses; once all of them have met or left, a site's k-th accesses make one access of the warp:
 *
 *     site   lane 0: at at at        one access of the warp a column; the lanes of a column that is not full
 *            lane 1: at at           are those that were in the loop, or the branch, that time
 *            lane 2: at at at
 *
 * The k-th accesses at a site by all warps of all blocks are a round. Where all lanes have waited for each
 * other their counts are brought level, so that a loop that some left early does not shift what comes after.
 */
#ifndef RIFFLE_MACHINE_COUNT_ROUNDS_H
#define RIFFLE_MACHINE_COUNT_ROUNDS_H

#include <stdbool.h>

#include "machine/count/account.h"

/** Where a lane has accessed since the last flush. */
typedef struct lane_log {
    place *at;
    uint32_t count, capacity;
} lane_log;

typedef struct round_sums {
    uint64_t warps, stages, requests, ideal_requests;
    uint32_t worst_stages, casual;
} round_sums;

/** How often a thread has reached a site since its warp's count was brought level. */
typedef struct site_count {
    uint32_t level, count;
} site_count;

/** A call site of one size, operation and space: what its rounds are counted by. */
typedef struct site {
    const void *pc;
    unsigned bytes;
    report_op op;
    report_space space;
    struct machine_array *last_array; /**< where it accessed last, as a hint */
    bool logged;                      /**< since the last flush */
    lane_log lane[MACHINE_MAX_WIDTH];
    site_count *done; /**< of each thread of the block */
    uint32_t *base,
        *most; /**< of each warp: rounds before the counts were brought level, and the longest count since */
    round_sums *round;
    uint64_t *dmm_stages; /**< of each round: dmms of them, in shared memory with more than one DMM */
    size_t rounds, round_capacity;
} site;

enum { SITE_SLOTS = 1024 };

typedef struct rounds {
    const riffle_machine_options *options;
    unsigned threads, warps; /**< of a block */
    site **site;
    size_t sites, site_capacity;
    site *slot[SITE_SLOTS]; /**< one of those whose pc falls there */
    uint32_t *level;        /**< of each warp */
} rounds;

/** For one launch. False without memory. */
bool rounds_init(rounds *r, const riffle_machine_options *options, unsigned threads);
void rounds_free(rounds *r);

static inline site **rounds_slot(rounds *r, const void *pc) { return &r->slot[(uintptr_t)pc / 2 % SITE_SLOTS]; }

/** The site, which takes its slot; NULL without memory. */
site *rounds_site(rounds *r, const void *pc, unsigned bytes, report_op op, report_space space);

/** False without memory. */
bool rounds_grow_log(lane_log *log);

static inline bool rounds_log(site *s, unsigned lane, place at) {
    lane_log *log = &s->lane[lane];
    if (log->count == log->capacity && !rounds_grow_log(log)) return false;
    log->at[log->count++] = at;
    s->logged = true;
    return true;
}

/** Whether lanes of `some` have accessed at a site more often, since the counts were brought level, than all of
 *  `others`, who may thus still come to the same accesses. What is logged may only be this warp's. */
bool rounds_ahead(const rounds *r, unsigned warp, unsigned some, unsigned others);

/** Turns what a warp has logged into rounds. False without memory. */
bool rounds_flush(rounds *r, unsigned warp, unsigned dmm);

/** Brings the counts of a warp's lanes, or of all threads of the block, level; nothing may be logged. */
void rounds_level_warp(rounds *r, unsigned warp);
void rounds_level_block(rounds *r);

void rounds_begin_block(rounds *r);

/** All rounds of a site but for its file and line, as a line of the report. */
report_line rounds_sum(const rounds *r, const site *s);

#endif
