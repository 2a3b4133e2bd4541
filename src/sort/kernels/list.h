/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernels of sorts, as move/kernels/list.h has them. `bytes` is a sum of the sizes of keys that a kernel is made for; how long
 * its tiles and leaves are says shapes.h.
 */
#ifndef KERNEL_AS

#include "sort/kernels/sort_own.h"
#include "sort/kernels/tables/check.h"
#include "sort/kernels/tables/leaf.h"
#include "sort/kernels/tables/level.h"
#include "sort/kernels/tables/part.h"
#include "sort/kernels/tables/pick.h"
#include "sort/kernels/tables/row.h"
#include "sort/kernels/tables/select.h"
#include "sort/kernels/tables/shapes.h"

#define TAKES_sort_sample ARGUMENT(sort_sample_table, table)
#define TAKES_sort_tile ARGUMENT(sort_tile_table, table)
#define TAKES_sort_carry ARGUMENT(sort_carry_table, table)
#define TAKES_sort_sums ARGUMENT(sort_sums_table, table)
#define TAKES_sort_offsets ARGUMENT(sort_offsets_table, table)
#define TAKES_sort_pieces ARGUMENT(sort_pieces_table, table)
#define TAKES_sort_window ARGUMENT(sort_window_table, table)
#define TAKES_sort_outside ARGUMENT(sort_outside_table, table)
#define TAKES_sort_leaves ARGUMENT(sort_leaves_table, table)
#define TAKES_sort_short ARGUMENT(sort_short_table, table)
#define TAKES_sort_join ARGUMENT(sort_join_table, table)
#define TAKES_sort_long ARGUMENT(sort_long_table, table)
#define TAKES_sort_chunks ARGUMENT(sort_chunks_table, table)
#define TAKES_sort_borders ARGUMENT(sort_borders_table, table)
#define TAKES_sort_runs ARGUMENT(sort_runs_table, table)
#define TAKES_sort_codes ARGUMENT(sort_codes_table, table)
#define TAKES_sort_number ARGUMENT(sort_number_table, table)
#define TAKES_sort_gather ARGUMENT(sort_gather_table, table)
#define TAKES_sort_check ARGUMENT(sort_check_table, table)
#define TAKES_sort_check_numbers ARGUMENT(sort_check_numbers_table, table)
#define TAKES_sort_widen ARGUMENT(sort_results, table)
#define TAKES_sort_differ ARGUMENT(sort_differ_table, table)
#define TAKES_sort_squeezes ARGUMENT(sort_squeezes_table, table)
#define TAKES_sort_ties ARGUMENT(sort_ties_table, table)
#define TAKES_sort_tie_counts ARGUMENT(sort_tie_counts_table, table)
#define TAKES_sort_tie_codes ARGUMENT(sort_tie_codes_table, table)
#define TAKES_sort_words ARGUMENT(uint32_t, count)
#define TAKES_sort_begin ARGUMENT(sort_begin_table, table)
#define TAKES_sort_top ARGUMENT(sort_top_table, table)
#define TAKES_sort_marks ARGUMENT(sort_marks_table, table)
#define TAKES_sort_pick ARGUMENT(sort_pick_table, table)
#define TAKES_sort_partition ARGUMENT(sort_partition_table, table)
#define TAKES_select ARGUMENT(select_table, table)
#define TAKES_part ARGUMENT(part_table, table)
#define TAKES_part_rows ARGUMENT(part_rows_table, table)
#define TAKES_part_held ARGUMENT(part_held_table, table)
#define TAKES_select_rows ARGUMENT(select_rows_table, table)
#define TAKES_select_results ARGUMENT(select_results_table, table)
#define TAKES_sort_own ARGUMENT(sort_own_table, table)

#define SORT_KERNEL(name, bytes, takes) KERNEL_AS(name, name, name, bytes, takes)

