/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "bench/data.h"
#include "bench/sorts/sorts.h"
#include "riffle/sort.h"
#include "system/clock.h"

/* The arrays of a row: numbers, and either them sorted or indices. */
typedef struct arrays {
    void *numbers, *result, *copy;
    size_t bytes, result_bytes;
} arrays;

static uint64_t length_of(const bench_row *row) { return row->n * (row->batch > 0 ? row->batch : 1); }

static riffle_status allocate(const bench_row *row, arrays *a) {
    a->bytes = length_of(row) * row->elem_bytes;
    a->result_bytes = length_of(row) * (row->entry_bytes > 0 ? row->entry_bytes : row->elem_bytes);
    riffle_status status = riffle_buffer_create(a->bytes, &a->numbers);
    if (status == RIFFLE_OK) status = riffle_buffer_create(a->result_bytes, &a->result);
    if (status == RIFFLE_OK) status = riffle_buffer_create(a->bytes, &a->copy);
    return status;
}

static void free_arrays(arrays *a) {
    riffle_buffer_free(a->numbers, a->bytes);
    riffle_buffer_free(a->result, a->result_bytes);
    riffle_buffer_free(a->copy, a->bytes);
}

static double copy_seconds(const arrays *a, unsigned threads) {
    const double began = seconds_now();
#pragma omp parallel for schedule(static) num_threads((int)threads)
    for (unsigned t = 0; t < threads; ++t) {
        const size_t from = a->bytes / threads * t,
                     end = t + 1 < threads ? a->bytes / threads * (t + 1) : a->bytes;
        memcpy((char *)a->copy + from, (const char *)a->numbers + from, end - from);
    }
    return seconds_now() - began;
}

static riffle_status sort_once(const bench_row *row, const riffle_sort_plan *plan, const arrays *a,
                               double *seconds) {
    riffle_sort_arrays of = {.from_keys = a->numbers};
    if (row->entry_bytes > 0)
        of.indices = a->result;
    else
        of.keys = a->result;
    const double began = seconds_now();
    const riffle_status status = riffle_sort_execute(plan, &of);
    *seconds = seconds_now() - began;
    return status;
}

static unsigned repeat_for(const bench_settings *settings, double first) {
    if (settings->repeat > 0) return settings->repeat;
    return first > 1 ? 3 : first < 1e-3 ? 101 : 7;
}

/* The first run is the one that is checked. */
static riffle_status measure(const bench_row *row, const bench_settings *settings, const riffle_sort_plan *plan,
                             const arrays *a, bench_result *out) {
    double seconds[BENCH_MAX_REPEAT], copies[BENCH_MAX_REPEAT], first;
    bench_numbers numbers;
    if (!bench_sort_numbers(row, &numbers)) return RIFFLE_ERROR_INVALID_ARGUMENT;
    bench_sort_fill(&numbers, a->numbers);
    memset(a->result, BENCH_POISON, a->result_bytes);
    riffle_status status = sort_once(row, plan, a, &first);
    if (status != RIFFLE_OK) return status;
    out->right =
        (row->entry_bytes > 0 ? bench_sort_is_order : bench_sort_is_sorted)(&numbers, a->numbers, a->result);
    const unsigned repeat = repeat_for(settings, first);
    copy_seconds(a, out->threads > 0 ? out->threads : 1);
    for (unsigned k = 0; out->right && k < repeat; ++k) {
        copies[k] = copy_seconds(a, out->threads > 0 ? out->threads : 1);
        status = sort_once(row, plan, a, &seconds[k]);
        if (status != RIFFLE_OK) return status;
    }
    if (!out->right) return RIFFLE_OK;
    out->seconds = bench_median(seconds, repeat);
    out->copy_seconds = bench_median(copies, repeat);
    return RIFFLE_OK;
}

/* Elements of 16 bytes are a number without a sign. */
static riffle_status key_of(const bench_row *row, riffle_sort_key *out) {
    const riffle_status status = riffle_sort_key_of_type(row->type, 0, out);
    if (status != RIFFLE_OK) return status;
    out->elem_bytes = row->elem_bytes;
    if (!bench_sort_is_rows(row)) {
        out->field[0].bytes = row->elem_bytes;
        return status;
    }
    for (out->fields = 1; out->fields < 3; out->fields++) {
        out->field[out->fields] = out->field[0];
        out->field[out->fields].offset = out->fields * sizeof(int64_t);
    }
    return status;
}

riffle_status bench_sort_plan(const bench_row *row, const bench_settings *settings, riffle_sort_plan **plan,
                              bench_result *out) {
    const riffle_sort_options options = {.task = bench_sort_is_merge(row) ? RIFFLE_SORT_TASK_MERGE
                                                                          : RIFFLE_SORT_TASK_SORT,
                                         .segments = row->batch,
                                         .index_bytes = row->entry_bytes,
                                         .threads = settings->threads};
    riffle_sort_key key;
    const double began = seconds_now();
    riffle_status status = key_of(row, &key);
    if (status == RIFFLE_OK)
        status = riffle_sort_plan_create(length_of(row), &key, settings->engine, &options, plan);
    if (status != RIFFLE_OK) return bench_fail(status, out);
    out->plan_seconds = seconds_now() - began;
    out->threads = riffle_sort_plan_threads(*plan);
    out->workspace_bytes = riffle_sort_plan_workspace_bytes(*plan);
    return RIFFLE_OK;
}

riffle_status bench_sort_measure(const bench_row *row, const bench_settings *settings, bench_result *out) {
    riffle_sort_plan *plan = NULL;
    arrays a = {0};
    riffle_status status = bench_sort_plan(row, settings, &plan, out);
    if (status != RIFFLE_OK) return status;
    status = allocate(row, &a);
    if (status == RIFFLE_OK) status = measure(row, settings, plan, &a, out);
    if (status != RIFFLE_OK) bench_fail(status, out);
    free_arrays(&a);
    riffle_sort_plan_free(plan);
    return status;
}
