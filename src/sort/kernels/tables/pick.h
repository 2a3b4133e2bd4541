/* SPDX-License-Identifier: Apache-2.0
 *
 * Tables of the kernels of segments and of picks, which take them by value.
 */
#ifndef RIFFLE_SORT_KERNELS_TABLES_PICK_H
#define RIFFLE_SORT_KERNELS_TABLES_PICK_H

#include "sort/kernels/tables/row.h"

typedef struct sort_begin_table {
    const uint64_t *first; /**< where segments begin, where the caller says so */
    uint32_t n, segments;
} sort_begin_table;

typedef struct sort_top_table {
    sort_ranges ranges;
    uint32_t count; /**< results of a segment */
} sort_top_table;

typedef struct sort_marks_table {
    sort_ranges ranges;
    sort_rows rows;
    const uint32_t *order; /**< elements are in this order; NULL: as they lie */
    const uint32_t
        *marks;      /**< true if an element, in order, is not like the one before it; NULL: fields say so */
    uint32_t *sums;  /**< receives each tile's */
    uint32_t *picks; /**< become SORT_NO_PICK */
} sort_marks_table;

/** sort_pick and sort_lengths */
typedef struct sort_pick_table {
    sort_ranges ranges;
    const uint32_t *ranks, *sums;
} sort_pick_table;

/** sort_fronts and sort_partition */
typedef struct sort_partition_table {
    sort_ranges ranges;
    const uint32_t *order; /**< places before, at and behind place `count` of each segment have the right elements */
    uint32_t count;
    const uint32_t *ranks, *sums; /**< sort_partition: as sort_pick has them */
} sort_partition_table;

#endif
