/* SPDX-License-Identifier: Apache-2.0
 *
 * The patterns of checks' kernels (check/kernels/). The first and the last two blocks of an array are described, and those between that differ in where
 * address groups begin, which they do in turn; of arrays as many.
 */
#include "check/predict.h"

#include <stddef.h>

#include "base/arithmetic.h"
#include "check/kernels/block.h"
#include "check/kernels/kernel.h"
#include "device/kernels/lanes.h"

enum { GROUP_BYTES = ROWS_WORD_BYTES * WARP_LANES /* address groups of any cells begin alike in it */ };

/* --------------------------------------------------------------------- sites */

void check_declare_vectors(pattern *p, unsigned site, size_t elem_bytes) {
    pattern_declare(p, site, PATTERN_GLOBAL, PATTERN_READ, ROWS_WORD_BYTES);
    pattern_declare(p, site + 1, PATTERN_GLOBAL, PATTERN_READ, elem_bytes);
}

/* True if all elements of vector k are there. */
static bool is_whole(uint64_t lead, uint64_t each, uint64_t n, uint64_t k) {
    return k * each >= lead && (k + 1) * each - lead <= n;
}

/* Element j of each lane's vector, where that is read so. */
static void note_elements(pattern *p, unsigned site, uint64_t from, size_t elem_bytes, uint64_t n, uint64_t k,
                          uint64_t j) {
    const uint64_t each = ROWS_WORD_BYTES / elem_bytes, lead = from % ROWS_WORD_BYTES / elem_bytes;
    pattern_lanes lanes = {0};
    for (uint64_t lane = k; lane < k + WARP_LANES; lane++) {
        const uint64_t at = lane * each + j - lead;
        if (!is_whole(lead, each, n, lane) && lane * each + j >= lead && at < n)
            pattern_lane(&lanes, from + at * elem_bytes);
    }
    pattern_next(p, site, &lanes);
}

void check_note_vectors(pattern *p, unsigned site, uint64_t from, size_t elem_bytes, uint64_t n, uint64_t k) {
    const uint64_t each = ROWS_WORD_BYTES / elem_bytes, lead = from % ROWS_WORD_BYTES / elem_bytes;
    pattern_lanes whole = {0};
    for (uint64_t lane = k; lane < k + WARP_LANES; lane++)
        if (is_whole(lead, each, n, lane))
            pattern_lane(&whole, from - lead * elem_bytes + lane * ROWS_WORD_BYTES);
    pattern_next(p, site, &whole);
    if (whole.count == WARP_LANES) return;
    for (uint64_t j = 0; j < each; j++) note_elements(p, site + 1, from, elem_bytes, n, k, j);
}

void check_declare_sums(pattern *p, unsigned site) {
    for (unsigned k = 0; k < CHECK_SUM_SITES; k++)
        pattern_declare_atomic(p, site + k, PATTERN_GLOBAL, sizeof(uint64_t));
}

static void note_one(pattern *p, unsigned site, const void *at) {
    pattern_next(p, site, &(pattern_lanes){1, {(uintptr_t)at}});
}

void check_note_sums(pattern *p, unsigned site, const check_record *record) {
    note_one(p, site, record->first);
    note_one(p, site + 1, record->second);
}

enum { PUT_FIRST, PUT_SECOND, GET_FIRST, GET_SECOND, TO_RECORD };

void check_declare_block(pattern *p, unsigned site) {
    for (unsigned k = 0; k < TO_RECORD; k++)
        pattern_declare(p, site + k, PATTERN_SHARED, k < GET_FIRST ? PATTERN_WRITE : PATTERN_READ,
                        sizeof(uint64_t));
    check_declare_sums(p, site + TO_RECORD);
}

/* In shared memory. */
static void note_in_block(pattern *p, unsigned site, uint64_t block, uint64_t number, uint64_t warps) {
    const uint64_t first = block + offsetof(check_block, first), second = block + offsetof(check_block, second);
    pattern_lanes firsts = {0}, seconds = {0};
    pattern_next(p, site + PUT_FIRST, &(pattern_lanes){1, {first + number * sizeof(uint64_t)}});
    pattern_next(p, site + PUT_SECOND, &(pattern_lanes){1, {second + number * sizeof(uint64_t)}});
    if (number > 0) return;
    for (uint64_t k = 0; k < warps; k++) {
        pattern_lane(&firsts, first + k * sizeof(uint64_t));
        pattern_lane(&seconds, second + k * sizeof(uint64_t));
    }
    pattern_next(p, site + GET_FIRST, &firsts);
    pattern_next(p, site + GET_SECOND, &seconds);
}

void check_note_block(pattern *p, unsigned site, uint64_t block, uint64_t number, uint64_t warps,
                      const check_record *record) {
    note_in_block(p, site, block, number, warps);
    if (number == 0) check_note_sums(p, site + TO_RECORD, record);
}

/* -------------------------------------------------------------------- blocks */

enum { ITEM, PLACE = ITEM + CHECK_VECTOR_SITES, COUNT, WHOLE_ROUND, SUMS };

typedef struct check_view check_view;

