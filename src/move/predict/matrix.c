/* SPDX-License-Identifier: Apache-2.0
 *
 * Matrices: transposes by tiles, rows permuted by themselves (Kasagi, Nakano, Ito 2013, sections V and VI). All of it in
 * closed form, wherever the arrays begin and whatever is cut off.
 */
#include "base/arithmetic.h"
#include "move/predict/predict.h"

enum { SITE_READ, SITE_WRITE, SITE_SHARED_READ, SITE_SHARED_WRITE, SITE_S, SITE_D, SITE_OUT };

static void declare(pattern *out, size_t elem_bytes) {
    pattern_declare(out, SITE_READ, PATTERN_GLOBAL, PATTERN_READ, elem_bytes);
    pattern_declare(out, SITE_WRITE, PATTERN_GLOBAL, PATTERN_WRITE, elem_bytes);
    pattern_declare(out, SITE_SHARED_READ, PATTERN_SHARED, PATTERN_READ, elem_bytes);
    pattern_declare(out, SITE_SHARED_WRITE, PATTERN_SHARED, PATTERN_WRITE, elem_bytes);
}

/* ---------------------------------------------------------------- transposes */

/* Row y of each tile of a side whose rows have `cols` cells, `phase` cells behind an address group: rows that are a width
 * apart begin at the same place in theirs. */
static void tile_rows(pattern *out, unsigned site, size_t round, uint64_t y, uint64_t rows, uint64_t cols,
                      uint64_t phase) {
    const uint64_t width = out->machine->width, alike = y < rows ? (rows - y - 1) / width + 1 : 0;
    const uint64_t start = (phase + y * (cols % width)) % width, left = cols % width;
    const uint64_t of_whole = start > 0 ? 2 : 1, of_left = left == 0 ? 0 : start + left > width ? 2 : 1;
    const unsigned worst = (cols >= width && of_whole > 1) || of_left > 1 ? 2 : 1;
    pattern_stages(out, site, round, alike * (cols / width * of_whole + of_left), worst);
}

/* A tile is stored whole, whatever exists of it, and read by the columns that exist. */
static void tile_banks(pattern *out, uint64_t y, uint64_t height, uint64_t across, uint64_t tiles,
                       uint64_t cols) {
    const uint64_t width = out->machine->width, last = cols % width == 0 ? width : cols % width;
    pattern_alike(out, 0, tiles);
    pattern_stages(out, SITE_SHARED_WRITE, y / height, 1, 1);
    if (y < last) {
        pattern_stages(out, SITE_SHARED_READ, y / height, 1, 1);
        return;
    }
    for (uint64_t first = 0; across > 1 && first < tiles;
         first += across) { /* all but the last of each row of tiles */
        pattern_alike(out, first, across - 1);
        pattern_stages(out, SITE_SHARED_READ, y / height, 1, 1);
    }
}

void pattern_of_transpose(const launch *work, const void *subject, pattern *out) {
    const pass *const p = subject;
    const struct transpose_arguments *const t = work->arguments;
    const uint64_t width = work->block_x, height = work->block_y, bytes = work->elem_bytes;
    (void)p;
    declare(out, bytes);
    for (uint64_t y = 0; y < width; y++) {
        pattern_alike(out, 0, 1);
        tile_rows(out, SITE_READ, y / height, y, t->rows, t->cols, (uintptr_t)work->from / bytes % width);
        tile_rows(out, SITE_WRITE, y / height, y, t->cols, t->rows, (uintptr_t)work->to / bytes % width);
        tile_banks(out, y, height, ceil_div(t->cols, width), out->grid, t->cols);
    }
}

/* ------------------------------------------------------------------ row-wise */

/* A turn of all rows: warps of cells first .. end - 1 of each, of which those of the first `exist` cells of all rows exist. */
typedef struct row_turn {
    uint64_t rows, cols, first, end, exist;
    size_t round;
} row_turn;

/* In global memory: cells of a row's part, `phase` cells behind an address group. */
static void row_cells(pattern *out, unsigned site, const row_turn *t, uint64_t phase) {
    const uint64_t width = out->machine->width, whole = t->exist / t->cols, left = t->exist % t->cols;
    const uint64_t warps = (t->end - t->first) / width;
    const unsigned each = phase > 0 ? 2 : 1;
    pattern_alike(out, 0, 1);
    pattern_stages(out, site, t->round, whole * warps * each, each);
    if (left <= t->first) return;
    for (uint64_t first = t->first; first < min(left, t->end); first += width) {
        const uint64_t count = min(min(left, t->end) - first, width);
        const unsigned stages = (unsigned)((phase + count - 1) / width) + 1;
        pattern_stages(out, site, t->round, stages, stages);
    }
}

/* In shared memory, without conflicts; block r has row r. */
static void row_banks(pattern *out, unsigned site, const row_turn *t) {
    const uint64_t width = out->machine->width, whole = t->exist / t->cols, left = t->exist % t->cols;
    pattern_alike(out, 0, whole);
    pattern_stages(out, site, t->round, (t->end - t->first) / width, 1);
    pattern_alike(out, whole, 1);
    if (left > t->first) pattern_stages(out, site, t->round, ceil_div(min(left, t->end) - t->first, width), 1);
}

void pattern_of_row_wise(const launch *work, const void *subject, pattern *out) {
    const pass *const p = subject;
    const struct row_wise_arguments *const a = work->arguments;
    const uint64_t rows = out->grid, cols = a->cols, step = work->block_x, width = out->machine->width;
    const uint64_t bytes = work->elem_bytes, all = rows * cols;
    (void)p;
    declare(out, bytes);
    pattern_declare(out, SITE_S, PATTERN_GLOBAL, PATTERN_READ, sizeof *a->s);
    pattern_declare(out, SITE_D, PATTERN_GLOBAL, PATTERN_READ, sizeof *a->d);
    pattern_declare(out, SITE_OUT, PATTERN_SHARED, PATTERN_READ, bytes);
    const unsigned everywhere[] = {SITE_SHARED_READ, SITE_SHARED_WRITE};
    for (uint64_t first = 0; first < cols; first += step) {
        row_turn t = {rows, cols, first, min(first + step, cols), all, 2 * (size_t)(first / step)};
        row_cells(out, SITE_S, &t, 0);
        row_cells(out, SITE_D, &t, 0);
        for (unsigned k = 0; k < 2; k++) row_banks(out, everywhere[k], &t); /* in[] is stored, and fetched */
        t.round++;
        row_banks(out, SITE_SHARED_WRITE, &t); /* out[] is stored, */
        t.exist = a->writable;
        row_banks(out, SITE_OUT, &t); /* and fetched */
        row_cells(out, SITE_WRITE, &t, (uintptr_t)work->to / bytes % width);
        t.exist = a->readable;
        row_cells(out, SITE_READ, &t, (uintptr_t)work->from / bytes % width);
    }
}
