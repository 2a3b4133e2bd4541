/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows of convex hulls: points of many shapes, their hulls beside one read of them, and whether the hulls are right.
 */
#ifndef RIFFLE_BENCH_SUITES_HULLS_HULLS_H
#define RIFFLE_BENCH_SUITES_HULLS_HULLS_H

#include "bench/result.h"
#include "riffle/hull.h"

/** Fills `sets` sets of n points of the row's type in the shape that it calls `by`; false if there is no such shape. */
bool bench_hull_fill(const bench_row *row, void *points);

/** True if the indices are corners that turn left all the way and leave no point outside, by rounded arithmetic: up to
 *  2^-20 of the set's size for f32, 2^-46 for f64. */
bool bench_is_hull(const bench_row *row, const void *points, const uint32_t *hulls, const uint64_t *lengths);

#endif
