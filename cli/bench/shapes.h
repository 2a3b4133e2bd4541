/* SPDX-License-Identifier: Apache-2.0
 *
 * Points of shapes that people try convex hulls on, the same in each run.
 */
#ifndef RIFFLE_CLI_BENCH_SHAPES_H
#define RIFFLE_CLI_BENCH_SHAPES_H

#include <stdbool.h>

#include "riffle/hull.h"

/** Up to NULL. */
extern const char *const hull_shape_names[];

/** Fills n points of float32 or float64 in the shape of that name; false if there is none. */
bool hull_shape_fill(const char *name, riffle_type type, uint64_t n, void *points);

#endif
