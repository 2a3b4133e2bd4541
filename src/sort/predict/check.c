/* SPDX-License-Identifier: Apache-2.0
 *
 * The pattern of the check of sorted numbers (sort/kernels/codes/sort_check_numbers.cu), which reads them whatever they are.
 */
#include "base/arithmetic.h"
#include "check/predict.h"
#include "device/kernels/lanes.h"
#include "sort/predict/patterns.h"

enum { VECTORS, AHEAD = CHECK_VECTOR_SITES, SUMS };

typedef struct numbers_view {
    const sort_check_numbers_table *table;
    uint64_t from;
    size_t elem_bytes;
    pattern *out;
} numbers_view;

/* A warp's first vector is compared with the number before it. */
static void read_round(const numbers_view *v, uint64_t first) {
    const uint64_t each = ROWS_WORD_BYTES / v->elem_bytes, lead = v->from % ROWS_WORD_BYTES / v->elem_bytes,
                   begin = first * each;
    check_note_vectors(v->out, VECTORS, v->from, v->elem_bytes, v->table->n, first);
    if (v->table->has_order != 0 && begin > lead && begin - lead <= v->table->n)
        pattern_next(v->out, AHEAD, &(pattern_lanes){1, {v->from + (begin - lead - 1) * v->elem_bytes}});
}

void pattern_of_sort_check_numbers(const launch *work, const void *subject, pattern *out) {
    const sort_check_numbers_table *const t =
        &((const struct sort_check_numbers_arguments *)work->arguments)->table;
    const numbers_view v = {t, (uintptr_t)work->from, work->elem_bytes, out};
    const uint64_t each = (uint64_t)t->rounds * CHECK_ROUND, samples = pattern_samples(out, each);
    (void)subject;
    check_declare_vectors(out, VECTORS, work->elem_bytes);
    pattern_declare(out, AHEAD, PATTERN_GLOBAL, PATTERN_READ, work->elem_bytes);
    check_declare_sums(out, SUMS);
    for (uint64_t k = 0; k < samples; k++) {
        const uint64_t block = pattern_sample(out, samples, k);
        for (uint64_t thread = 0; thread < CHECK_THREADS; thread += WARP_LANES) {
            pattern_begin_warp(out);
            for (uint64_t i = 0; i < each; i += CHECK_THREADS) read_round(&v, block * each + i + thread);
            check_note_sums(out, SUMS, t->record);
        }
    }
}
