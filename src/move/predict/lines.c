/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows and columns permuted in place (move/kernels/matrix/in_rows.cu, in_columns.cu): in order on one side of shared memory,
 * along the permutation on the other.
 */
#include "base/arithmetic.h"
#include "move/predict/predict.h"

enum { SITE_READ, SITE_PUT, SITE_GET, SITE_WRITE };

static void declare(pattern *out, size_t elem_bytes) {
    pattern_declare(out, SITE_READ, PATTERN_GLOBAL, PATTERN_READ, elem_bytes);
    pattern_declare(out, SITE_PUT, PATTERN_SHARED, PATTERN_WRITE, elem_bytes);
    pattern_declare(out, SITE_GET, PATTERN_SHARED, PATTERN_READ, elem_bytes);
    pattern_declare(out, SITE_WRITE, PATTERN_GLOBAL, PATTERN_WRITE, elem_bytes);
}

/* The accesses of a warp in one round: where its elements are in memory, in order in shared memory, and moved. */
typedef struct warp_line {
    pattern_lanes memory, in_order, moved;
} warp_line;

/* Elements are moved as they come, or as they go. */
static void count(const warp_line *w, size_t round, bool as_they_come, pattern *out) {
    pattern_access(out, SITE_READ, round, &w->memory);
    pattern_access(out, SITE_PUT, round, as_they_come ? &w->moved : &w->in_order);
    pattern_access(out, SITE_GET, round, as_they_come ? &w->in_order : &w->moved);
    pattern_access(out, SITE_WRITE, round, &w->memory);
}

/* Where element j of row i goes in its row. */
static uint64_t place_in_row(const in_rows_table *t, uint64_t i, uint64_t j) {
    return ((i + j / t->block) % t->rows + j * t->rows) % t->cols;
}

static void describe_row(const launch *work, uint64_t row, uint64_t line, pattern *out) {
    const in_rows_table *const t = &((const struct in_rows_arguments *)work->arguments)->table;
    const uint64_t bytes = work->elem_bytes, width = out->machine->width, threads = work->block_x;
    const uint64_t start = (uintptr_t)work->to + row * t->cols * bytes, aside = line * t->cols * bytes;
    for (uint64_t first = 0; first < t->cols; first += width) {
        warp_line w = {0};
        for (uint64_t j = first; j < min(first + width, (uint64_t)t->cols); j++) {
            pattern_lane(&w.memory, start + j * bytes);
            pattern_lane(&w.in_order, aside + j * bytes);
            pattern_lane(&w.moved, aside + place_in_row(t, row, j) * bytes);
        }
        count(&w, first / threads, !t->back, out);
    }
}

void pattern_of_in_rows(const launch *work, const void *subject, pattern *out) {
    const pass *const p = subject;
    const in_rows_table *const t = &((const struct in_rows_arguments *)work->arguments)->table;
    const uint64_t samples = pattern_samples(out, (uint64_t)work->block_y * t->cols);
    (void)p;
    declare(out, work->elem_bytes);
    for (uint64_t k = 0; k < samples; k++) {
        const uint64_t first = pattern_sample(out, samples, k) * work->block_y;
        for (uint64_t line = 0; line < work->block_y && first + line < t->rows; line++)
            describe_row(work, first + line, line, out);
    }
}

/* The row of column j that row i belongs to. */
static uint64_t place_in_column(const in_columns_table *t, uint64_t i, uint64_t j) {
    return (i * t->step + t->rows - i / t->group % t->rows + j / t->block) % t->rows;
}

/* The elements that threads first, first + 1, ... of a block have in a round, from row `begin` of its strip on. */
static void describe_lines(const launch *work, uint64_t block, uint64_t first, uint64_t begin, size_t round,
                           pattern *out) {
    const in_columns_table *const t = &((const struct in_columns_arguments *)work->arguments)->table;
    const uint64_t bytes = work->elem_bytes, strip = (uint64_t)1 << t->strip_log2;
    warp_line w = {0};
    for (uint64_t thread = first; thread < first + out->machine->width; thread++) {
        const uint64_t k = thread % strip, i = begin + thread / strip, j = block * strip + k;
        if (j >= t->cols || i >= t->rows) continue;
        pattern_lane(&w.memory, (uintptr_t)work->to + (i * t->cols + j) * bytes);
        pattern_lane(&w.in_order, (i * strip + k) * bytes);
        pattern_lane(&w.moved, (place_in_column(t, i, j) * strip + k) * bytes);
    }
    count(&w, round, t->back, out);
}

void pattern_of_in_columns(const launch *work, const void *subject, pattern *out) {
    const pass *const p = subject;
    const in_columns_table *const t = &((const struct in_columns_arguments *)work->arguments)->table;
    const uint64_t threads = work->block_x, lines = threads >> t->strip_log2;
    const uint64_t samples = pattern_samples(out, (uint64_t)t->rows << t->strip_log2);
    (void)p;
    declare(out, work->elem_bytes);
    for (uint64_t k = 0; k < samples; k++) {
        const uint64_t block = pattern_sample(out, samples, k);
        for (uint64_t begin = 0; begin < t->rows; begin += lines)
            for (uint64_t first = 0; first < threads; first += out->machine->width)
                describe_lines(work, block, first, begin, begin / lines, out);
    }
}
