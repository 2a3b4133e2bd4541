/* SPDX-License-Identifier: Apache-2.0
 *
 * Tables of the kernels of elements that are no codes, which take them by value: codes that are made of them, what of these tells elements apart,
 * elements that tie, and elements moved in their order.
 */
#ifndef RIFFLE_SORT_KERNELS_TABLES_ROW_H
#define RIFFLE_SORT_KERNELS_TABLES_ROW_H

#include "sort/kernels/tables/common.h"

typedef struct sort_rows {
    const unsigned char *elements;
    uint32_t elem_bytes;
    key_pieces pieces; /**< the key's */
} sort_rows;

/** The bits of a piece's code that tell elements apart, those of `mask`, of which there are `bits`. They are moved together by
 *  1, 2, 4, ... 32 places, at each step those of move[]; `at` of such bits are in the pieces before. */
typedef struct sort_squeeze {
    uint64_t mask, move[SORT_MOVES];
    uint32_t at, bits;
} sort_squeeze;

typedef struct sort_codes_table {
    sort_ranges ranges;
    sort_rows rows;
    const sort_squeeze *squeezes; /**< [piece]; NULL: all bits make codes */
} sort_codes_table;

/** sort_number_codes and sort_numbers */
typedef struct sort_number_table {
    sort_ranges ranges;
    sort_field number; /**< field of elements that are one; codes are not merged then */
} sort_number_table;

/** Results: which, and in which order. */
typedef struct sort_results {
    sort_ranges ranges;
    const uint32_t *picks; /**< as sort_picks.cu has them; NULL: all elements are results */
    const uint32_t *order; /**< taken in this order; NULL: as they lie */
    uint32_t count;        /**< results, at most */
} sort_results;

typedef struct sort_gather_table {
    sort_results results;
    uint64_t units, reciprocal; /**< units of a moved element; division by them (device/kernels/rows.h) */
    uint32_t shift;
} sort_gather_table;

typedef struct sort_differ_table {
    sort_ranges ranges;
    sort_rows rows;
    uint64_t *differs; /**< [piece]: bits that are not the same in all codes */
} sort_differ_table;

typedef struct sort_squeezes_table {
    const uint64_t *differs;
    sort_squeeze *squeezes; /**< [piece], and behind them where bits end */
    uint32_t pieces;
} sort_squeezes_table;

/** A round of what ties: keys are equal in the bits before `skip`. */
typedef struct sort_round {
    const uint32_t *bits; /**< how many bits of keys differ */
    uint32_t skip;
} sort_round;

typedef struct sort_ties_table {
    sort_ranges ranges;
    sort_round round;
    uint8_t *same;         /**< true if the element at a place ties with the one before it */
    const uint32_t *place; /**< places in the order `whole` of those that tie; NULL: all are in it */
    const uint32_t *tied;  /**< elements that are to be there */
    uint32_t *whole;
} sort_ties_table;

typedef struct sort_tie_counts_table {
    sort_round round;
    const uint8_t *same;
    uint32_t n, piece; /**< piece: places of a block */
} sort_tie_counts_table;

typedef struct sort_tie_codes_table {
    sort_rows rows;
    const sort_squeeze *squeezes;
    const uint8_t *same;
    const uint32_t *sums;  /**< sums of the counts before, and of all */
    const uint32_t *whole; /**< the order so far */
    uint32_t *begin;       /**< receives where the list of what ties begins, and ends */
    uint32_t *place, *tied;
    uint32_t n, piece, skip;
} sort_tie_codes_table;

#endif
