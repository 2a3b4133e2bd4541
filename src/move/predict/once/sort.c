/* SPDX-License-Identifier: Apache-2.0
 *
 * The pattern of sorting a piece (move/kernels/once/once_sort.cu): a block's indices, or of a sample of blocks, are sorted here too, and
 * each warp's accesses follow.
 */
#include "base/arithmetic.h"
#include "move/predict/once/pieces.h"
#include "move/predict/once/warps.h"
#include "move/predict/predict.h"

enum {
    SITE_ZERO_SLOT,
    SITE_ZERO_COUNT,
    SITE_COMPUTED,
    SITE_INDICES,
    SITE_INDEX,
    SITE_GET_COMPUTED,
    SITE_SLOT,
    SITE_COUNT_ALL,
    SITE_COUNT,
    SITE_ADD_COUNT,
    SITE_PUT_SUM,
    SITE_SUM,
    SITE_OLD_COUNT,
    SITE_START,
    SITE_LAST_START,
    SITE_GET_STARTS,
    SITE_WRITE_STARTS,
    SITE_TILE,
    SITE_BEGIN,
    SITE_LOW,
    SITE_PUT_LOW,
    SITE_END,
    SITE_PAD,
    SITE_GET_LOWS,
    SITE_WRITE_LOWS,
    SITE_GET_LAST_LOW,
    SITE_WRITE_LAST_LOW,
    SITE_QUAD,
    SITE_ELEMENT,
    SITE_PUT,
    SITE_GET_ORDERED,
    SITE_WRITE_ORDERED,
    SITE_GET_LAST,
    SITE_WRITE_LAST,
};

enum { QUAD = 4 };

/* A block of a launch. */
typedef struct sort_view {
    const launch *work;
    const once_table *t;
    const once_order *o;
    uint64_t block, first;
    uint32_t index_bytes; /* 0: they are computed */
    uint64_t counts;      /* where counts are in shared memory, in bytes */
    pattern *out;
} sort_view;

static once_warp warp_of(const sort_view *v, uint32_t first) { return (once_warp){v->work, first, v->out}; }

/* ---------------------------------------------------------------------- ranks */

/* The element of a lane's quad, and its count of them. */
static uint32_t element_of(const sort_view *v, uint32_t warp, uint32_t quad, unsigned lane) {
    return QUAD * (quad * v->work->block_x + warp + lane);
}

static void counts_of(const sort_view *v, uint32_t warp, uint32_t quad, uint32_t count[PATTERN_LANES]) {
    for (unsigned l = 0; l < PATTERN_LANES; l++)
        count[l] = once_quad_count(v->o->length, element_of(v, warp, quad, l));
}

/* Slots of the i-th indices of quads, of lanes that have so many. */
static void slots(const sort_view *v, uint32_t warp, uint32_t quad, const uint32_t *count, unsigned site) {
    for (unsigned i = 0; i < QUAD; i++) {
        pattern_lanes lanes = {0};
        for (unsigned l = 0; l < PATTERN_LANES; l++)
            if (count == NULL || i < count[l])
                pattern_lane(&lanes,
                             sizeof(uint32_t) * ((uint64_t)(QUAD * quad + i) * v->work->block_x + warp + l));
        pattern_next(v->out, site, &lanes);
    }
}

static void load(const sort_view *v, uint32_t warp, uint32_t quad, const uint32_t count[PATTERN_LANES]) {
    const once_warp w = warp_of(v, warp);
    const uint64_t at = (uintptr_t)v->t->indices + (v->first + element_of(v, warp, quad, 0)) * v->index_bytes;
    if (v->index_bytes > 0)
        once_quads(&w, SITE_INDICES, SITE_INDEX, at, count);
    else
        slots(v, warp, quad, count, SITE_GET_COMPUTED);
}

