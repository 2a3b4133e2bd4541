/* SPDX-License-Identifier: Apache-2.0
 *
 * The pattern of boxes whose elements of 1 and 2 bytes move in words (move/kernels/axes/axes_words.cu).
 */
#include "base/arithmetic.h"
#include "move/predict/boxes.h"

/* Words that a thread reads are read by copies of the code, by their number, which templates make; those that it writes, and elements at
 * the ends of rows, in loops, which the machine's compiler leaves as they stand, but for a copy of a write. */
enum {
    SITE_FILL_OUT = SITE_OWN,
    SITE_FETCH,
    SITE_PUT = SITE_FETCH + AXES_MOST_WORDS,
    SITE_END = SITE_PUT + AXES_MOST_WORDS, /* elements of a word that the array has not all of */
    SITE_PUT_END = SITE_END + AXES_MOST_WORDS,
    WORD = 4,
    SITE_PLACE = SITE_PUT_END + AXES_MOST_WORDS,
    SITE_GET, /* and by the number of the element in its word */
    SITE_WRITE = SITE_GET + WORD,
    SITE_ENDS_ROW,
    SITE_ENDS_PLACE,
    SITE_ENDS_GET,
    SITE_ENDS_WRITE,
    VECTOR = 16,
    BEFORE = 32, /* places that the table has before a row */
    TURN = 64,   /* bytes of the table after which the next turn begins */
    ROW_BYTES = 16,
    LEFT_OUT = UINT32_MAX
};

static uint32_t units_of(const box_view *v) { return WORD / v->elem_bytes; }

/* The array's begin in a vector: cells of src's rows are as far from one. */
static uint32_t first_cell(const box_view *v) {
    return BEFORE + (uint32_t)((v->array[0] + (uint64_t)v->start[0] * v->elem_bytes) % VECTOR);
}

/* ------------------------------------------------------------------- tables */

static void fill_rows(const box_view *v, const box_warp *w, unsigned side) {
    const uint64_t rows = v->table->side[side].padded, behind = side == 0 ? 0 : v->table->side[0].padded;
    boxes_fill_table(v, w, side == 0 ? SITE_FILL_ROW : SITE_FILL_OUT, v->table->rows_at + behind * ROW_BYTES,
                     rows, ROW_BYTES);
}

/* Where the table has the place `at`, of those of one copy, in entries. */
static uint32_t entry_of(const box_view *v, uint32_t at) {
    const uint32_t units = units_of(v), turn = at * 2 / TURN % units;
    return at / units * units + (at - turn) % units;
}

static void fill_places(const box_view *v, const box_warp *w) {
    const axes_table *const t = v->table;
    for (uint64_t begin = 0; begin < t->places; begin += v->work->block_x) {
        for (uint32_t copy = 0; copy < units_of(v); copy++) {
            pattern_lanes lanes = {0};
            for (uint64_t k = begin + w->first; k < min(begin + w->end, (uint64_t)t->places); k++)
                pattern_lane(&lanes, t->places_at +
                                         (copy * t->place_stride + entry_of(v, (uint32_t)k + BEFORE + copy)) *
                                             sizeof(uint16_t));
            pattern_next(v->out, SITE_FILL_PLACE, &lanes);
        }
    }
}

/* ------------------------------------------------------------------- reading */

/* A lane's word of a row of src. */
typedef struct read_word {
    uint64_t from; /* address */
    uint32_t to, k, length;
    bool is_to, is_end; /* it has something of the row; and the array has not all of it */
} read_word;

