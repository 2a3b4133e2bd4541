/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows of sorts: numbers in many orders, their sorts beside a copy of them, and whether they are right.
 */
#ifndef RIFFLE_BENCH_SUITES_SORTS_SORTS_H
#define RIFFLE_BENCH_SUITES_SORTS_SORTS_H

#include "kinds/kinds.h"
#include "sorts/number.h"
#include "sorts/top.h"

/** Rows of integers are moved by their argument sort. */
static inline bool bench_sort_is_rows(const bench_row *row) { return row->elem_bytes == BENCH_SORT_ROW_BYTES; }

/** Bytes per index that the row asks for; 0: it asks for the numbers. */
static inline size_t bench_sort_indices(const bench_row *row) {
    return ((const bench_sort_row *)row->of)->index_bytes;
}

/** True if the row's segments are parted. */
static inline bool bench_sort_parts(const bench_row *row) { return ((const bench_sort_row *)row->of)->parts; }

/** The first so many of each segment that the row asks for, as far as there are so many; 0: all, sorted. */
static inline uint64_t bench_sort_count(const bench_row *row) {
    const uint64_t count = ((const bench_sort_row *)row->of)->count;
    return count < row->n ? count : row->n;
}

/** True if the row asks for elements: argument sorts of numbers move none, and only their indices are asked for. */
static inline bool bench_sort_moves(const bench_row *row) {
    return bench_sort_indices(row) == 0 || bench_sort_is_rows(row) || bench_sort_count(row) > 0 ||
           bench_sort_parts(row);
}

/** True if the row's segments are sorted streams, which are merged. */
bool bench_sort_is_merge(const bench_row *row);

/** Gives the row's numbers, in the order that it calls `by`; false if there is no such order. Elements of 16 bytes are
 *  numbers without a sign, whose type is called u64. */
bool bench_sort_numbers(const bench_row *row, bench_numbers *out);

/** Makes them. */
void bench_sort_fill(const bench_numbers *of, void *numbers);

/** True if `sorted` are these numbers in order, as far as sums can tell that they are these. */
bool bench_sort_is_sorted(const bench_numbers *of, const void *numbers, const void *sorted);

/** True if `indices`, of index_bytes bytes each, are the numbers' order, with equal ones in theirs. */
bool bench_sort_is_order(const bench_numbers *of, const void *numbers, const void *indices);

/** True if the results are the first of->count elements of each segment. */
bool bench_sort_is_top(const bench_numbers *of, const bench_top *top);

#endif
