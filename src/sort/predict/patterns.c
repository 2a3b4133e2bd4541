/* SPDX-License-Identifier: Apache-2.0 */
#include "sort/predict/patterns.h"

#include "sort/kernels/kernel.h"
#include "sort/kernels/merge/kernel.h"
#include "sort/kernels/tables/shapes.h"

#define OF(kernel, pattern)                                                                                    \
    { &KERNEL_##kernel.record, pattern_of_##pattern }

#define LEAVES(bytes, size)                                                                                    \
    OF(sort_leaves_##bytes##_##size, sort_leaves_##size),                                                      \
        OF(sort_carry_leaves_##bytes##_##size, sort_leaves_##size)

#define LEAVES_OF(bytes)                                                                                       \
    LEAVES(bytes, 0), LEAVES(bytes, 1), LEAVES(bytes, 2), LEAVES(bytes, 3), LEAVES(bytes, 4)

static const kernel_pattern patterns[] = {OF(sort_ranks, sort_ranks),
                                          OF(sort_sample_0, sort_sample_0),
                                          OF(sort_sample_1, sort_sample_1),
                                          OF(sort_sample_2, sort_sample_2),
                                          OF(sort_count, sort_count),
                                          OF(sort_carry_count, sort_carry_count),
                                          OF(sort_sums, sort_sums),
                                          OF(sort_offsets, sort_offsets),
                                          OF(sort_move_4, sort_move),
                                          OF(sort_move_8, sort_move),
                                          OF(sort_move_16, sort_move),
                                          OF(sort_carry_4, sort_carry),
                                          OF(sort_carry_8, sort_carry),
                                          OF(sort_carry_16, sort_carry),
                                          LEAVES_OF(4),
                                          LEAVES_OF(8),
                                          LEAVES_OF(16),
                                          LEAVES(4, 5),
                                          LEAVES(8, 5),
                                          OF(sort_long, sort_long),
                                          OF(sort_carry_long, sort_long),
                                          OF(merge_runs, merge_runs),
                                          OF(merge_runs_placed, merge_runs),
                                          OF(merge_split, merge_split),
                                          OF(merge_parts, merge_parts),
                                          OF(merge_parts_placed, merge_parts),
                                          OF(merge_pairs, merge_pairs),
                                          {0}};

enum { LONG_FLOATS = 2048 }; /* floats of 8 bytes beyond so many are put into buckets by a leaf, too */

static bool is_merged(const riffle_sort_options *options) {
    return options->task == RIFFLE_SORT_TASK_MERGE || options->algorithm == RIFFLE_SORT_ALGORITHM_TWO_PHASE ||
           options->algorithm == RIFFLE_SORT_ALGORITHM_PAIRWISE;
}

const kernel_pattern *sort_patterns_of(const riffle_sort_key *key, uint64_t n,
                                       const riffle_sort_options *options) {
    static const kernel_pattern none = {0};
    const bool is_wide = key->elem_bytes == 16, is_float = key->field[0].kind == RIFFLE_SORT_KEY_FLOAT;
    const bool is_chunked = is_wide && n > sort_leaf_most(sort_leaf_sizes(16) - 1) && n <= SORT_CHUNK;
    const bool is_split = is_float && n > (key->elem_bytes > 4 ? LONG_FLOATS : SORT_CHUNK);
    return !is_merged(options) && (is_split || is_chunked) ? &none : patterns;
}
