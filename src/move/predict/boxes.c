/* SPDX-License-Identifier: Apache-2.0 */
#include "move/predict/boxes.h"

#include <stdlib.h>

#include "base/arithmetic.h"
#include "base/status.h"

enum { ROW_BYTES = 16 };

/* -------------------------------------------------------------------- blocks */

bool boxes_begin(const launch *work, pattern *out, box_view *v) {
    const axes_table *const t = &((const struct axes_arguments *)work->arguments)->table;
    const size_t rows = (size_t)t->side[0].padded + t->side[1].padded;
    *v = (box_view){.work = work,
                    .table = t,
                    .elem_bytes = (uint32_t)work->elem_bytes,
                    .array = {(uintptr_t)work->from, (uintptr_t)work->to},
                    .row = {calloc(rows + 1, sizeof(box_row))},
                    .out = out};
    if (v->row[0] == NULL) {
        out->status = fail_memory("a prediction's rows", rows * sizeof(box_row));
        return false;
    }
    v->row[1] = v->row[0] + t->side[0].padded;
    pattern_declare(out, SITE_FILL_ROW, PATTERN_SHARED, PATTERN_WRITE, ROW_BYTES);
    pattern_declare(out, SITE_FILL_PLACE, PATTERN_SHARED, PATTERN_WRITE, sizeof(uint16_t));
    pattern_declare(out, SITE_FIRST_ROW, PATTERN_SHARED, PATTERN_READ, ROW_BYTES);
    pattern_declare(out, SITE_ROW, PATTERN_SHARED, PATTERN_READ, ROW_BYTES);
    pattern_declare(out, SITE_FIRST_OUT, PATTERN_SHARED, PATTERN_READ, ROW_BYTES);
    pattern_declare(out, SITE_ROW_OUT, PATTERN_SHARED, PATTERN_READ, ROW_BYTES);
    return true;
}

void boxes_end(box_view *v) { free(v->row[0]); }

static uint32_t shorten(uint64_t length) { return (uint32_t)min(length, (uint64_t)AXES_MOST_PLACES); }

static void find_start(box_view *v, uint64_t number) {
    const axes_table *const t = v->table;
    uint64_t left[AXES_CUTS] = {t->cut_length[0], t->cut_length[1]};
    v->start[0] = t->src_origin, v->start[1] = t->dst_origin;
    for (uint32_t k = 0; k < t->loops; k++) {
        const axes_loop *const loop = &t->loop[k];
        const uint64_t c = number % loop->by.length;
        v->start[0] += (int64_t)c * loop->src_step;
        v->start[1] += (int64_t)c * loop->dst_step;
        if (loop->cut > 0) left[loop->cut - 1] -= c * loop->weight;
        number /= loop->by.length;
    }
    for (unsigned k = 0; k < AXES_CUTS; k++) v->left[k] = shorten(left[k]);
}

static uint32_t left_of(const box_view *v, uint32_t cut) {
    return cut == 0 ? AXES_MOST_PLACES : v->left[cut - 1];
}

static box_row row_of(const box_view *v, unsigned of, uint32_t number) {
    const axes_side *const side = &v->table->side[of];
    int64_t origin = v->start[of];
    uint32_t rest = number, left = left_of(v, side->cut), cell = 0;
    bool is_there = number < side->rows;
    for (uint32_t k = 0; k < side->digits; k++) {
        const axes_digit *const digit = &side->digit[k];
        const uint32_t c = rest % digit->by.length, from = c * digit->weight, of_axis = left_of(v, digit->cut);
        origin += c * digit->stride;
        cell += c * digit->cell + (from >> digit->group_log2) * digit->pad;
        if (from >= of_axis) is_there = false;
        if (digit->extent != 0) left = min(of_axis, digit->extent) - from;
        rest /= digit->by.length;
    }
    if (!is_there) return (box_row){0};
    const uint64_t address = v->array[of] + (uint64_t)origin * v->elem_bytes;
    const uint32_t before = (uint32_t)((address & (side->align - 1)) / v->elem_bytes);
    return (box_row){(origin - before) * v->elem_bytes, cell * v->elem_bytes, before,
                     side->inner * min(left, side->outer)};
}

static void enter(box_view *v, uint64_t block) {
    find_start(v, block);
    for (unsigned of = 0; of < 2; of++)
        for (uint32_t k = 0; k < v->table->side[of].padded; k++) v->row[of][k] = row_of(v, of, k);
}

/* The elements of a box, about. */
static uint64_t elements_of(const axes_table *t) {
    return (uint64_t)t->side[0].rows * t->side[0].inner * t->side[0].outer;
}

void boxes_each_block(box_view *v, void (*describe)(const box_view *v, const box_warp *w)) {
    const uint64_t threads = v->work->block_x, width = v->out->machine->width;
    const uint64_t samples = pattern_samples(v->out, elements_of(v->table));
    for (uint64_t k = 0; k < samples; k++) {
        enter(v, pattern_sample(v->out, samples, k));
        for (uint64_t first = 0; first < threads; first += width) {
            const box_warp w = {first, min(first + width, threads)};
            describe(v, &w);
        }
    }
}