/* For keys alone, and for keys that something goes along with. */
#define SORT_BOTH(name, takes)                                                                                 \
    KERNEL_AS(sort_##name, sort_##name, sort_##name<false>, 4 | 8 | 16, takes)                                 \
    KERNEL_AS(sort_carry_##name, sort_carry_##name, sort_##name<true>, 4 | 8 | 16, takes)

/* For keys of `bytes` bytes, which the names have. */
#define SORT_MOVES_OF(bytes)                                                                                   \
    KERNEL_AS(sort_move_##bytes, sort_move_##bytes, sort_move, bytes, sort_tile)                               \
    KERNEL_AS(sort_carry_##bytes, sort_carry_##bytes, sort_carry<false>, bytes, sort_carry)                    \
    KERNEL_AS(sort_summed_carry_##bytes, sort_summed_carry_##bytes, sort_carry<true>, bytes, sort_carry)       \
    KERNEL_AS(sort_short_##bytes, sort_short_##bytes, sort_short<false>, bytes, sort_short)                    \
    KERNEL_AS(sort_carry_short_##bytes, sort_carry_short_##bytes, sort_short<true>, bytes, sort_short)
#define SORT_LEAVES_OF(bytes, size)                                                                            \
    KERNEL_AS(sort_leaves_##bytes##_##size, sort_leaves_##bytes##_##size, (sort_leaves<size, false, false>),   \
              bytes, sort_leaves)                                                                              \
    KERNEL_AS(sort_summed_leaves_##bytes##_##size, sort_summed_leaves_##bytes##_##size,                        \
              (sort_leaves<size, false, true>), bytes, sort_leaves)                                            \
    KERNEL_AS(sort_carry_leaves_##bytes##_##size, sort_carry_leaves_##bytes##_##size,                          \
              (sort_leaves<size, true, false>), bytes, sort_leaves)                                            \
    KERNEL_AS(sort_summed_carry_leaves_##bytes##_##size, sort_summed_carry_leaves_##bytes##_##size,            \
              (sort_leaves<size, true, true>), bytes, sort_leaves)

/* Strips of that size, and their parts joined. */
#define SORT_JOINS(size)                                                                                       \
    KERNEL_AS(sort_strips_##size, sort_strips_##size, (sort_strips<size, false>), 4 | 8 | 16, sort_join)       \
    KERNEL_AS(sort_carry_strips_##size, sort_carry_strips_##size, (sort_strips<size, true>), 4 | 8 | 16,       \
              sort_join)                                                                                       \
    KERNEL_AS(sort_join_##size, sort_join_##size, (sort_join<size, false>), 4 | 8 | 16, sort_join)             \
    KERNEL_AS(sort_carry_join_##size, sort_carry_join_##size, (sort_join<size, true>), 4 | 8 | 16, sort_join)

#define SORT_SIZES_OF(bytes)                                                                                   \
    SORT_LEAVES_OF(bytes, 0)                                                                                   \
    SORT_LEAVES_OF(bytes, 1)                                                                                   \
    SORT_LEAVES_OF(bytes, 2)                                                                                   \
    SORT_LEAVES_OF(bytes, 3)                                                                                   \
    SORT_LEAVES_OF(bytes, 4)

/* For candidates that are codes, and for those with a place. */
#define SELECT_BOTH(name)                                                                                      \
    KERNEL_AS(select_##name, select_##name, select_##name<false>, 1 | 2 | 4 | 8 | 16, select)                  \
    KERNEL_AS(select_placed_##name, select_placed_##name, select_##name<true>, 1 | 2 | 4 | 8, select)

/* A step of the kernel with the user's comparison, which is compiled where it runs. */
#define SORT_USERS(id) KERNEL_AS(id, id, nullptr, 0, sort_own)

#else

SIGNATURE(sort_sample)
SIGNATURE(sort_tile)
SIGNATURE(sort_carry)
SIGNATURE(sort_sums)
SIGNATURE(sort_offsets)
SIGNATURE(sort_pieces)
SIGNATURE(sort_window)
SIGNATURE(sort_outside)
SIGNATURE(sort_leaves)
SIGNATURE(sort_short)
SIGNATURE(sort_join)
SIGNATURE(sort_long)
SIGNATURE(sort_chunks)
SIGNATURE(sort_runs)
SIGNATURE(sort_borders)
SIGNATURE(sort_codes)
SIGNATURE(sort_number)
SIGNATURE(sort_gather)
SIGNATURE(sort_check)
SIGNATURE(sort_check_numbers)
SIGNATURE(sort_widen)
SIGNATURE(sort_differ)
SIGNATURE(sort_squeezes)
SIGNATURE(sort_ties)
SIGNATURE(sort_tie_counts)
SIGNATURE(sort_tie_codes)
SIGNATURE(sort_words)
SIGNATURE(sort_begin)
SIGNATURE(sort_top)
SIGNATURE(sort_marks)
SIGNATURE(sort_pick)
SIGNATURE(sort_partition)
SIGNATURE(select)
SIGNATURE(select_rows)
SIGNATURE(select_results)
SIGNATURE(part)
SIGNATURE(part_rows)
SIGNATURE(part_held)
SIGNATURE(sort_own)

SORT_KERNEL(sort_ranks, 4 | 8 | 16, sort_sample)
/* By how many samples there may be. */
KERNEL_AS(sort_sample_0, sort_sample_0, sort_sample<sort_sample_each(0)>, 4 | 8 | 16, sort_sample)
KERNEL_AS(sort_sample_1, sort_sample_1, sort_sample<sort_sample_each(1)>, 4 | 8 | 16, sort_sample)
KERNEL_AS(sort_sample_2, sort_sample_2, sort_sample<sort_sample_each(2)>, 4 | 8 | 16, sort_sample)
KERNEL_AS(sort_count, sort_count, (sort_count<false, false>), 4 | 8 | 16, sort_tile)
KERNEL_AS(sort_summed_count, sort_summed_count, (sort_count<false, true>), 4 | 8 | 16, sort_tile)
KERNEL_AS(sort_carry_count, sort_carry_count, (sort_count<true, false>), 4 | 8 | 16, sort_tile)
SORT_KERNEL(sort_sums, 4, sort_sums)
SORT_KERNEL(sort_offsets, 4, sort_offsets)
SORT_MOVES_OF(4)
SORT_MOVES_OF(8)
SORT_MOVES_OF(16)
SORT_KERNEL(sort_pieces, 4, sort_pieces)
SORT_KERNEL(sort_window, 4, sort_window)
SORT_BOTH(outside, sort_outside)

SORT_SIZES_OF(4)
SORT_SIZES_OF(8)
SORT_SIZES_OF(16)
SORT_LEAVES_OF(4, 5)
SORT_LEAVES_OF(8, 5)
SORT_JOINS(0)
SORT_JOINS(1)
SORT_BOTH(long, sort_long)
SORT_BOTH(chunks, sort_chunks)
SORT_BOTH(runs, sort_runs)
SORT_KERNEL(sort_borders, 4 | 8 | 16, sort_borders)

SORT_KERNEL(sort_codes, 4 | 8 | 16, sort_codes)
SORT_KERNEL(sort_number_codes, 4, sort_number)
SORT_KERNEL(sort_numbers, 4, sort_number)
SORT_KERNEL(sort_differ, 8, sort_differ)
SORT_KERNEL(sort_squeezes, 8, sort_squeezes)
SORT_KERNEL(sort_ties, 8 | 16, sort_ties)
SORT_KERNEL(sort_tie_counts, 4, sort_tie_counts)
SORT_KERNEL(sort_tie_codes, 16, sort_tie_codes)
SORT_KERNEL(sort_gather, 1 | 2 | 4 | 8 | 16, sort_gather)
SORT_KERNEL(sort_check, 1 | 2 | 4 | 8 | 16, sort_check)
SORT_KERNEL(sort_check_numbers, 1 | 2 | 4 | 8, sort_check_numbers)
SORT_KERNEL(sort_widen, 4 | 8, sort_widen)

SORT_KERNEL(sort_clear, 4, sort_words)
SORT_KERNEL(sort_begin, 4, sort_begin)
SORT_KERNEL(sort_settle, 4, sort_words)
SORT_KERNEL(sort_top, 4, sort_top)
SORT_KERNEL(sort_marks, 4, sort_marks)
SORT_KERNEL(sort_add_marks, 4, sort_words)
SORT_KERNEL(sort_pick, 4, sort_pick)
SORT_KERNEL(sort_lengths, 8, sort_pick)
SORT_KERNEL(sort_fronts, 4, sort_partition)
SORT_KERNEL(sort_partition, 4, sort_partition)

SORT_KERNEL(select_sample, 1 | 2 | 4 | 8 | 16, select)
KERNEL_AS(select_bound, select_bound, select_bound<false>, 4 | 8 | 16, select)
KERNEL_AS(select_placed_bound, select_placed_bound, select_bound<true>, 4 | 8, select)
SELECT_BOTH(filter)
SELECT_BOTH(digits)
KERNEL_AS(select_rows, select_rows, select_rows<false>, 1 | 2 | 4 | 8 | 16, select_rows)
KERNEL_AS(select_placed_rows, select_placed_rows, select_rows<true>, 1 | 2 | 4 | 8, select_rows)
SORT_KERNEL(select_last, 4 | 8 | 16, select)
SORT_KERNEL(select_ties, 1 | 2 | 4 | 8, select)
SORT_KERNEL(select_numbers, 1 | 2 | 4 | 8 | 16, select_results)
SORT_KERNEL(select_taken, 1 | 2 | 4 | 8, select_results)

SORT_KERNEL(part_bounds, 4 | 8, part)
SORT_KERNEL(part_filter, 1 | 2 | 4 | 8, part)
SORT_KERNEL(part_settle, 4 | 8, part)
SORT_KERNEL(part_digits, 4 | 8, part)
SORT_KERNEL(part_tally, 4 | 8, part)
SORT_KERNEL(part_exact, 1 | 2 | 4 | 8, part)
SORT_KERNEL(part_move, 1 | 2 | 4 | 8, part)
SORT_KERNEL(part_move_carried, 1 | 2 | 4 | 8, part)
KERNEL_AS(part_rows, part_rows, part_rows<false>, 1 | 2 | 4 | 8, part_rows)
KERNEL_AS(part_rows_carried, part_rows_carried, part_rows<true>, 1 | 2 | 4 | 8, part_rows)
KERNEL_AS(part_warps, part_warps, (part_warps<false, 1>), 1 | 2 | 4 | 8, part_held)
KERNEL_AS(part_warps_carried, part_warps_carried, (part_warps<true, 1>), 1 | 2 | 4 | 8, part_held)
KERNEL_AS(part_long_warps, part_long_warps, (part_warps<false, PART_HELD_FEW>), 1 | 2 | 4 | 8, part_held)
KERNEL_AS(part_long_warps_carried, part_long_warps_carried, (part_warps<true, PART_HELD_FEW>), 1 | 2 | 4 | 8,
          part_held)
KERNEL_AS(part_blocks, part_blocks, part_blocks<false>, 1 | 2 | 4 | 8, part_held)
KERNEL_AS(part_blocks_carried, part_blocks_carried, part_blocks<true>, 1 | 2 | 4 | 8, part_held)

SORT_USERS(sort_own_tiles)
SORT_USERS(sort_own_borders)
SORT_USERS(sort_own_checks)
SORT_USERS(sort_own_merges)
SORT_USERS(sort_own_marks)

#undef KERNEL_AS
#undef SIGNATURE
#undef ARGUMENT
#endif