/* Follows a round of a warp, whose lanes have item `first` of an array and the next ones. */
typedef void check_round(const check_view *v, uint64_t from, uint64_t first);

struct check_view {
    const launch *work;
    const check_cut *cut;
    check_round *follow;
    uint64_t filled;       /* blocks of an array that have items */
    uint64_t period;       /* blocks so far apart access alike */
    const uint64_t *count; /* is read first, or NULL */
    uint64_t words;        /* check_run: that there are */
    pattern *out;
};

static uint64_t block_items(const check_view *v) { return (uint64_t)CHECK_ROUND << v->cut->rounds_log; }

static void follow_block(const check_view *v, uint64_t array, uint64_t block) {
    const uint64_t from = (uintptr_t)v->work->from + array * v->cut->step * v->work->elem_bytes;
    for (uint64_t thread = 0; thread < CHECK_THREADS; thread += WARP_LANES) {
        pattern_begin_warp(v->out);
        if (v->count != NULL) note_one(v->out, COUNT, v->count);
        for (uint64_t k = 0; k < block_items(v); k += CHECK_THREADS)
            v->follow(v, from, block * block_items(v) + k + thread);
        if (thread == 0) check_note_sums(v->out, SUMS + TO_RECORD, v->cut->record);
    }
}

/* Some of many, of which those `period` apart are alike: one of each kind, or, where kinds are too many, some evenly. */
typedef struct kinds {
    uint64_t all, described;
    bool is_exact;
} kinds;

static kinds kinds_of(const check_view *v, uint64_t all, uint64_t period, uint64_t items) {
    const uint64_t most = max(v->out->most_elements / items, (uint64_t)PATTERN_FEWEST_SAMPLES);
    const uint64_t differ = min(all, period);
    if (differ > most) pattern_mean(v->out, PATTERN_ESTIMATED);
    return (kinds){all, min(differ, most), differ <= most};
}

static uint64_t shares_before(const kinds *of, uint64_t k) { return k * (of->all / of->described); }

/* The k-th that is described, and how many it stands for. */
static uint64_t kind_at(const kinds *of, uint64_t k) { return of->is_exact ? k : shares_before(of, k); }

static uint64_t kind_stands_for(const kinds *of, uint64_t k) {
    if (of->is_exact) return ceil_div(of->all - k, of->described);
    return (k + 1 == of->described ? of->all : shares_before(of, k + 1)) - shares_before(of, k);
}

/* An array, which stands for so many. */
static void follow_array(const check_view *v, uint64_t array, uint64_t arrays) {
    const uint64_t inner = v->filled > 3 ? v->filled - 3 : 0;
    const kinds between = kinds_of(v, inner, v->period, block_items(v));
    for (uint64_t k = 0; k < between.described; k++) {
        pattern_alike(v->out, 0, arrays * kind_stands_for(&between, k));
        follow_block(v, array, 1 + kind_at(&between, k));
    }
    for (uint64_t block = 0; block < v->filled; block++) {
        if (block == 1) block += inner;
        pattern_alike(v->out, 0, arrays);
        follow_block(v, array, block);
    }
    if (v->cut->blocks_each == v->filled) return;
    pattern_alike(v->out, 0, arrays * (v->cut->blocks_each - v->filled)); /* behind the last row */
    follow_block(v, array, v->filled);
}

/* All blocks add up in their shared memory alike. */
static void follow_sums(const check_view *v) {
    check_declare_block(v->out, SUMS);
    pattern_alike(v->out, 0, v->out->grid);
    for (uint64_t warp = 0; warp < CHECK_THREADS / WARP_LANES; warp++) {
        pattern_begin_warp(v->out);
        note_in_block(v->out, SUMS, 0, warp, CHECK_THREADS / WARP_LANES);
    }
}

static void follow_arrays(const check_view *v) {
    const uint64_t arrays = v->cut->blocks / v->cut->blocks_each, step = v->cut->step * v->work->elem_bytes;
    const kinds of = kinds_of(v, arrays, GROUP_BYTES / common_divisor(step, GROUP_BYTES),
                              min(v->filled, v->period + 3) * block_items(v));
    if (v->cut->blocks > v->out->grid) pattern_mean(v->out, PATTERN_ESTIMATED); /* blocks have several */
    for (uint64_t k = 0; k < of.described; k++) follow_array(v, kind_at(&of, k), kind_stands_for(&of, k));
}

/* ------------------------------------------------------------------- kernels */

static void read_words(const check_view *v, uint64_t from, uint64_t first) {
    const uint64_t begin = first - first % CHECK_ROUND, bytes = v->work->elem_bytes,
                   each = ROWS_WORD_BYTES / bytes, lead = from % ROWS_WORD_BYTES / bytes;
    if (begin * each >= lead && (begin + CHECK_ROUND) * each <= v->words + lead) {
        pattern_lanes whole = {0};
        for (uint64_t k = first; k < first + WARP_LANES; k++)
            pattern_lane(&whole, from - lead * bytes + k * ROWS_WORD_BYTES);
        pattern_next(v->out, WHOLE_ROUND, &whole);
        return;
    }
    check_note_vectors(v->out, ITEM, from, v->work->elem_bytes, v->words, first);
}

