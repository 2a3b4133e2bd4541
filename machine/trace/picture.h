/* SPDX-License-Identifier: Apache-2.0
 *
 * The drawings of a trace, each an <svg> element.
 */
#ifndef RIFFLE_MACHINE_TRACE_PICTURE_H
#define RIFFLE_MACHINE_TRACE_PICTURE_H

#include "machine/trace/warps.h"

enum {
    PICTURE_WIDTH = 960,
    PICTURE_LEFT = 110,
    PICTURE_MOST_ROUNDS = 256,
    PICTURE_MOST_STAGES = 96 /* of a round */
};

/** Where warps by time have their time units. */
typedef struct picture_scale {
    double unit; /**< width of a time unit */
    uint64_t first, last;
} picture_scale;

picture_scale picture_scale_of(const riffle_trace *trace);
static inline double picture_x(const picture_scale *s, uint64_t time) {
    return PICTURE_LEFT + (double)(time - s->first) * s->unit;
}

/** Warps by time: a row a warp, a bar an access, from its first stage to its end. `round` is marked. Returns its height; with
 *  no stream it only measures. */
unsigned picture_time(const riffle_trace *trace, const traced_warps *warps, uint32_t round, unsigned top,
                      FILE *stream);

/** A round: a row a stage; columns are banks, or the cells of an address group; the number of the lane stands where it accesses.
 *  `most` stages are drawn, and how many more there are is said. */
unsigned picture_round(const riffle_trace *trace, uint32_t round, unsigned most, unsigned top, FILE *stream);

/** The round that takes the most stages beyond one for each warp; of equal ones the first that has accesses. */
uint32_t picture_worst(const riffle_trace *trace);

/** The frame of a document or of a part of a page. */
void picture_begin(unsigned height, FILE *stream);
void picture_end(FILE *stream);

#endif
