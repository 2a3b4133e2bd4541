/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows of sorts: numbers in many orders, their sorts beside a copy of them, and whether they are right.
 */
#ifndef RIFFLE_CLI_BENCH_SORTS_SORTS_H
#define RIFFLE_CLI_BENCH_SORTS_SORTS_H

#include "bench/result.h"

/** Fills the row's segments with numbers of its type in the order that it calls `by`; false if there is no such order. */
bool bench_sort_fill(const bench_row *row, void *numbers);

/** Whether `sorted` are these numbers in order (NULL: they were not asked for), and so `indices`, of entry_bytes bytes
 *  each, with equal numbers in their order (NULL: likewise). */
bool bench_sort_is_right(const bench_row *row, const void *numbers, const void *sorted, const void *indices);

/** Measures a row. */
riffle_status bench_sort_measure(const bench_row *row, const bench_settings *settings, bench_result *out);

#endif
