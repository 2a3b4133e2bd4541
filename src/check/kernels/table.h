/* SPDX-License-Identifier: Apache-2.0
 *
 * A check's record on a device, and the table of the kernel that adds rows to it:
 *
 *     record    | sums, which are one in the end | what cannot be |
 */
#ifndef RIFFLE_CHECK_KERNELS_TABLE_H
#define RIFFLE_CHECK_KERNELS_TABLE_H

#include "device/kernels/rows.h"

enum {
    CHECK_THREADS = 256,
    CHECK_AT_ONCE = 4, /* parts of a thread in a round */
    CHECK_ROUND = CHECK_THREADS * CHECK_AT_ONCE,
    CHECK_MOST_ROUNDS = 16,
    CHECK_SUMS = 32, /* warps add to different ones, so that few wait */
};

typedef struct check_record {
    uint64_t sum[CHECK_SUMS];
    uint64_t faults;
} check_record;

typedef struct check_table {
    rows_table rows;       /**< one array's */
    uint64_t step;         /**< parts from the start of an array to the next one's */
    const uint64_t *count; /**< how many rows there are; or NULL */
    const void *places;    /**< keys_per_row of each row; NULL: rows are where they belong */
    uint64_t *sums;
    uint64_t blocks; /**< a block for each stretch of each array; a launch has no more than INT32_MAX */
    uint32_t keys_per_row;
    uint32_t blocks_each, rounds; /**< blocks of an array, and rounds of a block */
    uint32_t is_taken, may_be_nowhere;
} check_table;

#endif
