/* SPDX-License-Identifier: Apache-2.0
 *
 * Points drawn at random, uniform in a square: what is expected of launches whose accesses depend on points is the mean over some draws. Floats
 * are in 0 .. 1, integers in all of their range. Points are computed when they are asked for, so that sets of any length have them.
 */
#ifndef RIFFLE_HULL_PREDICT_DRAW_H
#define RIFFLE_HULL_PREDICT_DRAW_H

#include "hull/predicates.h"
#include "riffle/hull.h"

typedef struct hull_draw {
    riffle_type type;
    uint64_t number; /**< which of the draws */
} hull_draw;

/** A number of 0 .. 1 that depends on the draw, and on k. */
double hull_drawn_number(const hull_draw *draw, uint64_t k);

/** A coordinate of the type, by a number of 0 .. 1. Integers of 8 bytes are rounded, as doubles are. */
double hull_drawn_coordinate(riffle_type type, double number);

/** Point i of a draw. */
hull_f64 hull_drawn(const hull_draw *draw, uint64_t i);

/** Points of the first draw as they lie in memory. */
void hull_draw_points(riffle_type type, uint64_t n, void *out);

#endif