static read_word word_of(const box_view *v, uint32_t number, uint32_t row, uint32_t bytes, uint32_t i,
                         uint32_t j) {
    const axes_table *const t = v->table;
    const uint32_t groups = v->work->block_x >> t->side[0].lanes_log2, units = bytes / v->elem_bytes;
    read_word out = {0};
    if (row == LEFT_OUT) return out;
    const box_row *const r = &v->row[0][row + i * groups];
    const uint32_t ahead = j * AXES_WARP * bytes;
    out.k = (number + j * AXES_WARP) * units - r->before;
    out.length = r->length;
    out.is_to = out.k + (units - 1) < out.length + (units - 1);
    const int64_t at = (int64_t)number * bytes + r->at + ahead;
    out.from = v->array[0] + (uint64_t)at;
    out.to = number * bytes + r->cell + first_cell(v) - r->before * v->elem_bytes + ahead;
    out.is_end = at < t->src_first * v->elem_bytes || at + bytes > t->src_end * v->elem_bytes;
    return out;
}

/* Elements of words at an end of what may be read. */
static void read_ends(const box_view *v, const read_word *word, uint64_t lanes, uint32_t bytes, uint32_t j) {
    for (uint32_t u = 0; u < bytes / v->elem_bytes; u++) {
        pattern_lanes from = {0}, to = {0};
        for (uint64_t l = 0; l < lanes; l++) {
            if (!word[l].is_to || !word[l].is_end || word[l].k + u >= word[l].length) continue;
            pattern_lane(&from, word[l].from + u * v->elem_bytes);
            pattern_lane(&to, word[l].to + u * v->elem_bytes);
        }
        pattern_next(v->out, SITE_END + j, &from);
        pattern_next(v->out, SITE_PUT_END + j, &to);
    }
}

static void read_words(const box_view *v, const box_warp *w, const uint32_t *number, const uint32_t *row,
                       uint32_t i, uint32_t j) {
    const uint32_t bytes = v->table->fetch_bytes;
    const uint64_t lanes = w->end - w->first;
    read_word word[PATTERN_LANES];
    pattern_lanes from = {0}, to = {0};
    for (uint64_t l = 0; l < lanes; l++) {
        word[l] = word_of(v, number[l], row[l], bytes, i, j);
        if (!word[l].is_to || word[l].is_end) continue;
        pattern_lane(&from, word[l].from);
        pattern_lane(&to, word[l].to);
    }
    read_ends(v, word, lanes, bytes, j);
    pattern_next(v->out, SITE_FETCH + j, &from);
    pattern_next(v->out, SITE_PUT + j, &to);
}

static void read_turn(const box_view *v, const box_warp *w, const uint32_t *number, const uint32_t *row,
                      uint32_t words, uint32_t at_once) {
    for (uint32_t i = 0; i < at_once; i++)
        for (uint32_t j = 0; j < words; j++) read_words(v, w, number, row, i, j);
}

/* ------------------------------------------------------------------- writing */

static const box_row *row_of_dst(const box_view *v, uint32_t row, uint32_t i) {
    const uint32_t groups = v->work->block_x >> v->table->side[1].lanes_log2;
    return row == LEFT_OUT ? NULL : &v->row[1][row + i * groups];
}

/* Word j of a lane's row, if it is whole. */
static bool has_word(const box_view *v, const box_row *r, uint32_t number, uint32_t j, uint32_t *k) {
    const uint32_t units = units_of(v);
    if (r == NULL) return false;
    *k = (number + j * AXES_WARP) * units - r->before;
    return *k < (r->length < units ? 0 : r->length - (units - 1));
}

/* Byte of the table where the places of a lane's first word are. */
static uint32_t table_at(const box_view *v, const box_row *r, uint32_t number) {
    const uint32_t units = units_of(v), copy = r->before % units;
    return (copy * v->table->place_stride + BEFORE - r->before + copy) * 2 + number * units * 2;
}

