/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of the kernel that reads a sort once more.
 */
#ifndef RIFFLE_SORT_KERNELS_TABLES_CHECK_H
#define RIFFLE_SORT_KERNELS_TABLES_CHECK_H

#include "check/kernels/table.h"
#include "sort/kernels/tables/row.h"

enum { SORT_CHECK_MOST_ROUNDS = 16 };

typedef struct sort_check_table {
    sort_rows rows;        /**< elements NULL: there are none */
    const uint64_t *first; /**< where segments begin; NULL: they are of one length */
    const void *tags;      /**< values or indices; NULL: none, or places */
    check_record *record;
    uint32_t n, segments, length;
    uint32_t tag_bytes, rounds;
    uint32_t are_places, are_through; /**< tags are; elements lie where tags say */
    uint32_t has_order, by_tags;      /**< elements have one; and equal ones are in the order of their tags */
    uint32_t is_one;                  /**< segments have become one */
    uint32_t is_taken;                /**< from the sum */
} sort_check_table;

/** sort_check_numbers: elements that are a number of up to 8 bytes, alone and all of one order. */
typedef struct sort_check_numbers_table {
    check_record *record;
    uint64_t n;
    key_piece number;
    sort_coding coding; /**< makes the codes that are compared and added up */
    uint32_t is_coded;  /**< these are not the numbers themselves */
    uint32_t rounds;
    uint32_t has_order, is_taken;
} sort_check_numbers_table;

#endif
