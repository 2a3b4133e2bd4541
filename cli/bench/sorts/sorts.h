/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows of sorts: numbers in many orders, their sorts beside a copy of them, and whether they are right.
 */
#ifndef RIFFLE_CLI_BENCH_SORTS_SORTS_H
#define RIFFLE_CLI_BENCH_SORTS_SORTS_H

#include "bench/result.h"
#include "riffle/sort.h"

/** Elements of so many bytes are rows of three integers of type i64, of which the first two have few values; they are moved by
 *  their argument sort. */
enum { BENCH_SORT_ROW_BYTES = 24 };

static inline bool bench_sort_is_rows(const bench_row *row) { return row->elem_bytes == BENCH_SORT_ROW_BYTES; }

/** Whether the row's segments are sorted streams, which are merged. */
bool bench_sort_is_merge(const bench_row *row);

/** Fills the row's segments with numbers of its type in the order that it calls `by`; false if there is no such order. Elements of 16
 *  bytes are numbers without a sign, whose type is called u64. */
bool bench_sort_fill(const bench_row *row, void *numbers);

/** Whether `sorted` are these numbers in order (NULL: they were not asked for), and so `indices`, of entry_bytes bytes
 *  each, with equal numbers in their order (NULL: likewise). */
bool bench_sort_is_right(const bench_row *row, const void *numbers, const void *sorted, const void *indices);

/** Plans the row's sort, and notes what that took. */
riffle_status bench_sort_plan(const bench_row *row, const bench_settings *settings, riffle_sort_plan **plan,
                              bench_result *out);

/** Measures a row, of numbers in the host's memory. */
riffle_status bench_sort_measure(const bench_row *row, const bench_settings *settings, bench_result *out);

#endif
