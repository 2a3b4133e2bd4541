/* SPDX-License-Identifier: Apache-2.0
 *
 * The task of a sort that is explained or simulated, by --merge, --top and --partition.
 */
#ifndef RIFFLE_CLI_SUBJECTS_SORT_TASK_H
#define RIFFLE_CLI_SUBJECTS_SORT_TASK_H

#include "riffle/sort.h"

/** A merge of so many streams, the first `top` of all, all with the first `partition` in front, or a sort where these are 0. */
static inline riffle_sort_options sort_options_of(uint64_t streams, uint64_t top, uint64_t partition) {
    return (riffle_sort_options){.task = streams > 0     ? RIFFLE_SORT_TASK_MERGE
                                         : top > 0       ? RIFFLE_SORT_TASK_TOP
                                         : partition > 0 ? RIFFLE_SORT_TASK_PARTITION
                                                         : RIFFLE_SORT_TASK_SORT,
                                 .segments = streams,
                                 .count = top > 0 ? top : partition};
}

#endif
