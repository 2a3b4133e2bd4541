/* SPDX-License-Identifier: Apache-2.0
 *
 * The patterns of matrices over F2 (f2/kernels/): where words lie; and, of products, which sums rows of the left factor name.
 */
#include "base/arithmetic.h"
#include "f2/gpu/launches.h"
#include "f2/kernels/kernel.h"

enum { SITE_RIGHT, SITE_PUT, SITE_LEFT, SITE_GET, SITE_TO };
enum { SITE_FROM, SITE_TURNED };
enum { WARP = 32, WORD = 4, PAIR = 8, VECTOR = 16 };
enum { MADE = 32, WARPS_OF_TABLE = F2_ENTRIES / MADE };

typedef struct product_view {
    const f2_product_table *a;
    const launch *work;
    const f2_task *task; /* the host's matrices */
    uint32_t words;
    pattern *out;
} product_view;

static uint32_t left_word(const product_view *v, uint64_t row, uint32_t from) {
    const uint32_t word = (uint32_t)(f2_row(&v->task->a, row)[from / 64] >> from % 64);
    const uint32_t left = v->a->inner - from;
    return left < 32 ? word & ((1U << left) - 1) : word;
}

/* A warp's part of the tables. */
static void sums(const product_view *v, uint32_t warp, uint32_t panel, uint32_t from) {
    const uint32_t table = warp / WARPS_OF_TABLE, part = warp % WARPS_OF_TABLE;
    for (uint32_t k = 0; k < F2_FIELD; k++) {
        const uint64_t row = from + table * F2_FIELD + k;
        const uint64_t cells =
            row < v->a->inner ? min((uint64_t)WARP, (uint64_t)v->words - min(panel, v->words)) : 0;
        pattern_lanes lanes = {0};
        for (uint64_t lane = 0; lane < cells; lane++)
            pattern_lane(&lanes, (uintptr_t)v->a->right + (row * v->a->right_stride + panel + lane) * WORD);
        pattern_next(v->out, SITE_RIGHT, &lanes);
    }
    for (uint32_t j = 0; j < MADE; j++) {
        pattern_lanes lanes = {0};
        for (uint32_t lane = 0; lane < WARP; lane++)
            pattern_lane(
                &lanes, ((table * F2_ENTRIES + part * MADE + (j ^ j >> 1)) * (uint64_t)F2_PANEL + lane) * WORD);
        pattern_next(v->out, SITE_PUT, &lanes);
    }
}

/* Rows of a warp's threads, 8 threads a row. */
static void rows(const product_view *v, uint64_t first, uint32_t from) {
    pattern_lanes left = {0}, get[F2_TABLES] = {{0}};
    for (uint32_t lane = 0; lane < WARP; lane++) {
        const uint64_t row = first + lane / F2_LANES;
        if (row >= v->a->rows) break;
        const uint32_t word = left_word(v, row, from);
        pattern_lane(&left, (uintptr_t)v->work->from + (row * v->a->left_stride + from / 32) * WORD);
        for (uint32_t t = 0; t < F2_TABLES; t++)
            pattern_lane(&get[t], (t * F2_ENTRIES + (word >> F2_FIELD * t & (F2_ENTRIES - 1))) *
                                          (uint64_t)F2_PANEL * WORD +
                                      lane % F2_LANES * VECTOR);
    }
    pattern_next(v->out, SITE_LEFT, &left);
    for (uint32_t t = 0; t < F2_TABLES; t++) pattern_next(v->out, SITE_GET, &get[t]);
}

static void results(const product_view *v, uint64_t first, uint32_t panel) {
    for (uint32_t k = 0; k < VECTOR / WORD; k += PAIR / WORD) {
        pattern_lanes to = {0};
        for (uint32_t lane = 0; lane < WARP; lane++) {
            const uint64_t row = first + lane / F2_LANES, word = panel + lane % F2_LANES * (VECTOR / WORD) + k;
            if (row < v->a->rows && word < v->words)
                pattern_lane(&to, (uintptr_t)v->work->to + (row * v->a->to_stride + word) * WORD);
        }
        pattern_next(v->out, SITE_TO, &to);
    }
}

