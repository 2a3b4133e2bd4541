/* SPDX-License-Identifier: Apache-2.0
 *
 * The pattern of a tile that collects its runs (once_place of move/kernels/once/once_move.cu): a warp has a span of pieces, whose runs it
 * moves 32 pairs at a time; those that are too long are left to the whole block.
 */
#include <stdlib.h>

#include "base/arithmetic.h"
#include "base/status.h"
#include "move/predict/once/pieces.h"
#include "move/predict/once/warps.h"
#include "move/predict/predict.h"

enum {
    SITE_NO_LATER,
    SITE_FIRST_RUN,
    SITE_NO_BITS,
    SITE_NEXT_RUN,
    SITE_COUNT_LATER,
    SITE_PUT_LATER, /* a number of a run each */
    SITE_HEAD = SITE_PUT_LATER + 3,
    SITE_GET_HEAD,
    SITE_LATER,
    SITE_GET_LATER,
    SITE_BITS = SITE_GET_LATER + 3,
    SITE_GET,
    SITE_WRITE,
    SITE_GET_LAST,
    SITE_WRITE_LAST,
    SITE_MOVE, /* the first that moves a pair */
    MOVES = 6
};

/* A pair's move accesses these, once by a warp alone and once by the whole block. */
enum { MOVE_LOW, MOVE_VALUE, MOVE_BIT, MOVE_PUT, MOVE_OTHER_BIT, MOVE_OTHER_PUT };

/* A launch's block, a tile. */
typedef struct place_view {
    const launch *work;
    const once_table *t;
    const once_pieces *pieces;
    uint64_t tile, bits, heads, later; /* the latter in bytes of shared memory */
    pattern *out;
} place_view;

/* A run of a piece: pairs of the piece's order. */
typedef struct run {
    uint64_t piece;
    uint32_t begin, count;
} run;

/* Runs that are moved one behind the other, pair k at a time. */
typedef struct run_list {
    run run[ONCE_LONG_RUNS];
    uint32_t count, counted; /* runs, and those that wanted to be in */
    uint64_t pairs;          /* the tile has so many so far */
} run_list;

static run run_of(const place_view *v, uint64_t piece) {
    if (piece >= v->t->pieces) return (run){0};
    const uint16_t *const start = v->pieces->order[v->pieces->of[piece]].starts + v->tile;
    return (run){piece, start[0] / 2U, (start[1] - start[0]) / 2U};
}

/* ----------------------------------------------------------------------- pairs */

/* Pairs that a warp's lanes move at once. */
typedef struct pairs {
    unsigned count;
    uint64_t from[PATTERN_LANES];
    uint16_t low[PATTERN_LANES], other[PATTERN_LANES];
} pairs;

static void add_pair(const place_view *v, const run *r, uint32_t k, pairs *out) {
    const uint16_t *const low = v->pieces->order[v->pieces->of[r->piece]].lows + 2 * (r->begin + k);
    out->from[out->count] = r->piece * v->t->room / 2 + r->begin + k;
    out->low[out->count] = low[0];
    out->other[out->count++] = low[1];
}

/* A bit of each low part that is no pad's, and the element's place. */
static void place(const place_view *v, unsigned sites, const uint16_t *low, unsigned count) {
    pattern_lanes bit = {0}, to = {0};
    for (unsigned l = 0; l < count; l++) {
        if (low[l] == ONCE_PAD) continue;
        pattern_lane(&bit, v->bits + low[l] / 32 * sizeof(uint32_t));
        pattern_lane(&to, low[l] * v->work->elem_bytes);
    }
    pattern_next(v->out, sites, &bit);
    pattern_next(v->out, sites + 1, &to);
}

