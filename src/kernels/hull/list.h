/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernels of hulls, a part of kernels/list.h that is compiled by itself.
 */
/* Of points of each type, whose words are `bytes` long. */
#define HULL_POINTS(type, bytes)                                                                               \
    KERNEL_AS(hull_filter_##type, hull_filter, hull_filter<hull_as_##type>, bytes,                             \
              ARGUMENT(hull_table, table))                                                                     \
    KERNEL_AS(hull_small_sets_##type, hull_small_sets, hull_small_sets<hull_as_##type>, bytes,                 \
              ARGUMENT(hull_table, table))

/* Of places of both kinds. */
#define HULL_PLACES(name, ...)                                                                                 \
    KERNEL_AS(name##_real, name, name<hull_real>, 4, ARGUMENT(hull_table, table) __VA_ARGS__)                  \
    KERNEL_AS(name##_integer, name, name<hull_integer>, 4, ARGUMENT(hull_table, table) __VA_ARGS__)

HULL_PLACES(hull_bounds)
HULL_PLACES(hull_extremes_of_sample)
HULL_PLACES(hull_boundaries, ARGUMENT(uint32_t, round))
HULL_PLACES(hull_refine, ARGUMENT(uint32_t, round))
HULL_PLACES(hull_take_all)
HULL_PLACES(hull_candidates, ARGUMENT(hull_block_job, job))
HULL_PLACES(hull_sets, ARGUMENT(hull_block_job, job))
HULL_PLACES(hull_large_sets, ARGUMENT(hull_block_job, job))
HULL_PLACES(hull_results)
HULL_PLACES(hull_settle)
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

#undef HULL_POINTS
#undef HULL_PLACES