static void run_of_words(const launch *work, uint64_t words, pattern *out) {
    const check_run_table *const t = &((const struct check_run_arguments *)work->arguments)->table;
    check_view v = {.work = work,
                    .cut = &t->cut,
                    .follow = read_words,
                    .period = 1,
                    .count = t->count,
                    .words = words,
                    .out = out};
    v.filled = ceil_div(words / (ROWS_WORD_BYTES / work->elem_bytes) + 2, block_items(&v));
    check_declare_vectors(out, ITEM, work->elem_bytes);
    pattern_declare(out, WHOLE_ROUND, PATTERN_GLOBAL, PATTERN_READ, ROWS_WORD_BYTES);
    pattern_declare(out, COUNT, PATTERN_GLOBAL, PATTERN_READ, sizeof *t->count);
    follow_sums(&v);
    follow_arrays(&v);
}

void pattern_of_check_run(const launch *work, const void *subject, pattern *out) {
    const check_run_table *const t = &((const struct check_run_arguments *)work->arguments)->table;
    (void)subject;
    out->is_unknown = t->count != NULL;
    if (t->count == NULL) run_of_words(work, t->words, out);
}

void check_pattern_of_rows(const launch *work, uint64_t rows, pattern *out) {
    const check_run_table *const t = &((const struct check_run_arguments *)work->arguments)->table;
    run_of_words(work, rows * t->row_words, out);
}

/* Arrays that begin where no vector does are read element by element. */
static void read_elements(const check_view *v, uint64_t from, uint64_t first) {
    const check_affine_table *const t = &((const struct check_affine_arguments *)v->work->arguments)->table;
    const uint64_t bytes = v->work->elem_bytes, each = ROWS_WORD_BYTES / bytes;
    const bool is_vector = from % ROWS_WORD_BYTES == 0 && t->n >= each;
    for (uint64_t j = 0; j < (is_vector ? 1 : min(each, t->n)); j++) {
        pattern_lanes lanes = {0};
        for (uint64_t k = first; k < first + WARP_LANES && k * each < t->n; k++)
            pattern_lane(&lanes, from + (k * each + j) * bytes);
        pattern_next(v->out, is_vector ? ITEM : ITEM + 1, &lanes);
    }
}

void pattern_of_check_affine(const launch *work, const void *subject, pattern *out) {
    const check_affine_table *const t = &((const struct check_affine_arguments *)work->arguments)->table;
    check_view v = {.work = work,
                    .cut = &t->cut,
                    .follow = read_elements,
                    .filled = t->cut.blocks_each,
                    .period = 1,
                    .out = out};
    (void)subject;
    check_declare_vectors(out, ITEM, work->elem_bytes);
    follow_sums(&v);
    follow_arrays(&v);
}

static void read_parts(const check_view *v, uint64_t from, uint64_t first) {
    const check_rows_table *const t = &((const struct check_rows_arguments *)v->work->arguments)->table;
    const uint64_t end = min(first + WARP_LANES, t->rows.parts);
    if (first >= end) return;
    pattern_lanes parts = {0};
    for (uint64_t k = first; k < end; k++) pattern_lane(&parts, from + k * v->work->elem_bytes);
    pattern_next(v->out, ITEM, &parts);
    for (uint64_t key = 0; key < t->keys_per_row; key++) {
        pattern_lanes places = {0};
        for (uint64_t k = first; k < end; k++) {
            const uint64_t entry = k / t->rows.row_parts * t->keys_per_row + key;
            pattern_lane(&places, (uintptr_t)t->places + entry * t->rows.entry_bytes);
        }
        pattern_next(v->out, PLACE, &places);
    }
}

/* Blocks so far apart begin with a row, and their places on an address group. */
static uint64_t rows_period(const check_rows_table *t, uint64_t items) {
    const uint64_t whole = t->rows.row_parts / common_divisor(items, t->rows.row_parts),
                   entries = whole * items / t->rows.row_parts * t->keys_per_row;
    return whole * (WARP_LANES / common_divisor(entries, WARP_LANES));
}

void pattern_of_check_rows(const launch *work, const void *subject, pattern *out) {
    const check_rows_table *const t = &((const struct check_rows_arguments *)work->arguments)->table;
    check_view v = {
        .work = work, .cut = &t->cut, .follow = read_parts, .filled = t->cut.blocks_each, .out = out};
    (void)subject;
    v.period = rows_period(t, block_items(&v));
    pattern_declare(out, ITEM, PATTERN_GLOBAL, PATTERN_READ, work->elem_bytes);
    pattern_declare(out, PLACE, PATTERN_GLOBAL, PATTERN_READ, t->rows.entry_bytes);
    follow_sums(&v);
    follow_arrays(&v);
}

const kernel_pattern check_patterns[] = {{&KERNEL_check_run.record, pattern_of_check_run},
                                         {&KERNEL_check_affine.record, pattern_of_check_affine},
                                         {&KERNEL_check_rows.record, pattern_of_check_rows},
                                         {NULL, NULL}};
