/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernels of sorts, as move/kernels/list.h has them: SORT_KERNEL(id, template, bytes). `bytes` is a sum of the sizes of keys that
 * a kernel is made for.
 */
#ifndef KERNEL_AS

#include "sort/kernels/sort.h"
#include "sort/kernels/sort_own.h"

#define TAKES_sort ARGUMENT(sort_table, table)
#define TAKES_sort_own ARGUMENT(sort_own_table, table)

#define SORT_KERNEL(id, instance, bytes) KERNEL_AS(id, id, instance, bytes, sort)

/* A step of the kernel with the user's comparison, which is compiled where it runs. */
#define SORT_USERS(id) KERNEL_AS(id, id, nullptr, 0, sort_own)

#else

SIGNATURE(sort)
SIGNATURE(sort_own)

SORT_KERNEL(sort_ranks, sort_ranks, 4 | 8 | 16)
/* By how many samples there may be. */
SORT_KERNEL(sort_sample_0, sort_sample<2>, 4 | 8 | 16)
SORT_KERNEL(sort_sample_1, sort_sample<4>, 4 | 8 | 16)
SORT_KERNEL(sort_sample_2, sort_sample<8>, 4 | 8 | 16)
SORT_KERNEL(sort_count, sort_count<false>, 4 | 8 | 16)
SORT_KERNEL(sort_carry_count, sort_count<true>, 4 | 8 | 16)
SORT_KERNEL(sort_sums, sort_sums, 4)
SORT_KERNEL(sort_offsets, sort_offsets, 4)
SORT_KERNEL(sort_move_4, (sort_move<512, 16>), 4)
SORT_KERNEL(sort_move_8, (sort_move<1024, 8>), 8)
SORT_KERNEL(sort_move_16, (sort_move<1024, 4>), 16)
SORT_KERNEL(sort_carry_4, (sort_carry<1024, 8>), 4)
SORT_KERNEL(sort_carry_8, (sort_carry<1024, 8>), 8)
SORT_KERNEL(sort_carry_16, (sort_carry<1024, 4>), 16)
/* Leaves by length, from the shortest on. The longest of 16 bytes would have more shared memory than a block of some GPUs. */
SORT_KERNEL(sort_leaves_4_0, (sort_leaves<sort_one_warp, false, 16>), 4)
SORT_KERNEL(sort_leaves_4_1, (sort_leaves<sort_one_warp, false, 24>), 4)
SORT_KERNEL(sort_leaves_4_2, (sort_leaves<sort_one_warp, false, 32>), 4)
SORT_KERNEL(sort_leaves_4_3, (sort_leaves<sort_some_warps<2>, false, 32>), 4)
SORT_KERNEL(sort_leaves_4_4, (sort_leaves<sort_some_warps<4>, false, 32>), 4)
SORT_KERNEL(sort_leaves_4_5, (sort_leaves<sort_some_warps<8>, false, 32>), 4)
SORT_KERNEL(sort_leaves_8_0, (sort_leaves<sort_one_warp, false, 16>), 8)
SORT_KERNEL(sort_leaves_8_1, (sort_leaves<sort_one_warp, false, 24>), 8)
SORT_KERNEL(sort_leaves_8_2, (sort_leaves<sort_one_warp, false, 32>), 8)
SORT_KERNEL(sort_leaves_8_3, (sort_leaves<sort_some_warps<2>, false, 32>), 8)
SORT_KERNEL(sort_leaves_8_4, (sort_leaves<sort_some_warps<4>, false, 32>), 8)
SORT_KERNEL(sort_leaves_8_5, (sort_leaves<sort_some_warps<8>, false, 32>), 8)
SORT_KERNEL(sort_leaves_16_0, (sort_leaves<sort_one_warp, false, 16>), 16)
SORT_KERNEL(sort_leaves_16_1, (sort_leaves<sort_one_warp, false, 24>), 16)
SORT_KERNEL(sort_leaves_16_2, (sort_leaves<sort_one_warp, false, 32>), 16)
SORT_KERNEL(sort_leaves_16_3, (sort_leaves<sort_some_warps<2>, false, 32>), 16)
SORT_KERNEL(sort_leaves_16_4, (sort_leaves<sort_some_warps<4>, false, 32>), 16)
SORT_KERNEL(sort_carry_leaves_4_0, (sort_leaves<sort_one_warp, true, 16>), 4)
SORT_KERNEL(sort_carry_leaves_4_1, (sort_leaves<sort_one_warp, true, 24>), 4)
SORT_KERNEL(sort_carry_leaves_4_2, (sort_leaves<sort_one_warp, true, 32>), 4)
SORT_KERNEL(sort_carry_leaves_4_3, (sort_leaves<sort_some_warps<2>, true, 32>), 4)
SORT_KERNEL(sort_carry_leaves_4_4, (sort_leaves<sort_some_warps<4>, true, 32>), 4)
SORT_KERNEL(sort_carry_leaves_4_5, (sort_leaves<sort_some_warps<8>, true, 32>), 4)
SORT_KERNEL(sort_carry_leaves_8_0, (sort_leaves<sort_one_warp, true, 16>), 8)
SORT_KERNEL(sort_carry_leaves_8_1, (sort_leaves<sort_one_warp, true, 24>), 8)
SORT_KERNEL(sort_carry_leaves_8_2, (sort_leaves<sort_one_warp, true, 32>), 8)
SORT_KERNEL(sort_carry_leaves_8_3, (sort_leaves<sort_some_warps<2>, true, 32>), 8)
SORT_KERNEL(sort_carry_leaves_8_4, (sort_leaves<sort_some_warps<4>, true, 32>), 8)
SORT_KERNEL(sort_carry_leaves_8_5, (sort_leaves<sort_some_warps<8>, true, 32>), 8)
SORT_KERNEL(sort_carry_leaves_16_0, (sort_leaves<sort_one_warp, true, 16>), 16)
SORT_KERNEL(sort_carry_leaves_16_1, (sort_leaves<sort_one_warp, true, 24>), 16)
SORT_KERNEL(sort_carry_leaves_16_2, (sort_leaves<sort_one_warp, true, 32>), 16)
SORT_KERNEL(sort_carry_leaves_16_3, (sort_leaves<sort_some_warps<2>, true, 32>), 16)
SORT_KERNEL(sort_carry_leaves_16_4, (sort_leaves<sort_some_warps<4>, true, 32>), 16)
/* Segments that are short leaves: of as many keys as the first of those launches. */
SORT_KERNEL(sort_short_4, (sort_short<false, 16>), 4)
SORT_KERNEL(sort_short_8, (sort_short<false, 8>), 8)
SORT_KERNEL(sort_short_16, (sort_short<false, 8>), 16)
SORT_KERNEL(sort_carry_short_4, (sort_short<true, 8>), 4)
SORT_KERNEL(sort_carry_short_8, (sort_short<true, 8>), 8)
SORT_KERNEL(sort_carry_short_16, (sort_short<true, 8>), 16)
SORT_KERNEL(sort_codes, sort_codes, 4 | 8 | 16)
SORT_KERNEL(sort_number_codes, sort_number_codes, 4)
SORT_KERNEL(sort_numbers, sort_numbers, 4)
SORT_KERNEL(sort_differ, sort_differ, 8)
SORT_KERNEL(sort_squeezes, sort_squeezes, 8)
SORT_KERNEL(sort_ties, sort_ties, 8 | 16)
SORT_KERNEL(sort_tie_counts, sort_tie_counts, 4)
SORT_KERNEL(sort_tie_codes, sort_tie_codes, 16)
SORT_KERNEL(sort_gather, sort_gather, 1 | 2 | 4 | 8 | 16)
SORT_KERNEL(sort_widen, sort_widen, 4 | 8)
SORT_KERNEL(sort_clear, sort_clear, 4)
SORT_KERNEL(sort_begin, sort_begin, 4)
SORT_KERNEL(sort_settle, sort_settle, 4)
SORT_KERNEL(sort_pieces, sort_pieces, 4)
SORT_KERNEL(sort_top, sort_top, 4)
SORT_KERNEL(sort_marks, sort_marks, 4)
SORT_KERNEL(sort_add_marks, sort_add_marks, 4)
SORT_KERNEL(sort_pick, sort_pick, 4)
SORT_KERNEL(sort_lengths, sort_lengths, 8)
SORT_KERNEL(sort_long, sort_long<false>, 4 | 8 | 16)
SORT_KERNEL(sort_carry_long, sort_long<true>, 4 | 8 | 16)
SORT_KERNEL(sort_window, sort_window, 4)
SORT_KERNEL(sort_outside, sort_outside<false>, 4 | 8 | 16)
SORT_KERNEL(sort_carry_outside, sort_outside<true>, 4 | 8 | 16)
SORT_KERNEL(sort_chunks, sort_chunks<false>, 4 | 8 | 16)
SORT_KERNEL(sort_carry_chunks, sort_chunks<true>, 4 | 8 | 16)
SORT_KERNEL(sort_runs, sort_runs<false>, 4 | 8 | 16)
SORT_KERNEL(sort_carry_runs, sort_runs<true>, 4 | 8 | 16)

SORT_USERS(sort_own_tiles)
SORT_USERS(sort_own_borders)
SORT_USERS(sort_own_checks)
SORT_USERS(sort_own_merges)
SORT_USERS(sort_own_marks)

#undef KERNEL_AS
#undef SIGNATURE
#undef ARGUMENT
#endif