/* The unit that the table has e-th of a word is not the word's e-th: those of neighbouring words take turns. */
static uint32_t cell_of(const box_view *v, const box_row *r, uint32_t number, uint32_t j, uint32_t k,
                        uint32_t e) {
    const uint32_t units = units_of(v), place_bytes = units * 2;
    const uint32_t at = table_at(v, r, number) + j * AXES_WARP * place_bytes;
    const uint32_t in_copy = at / 2 - r->before % units * v->table->place_stride;
    const uint32_t turn = in_copy * 2 / TURN % units, unit = (e + turn) % units;
    return r->cell + first_cell(v) + boxes_cell_of_place(v->table, k + unit) * v->elem_bytes;
}

static void get_words(const box_view *v, const box_warp *w, const uint32_t *number, const uint32_t *row,
                      uint32_t i, uint32_t j) {
    const uint32_t units = units_of(v);
    pattern_lanes place = {0}, cell[WORD] = {{0}};
    for (uint64_t l = 0; l < w->end - w->first; l++) {
        const box_row *const r = row_of_dst(v, row[l], i);
        uint32_t k;
        if (!has_word(v, r, number[l], j, &k)) continue;
        pattern_lane(&place,
                     v->table->places_at + (uint64_t)table_at(v, r, number[l]) + j * AXES_WARP * units * 2);
        for (uint32_t e = 0; e < units; e++) pattern_lane(&cell[e], cell_of(v, r, number[l], j, k, e));
    }
    pattern_next(v->out, SITE_PLACE, &place);
    for (uint32_t e = 0; e < units; e++) pattern_next(v->out, SITE_GET + e, &cell[e]);
}

static void write_words(const box_view *v, const box_warp *w, const uint32_t *number, const uint32_t *row,
                        uint32_t i, uint32_t j) {
    pattern_lanes to = {0};
    for (uint64_t l = 0; l < w->end - w->first; l++) {
        const box_row *const r = row_of_dst(v, row[l], i);
        uint32_t k;
        if (has_word(v, r, number[l], j, &k))
            pattern_lane(&to, v->array[1] + (uint64_t)r->at + ((uint64_t)number[l] + j * AXES_WARP) * WORD);
    }
    pattern_next(v->out, SITE_WRITE, &to);
}

static void write_turn(const box_view *v, const box_warp *w, const uint32_t *number, const uint32_t *row,
                       uint32_t words, uint32_t at_once) {
    for (uint32_t n = 0; n < at_once * words; n++) get_words(v, w, number, row, n / words, n % words);
    for (uint32_t n = 0; n < at_once * words; n++) write_words(v, w, number, row, n / words, n % words);
}

/* The elements of row k / 2 before its first whole word, or behind its last: how many, and the first of them. */
static uint32_t end_of_row(const box_view *v, uint64_t k, uint32_t *first) {
    const box_row *const r = &v->row[1][k / 2];
    const uint32_t units = units_of(v), begins = (0 - r->before) % units, head = min(begins, r->length);
    const uint32_t ends = (r->before + r->length) % units, left = r->length - head;
    const uint32_t count = k % 2 == 0 ? head : min(ends, left);
    *first = k % 2 == 0 ? 0 : r->length - count;
    return count;
}

/* Element j of the ends of those rows that the warp has. */
static void write_end(const box_view *v, uint64_t begin, uint64_t end, uint32_t j) {
    pattern_lanes place = {0}, cell = {0}, to = {0};
    for (uint64_t k = begin; k < end; k++) {
        const box_row *const r = &v->row[1][k / 2];
        uint32_t first;
        if (j >= end_of_row(v, k, &first)) continue;
        pattern_lane(&place,
                     v->table->places_at + (uint64_t)entry_of(v, first + j + BEFORE) * sizeof(uint16_t));
        pattern_lane(&cell, r->cell + first_cell(v) + boxes_cell_of_place(v->table, first + j) * v->elem_bytes);
        pattern_lane(&to, v->array[1] + (uint64_t)r->at + ((uint64_t)r->before + first + j) * v->elem_bytes);
    }
    pattern_next(v->out, SITE_ENDS_PLACE, &place);
    pattern_next(v->out, SITE_ENDS_GET, &cell);
    pattern_next(v->out, SITE_ENDS_WRITE, &to);
}