/* True if all indices of the warp's quads are of one tile. */
static bool are_of_one_tile(const sort_view *v, uint32_t warp, uint32_t quad) {
    const uint32_t begin = element_of(v, warp, quad, 0), end = begin + QUAD * PATTERN_LANES;
    if (end > v->o->length) return false;
    for (uint32_t k = begin; k < end; k++)
        if (v->o->tile[k] != v->o->tile[begin]) return false;
    return true;
}

static uint64_t count_at(const sort_view *v, uint32_t k) {
    return v->counts + v->o->tile[k] / 2 * sizeof(uint32_t);
}

static void count(const sort_view *v, uint32_t warp, uint32_t quad) {
    const bool is_one = are_of_one_tile(v, warp, quad);
    for (unsigned i = 0; i < (is_one ? 1U : QUAD); i++) {
        pattern_lanes lanes = {0};
        for (unsigned l = 0; l < (is_one ? 1U : PATTERN_LANES); l++)
            if (element_of(v, warp, quad, l) + i < v->o->length)
                pattern_lane(&lanes, count_at(v, element_of(v, warp, quad, l) + i));
        pattern_next(v->out, is_one ? SITE_COUNT_ALL : SITE_COUNT, &lanes);
    }
}

static uint32_t quads_of(const sort_view *v) { return ceil_div(v->o->length, QUAD * v->work->block_x); }

/* Lanes write their k-th computed index together, however long their walks are. */
static void compute(const sort_view *v, uint32_t warp) {
    for (uint32_t quad = 0; quad < quads_of(v); quad++) {
        uint32_t counts[PATTERN_LANES];
        counts_of(v, warp, quad, counts);
        slots(v, warp, quad, counts, SITE_COMPUTED);
    }
}

static void rank(const sort_view *v, uint32_t warp) {
    if (v->index_bytes == 0) compute(v, warp);
    for (uint32_t quad = 0; quad < quads_of(v); quad++) {
        uint32_t counts[PATTERN_LANES];
        counts_of(v, warp, quad, counts);
        load(v, warp, quad, counts);
        slots(v, warp, quad, NULL, SITE_SLOT);
        count(v, warp, quad);
    }
}

/* --------------------------------------------------------------------- starts */

/* Cells of 2 bytes, one a lane, of `each` tiles of its own. */
static void own_counts(const sort_view *v, uint32_t warp, unsigned site, unsigned other) {
    const uint32_t tiles = v->t->tiles, each = tiles / v->work->block_x + 1;
    for (uint32_t k = 0; k < each; k++) {
        pattern_lanes lanes = {0};
        for (unsigned l = 0; l < PATTERN_LANES; l++)
            if ((warp + l) * each + k < tiles)
                pattern_lane(&lanes, v->counts + ((warp + l) * each + k) * sizeof(uint16_t));
        pattern_next(v->out, site, &lanes);
        if (other != site) pattern_next(v->out, other, &lanes);
    }
}

static void one_cell(const sort_view *v, unsigned site, uint64_t at) {
    pattern_run(v->out, site, v->out->done[site]++, at, 1);
}

static void write_starts(const sort_view *v, uint32_t warp) {
    const uint32_t words = v->t->tiles / 2 + 1, warps = v->work->block_x / WARP_LANES;
    const once_warp w = warp_of(v, warp);
    const once_stream row[] = {
        {SITE_GET_STARTS, v->counts},
        {SITE_WRITE_STARTS, (uintptr_t)(v->t->starts + v->block * v->t->row)},
    };
    own_counts(v, warp, SITE_ADD_COUNT, SITE_ADD_COUNT);
    one_cell(v, SITE_PUT_SUM, 0);
    for (uint32_t k = 0; k < warps; k++) one_cell(v, SITE_SUM, 0);
    own_counts(v, warp, SITE_OLD_COUNT, SITE_START);
    if (warp == 0) one_cell(v, SITE_LAST_START, 0);
    once_turns(&w, 0, words, row, 2);
}