static void describe_warp(const product_view *v, uint64_t block, uint32_t warp) {
    const uint32_t panel = (uint32_t)(block % v->a->panels) * F2_PANEL;
    const uint64_t first = block / v->a->panels * (F2_ROWS * (uint64_t)v->a->moves) + warp * (WARP / F2_LANES);
    pattern_begin_warp(v->out);
    for (uint32_t from = 0; from < v->a->inner; from += F2_TABLES * F2_FIELD) {
        sums(v, warp, panel, from);
        for (uint32_t i = 0; i < v->a->moves; i++) rows(v, first + i * F2_ROWS, from);
    }
    for (uint32_t i = 0; i < v->a->moves; i++) results(v, first + i * F2_ROWS, panel);
}

static void pattern_of_product(const launch *work, const void *subject, pattern *out) {
    const f2_product_table *const a = &((const struct f2_product_arguments *)work->arguments)->table;
    const product_view v = {a, work, subject, (uint32_t)(2 * f2_words(a->columns)), out};
    const uint64_t samples = pattern_samples(out, (uint64_t)F2_ROWS * a->moves * a->inner);
    pattern_declare(out, SITE_RIGHT, PATTERN_GLOBAL, PATTERN_READ, WORD);
    pattern_declare(out, SITE_PUT, PATTERN_SHARED, PATTERN_WRITE, WORD);
    pattern_declare(out, SITE_LEFT, PATTERN_GLOBAL, PATTERN_READ, WORD);
    pattern_declare(out, SITE_GET, PATTERN_SHARED, PATTERN_READ, VECTOR);
    pattern_declare(out, SITE_TO, PATTERN_GLOBAL, PATTERN_WRITE, PAIR);
    for (uint64_t k = 0; k < samples; k++) {
        const uint64_t block = pattern_sample(out, samples, k);
        for (uint32_t warp = 0; warp < F2_THREADS / WARP; warp++) describe_warp(&v, block, warp);
    }
}

/* -------------------------------------------------------------- transposes */

static void turned(const launch *work, uint64_t block, uint32_t warp, pattern *out) {
    const struct f2_transpose_arguments *const a = work->arguments;
    const uint64_t first = block / a->panels * F2_TILE, column = block % a->panels * F2_TILE + warp * WARP;
    const uint64_t to_words = 2 * f2_words(a->rows);
    pattern_begin_warp(out);
    for (uint32_t k = 0; k < F2_TILE / WARP; k++) {
        pattern_lanes from = {0};
        for (uint64_t lane = 0; lane < WARP; lane++) {
            const uint64_t row = first + k * WARP + lane;
            if (row < a->rows && column < a->columns)
                pattern_lane(&from, (uintptr_t)work->from + (row * a->from_stride + column / WARP) * WORD);
        }
        pattern_next(out, SITE_FROM, &from);
    }
    for (uint32_t k = 0; k < F2_TILE / WARP; k += 2) {
        pattern_lanes to = {0};
        for (uint64_t lane = 0; lane < WARP; lane++)
            if (column + lane < a->columns && first / WARP + k < to_words)
                pattern_lane(&to,
                             (uintptr_t)work->to + ((column + lane) * a->to_stride + first / WARP + k) * WORD);
        pattern_next(out, SITE_TURNED, &to);
    }
}

static void pattern_of_transpose(const launch *work, const void *subject, pattern *out) {
    const uint64_t samples = pattern_samples(out, (uint64_t)F2_TILE * F2_TILE);
    (void)subject;
    pattern_declare(out, SITE_FROM, PATTERN_GLOBAL, PATTERN_READ, WORD);
    pattern_declare(out, SITE_TURNED, PATTERN_GLOBAL, PATTERN_WRITE, PAIR);
    for (uint64_t k = 0; k < samples; k++) {
        const uint64_t block = pattern_sample(out, samples, k);
        for (uint32_t warp = 0; warp < F2_TILE / WARP; warp++) turned(work, block, warp, out);
    }
}

const kernel_pattern f2_patterns[] = {{&KERNEL_f2_product.record, pattern_of_product},
                                      {&KERNEL_f2_transpose.record, pattern_of_transpose},
                                      {NULL, NULL}};
