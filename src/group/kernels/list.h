/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernels of groups, as move/kernels/list.h has those of moves.
 */
#ifndef KERNEL_AS

#include "group/kernels/table.h"

#define TAKES_group ARGUMENT(group_table, table)
#define TAKES_group_low ARGUMENT(group_table, table) ARGUMENT(uint16_t *, names)
#define TAKES_group_begin                                                                                      \
    ARGUMENT(group_table, table)                                                                               \
    ARGUMENT(const uint64_t *, low_first) ARGUMENT(uint64_t *, begins) ARGUMENT(uint32_t, groups)
#define TAKES_group_rows                                                                                       \
    ARGUMENT(rows_table, table) ARGUMENT(const void *, places) ARGUMENT(uint32_t, keys_per_row)
#define TAKES_ungroup ARGUMENT(ungroup_table, table)
#define TAKES_group_pad ARGUMENT(group_table, table) ARGUMENT(uint64_t, row_units)
#define TAKES_group_check ARGUMENT(group_table, table) ARGUMENT(check_record *, record)

#else

SIGNATURE(group)
SIGNATURE(group_low)
SIGNATURE(group_begin)
SIGNATURE(group_rows)
SIGNATURE(group_pad)
SIGNATURE(group_check)
SIGNATURE(ungroup)

KERNEL_AS(group_count, group_count, group_count, 4, group)
KERNEL_AS(group_count_wide, group_count_wide, group_count_wide, 4, group)
KERNEL_AS(group_scan, group_scan, group_scan, 4, group)
KERNEL_AS(group_offsets, group_offsets, group_offsets, 4, group)
KERNEL_AS(group_one, group_one, group_one, 4, group)
KERNEL_AS(group_places, group_places, group_places, 4, group)
KERNEL_AS(group_move, group_move, group_move<false>, 1 | 2 | 4 | 8 | 16, group)
KERNEL_AS(group_summed_move, group_summed_move, group_move<true>, 1 | 2 | 4 | 8 | 16, group)
KERNEL_AS(group_low, group_low, group_low<false>, 1 | 2 | 4 | 8 | 16, group_low)
KERNEL_AS(group_summed_low, group_summed_low, group_low<true>, 1 | 2 | 4 | 8 | 16, group_low)
KERNEL_AS(group_begin, group_begin, group_begin, 4, group_begin)
KERNEL_AS(group_tell, group_tell, group_tell, 4, group)
KERNEL_AS(group_rows, group_rows, group_rows, 1 | 2 | 4 | 8 | 16, group_rows)
KERNEL_AS(group_pad, group_pad, group_pad, 1 | 2 | 4 | 8 | 16, group_pad)
KERNEL_AS(group_check_places, group_check_places, group_check_places, 4, group_check)
KERNEL_AS(group_check_offsets, group_check_offsets, group_check_offsets, 4, group_check)
KERNEL_AS(ungroup_rows, ungroup_rows, ungroup_rows, 1 | 2 | 4 | 8 | 16, ungroup)
KERNEL_AS(ungroup_f32, ungroup_f32, ungroup_sums<ungroup_f32>, 4 | 8 | 16, ungroup)
KERNEL_AS(ungroup_f64, ungroup_f64, ungroup_sums<ungroup_f64>, 8 | 16, ungroup)
KERNEL_AS(ungroup_f16, ungroup_f16, ungroup_sums<ungroup_f16>, 2 | 4 | 8 | 16, ungroup)
KERNEL_AS(ungroup_bf16, ungroup_bf16, ungroup_sums<ungroup_bf16>, 2 | 4 | 8 | 16, ungroup)

#undef KERNEL_AS
#undef SIGNATURE
#undef ARGUMENT
#endif