/* ---------------------------------------------------------------------- order */

/* Halves of words in shared memory. */
static uint64_t low_half(uint64_t word) { return word * sizeof(uint32_t); }
static uint64_t high_half(uint64_t word) { return word * sizeof(uint32_t) + sizeof(uint16_t); }

static uint64_t slot_of(const sort_view *v, uint32_t thread, uint32_t quad, unsigned i) {
    return (uint64_t)(QUAD * quad + i) * v->work->block_x + thread;
}

/* Lanes behind the last index have index 0's tile. */
static uint64_t begin_at(const sort_view *v, uint32_t k) {
    return v->counts + (k < v->o->length ? v->o->tile[k] : 0) * sizeof(uint16_t);
}

static void find_places(const sort_view *v, uint32_t warp, uint32_t quad) {
    for (unsigned i = 0; i < QUAD; i++) {
        pattern_lanes tile = {0}, begin = {0};
        for (unsigned l = 0; l < PATTERN_LANES; l++) {
            pattern_lane(&tile, high_half(slot_of(v, warp + l, quad, i)));
            pattern_lane(&begin, begin_at(v, element_of(v, warp, quad, l) + i));
        }
        pattern_next(v->out, SITE_TILE, &tile);
        pattern_next(v->out, SITE_BEGIN, &begin);
    }
}

static void put_lows(const sort_view *v, uint32_t warp, uint32_t quad) {
    for (unsigned i = 0; i < QUAD; i++) {
        pattern_lanes low = {0}, to = {0};
        for (unsigned l = 0; l < PATTERN_LANES; l++) {
            const uint32_t k = element_of(v, warp, quad, l) + i;
            if (k >= v->o->length) continue;
            pattern_lane(&low, low_half(slot_of(v, warp + l, quad, i)));
            pattern_lane(&to, high_half(v->o->place[k]));
        }
        pattern_next(v->out, SITE_LOW, &low);
        pattern_next(v->out, SITE_PUT_LOW, &to);
    }
}

/* A tile's run ends with a pad if the place before the next run's is nobody's. */
static bool is_odd(const sort_view *v, uint32_t tile) {
    const uint32_t end = v->o->starts[tile + 1];
    return end > v->o->starts[tile] && v->o->lows[end - 1] == ONCE_PAD;
}

static void put_pads(const sort_view *v, uint32_t warp) {
    const uint32_t tiles = v->t->tiles, each = tiles / v->work->block_x + 1;
    for (uint32_t k = 0; k < each; k++) {
        pattern_lanes end = {0}, pad = {0};
        for (unsigned l = 0; l < PATTERN_LANES; l++) {
            const uint32_t tile = (warp + l) * each + k;
            if (tile >= tiles || !is_odd(v, tile)) continue;
            pattern_lane(&end, v->counts + (tile + 1) * sizeof(uint16_t));
            pattern_lane(&pad, high_half(v->o->starts[tile + 1] - 1U));
        }
        pattern_next(v->out, SITE_END, &end);
        pattern_next(v->out, SITE_PAD, &pad);
    }
}

/* Eight low parts at a time come from the halves of two vectors. */
static void write_lows(const sort_view *v, uint32_t warp) {
    const uint64_t to = (uintptr_t)(v->t->lows + v->block * v->t->room);
    const uint32_t whole = v->o->ordered / 8;
    const once_warp w = warp_of(v, warp);
    const once_stream vectors = {SITE_WRITE_LOWS, to};
    const once_stream last[] = {{SITE_GET_LAST_LOW, 0}, {SITE_WRITE_LAST_LOW, to}};
    for (uint32_t k = warp; k < whole; k += v->work->block_x)
        for (unsigned half = 0; half < 2; half++) {
            pattern_lanes lanes = {0};
            for (uint32_t l = k; l < min(k + PATTERN_LANES, whole); l++)
                pattern_lane(&lanes, (2 * (uint64_t)l + half) * ONCE_VECTOR);
            pattern_next(v->out, SITE_GET_LOWS, &lanes);
        }
    once_turns(&w, 0, whole, &vectors, 1);
    once_turns(&w, 8 * (uint64_t)whole, v->o->ordered, last, 2);
}

