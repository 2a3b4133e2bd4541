/* SPDX-License-Identifier: Apache-2.0 */
#include "group/predict/patterns.h"

#include "check/kernels/kernel.h"
#include "check/predict.h"
#include "group/kernels/kernel.h"

#define OF(kernel)                                                                                             \
    { &KERNEL_##kernel.record, pattern_of_##kernel }

const kernel_pattern group_patterns[] = {OF(group_count),
                                         OF(group_count_wide),
                                         OF(group_scan),
                                         OF(group_offsets),
                                         OF(group_one),
                                         OF(group_places),
                                         OF(group_move),
                                         {&KERNEL_group_summed_move.record, pattern_of_group_move},
                                         {&KERNEL_group_summed_low.record, pattern_of_group_low},
                                         OF(group_rows),
                                         OF(group_pad),
                                         OF(group_low),
                                         OF(group_begin),
                                         OF(group_tell),
                                         OF(group_check_places),
                                         OF(group_check_offsets),
                                         OF(check_rows),
                                         {&KERNEL_check_run.record, pattern_of_group_written},
                                         {0}};
