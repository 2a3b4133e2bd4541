/* SPDX-License-Identifier: Apache-2.0 */
#include "sorts/sorts.h"

#include <string.h>

static const char *const names[BENCH_ORDERS] = {
    [BENCH_UNIFORM] = "uniform", [BENCH_SORTED] = "sorted",       [BENCH_REVERSED] = "reversed",
    [BENCH_FEW] = "few",         [BENCH_EQUAL] = "equal",         [BENCH_ZIPF] = "zipf",
    [BENCH_NEARLY] = "nearly",   [BENCH_STAGGERED] = "staggered", [BENCH_ALTERNATING] = "alternating",
    [BENCH_HALVES] = "halves",   [BENCH_CLUSTERS] = "clusters",   [BENCH_STREAMS] = "streams",
};

bool bench_sort_is_merge(const bench_row *row) { return strcmp(row->by, names[BENCH_STREAMS]) == 0; }

bool bench_sort_numbers(const bench_row *row, bench_numbers *out) {
    const uint64_t all = row->n * (row->batch > 0 ? row->batch : 1);
    *out = (bench_numbers){.order = BENCH_ORDERS,
                           .type = row->type,
                           .n = row->n,
                           .all = all,
                           .length = bench_sort_is_merge(row) ? all : row->n,
                           .count = bench_sort_count(row),
                           .parts = bench_sort_parts(row),
                           .elem_bytes = row->elem_bytes,
                           .index_bytes = bench_sort_indices(row)};
    for (bench_order order = 0; order < BENCH_ORDERS; ++order)
        if (strcmp(names[order], row->by) == 0) out->order = order;
    return out->order < BENCH_ORDERS;
}

void bench_sort_fill(const bench_numbers *of, void *numbers) {
    char *const to = numbers;
#pragma omp parallel for schedule(static)
    for (uint64_t i = 0; i < of->all; ++i) bench_write_number(of, bench_number(of, i), to + i * of->elem_bytes);
}

typedef bench_look look_at(const bench_numbers *of, const void *numbers, const void *found, uint64_t i);

static bool look_at_all(look_at *at, const bench_numbers *of, const void *numbers, const void *found) {
    uint64_t wrong = 0, sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : wrong, sum)
    for (uint64_t i = 0; i < of->all; ++i) {
        const bench_look look = at(of, numbers, found, i);
        wrong += look.wrong;
        sum += look.sum;
    }
    return wrong == 0 && sum == 0;
}

bool bench_sort_is_sorted(const bench_numbers *of, const void *numbers, const void *sorted) {
    return look_at_all(bench_look_at_number, of, numbers, sorted);
}

bool bench_sort_is_order(const bench_numbers *of, const void *numbers, const void *indices) {
    return look_at_all(bench_look_at_index, of, numbers, indices);
}

static bool segment_is_top(const bench_numbers *of, const bench_top *top, uint64_t segment) {
    unsigned long long wrong = 0, sum = 0, ahead = 0;
#pragma omp parallel for schedule(static) reduction(+ : wrong, sum, ahead)
    for (uint64_t i = segment * of->n; i < (segment + 1) * of->n; ++i) {
        const bench_top_look look = bench_look_at_element(of, top, i);
        sum += look.sum;
        ahead += look.ahead;
    }
    for (uint64_t place = segment * of->count; place < (segment + 1) * of->count; ++place) {
        const bench_top_look look = bench_look_at_result(of, top, place);
        wrong += look.wrong;
        sum += look.sum;
    }
    return bench_top_is_right(of, top, (bench_top_look){wrong, sum, ahead});
}

bool bench_sort_is_top(const bench_numbers *of, const bench_top *top) {
    for (uint64_t segment = 0; segment < of->all / of->n; ++segment)
        if (!segment_is_top(of, top, segment)) return false;
    return true;
}