static void order(const sort_view *v, uint32_t warp) {
    for (uint32_t quad = 0; quad < quads_of(v); quad++) find_places(v, warp, quad);
    for (uint32_t quad = 0; quad < quads_of(v); quad++) put_lows(v, warp, quad);
    put_pads(v, warp);
    write_lows(v, warp);
}

/* --------------------------------------------------------------------- values */

static void put_quad(const sort_view *v, uint32_t warp, uint32_t quad) {
    const size_t bytes = v->work->elem_bytes;
    const uint64_t at = (uintptr_t)v->work->from + (v->first + element_of(v, warp, quad, 0)) * bytes;
    const once_warp w = warp_of(v, warp);
    uint32_t counts[PATTERN_LANES];
    counts_of(v, warp, quad, counts);
    once_quads(&w, SITE_QUAD, SITE_ELEMENT, at, counts);
    for (unsigned i = 0; i < QUAD; i++) {
        pattern_lanes lanes = {0};
        for (unsigned l = 0; l < PATTERN_LANES; l++)
            if (i < counts[l]) pattern_lane(&lanes, v->o->place[element_of(v, warp, quad, l) + i] * bytes);
        pattern_next(v->out, SITE_PUT, &lanes);
    }
}

static void write_values(const sort_view *v, uint32_t warp) {
    const size_t bytes = v->work->elem_bytes;
    const uint64_t to = (uintptr_t)v->work->to + v->block * v->t->room * bytes;
    const once_warp w = warp_of(v, warp);
    const once_stream ordered[] = {
        {SITE_GET_ORDERED, 0}, {SITE_WRITE_ORDERED, to}, {SITE_GET_LAST, 0}, {SITE_WRITE_LAST, to}};
    for (uint32_t quad = 0; quad < quads_of(v); quad++) put_quad(v, warp, quad);
    once_copy(&w, v->o->ordered, to % ONCE_VECTOR == 0, bytes, ordered);
}

