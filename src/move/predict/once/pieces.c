/* SPDX-License-Identifier: Apache-2.0 */
#include "move/predict/once/pieces.h"

#include <stdlib.h>
#include <string.h>

#include "base/arithmetic.h"
#include "base/splitmix.h"
#include "base/status.h"
#include "perm/kind.h"
#include "perm/perm.h"

enum {
    QUAD = 4,
    LAUNCHES = 2, /* that look at them */
};

/* ------------------------------------------------------------------ a piece */

static riffle_status make_room(const once_table *t, once_order *o) {
    const size_t each = max(t->piece, t->room), words = 4 * each + t->tiles + 1;
    uint16_t *const all = calloc(words, sizeof *all);
    if (all == NULL) return fail_memory("a prediction's piece", words * sizeof *all);
    o->tile = all, o->low = all + each, o->place = all + 2 * each, o->lows = all + 3 * each;
    o->starts = all + 4 * each;
    return RIFFLE_OK;
}

static riffle_status read_indices(const once_table *t, const riffle_perm *map, uint64_t first, once_order *o) {
    enum { AT_ONCE = 512 };
    uint64_t index[AT_ONCE];
    for (uint32_t k = 0; k < o->length; k += AT_ONCE) {
        const uint32_t some = min(o->length - k, (uint32_t)AT_ONCE);
        const riffle_status status = riffle_perm_map(map, first + k, some, index);
        if (status != RIFFLE_OK) return status;
        for (uint32_t i = 0; i < some; i++) {
            o->tile[k + i] = (uint16_t)(index[i] / t->tile);
            o->low[k + i] = (uint16_t)(index[i] % t->tile);
        }
    }
    return RIFFLE_OK;
}

/* A long sequence has its indices worked out part by part: they are drawn where that is more than may be looked at. */
static bool are_drawn(const once_table *t, const riffle_perm *map, const pattern *p) {
    const uint64_t parts = perm_parts(map), looked_at = min(t->m, (uint64_t)PATTERN_FEWEST_SAMPLES * t->piece);
    return parts > 1 && looked_at * parts > p->most_elements / LAUNCHES;
}

static void draw_indices(const once_table *t, uint64_t first, once_order *o) {
    uint64_t random = first;
    for (uint32_t k = 0; k < o->length; k++) {
        const uint64_t drawn = splitmix_next(&random);
        o->tile[k] = (uint16_t)((drawn >> 32) % t->tiles);
        o->low[k] = (uint16_t)((uint32_t)drawn % t->tile);
    }
}

static riffle_status find_indices(const once_table *t, const riffle_perm *map, uint64_t first, pattern *p,
                                  once_order *o) {
    if (!are_drawn(t, map, p)) return read_indices(t, map, first, o);
    pattern_mean(p, PATTERN_EXPECTED);
    draw_indices(t, first, o);
    return RIFFLE_OK;
}

/* The thread's indices of a quad, counted by tile. */
static void rank_quad(once_order *o, uint16_t *counts, uint32_t first) {
    for (uint32_t k = first; k < first + QUAD && k < o->length; k++) o->place[k] = counts[o->tile[k]]++;
}

static void rank(const launch *work, once_order *o) {
    const uint32_t threads = work->block_x, step = QUAD * threads;
    for (uint32_t warp = 0; warp < threads; warp += WARP_LANES)
        for (uint32_t quad = 0; quad < o->length; quad += step)
            for (uint32_t lane = 0; lane < WARP_LANES; lane++)
                rank_quad(o, o->starts, quad + QUAD * (warp + lane));
}

/* Counts become starts of runs of even lengths. */
static void put_in_order(const once_table *t, once_order *o) {
    uint32_t sum = 0;
    memset(o->lows, 0xff, max(t->piece, t->room) * sizeof *o->lows);
    for (uint32_t k = 0; k <= t->tiles; k++) {
        const uint32_t here = o->starts[k];
        o->starts[k] = (uint16_t)sum;
        sum += round_up(here, 2);
    }
    o->ordered = o->starts[t->tiles];
    for (uint32_t k = 0; k < o->length; k++) {
        o->place[k] = (uint16_t)(o->place[k] + o->starts[o->tile[k]]);
        o->lows[o->place[k]] = o->low[k];
    }
}

riffle_status once_order_create(const launch *work, const riffle_perm *map, uint64_t piece, pattern *p,
                                once_order *out) {
    const once_table *const t = once_table_of(work);
    const uint64_t first = piece * t->piece;
    *out = (once_order){.length = (uint32_t)min(t->m - first, t->piece)};
    riffle_status status = make_room(t, out);
    if (status == RIFFLE_OK) status = find_indices(t, map, first, p, out);
    if (status != RIFFLE_OK) {
        once_order_free(out);
        return status;
    }
    rank(work, out);
    put_in_order(t, out);
    return RIFFLE_OK;
}

void once_order_free(once_order *o) {
    free(o->tile);
    *o = (once_order){0};
}

/* --------------------------------------------------------------------- pieces */

static riffle_status sort_pieces(const launch *work, const riffle_perm *map, pattern *pieces,
                                 once_pieces *out) {
    riffle_status status = RIFFLE_OK;
    for (uint64_t k = 0; status == RIFFLE_OK && k < out->count; k++) {
        const uint64_t piece = pattern_sample(pieces, out->count, k);
        status = once_order_create(work, map, piece, pieces, &out->order[k]);
        for (uint64_t i = 0; i < pieces->alike; i++) out->of[piece + i] = (uint32_t)k;
    }
    return status;
}

riffle_status once_pieces_create(const launch *work, const riffle_perm *map, pattern *p, once_pieces *out) {
    const once_table *const t = once_table_of(work);
    pattern pieces;
    pattern_begin(&pieces, p->machine, t->pieces, p->most_elements);
    *out = (once_pieces){.count = pattern_samples(&pieces, t->piece)};
    out->order = calloc(out->count, sizeof *out->order);
    out->of = calloc(t->pieces, sizeof *out->of);
    if (out->order == NULL || out->of == NULL)
        return fail_memory("a prediction's pieces",
                           out->count * sizeof *out->order + t->pieces * sizeof *out->of);
    const riffle_status status = sort_pieces(work, map, &pieces, out);
    pattern_mean(p, pieces.meaning);
    return status;
}

void once_pieces_free(once_pieces *p) {
    for (uint64_t k = 0; p->order != NULL && k < p->count; k++) once_order_free(&p->order[k]);
    free(p->order);
    free(p->of);
    *p = (once_pieces){0};
}
