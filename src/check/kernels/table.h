/* SPDX-License-Identifier: Apache-2.0
 *
 * A check's record on a device, and the tables of the kernels that add rows to it:
 *
 *     record    | first sums | second sums | what cannot be |
 *
 * The sums of a kind are one in the end.
 */
#ifndef RIFFLE_CHECK_KERNELS_TABLE_H
#define RIFFLE_CHECK_KERNELS_TABLE_H

#include "device/kernels/rows.h"

enum {
    CHECK_THREADS_LOG = 8,
    CHECK_AT_ONCE_LOG = 2,
    CHECK_ROUNDS_LOG = 4,
    CHECK_THREADS = 1 << CHECK_THREADS_LOG,
    CHECK_AT_ONCE = 1 << CHECK_AT_ONCE_LOG, /* items of a thread in a round: parts of rows, or vectors */
    CHECK_ROUND = CHECK_THREADS * CHECK_AT_ONCE,
    CHECK_MOST_ROUNDS = 1 << CHECK_ROUNDS_LOG,
    CHECK_COLUMNS = 64,
    CHECK_SUMS = 16, /* warps add to different ones, so that few wait */
};

typedef struct check_record {
    uint64_t first[CHECK_SUMS], second[CHECK_SUMS];
    uint64_t faults;
} check_record;

/** Arrays cut into blocks, each of so many rounds. */
typedef struct check_cut {
    check_record *record;
    uint64_t step;   /**< elements of the template from the start of an array to the next one's */
    uint64_t blocks; /**< a block for each stretch of each array; a launch has no more than INT32_MAX */
    uint32_t blocks_each, rounds_log; /**< blocks of an array, and rounds of a block */
    uint32_t is_taken;                /**< from the sums */
    uint32_t is_narrow;               /**< places of all words are below 2^32 */
} check_cut;

/** check_run: words where they belong. */
typedef struct check_run_table {
    check_cut cut;
    uint64_t words; /**< each array has so many */
    uint64_t row_words;
    const uint64_t *count; /**< how many rows there are; or NULL */
} check_run_table;

/** check_affine: elements of 1 to 16 bytes whose words go along an affine map of their numbers' bits. */
typedef struct check_affine_table {
    check_cut cut;
    uint64_t n; /**< a power of two */
    uint64_t words;
    uint64_t offset;
    uint64_t column[CHECK_COLUMNS]; /**< in words, 0 behind the last bit */
} check_affine_table;

/** check_rows: rows along a table. */
typedef struct check_rows_table {
    check_cut cut;
    rows_table rows;    /**< one array's */
    const void *places; /**< keys_per_row of each row */
    uint32_t keys_per_row, may_be_nowhere;
} check_rows_table;

#endif