static void declare(const sort_view *v) {
    const size_t elem = v->work->elem_bytes, index = v->index_bytes, vector = ONCE_VECTOR;
    const pattern_declaration sites[] = {
        {SITE_ZERO_SLOT, PATTERN_SHARED, PATTERN_WRITE, 4},
        {SITE_ZERO_COUNT, PATTERN_SHARED, PATTERN_WRITE, 4},
        {SITE_COMPUTED, PATTERN_SHARED, PATTERN_WRITE, 4},
        {SITE_INDICES, PATTERN_GLOBAL, PATTERN_READ, min(QUAD * index, vector)},
        {SITE_INDEX, PATTERN_GLOBAL, PATTERN_READ, index},
        {SITE_GET_COMPUTED, PATTERN_SHARED, PATTERN_READ, 4},
        {SITE_SLOT, PATTERN_SHARED, PATTERN_WRITE, 4},
        {SITE_ADD_COUNT, PATTERN_SHARED, PATTERN_READ, 2},
        {SITE_PUT_SUM, PATTERN_SHARED, PATTERN_WRITE, 4},
        {SITE_SUM, PATTERN_SHARED, PATTERN_READ, 4},
        {SITE_OLD_COUNT, PATTERN_SHARED, PATTERN_READ, 2},
        {SITE_START, PATTERN_SHARED, PATTERN_WRITE, 2},
        {SITE_LAST_START, PATTERN_SHARED, PATTERN_WRITE, 2},
        {SITE_GET_STARTS, PATTERN_SHARED, PATTERN_READ, 4},
        {SITE_WRITE_STARTS, PATTERN_GLOBAL, PATTERN_WRITE, 4},
        {SITE_TILE, PATTERN_SHARED, PATTERN_READ, 2},
        {SITE_BEGIN, PATTERN_SHARED, PATTERN_READ, 2},
        {SITE_LOW, PATTERN_SHARED, PATTERN_READ, 2},
        {SITE_PUT_LOW, PATTERN_SHARED, PATTERN_WRITE, 2},
        {SITE_END, PATTERN_SHARED, PATTERN_READ, 2},
        {SITE_PAD, PATTERN_SHARED, PATTERN_WRITE, 2},
        {SITE_GET_LOWS, PATTERN_SHARED, PATTERN_READ, vector},
        {SITE_WRITE_LOWS, PATTERN_GLOBAL, PATTERN_WRITE, vector},
        {SITE_GET_LAST_LOW, PATTERN_SHARED, PATTERN_READ, 4},
        {SITE_WRITE_LAST_LOW, PATTERN_GLOBAL, PATTERN_WRITE, 2},
        {SITE_QUAD, PATTERN_GLOBAL, PATTERN_READ, min(QUAD * elem, vector)},
        {SITE_ELEMENT, PATTERN_GLOBAL, PATTERN_READ, elem},
        {SITE_PUT, PATTERN_SHARED, PATTERN_WRITE, elem},
        {SITE_GET_ORDERED, PATTERN_SHARED, PATTERN_READ, vector},
        {SITE_WRITE_ORDERED, PATTERN_GLOBAL, PATTERN_WRITE, vector},
        {SITE_GET_LAST, PATTERN_SHARED, PATTERN_READ, elem},
        {SITE_WRITE_LAST, PATTERN_GLOBAL, PATTERN_WRITE, elem}};
    pattern_declare_all(v->out, sites, sizeof sites / sizeof *sites);
    pattern_declare_atomic(v->out, SITE_COUNT_ALL, PATTERN_SHARED, 4);
    pattern_declare_atomic(v->out, SITE_COUNT, PATTERN_SHARED, 4);
}

/* --------------------------------------------------------------------- blocks */

static void describe_block(const sort_view *v) {
    const once_stream zero_slots = {SITE_ZERO_SLOT, 0}, zero_counts = {SITE_ZERO_COUNT, v->counts};
    for (uint32_t warp = 0; warp < v->work->block_x; warp += WARP_LANES) {
        const once_warp w = warp_of(v, warp);
        pattern_begin_warp(v->out);
        once_turns(&w, v->o->length / QUAD * QUAD, v->t->slots, &zero_slots, 1);
        once_turns(&w, 0, v->t->tiles / 2 + 1, &zero_counts, 1);
        rank(v, warp);
        write_starts(v, warp);
        order(v, warp);
        write_values(v, warp);
    }
}

static uint32_t index_bytes_of(const launch *work) {
    if (work->kernel == &KERNEL_once_values_random.record) return 0;
    return work->kernel == &KERNEL_once_values_32.record ? sizeof(uint32_t) : sizeof(uint64_t);
}

void pattern_of_once_values(const launch *work, const void *subject, pattern *out) {
    const pass *const p = subject;
    const once_table *const t = once_table_of(work);
    sort_view v = {.work = work,
                   .t = t,
                   .index_bytes = index_bytes_of(work),
                   .counts = t->slots * sizeof(uint32_t),
                   .out = out};
    const uint64_t samples = pattern_samples(out, t->piece);
    declare(&v);
    for (uint64_t k = 0; out->status == RIFFLE_OK && k < samples; k++) {
        once_order o;
        v.block = pattern_sample(out, samples, k);
        v.first = v.block * t->piece;
        out->status = once_order_create(work, once_indices_of(&p->once), v.block, out, &o);
        if (out->status != RIFFLE_OK) return;
        v.o = &o;
        describe_block(&v);
        once_order_free(&o);
    }
}