static void move_pairs(const place_view *v, unsigned sites, const pairs *p) {
    const uint64_t bytes = 2 * v->work->elem_bytes, word = v->out->site[sites + MOVE_VALUE].bytes;
    pattern_lanes low = {0};
    for (unsigned l = 0; l < p->count; l++)
        pattern_lane(&low, (uintptr_t)v->t->lows + p->from[l] * sizeof(uint32_t));
    pattern_next(v->out, sites + MOVE_LOW, &low);
    for (uint64_t part = 0; part < bytes; part += word) {
        pattern_lanes value = {0};
        for (unsigned l = 0; l < p->count; l++)
            pattern_lane(&value, (uintptr_t)v->work->from + p->from[l] * bytes + part);
        pattern_next(v->out, sites + MOVE_VALUE, &value);
    }
    place(v, sites + MOVE_BIT, p->low, p->count);
    place(v, sites + MOVE_OTHER_BIT, p->other, p->count);
}

/* ------------------------------------------------------------------------ runs */

static void one_cell(const place_view *v, unsigned site, uint64_t at) {
    pattern_run(v->out, site, v->out->done[site]++, at, 1);
}

/* Takes out the runs that are too long, as far as there is room. */
static void put_off(const place_view *v, run lane[PATTERN_LANES], run_list *later) {
    pattern_lanes counted = {0}, put[3] = {{0}};
    for (unsigned l = 0; l < PATTERN_LANES; l++) {
        if (lane[l].count < ONCE_LONG_RUN) continue;
        const uint32_t slot = later->counted++;
        pattern_lane(&counted, v->later);
        if (slot >= ONCE_LONG_RUNS) continue;
        for (unsigned k = 0; k < 3; k++)
            pattern_lane(&put[k], v->later + (1 + 3 * (uint64_t)slot + k) * sizeof(uint32_t));
        later->run[later->count++] = lane[l];
        lane[l].count = 0;
    }
    pattern_next(v->out, SITE_COUNT_LATER, &counted);
    for (unsigned k = 0; k < 3; k++) pattern_next(v->out, SITE_PUT_LATER + k, &put[k]);
}

/* 32 pairs at a time, whatever run they are in. */
static void move_runs(const place_view *v, uint32_t warp, const run lane[PATTERN_LANES]) {
    const uint64_t heads = v->heads + warp * sizeof(uint64_t);
    pairs some = {0};
    pattern_lanes head = {0};
    unsigned runs = 0;
    for (unsigned l = 0; l < PATTERN_LANES; l++) runs += lane[l].count > 0;
    if (runs > 0) pattern_run(v->out, SITE_HEAD, v->out->done[SITE_HEAD]++, heads, runs);
    runs = 0;
    for (unsigned l = 0; l < PATTERN_LANES; l++) {
        for (uint32_t k = 0; k < lane[l].count; k++) {
            add_pair(v, &lane[l], k, &some);
            pattern_lane(&head, heads + runs * sizeof(uint64_t));
            if (some.count < PATTERN_LANES) continue;
            pattern_next(v->out, SITE_GET_HEAD, &head);
            move_pairs(v, SITE_MOVE, &some);
            some.count = head.count = 0;
        }
        runs += lane[l].count > 0;
    }
    if (some.count == 0) return;
    pattern_next(v->out, SITE_GET_HEAD, &head);
    move_pairs(v, SITE_MOVE, &some);
}

static void read_column(const place_view *v, unsigned site, uint64_t span) {
    const uint64_t at = (uintptr_t)(v->t->runs + v->tile * v->t->column + span * ONCE_SPAN);
    pattern_run(v->out, site, v->out->done[site]++, at, WARP_LANES);
}

/* The warp's spans, one after the other. Pieces that stand for others may have more for the tile than it is long. */
static void move_column(const place_view *v, uint32_t warp, run_list *later) {
    const uint64_t spans = ceil_div(v->t->pieces, ONCE_SPAN), step = v->work->block_x / WARP_LANES;
    for (uint64_t span = warp / WARP_LANES; span < spans; span += step) {
        run lane[PATTERN_LANES];
        bool has_long = false;
        for (unsigned l = 0; l < PATTERN_LANES; l++) {
            lane[l] = run_of(v, span * ONCE_SPAN + l);
            lane[l].count = (uint32_t)min((uint64_t)lane[l].count, v->t->tile - later->pairs);
            later->pairs += lane[l].count;
            has_long |= lane[l].count >= ONCE_LONG_RUN;
        }
        if (span + step < spans) read_column(v, SITE_NEXT_RUN, span + step);
        if (has_long) put_off(v, lane, later);
        move_runs(v, warp, lane);
    }
}