static void write_ends(const box_view *v, const box_warp *w) {
    const uint64_t ends = 2 * (uint64_t)v->table->side[1].rows;
    for (uint64_t begin = 0; begin < ends; begin += v->work->block_x) {
        const uint64_t first = begin + w->first, end = min(begin + w->end, ends);
        pattern_lanes rows = {0};
        for (uint64_t k = first; k < end; k++)
            pattern_lane(&rows, v->table->rows_at + (v->table->side[0].padded + k / 2) * ROW_BYTES);
        pattern_next(v->out, SITE_ENDS_ROW, &rows);
        for (uint32_t j = 0; j + 1 < units_of(v); j++) write_end(v, first, end, j);
    }
}

/* ------------------------------------------------------------------- launches */

static void describe_warp(const box_view *v, const box_warp *w) {
    const uint32_t fetch = v->table->fetch_bytes, in = fetch == VECTOR ? 1 : v->table->side[0].words;
    const uint32_t back = v->table->side[1].words;
    const box_loops read = {0, in, fetch / v->elem_bytes, AXES_ROWS_AT_ONCE(fetch, in), false, NULL, read_turn};
    const box_loops write = {1, back, units_of(v), AXES_ROWS_AT_ONCE(WORD, back), false, NULL, write_turn};
    pattern_begin_warp(v->out);
    for (unsigned side = 0; side < 2; side++) fill_rows(v, w, side);
    fill_places(v, w);
    boxes_loop(v, w, &read);
    boxes_loop(v, w, &write);
    write_ends(v, w);
}

static void declare(const box_view *v, pattern *out) {
    const uint32_t elem = v->elem_bytes, fetch = v->table->fetch_bytes;
    pattern_declare(out, SITE_FILL_OUT, PATTERN_SHARED, PATTERN_WRITE, ROW_BYTES);
    for (unsigned j = 0; j < AXES_MOST_WORDS; j++) {
        pattern_declare(out, SITE_FETCH + j, PATTERN_GLOBAL, PATTERN_READ, fetch);
        pattern_declare(out, SITE_PUT + j, PATTERN_SHARED, PATTERN_WRITE, fetch);
        pattern_declare(out, SITE_END + j, PATTERN_GLOBAL, PATTERN_READ, elem);
        pattern_declare(out, SITE_PUT_END + j, PATTERN_SHARED, PATTERN_WRITE, elem);
    }
    pattern_declare(out, SITE_PLACE, PATTERN_SHARED, PATTERN_READ, (size_t)units_of(v) * sizeof(uint16_t));
    for (unsigned e = 0; e < WORD; e++) pattern_declare(out, SITE_GET + e, PATTERN_SHARED, PATTERN_READ, elem);
    pattern_declare(out, SITE_WRITE, PATTERN_GLOBAL, PATTERN_WRITE, WORD);
    pattern_declare(out, SITE_ENDS_ROW, PATTERN_SHARED, PATTERN_READ, ROW_BYTES);
    pattern_declare(out, SITE_ENDS_PLACE, PATTERN_SHARED, PATTERN_READ, sizeof(uint16_t));
    pattern_declare(out, SITE_ENDS_GET, PATTERN_SHARED, PATTERN_READ, elem);
    pattern_declare(out, SITE_ENDS_WRITE, PATTERN_GLOBAL, PATTERN_WRITE, elem);
}

void pattern_of_axes_words(const launch *work, const void *subject, pattern *out) {
    const pass *const p = subject;
    box_view v;
    (void)p;
    if (!boxes_begin(work, out, &v)) return;
    declare(&v, out);
    pattern_mean(out, PATTERN_ESTIMATED); /* compilers may copy the loop that writes (docs/machine.md) */
    boxes_each_block(&v, describe_warp);
    boxes_end(&v);
}
