/* SPDX-License-Identifier: Apache-2.0
 *
 * Accesses that are expected of launches of sorts, where keys are random: a function for each kernel, which explain and simulate ask by one
 * table. Kernels that are not in it have no prediction.
 */
#ifndef RIFFLE_SORT_PREDICT_PATTERNS_H
#define RIFFLE_SORT_PREDICT_PATTERNS_H

#include "device/predict/expect.h"
#include "riffle/sort.h"
#include "sort/predict/subject.h"

/** The patterns of launches of sorts and merges. */
extern const kernel_pattern sort_patterns[];

void pattern_of_sort_ranks(const launch *work, const void *subject, pattern *out);
void pattern_of_sort_sample_0(const launch *work, const void *subject, pattern *out);
void pattern_of_sort_sample_1(const launch *work, const void *subject, pattern *out);
void pattern_of_sort_sample_2(const launch *work, const void *subject, pattern *out);
void pattern_of_sort_count(const launch *work, const void *subject, pattern *out);
void pattern_of_sort_summed_count(const launch *work, const void *subject, pattern *out);
void pattern_of_sort_borders(const launch *work, const void *subject, pattern *out);
void pattern_of_sort_carry_count(const launch *work, const void *subject, pattern *out);
void pattern_of_sort_sums(const launch *work, const void *subject, pattern *out);
void pattern_of_sort_offsets(const launch *work, const void *subject, pattern *out);
void pattern_of_sort_move(const launch *work, const void *subject, pattern *out);
void pattern_of_sort_carry(const launch *work, const void *subject, pattern *out);
void pattern_of_sort_summed_carry(const launch *work, const void *subject, pattern *out);
void pattern_of_sort_leaves_0(const launch *work, const void *subject, pattern *out);
void pattern_of_sort_leaves_1(const launch *work, const void *subject, pattern *out);
void pattern_of_sort_leaves_2(const launch *work, const void *subject, pattern *out);
void pattern_of_sort_leaves_3(const launch *work, const void *subject, pattern *out);
void pattern_of_sort_leaves_4(const launch *work, const void *subject, pattern *out);
void pattern_of_sort_leaves_5(const launch *work, const void *subject, pattern *out);
void pattern_of_sort_short(const launch *work, const void *subject, pattern *out);
void pattern_of_sort_strips(const launch *work, const void *subject, pattern *out);
void pattern_of_sort_join(const launch *work, const void *subject, pattern *out);
void pattern_of_sort_long(const launch *work, const void *subject, pattern *out);

void pattern_of_select_sample(const launch *work, const void *subject, pattern *out);
void pattern_of_select_bound(const launch *work, const void *subject, pattern *out);
void pattern_of_select_filter(const launch *work, const void *subject, pattern *out);
void pattern_of_select_digits(const launch *work, const void *subject, pattern *out);
void pattern_of_select_ties(const launch *work, const void *subject, pattern *out);
void pattern_of_select_numbers(const launch *work, const void *subject, pattern *out);
void pattern_of_select_taken(const launch *work, const void *subject, pattern *out);
void pattern_of_select_rows(const launch *work, const void *subject, pattern *out);
void pattern_of_select_last(const launch *work, const void *subject, pattern *out);
void pattern_of_select_placed_rows(const launch *work, const void *subject, pattern *out);

void pattern_of_part_bounds(const launch *work, const void *subject, pattern *out);
void pattern_of_part_filter(const launch *work, const void *subject, pattern *out);
void pattern_of_part_settle(const launch *work, const void *subject, pattern *out);
void pattern_of_part_digits(const launch *work, const void *subject, pattern *out);
void pattern_of_part_tally(const launch *work, const void *subject, pattern *out);
void pattern_of_part_exact(const launch *work, const void *subject, pattern *out);
void pattern_of_part_move(const launch *work, const void *subject, pattern *out);
void pattern_of_part_move_carried(const launch *work, const void *subject, pattern *out);
void pattern_of_part_rows(const launch *work, const void *subject, pattern *out);
void pattern_of_part_rows_carried(const launch *work, const void *subject, pattern *out);
void pattern_of_part_held(const launch *work, const void *subject, pattern *out);
void pattern_of_part_held_carried(const launch *work, const void *subject, pattern *out);

void pattern_of_sort_numbers(const launch *work, const void *subject, pattern *out);
void pattern_of_sort_codes(const launch *work, const void *subject, pattern *out);
void pattern_of_sort_gather(const launch *work, const void *subject, pattern *out);
void pattern_of_sort_widen(const launch *work, const void *subject, pattern *out);
void pattern_of_sort_top(const launch *work, const void *subject, pattern *out);
void pattern_of_sort_marks(const launch *work, const void *subject, pattern *out);
void pattern_of_sort_add_marks(const launch *work, const void *subject, pattern *out);
void pattern_of_sort_pick(const launch *work, const void *subject, pattern *out);
void pattern_of_sort_lengths(const launch *work, const void *subject, pattern *out);
void pattern_of_sort_fronts(const launch *work, const void *subject, pattern *out);
void pattern_of_sort_partition(const launch *work, const void *subject, pattern *out);
void pattern_of_sort_window(const launch *work, const void *subject, pattern *out);
void pattern_of_sort_pieces(const launch *work, const void *subject, pattern *out);
void pattern_of_sort_outside(const launch *work, const void *subject, pattern *out);
void pattern_of_sort_begin(const launch *work, const void *subject, pattern *out);
void pattern_of_sort_own_tiles(const launch *work, const void *subject, pattern *out);
void pattern_of_sort_own_borders(const launch *work, const void *subject, pattern *out);
void pattern_of_sort_own_checks(const launch *work, const void *subject, pattern *out);
void pattern_of_sort_own_merges(const launch *work, const void *subject, pattern *out);
void pattern_of_sort_own_marks(const launch *work, const void *subject, pattern *out);

void pattern_of_sort_differ(const launch *work, const void *subject, pattern *out);
void pattern_of_sort_squeezes(const launch *work, const void *subject, pattern *out);
void pattern_of_sort_clear(const launch *work, const void *subject, pattern *out);
void pattern_of_sort_ties(const launch *work, const void *subject, pattern *out);
void pattern_of_sort_tie_counts(const launch *work, const void *subject, pattern *out);
void pattern_of_sort_tie_codes(const launch *work, const void *subject, pattern *out);
void pattern_of_sort_check(const launch *work, const void *subject, pattern *out);
void pattern_of_sort_check_numbers(const launch *work, const void *subject, pattern *out);

void pattern_of_merge_runs(const launch *work, const void *subject, pattern *out);
void pattern_of_merge_split(const launch *work, const void *subject, pattern *out);
void pattern_of_merge_parts(const launch *work, const void *subject, pattern *out);
void pattern_of_merge_pairs(const launch *work, const void *subject, pattern *out);

#endif