/* Runs that were put off, by all threads in turns. */
static void move_later(const place_view *v, uint32_t warp, const run_list *later) {
    one_cell(v, SITE_LATER, v->later);
    for (uint32_t r = 0; r < later->count; r++) {
        const run *const own = &later->run[r];
        for (unsigned k = 0; k < 2; k++) one_cell(v, SITE_GET_LATER + k, v->later); /* not where it goes */
        for (uint32_t first = warp; first < own->count; first += v->work->block_x) {
            pairs some = {0};
            for (uint32_t k = first; k < min(first + PATTERN_LANES, own->count); k++)
                add_pair(v, own, k, &some);
            move_pairs(v, SITE_MOVE + MOVES, &some);
        }
    }
}

/* --------------------------------------------------------------------- writing */

/* Vectors where the array begins on one, else their elements one by one: something was put to each. */
static void write_tile(const place_view *v, uint32_t warp) {
    const uint64_t e = v->work->elem_bytes, units = ONCE_VECTOR / e;
    const uint64_t to = (uintptr_t)v->work->to + v->tile * v->t->tile * e;
    const uint64_t length = min(v->t->n - v->tile * v->t->tile, (uint64_t)v->t->tile);
    for (uint64_t first = warp; first * units < length; first += v->work->block_x) {
        pattern_lanes bits = {0}, get = {0}, write = {0};
        for (uint64_t k = first; k < first + PATTERN_LANES && k * units < length; k++) {
            pattern_lane(&bits, v->bits + k * units / 32 * sizeof(uint32_t));
            if (to % ONCE_VECTOR != 0 || (k + 1) * units > length) continue;
            pattern_lane(&get, k * ONCE_VECTOR);
            pattern_lane(&write, to + k * ONCE_VECTOR);
        }
        pattern_next(v->out, SITE_BITS, &bits);
        pattern_next(v->out, SITE_GET, &get);
        pattern_next(v->out, SITE_WRITE, &write);
        for (uint64_t i = 0; i < units; i++) {
            get.count = write.count = 0;
            for (uint64_t k = first; k < first + PATTERN_LANES && k * units + i < length; k++) {
                if (to % ONCE_VECTOR == 0 && (k + 1) * units <= length) continue;
                pattern_lane(&get, (k * units + i) * e);
                pattern_lane(&write, to + (k * units + i) * e);
            }
            pattern_next(v->out, SITE_GET_LAST, &get);
            pattern_next(v->out, SITE_WRITE_LAST, &write);
        }
    }
}

/* ---------------------------------------------------------------------- blocks */

static void declare_moves(const place_view *v, unsigned sites) {
    const size_t elem = v->work->elem_bytes;
    pattern_declare(v->out, sites + MOVE_LOW, PATTERN_GLOBAL, PATTERN_READ, 4);
    pattern_declare(v->out, sites + MOVE_VALUE, PATTERN_GLOBAL, PATTERN_READ,
                    min(2 * elem, (size_t)ONCE_VECTOR));
    pattern_declare_atomic(v->out, sites + MOVE_BIT, PATTERN_SHARED, 4);
    pattern_declare(v->out, sites + MOVE_PUT, PATTERN_SHARED, PATTERN_WRITE, elem);
    pattern_declare_atomic(v->out, sites + MOVE_OTHER_BIT, PATTERN_SHARED, 4);
    pattern_declare(v->out, sites + MOVE_OTHER_PUT, PATTERN_SHARED, PATTERN_WRITE, elem);
}

