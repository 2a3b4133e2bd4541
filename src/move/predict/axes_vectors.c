/* SPDX-License-Identifier: Apache-2.0
 *
 * The pattern of boxes that move in words of 16 bytes (move/kernels/axes/axes_vectors.cu).
 */
#include "move/predict/boxes.h"

enum { SITE_FETCH = SITE_OWN, SITE_PUT, SITE_PLACE, SITE_GET, SITE_WRITE, WORD = 16, LEFT_OUT = UINT32_MAX };

static uint32_t units_of(const box_view *v) { return WORD / v->elem_bytes; }

/* Word j of row i of a lane: the row if the word is in it, else NULL; and the word's first element, from the row on. */
static const box_row *word_of(const box_view *v, unsigned side, uint32_t number, uint32_t row, uint32_t i,
                              uint32_t j, uint32_t *here, uint32_t *k) {
    const uint32_t lanes = 1u << v->table->side[side].lanes_log2, groups = v->work->block_x / lanes;
    if (row == LEFT_OUT) return NULL;
    const box_row *const r = &v->row[side][row + i * groups];
    *here = number + j * lanes;
    *k = *here * units_of(v) - v->row[side][0].before;
    return *k < r->length ? r : NULL;
}

static void read_turn(const box_view *v, const box_warp *w, const uint32_t *number, const uint32_t *row,
                      uint32_t words, uint32_t at_once) {
    for (uint32_t n = 0; n < at_once * words; n++) {
        pattern_lanes from = {0}, to = {0};
        for (uint64_t l = 0; l < w->end - w->first; l++) {
            uint32_t here, k;
            const box_row *const r = word_of(v, 0, number[l], row[l], n / words, n % words, &here, &k);
            if (r == NULL) continue;
            pattern_lane(&from, v->array[0] + (uint64_t)r->at + (uint64_t)here * WORD);
            pattern_lane(&to, (uint32_t)(r->cell + k * v->elem_bytes));
        }
        pattern_next(v->out, SITE_FETCH, &from);
        pattern_next(v->out, SITE_PUT, &to);
    }
}

/* The entries of the table of places that a thread needs for all rows. */
static void read_offsets(const box_view *v, const box_warp *w, const uint32_t *number, uint32_t words) {
    const axes_table *const t = v->table;
    const uint32_t units = units_of(v), lanes = 1u << t->side[1].lanes_log2;
    for (uint32_t i = 0; i < words * units; i++) {
        pattern_lanes at = {0};
        for (uint64_t l = 0; l < w->end - w->first; l++) {
            const uint32_t k = (number[l] + i / units * lanes) * units + i % units - v->row[1][0].before;
            if (number[l] != LEFT_OUT && k < t->places)
                pattern_lane(&at, t->places_at + (uint64_t)k * sizeof(uint32_t));
        }
        pattern_next(v->out, SITE_PLACE, &at);
    }
}

static void get_unit(const box_view *v, const box_warp *w, const uint32_t *number, const uint32_t *row,
                     uint32_t i, uint32_t j, uint32_t unit) {
    const axes_table *const t = v->table;
    pattern_lanes cell = {0};
    for (uint64_t l = 0; l < w->end - w->first; l++) {
        uint32_t here, k;
        const box_row *const r = word_of(v, 1, number[l], row[l], i, j, &here, &k);
        if (r == NULL) continue;
        const uint32_t place = k + unit, offset = place < t->places ? boxes_cell_of_place(t, place) : 0;
        pattern_lane(&cell, (uint32_t)(r->cell + offset * v->elem_bytes));
    }
    pattern_next(v->out, SITE_GET, &cell);
}

static void write_turn(const box_view *v, const box_warp *w, const uint32_t *number, const uint32_t *row,
                       uint32_t words, uint32_t at_once) {
    const uint32_t units = units_of(v);
    for (uint32_t n = 0; n < at_once * words * units; n++)
        get_unit(v, w, number, row, n / units / words, n / units % words, n % units);
    for (uint32_t n = 0; n < at_once * words; n++) {
        pattern_lanes to = {0};
        for (uint64_t l = 0; l < w->end - w->first; l++) {
            uint32_t here, k;
            const box_row *const r = word_of(v, 1, number[l], row[l], n / words, n % words, &here, &k);
            if (r != NULL) pattern_lane(&to, v->array[1] + (uint64_t)r->at + (uint64_t)here * WORD);
        }
        pattern_next(v->out, SITE_WRITE, &to);
    }
}

static void describe_warp(const box_view *v, const box_warp *w) {
    const uint32_t in = v->table->side[0].words, back = v->table->side[1].words, units = units_of(v);
    const box_loops read = {0, in, units, AXES_ROWS_AT_ONCE(WORD, in), true, NULL, read_turn};
    const box_loops write = {1, back, units, AXES_ROWS_AT_ONCE(WORD, back), true, read_offsets, write_turn};
    pattern_begin_warp(v->out);
    boxes_fill_rows(v, w);
    boxes_fill_places(v, w, sizeof(uint32_t));
    boxes_loop(v, w, &read);
    boxes_loop(v, w, &write);
}

void pattern_of_axes_vectors(const launch *work, const void *subject, pattern *out) {
    const pass *const p = subject;
    box_view v;
    (void)p;
    if (!boxes_begin(work, out, &v)) return;
    pattern_declare(out, SITE_FILL_PLACE, PATTERN_SHARED, PATTERN_WRITE, sizeof(uint32_t));
    pattern_declare(out, SITE_FETCH, PATTERN_GLOBAL, PATTERN_READ, WORD);
    pattern_declare(out, SITE_PUT, PATTERN_SHARED, PATTERN_WRITE, WORD);
    pattern_declare(out, SITE_PLACE, PATTERN_SHARED, PATTERN_READ, sizeof(uint32_t));
    pattern_declare(out, SITE_GET, PATTERN_SHARED, PATTERN_READ, work->elem_bytes);
    pattern_declare(out, SITE_WRITE, PATTERN_GLOBAL, PATTERN_WRITE, WORD);
    boxes_each_block(&v, describe_warp);
    boxes_end(&v);
}
