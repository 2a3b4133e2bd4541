/* SPDX-License-Identifier: Apache-2.0 */
#include "sort/predict/patterns.h"

#include "sort/kernels/kernel.h"
#include "sort/kernels/merge/kernel.h"
#include "sort/kernels/tables/shapes.h"

#define OF(kernel, pattern)                                                                                    \
    { &KERNEL_##kernel.record, pattern_of_##pattern }

#define LEAVES(bytes, size)                                                                                    \
    OF(sort_leaves_##bytes##_##size, sort_leaves_##size),                                                      \
        OF(sort_carry_leaves_##bytes##_##size, sort_leaves_##size),                                            \
        OF(sort_summed_leaves_##bytes##_##size, sort_leaves_##size),                                           \
        OF(sort_summed_carry_leaves_##bytes##_##size, sort_leaves_##size)

#define LEAVES_OF(bytes)                                                                                       \
    LEAVES(bytes, 0), LEAVES(bytes, 1), LEAVES(bytes, 2), LEAVES(bytes, 3), LEAVES(bytes, 4)

#define JOINS(name)                                                                                            \
    OF(sort_##name##_0, sort_##name), OF(sort_##name##_1, sort_##name),                                        \
        OF(sort_carry_##name##_0, sort_##name), OF(sort_carry_##name##_1, sort_##name)

const kernel_pattern sort_patterns[] = {OF(sort_ranks, sort_ranks),
                                        OF(sort_sample_0, sort_sample_0),
                                        OF(sort_sample_1, sort_sample_1),
                                        OF(sort_sample_2, sort_sample_2),
                                        OF(sort_count, sort_count),
                                        OF(sort_summed_count, sort_summed_count),
                                        OF(sort_carry_count, sort_carry_count),
                                        OF(sort_sums, sort_sums),
                                        OF(sort_offsets, sort_offsets),
                                        OF(sort_move_4, sort_move),
                                        OF(sort_move_8, sort_move),
                                        OF(sort_move_16, sort_move),
                                        OF(sort_carry_4, sort_carry),
                                        OF(sort_carry_8, sort_carry),
                                        OF(sort_carry_16, sort_carry),
                                        OF(sort_summed_carry_4, sort_summed_carry),
                                        OF(sort_summed_carry_8, sort_summed_carry),
                                        OF(sort_summed_carry_16, sort_summed_carry),
                                        LEAVES_OF(4),
                                        LEAVES_OF(8),
                                        LEAVES_OF(16),
                                        LEAVES(4, 5),
                                        LEAVES(8, 5),
                                        OF(sort_short_4, sort_short),
                                        OF(sort_short_8, sort_short),
                                        OF(sort_short_16, sort_short),
                                        OF(sort_carry_short_4, sort_short),
                                        OF(sort_carry_short_8, sort_short),
                                        OF(sort_carry_short_16, sort_short),
                                        OF(sort_borders, sort_borders),
                                        JOINS(strips),
                                        JOINS(join),
                                        OF(sort_long, sort_long),
                                        OF(sort_carry_long, sort_long),
                                        OF(sort_number_codes, sort_numbers),
                                        OF(sort_numbers, sort_numbers),
                                        OF(sort_codes, sort_codes),
                                        OF(sort_gather, sort_gather),
                                        OF(sort_widen, sort_widen),
                                        OF(sort_top, sort_top),
                                        OF(sort_marks, sort_marks),
                                        OF(sort_add_marks, sort_add_marks),
                                        OF(sort_pick, sort_pick),
                                        OF(sort_lengths, sort_lengths),
                                        OF(sort_fronts, sort_fronts),
                                        OF(sort_partition, sort_partition),
                                        OF(sort_window, sort_window),
                                        OF(sort_pieces, sort_pieces),
                                        OF(sort_outside, sort_outside),
                                        OF(sort_carry_outside, sort_outside),
                                        OF(select_sample, select_sample),
                                        OF(select_placed_bound, select_bound),
                                        OF(select_filter, select_filter),
                                        OF(select_placed_filter, select_filter),
                                        OF(select_digits, select_digits),
                                        OF(select_placed_digits, select_digits),
                                        OF(select_bound, select_bound),
                                        OF(select_ties, select_ties),
                                        OF(select_rows, select_rows),
                                        OF(select_last, select_last),
                                        OF(select_placed_rows, select_placed_rows),
                                        OF(select_numbers, select_numbers),
                                        OF(select_taken, select_taken),
                                        OF(part_bounds, part_bounds),
                                        OF(part_filter, part_filter),
                                        OF(part_settle, part_settle),
                                        OF(part_digits, part_digits),
                                        OF(part_tally, part_tally),
                                        OF(part_move, part_move),
                                        OF(part_move_carried, part_move_carried),
                                        OF(part_exact, part_exact),
                                        OF(part_rows, part_rows),
                                        OF(part_rows_carried, part_rows_carried),
                                        OF(part_warps, part_held),
                                        OF(part_warps_carried, part_held_carried),
                                        OF(part_long_warps, part_held),
                                        OF(part_long_warps_carried, part_held_carried),
                                        OF(part_blocks, part_held),
                                        OF(part_blocks_carried, part_held_carried),
                                        OF(sort_begin, sort_begin),
                                        OF(sort_own_tiles, sort_own_tiles),
                                        OF(sort_own_borders, sort_own_borders),
                                        OF(sort_own_checks, sort_own_checks),
                                        OF(sort_own_merges, sort_own_merges),
                                        OF(sort_own_marks, sort_own_marks),
                                        OF(sort_differ, sort_differ),
                                        OF(sort_squeezes, sort_squeezes),
                                        OF(sort_clear, sort_clear),
                                        OF(sort_ties, sort_ties),
                                        OF(sort_tie_counts, sort_tie_counts),
                                        OF(sort_tie_codes, sort_tie_codes),
                                        OF(sort_check, sort_check),
                                        OF(sort_check_numbers, sort_check_numbers),
                                        OF(merge_runs, merge_runs),
                                        OF(merge_runs_placed, merge_runs),
                                        OF(merge_split, merge_split),
                                        OF(merge_parts, merge_parts),
                                        OF(merge_parts_placed, merge_parts),
                                        OF(merge_pairs, merge_pairs),
                                        {0}};