static void declare(const place_view *v) {
    const size_t elem = v->work->elem_bytes;
    pattern_declare(v->out, SITE_NO_LATER, PATTERN_SHARED, PATTERN_WRITE, 4);
    pattern_declare(v->out, SITE_FIRST_RUN, PATTERN_GLOBAL, PATTERN_READ, 4);
    pattern_declare(v->out, SITE_NO_BITS, PATTERN_SHARED, PATTERN_WRITE, 4);
    pattern_declare(v->out, SITE_NEXT_RUN, PATTERN_GLOBAL, PATTERN_READ, 4);
    pattern_declare_atomic(v->out, SITE_COUNT_LATER, PATTERN_SHARED, 4);
    for (unsigned k = 0; k < 3; k++) {
        pattern_declare(v->out, SITE_PUT_LATER + k, PATTERN_SHARED, PATTERN_WRITE, 4);
        pattern_declare(v->out, SITE_GET_LATER + k, PATTERN_SHARED, PATTERN_READ, 4);
    }
    pattern_declare(v->out, SITE_HEAD, PATTERN_SHARED, PATTERN_WRITE, 8);
    pattern_declare(v->out, SITE_GET_HEAD, PATTERN_SHARED, PATTERN_READ, 8);
    pattern_declare(v->out, SITE_LATER, PATTERN_SHARED, PATTERN_READ, 4);
    pattern_declare(v->out, SITE_BITS, PATTERN_SHARED, PATTERN_READ, 4);
    pattern_declare(v->out, SITE_GET, PATTERN_SHARED, PATTERN_READ, ONCE_VECTOR);
    pattern_declare(v->out, SITE_WRITE, PATTERN_GLOBAL, PATTERN_WRITE, ONCE_VECTOR);
    pattern_declare(v->out, SITE_GET_LAST, PATTERN_SHARED, PATTERN_READ, elem);
    pattern_declare(v->out, SITE_WRITE_LAST, PATTERN_GLOBAL, PATTERN_WRITE, elem);
    declare_moves(v, SITE_MOVE);
    declare_moves(v, SITE_MOVE + MOVES);
}

/* Warps come to count what they put off one after the other. */
static void describe_block(const place_view *v) {
    const once_stream no_bits = {SITE_NO_BITS, v->bits};
    const uint64_t spans = ceil_div(v->t->pieces, ONCE_SPAN);
    run_list later = {.count = 0};
    for (uint32_t warp = 0; warp < v->work->block_x; warp += WARP_LANES) {
        const once_warp w = {v->work, warp, v->out};
        pattern_begin_warp(v->out);
        if (warp == 0) one_cell(v, SITE_NO_LATER, v->later);
        if (warp / WARP_LANES < spans) read_column(v, SITE_FIRST_RUN, warp / WARP_LANES);
        once_turns(&w, 0, v->t->tile / 32 + 1, &no_bits, 1);
        move_column(v, warp, &later);
        write_tile(v, warp);
    }
    for (uint32_t warp = 0; warp < v->work->block_x; warp += WARP_LANES) {
        pattern_begin_warp(v->out);
        move_later(v, warp, &later);
    }
}

void pattern_of_once_place(const launch *work, const void *subject, pattern *out) {
    const pass *const p = subject;
    const once_table *const t = once_table_of(work);
    const uint64_t behind = round_up(t->tile * work->elem_bytes, sizeof(uint64_t)),
                   heads = behind + (t->tile / 64 + 1) * sizeof(uint64_t);
    const uint64_t samples = pattern_samples(out, t->tile);
    once_pieces pieces;
    out->status = once_pieces_create(work, once_indices_of(&p->once), out, &pieces);
    place_view v = {.work = work,
                    .t = t,
                    .pieces = &pieces,
                    .bits = behind,
                    .heads = heads,
                    .later = heads + work->block_x * sizeof(uint64_t),
                    .out = out};
    declare(&v);
    for (uint64_t k = 0; out->status == RIFFLE_OK && k < samples; k++) {
        v.tile = pattern_sample(out, samples, k);
        describe_block(&v);
    }
    once_pieces_free(&pieces);
}
