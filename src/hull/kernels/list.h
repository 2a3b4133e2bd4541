/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernels of hulls, as move/kernels/list.h has them.
 */
#ifndef KERNEL_AS

#include "hull/kernels/hull.h"

#define TAKES_hull ARGUMENT(hull_table, table)
#define TAKES_hull_round ARGUMENT(hull_table, table) ARGUMENT(uint32_t, round)
#define TAKES_hull_block ARGUMENT(hull_table, table) ARGUMENT(hull_block_job, job)

/* Kernels for points of each type, whose words are `bytes` long. */
#define HULL_POINTS(type, bytes)                                                                               \
    KERNEL_AS(hull_filter_##type, hull_filter, hull_filter<hull_as_##type>, bytes, hull)                       \
    KERNEL_AS(hull_small_sets_##type, hull_small_sets, hull_small_sets<hull_as_##type>, bytes, hull)

/* Kernels for places of both kinds. */
#define HULL_PLACES(name, takes)                                                                               \
    KERNEL_AS(name##_real, name, name<hull_real>, 4, takes)                                                    \
    KERNEL_AS(name##_integer, name, name<hull_integer>, 4, takes)

#else

SIGNATURE(hull)
SIGNATURE(hull_round)
SIGNATURE(hull_block)

HULL_PLACES(hull_bounds, hull)
HULL_PLACES(hull_extremes_of_sample, hull)
HULL_PLACES(hull_boundaries, hull_round)
HULL_PLACES(hull_refine, hull_round)
HULL_PLACES(hull_take_all, hull)
HULL_PLACES(hull_candidates, hull_block)
HULL_PLACES(hull_sets, hull_block)
HULL_PLACES(hull_large_sets, hull_block)
HULL_PLACES(hull_results, hull)
HULL_PLACES(hull_settle, hull)
HULL_POINTS(f32, 8)
HULL_POINTS(f64, 16)
HULL_POINTS(i8, 2)
HULL_POINTS(i16, 4)
HULL_POINTS(i32, 8)
HULL_POINTS(i64, 16)
HULL_POINTS(u8, 2)
HULL_POINTS(u16, 4)
HULL_POINTS(u32, 8)
HULL_POINTS(u64, 16)

#undef KERNEL_AS
#undef SIGNATURE
#undef ARGUMENT
#endif
