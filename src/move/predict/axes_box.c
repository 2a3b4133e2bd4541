/* SPDX-License-Identifier: Apache-2.0
 *
 * The pattern of boxes whose elements move one by one (move/kernels/axes/axes_box.cu).
 */
#include "move/predict/boxes.h"

/* A word that a thread reads has a site of its own, by its number. */
enum {
    SITE_FETCH = SITE_OWN,
    SITE_PUT = SITE_FETCH + AXES_MOST_WORDS,
    SITE_PLACE = SITE_PUT + AXES_MOST_WORDS,
    SITE_GET,
    SITE_WRITE,
    LEFT_OUT = UINT32_MAX
};

/* Bytes from a thread's element to its next one: of several, rows are dense. */
static int64_t step_of(const box_view *v, unsigned side, uint32_t number, uint32_t words) {
    return (int64_t)number * (words == 1 ? v->table->side[side].step : 1) * v->elem_bytes;
}

/* Words j of row i of what each lane has. */
static void read_words(const box_view *v, const box_warp *w, const uint32_t *number, const uint32_t *row,
                       uint32_t words, uint32_t i, uint32_t j) {
    const uint32_t groups = v->work->block_x >> v->table->side[0].lanes_log2,
                   ahead = j * AXES_WARP * v->elem_bytes;
    pattern_lanes from = {0}, to = {0};
    for (uint64_t l = 0; l < w->end - w->first; l++) {
        if (row[l] == LEFT_OUT) continue;
        const box_row *const r = &v->row[0][row[l] + i * groups];
        if (number[l] + j * AXES_WARP - r->before >= r->length) continue;
        const uint32_t cell = r->cell - r->before * v->elem_bytes;
        pattern_lane(&from, v->array[0] + (uint64_t)(step_of(v, 0, number[l], words) + r->at) + ahead);
        pattern_lane(&to, (uint32_t)(number[l] * v->elem_bytes + cell + ahead));
    }
    pattern_next(v->out, SITE_FETCH + j, &from);
    pattern_next(v->out, SITE_PUT + j, &to);
}

static void read_turn(const box_view *v, const box_warp *w, const uint32_t *number, const uint32_t *row,
                      uint32_t words, uint32_t at_once) {
    for (uint32_t i = 0; i < at_once; i++)
        for (uint32_t j = 0; j < words; j++) read_words(v, w, number, row, words, i, j);
}

static bool is_fixed(const axes_table *t) { return t->place_step != 0 || t->side[1].even; }

static uint32_t first_before(const box_view *v) { return v->row[1][0].before; }

/* The table's entries that a thread needs for all rows. */
static void read_offsets(const box_view *v, const box_warp *w, const uint32_t *number, uint32_t words) {
    const axes_table *const t = v->table;
    if (!is_fixed(t) || t->place_step != 0) return;
    for (uint32_t i = 0; i < words; i++) {
        pattern_lanes lanes = {0};
        for (uint64_t l = 0; l < w->end - w->first; l++) {
            const uint32_t beyond = number[l] + i * AXES_WARP - first_before(v);
            if (number[l] != LEFT_OUT && beyond < t->places)
                pattern_lane(&lanes, t->places_at + (uint64_t)beyond * sizeof(uint16_t));
        }
        pattern_next(v->out, SITE_PLACE, &lanes);
    }
}

/* Where an element lies beside its row's cell, in elements: by its number k, counted from the row, or from before it. */
static uint32_t offset_of(const box_view *v, uint32_t number, uint32_t k) {
    const axes_table *const t = v->table;
    if (t->place_step != 0) return number * t->place_step;
    return boxes_cell_of_place(t, is_fixed(t) ? number - first_before(v) : k);
}

static void get_words(const box_view *v, const box_warp *w, const uint32_t *number, const uint32_t *row,
                      uint32_t i, uint32_t j) {
    const axes_table *const t = v->table;
    const uint32_t groups = v->work->block_x >> t->side[1].lanes_log2, bytes = v->elem_bytes;
    pattern_lanes place = {0}, cell = {0};
    for (uint64_t l = 0; l < w->end - w->first; l++) {
        if (row[l] == LEFT_OUT) continue;
        const box_row *const r = &v->row[1][row[l] + i * groups];
        const uint32_t k = number[l] + j * AXES_WARP - r->before;
        if (k >= r->length) continue;
        const uint32_t first = r->cell - r->before * t->place_step * bytes;
        pattern_lane(&place, t->places_at + (uint64_t)k * sizeof(uint16_t));
        pattern_lane(&cell, (uint32_t)(first + offset_of(v, number[l] + j * AXES_WARP, k) * bytes));
    }
    if (!is_fixed(t)) pattern_next(v->out, SITE_PLACE, &place);
    pattern_next(v->out, SITE_GET, &cell);
}

static void write_words(const box_view *v, const box_warp *w, const uint32_t *number, const uint32_t *row,
                        uint32_t words, uint32_t i, uint32_t j) {
    const uint32_t groups = v->work->block_x >> v->table->side[1].lanes_log2;
    pattern_lanes to = {0};
    for (uint64_t l = 0; l < w->end - w->first; l++) {
        if (row[l] == LEFT_OUT) continue;
        const box_row *const r = &v->row[1][row[l] + i * groups];
        if (number[l] + j * AXES_WARP - r->before >= r->length) continue;
        pattern_lane(&to, v->array[1] + (uint64_t)(step_of(v, 1, number[l], words) + r->at) +
                              j * AXES_WARP * v->elem_bytes);
    }
    pattern_next(v->out, SITE_WRITE, &to);
}

static void write_turn(const box_view *v, const box_warp *w, const uint32_t *number, const uint32_t *row,
                       uint32_t words, uint32_t at_once) {
    for (uint32_t k = 0; k < at_once * words; k++) get_words(v, w, number, row, k / words, k % words);
    for (uint32_t k = 0; k < at_once * words; k++) write_words(v, w, number, row, words, k / words, k % words);
}

static void describe_warp(const box_view *v, const box_warp *w) {
    const uint32_t in = v->table->side[0].words, back = v->table->side[1].words;
    const box_loops read = {0, in, 1, AXES_ROWS_AT_ONCE(v->elem_bytes, in), false, NULL, read_turn};
    const box_loops write = {1,     back,         1,         AXES_ROWS_AT_ONCE(v->elem_bytes, back),
                             false, read_offsets, write_turn};
    pattern_begin_warp(v->out);
    boxes_fill_rows(v, w);
    boxes_fill_places(v, w, sizeof(uint16_t));
    boxes_loop(v, w, &read);
    boxes_loop(v, w, &write);
}

void pattern_of_axes_box(const launch *work, const void *subject, pattern *out) {
    const pass *const p = subject;
    box_view v;
    (void)p;
    if (!boxes_begin(work, out, &v)) return;
    for (unsigned j = 0; j < AXES_MOST_WORDS; j++) {
        pattern_declare(out, SITE_FETCH + j, PATTERN_GLOBAL, PATTERN_READ, work->elem_bytes);
        pattern_declare(out, SITE_PUT + j, PATTERN_SHARED, PATTERN_WRITE, work->elem_bytes);
    }
    pattern_declare(out, SITE_PLACE, PATTERN_SHARED, PATTERN_READ, sizeof(uint16_t));
    pattern_declare(out, SITE_GET, PATTERN_SHARED, PATTERN_READ, work->elem_bytes);
    pattern_declare(out, SITE_WRITE, PATTERN_GLOBAL, PATTERN_WRITE, work->elem_bytes);
    boxes_each_block(&v, describe_warp);
    boxes_end(&v);
}