uint32_t boxes_cell_of_place(const axes_table *t, uint32_t number) {
    uint32_t cell = 0;
    for (uint32_t i = 0; i < t->place_digits; i++) {
        const axes_digit *const digit = &t->place[i];
        const uint32_t c = number % digit->by.length;
        cell += c * digit->cell + (c >> digit->group_log2) * digit->pad;
        number /= digit->by.length;
    }
    return cell;
}

void boxes_fill_table(const box_view *v, const box_warp *w, unsigned site, uint64_t at, uint64_t count,
                      size_t entry_bytes) {
    for (uint64_t begin = 0; begin < count; begin += v->work->block_x) {
        pattern_lanes lanes = {0};
        for (uint64_t k = begin + w->first; k < min(begin + w->end, count); k++)
            pattern_lane(&lanes, at + k * entry_bytes);
        pattern_next(v->out, site, &lanes);
    }
}

void boxes_fill_rows(const box_view *v, const box_warp *w) {
    const axes_table *const t = v->table;
    const uint64_t rows = (uint64_t)t->side[0].padded + t->side[1].padded;
    boxes_fill_table(v, w, SITE_FILL_ROW, t->rows_at, rows, ROW_BYTES);
}

void boxes_fill_places(const box_view *v, const box_warp *w, size_t entry_bytes) {
    boxes_fill_table(v, w, SITE_FILL_PLACE, v->table->places_at, v->table->places, entry_bytes);
}

/* --------------------------------------------------------------------- loops */

static uint64_t address_of_row(const box_view *v, unsigned side, uint64_t row) {
    return v->table->rows_at + ((side == 0 ? 0 : v->table->side[0].padded) + row) * ROW_BYTES;
}

static box_walk walk_of(const box_view *v, const box_loops *loops, uint64_t thread) {
    const axes_side *const side = &v->table->side[loops->side];
    const box_row *const first = &v->row[loops->side][0];
    const uint32_t lanes = 1u << side->lanes_log2, lane = (uint32_t)thread % lanes;
    const bool is_known = loops->by_vectors || side->even;
    const uint32_t before = is_known ? first->before : side->align / v->elem_bytes - 1;
    box_walk out = {.first = lane, .jump = loops->words * lanes};
    if (!loops->by_vectors) out.first = lane / AXES_WARP * (AXES_WARP * loops->words) + lane % AXES_WARP;
    out.count = (first->length + before + loops->units - 1) / loops->units;
    out.group = (uint32_t)thread / lanes, out.groups = v->work->block_x / lanes;
    return out;
}

void boxes_read_rows(const box_view *v, const box_warp *w, unsigned side, unsigned site, const uint32_t *row,
                     uint32_t at_once) {
    const uint32_t groups = v->work->block_x >> v->table->side[side].lanes_log2;
    for (uint32_t i = 0; i < at_once; i++) {
        pattern_lanes lanes = {0};
        for (uint64_t k = 0; k < w->end - w->first; k++)
            if (row[k] != UINT32_MAX) pattern_lane(&lanes, address_of_row(v, side, row[k] + i * groups));
        pattern_next(v->out, site, &lanes);
    }
}

static void read_first_row(const box_view *v, const box_warp *w, unsigned side) {
    pattern_lanes lanes = {0};
    for (uint64_t thread = w->first; thread < w->end; thread++)
        pattern_lane(&lanes, address_of_row(v, side, 0));
    pattern_next(v->out, side == 0 ? SITE_FIRST_ROW : SITE_FIRST_OUT, &lanes);
}

/* True if a lane takes part in turn `k` of the loop over words. */
static bool find_numbers(const box_walk *walk, unsigned lanes, uint32_t k, uint32_t *number) {
    bool any = false;
    for (unsigned l = 0; l < lanes; l++) {
        const uint32_t here = walk[l].first + k * walk[l].jump;
        number[l] = here < walk[l].count ? here : UINT32_MAX;
        any |= here < walk[l].count;
    }
    return any;
}

static bool find_rows(const box_walk *walk, unsigned lanes, const uint32_t *number, uint32_t k, uint32_t padded,
                      uint32_t at_once, uint32_t *row) {
    bool any = false;
    for (unsigned l = 0; l < lanes; l++) {
        const uint32_t here = walk[l].group + k * at_once * walk[l].groups;
        const bool is_in = number[l] != UINT32_MAX && here < padded;
        row[l] = is_in ? here : UINT32_MAX;
        any |= is_in;
    }
    return any;
}

void boxes_loop(const box_view *v, const box_warp *w, const box_loops *loops) {
    const unsigned lanes = (unsigned)(w->end - w->first);
    const uint32_t padded = v->table->side[loops->side].padded;
    box_walk walk[PATTERN_LANES];
    uint32_t number[PATTERN_LANES], row[PATTERN_LANES];
    read_first_row(v, w, loops->side);
    for (unsigned l = 0; l < lanes; l++) walk[l] = walk_of(v, loops, w->first + l);
    for (uint32_t k = 0; find_numbers(walk, lanes, k, number); k++) {
        if (loops->begin != NULL) loops->begin(v, w, number, loops->words);
        for (uint32_t r = 0; find_rows(walk, lanes, number, r, padded, loops->at_once, row); r++) {
            boxes_read_rows(v, w, loops->side, loops->side == 0 ? SITE_ROW : SITE_ROW_OUT, row, loops->at_once);
            loops->turn(v, w, number, row, loops->words, loops->at_once);
        }
    }
}
