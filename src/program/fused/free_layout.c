/* SPDX-License-Identifier: Apache-2.0
 *
 * Two ways, of which the one is taken that does more of the next stages:
 *
 *     by directions     each stage's directions are registers' bits
 *     by functionals    of orderings (minmax) alone, whose directions need only lie in the registers' span: the
 *                       registers' bits are the vectors on which one of the stages' functionals is 1 and the others
 *                       are 0
 *
 * In both, all other vectors are changed by registers' so that the functionals are 0 on them.
 */
#include "program/fused/free_layout.h"

#include <string.h>

#include "program/fused/tile_span.h"

enum { WINDOW = 64 };

typedef free_vectors chosen;

static bool lies_in(const chosen *c, uint64_t v) {
    for (unsigned k = 0; k < c->count; k++)
        if (c->vector[k] == v) return true;
    return false;
}

static bool is_independent(const chosen *c, const free_bounds *bounds, uint64_t v) {
    tile_span span = {.count = 0};
    for (unsigned k = 0; k < bounds->fixed_count; k++) tile_span_add(&span, bounds->fixed[k]);
    for (unsigned k = 0; k < c->count; k++) tile_span_add(&span, c->vector[k]);
    return tile_span_add(&span, v);
}

static bool is_allowed(const free_bounds *bounds, uint64_t v) {
    return bounds->places == NULL || (layout_place(bounds->places, v) & bounds->bits) == 0;
}

/* The directions of one stage; false if there is no room for them. */
static bool add_directions(const free_bounds *bounds, const program_stage *stage, chosen *c) {
    chosen with = *c;
    for (unsigned k = 0; k < stage->bits; k++) {
        if (lies_in(&with, stage->direction[k])) continue;
        if (with.count == bounds->room || !is_independent(&with, bounds, stage->direction[k]) ||
            !is_allowed(bounds, stage->direction[k]))
            return false;
        with.functional[with.count] = stage->position[k];
        with.vector[with.count++] = stage->direction[k];
    }
    with.stages++;
    *c = with;
    return true;
}

static void by_directions(const phase_tile *t, const free_bounds *bounds, size_t base, uint64_t done,
                          chosen *out) {
    *out = (chosen){0};
    for (unsigned k = 0; k < WINDOW && base + k < t->stage_count; k++) {
        const program_stage *stage = &t->stages[base + k];
        if ((done >> k & 1) != 0) continue;
        if (!add_directions(bounds, stage, out) && stage->op.kind == RIFFLE_OP_MINMAX) return;
    }
}

/* --- by functionals --- */

static uint64_t linear(uint64_t functional) { return functional & ~PROGRAM_ONE; }

/* A choice by functionals while it grows: the first `functionals` vectors are told apart by as many functionals, the
 * others are not yet. */
typedef struct growing {
    chosen c;
    unsigned functionals;
    size_t stages[WINDOW]; /* c.stages of them */
} growing;

/* Vectors of the same span on which functional j is 1 for the j-th alone; false if there are none. */
static bool make_dual(growing *g) {
    chosen *const c = &g->c;
    for (unsigned j = 0; j < g->functionals; j++) {
        unsigned found = j;
        while (found < c->count && !functional_along(c->functional[j], c->vector[found])) found++;
        if (found == c->count) return false;
        const uint64_t vector = c->vector[found];
        c->vector[found] = c->vector[j];
        c->vector[j] = vector;
        for (unsigned k = 0; k < c->count; k++)
            if (k != j && functional_along(c->functional[j], c->vector[k])) c->vector[k] ^= vector;
    }
    return true;
}

static unsigned functional_number(const growing *g, uint64_t functional) {
    unsigned k = 0;
    while (k < g->functionals && linear(g->c.functional[k]) != linear(functional)) k++;
    return k;
}

/* True if functional `last` is the highest of the first `sorted` that is 1 on the direction of each stage that has one of these
 * as its own, but for stages whose own it is. */
static bool can_be_highest(const phase_tile *t, const growing *g, unsigned last, unsigned sorted) {
    for (unsigned k = 0; k < g->c.stages; k++) {
        const program_stage *stage = &t->stages[g->stages[k]];
        const unsigned own = functional_number(g, stage->position[0]);
        if (own != last && own < sorted && functional_along(g->c.functional[last], stage->direction[0]))
            return false;
    }
    return true;
}

/* Vector `from` goes to place `to`, and those between move on. */
static void move(chosen *c, unsigned from, unsigned to) {
    const uint64_t functional = c->functional[from], vector = c->vector[from];
    for (unsigned k = from; k != to; k = from < to ? k + 1 : k - 1) {
        const unsigned next = from < to ? k + 1 : k - 1;
        c->functional[k] = c->functional[next];
        c->vector[k] = c->vector[next];
    }
    c->functional[to] = functional;
    c->vector[to] = vector;
}

/* Puts the functionals in an order in which each stage's own is the highest that is 1 on its direction; where there are
 * several, those of earlier stages are higher. */
static bool sort_functionals(const phase_tile *t, growing *g) {
    for (unsigned sorted = g->functionals; sorted > 0; sorted--) {
        unsigned last = sorted;
        while (last > 0 && !can_be_highest(t, g, last - 1, sorted)) last--;
        if (last == 0) return false;
        move(&g->c, last - 1, sorted - 1);
    }
    return true;
}

static bool is_plain_order(const phase_tile *t, const program_stage *stage) {
    if (stage->op.kind != RIFFLE_OP_MINMAX || stage->conditions != 0 || (stage->position[0] & PROGRAM_ONE) != 0)
        return false;
    for (unsigned k = 0; k < t->number_bits; k++)
        if (functional_along(stage->position[0], t->number[k])) return false;
    return true;
}

/* The functional is 0 on all that is fixed, so that it tells the registers' vectors alone apart. */
static bool is_zero_on_fixed(const free_bounds *bounds, uint64_t functional) {
    for (unsigned k = 0; k < bounds->fixed_count; k++)
        if (functional_along(functional, bounds->fixed[k])) return false;
    return true;
}

static bool try_order(const phase_tile *t, const free_bounds *bounds, size_t number, growing *g) {
    const program_stage *stage = &t->stages[number];
    if (!is_plain_order(t, stage) || !is_zero_on_fixed(bounds, stage->position[0]) ||
        !is_allowed(bounds, stage->direction[0]))
        return false;
    if (is_independent(&g->c, bounds, stage->direction[0])) {
        if (g->c.count == bounds->room) return false;
        g->c.vector[g->c.count++] = stage->direction[0];
    }
    if (functional_number(g, stage->position[0]) == g->functionals) {
        if (g->functionals == g->c.count) return false;
        move(&g->c, g->functionals++, 0);
        g->c.functional[0] = stage->position[0];
    }
    g->stages[g->c.stages++] = number;
    return make_dual(g) && sort_functionals(t, g);
}

/* False, and all as it was, where the stage has no room. */
static bool add_order(const phase_tile *t, const free_bounds *bounds, size_t number, growing *g) {
    const growing before = *g;
    if (try_order(t, bounds, number, g)) return true;
    *g = before;
    return false;
}

/* Vectors that no functional tells apart come first, so that their bits are the lowest of a mask. */
static void put_others_first(const growing *g, chosen *out) {
    const unsigned others = g->c.count - g->functionals;
    *out = g->c;
    for (unsigned k = 0; k < g->c.count; k++) {
        const unsigned from = k < others ? g->functionals + k : k - others;
        out->vector[k] = g->c.vector[from];
        out->functional[k] = k < others ? 0 : g->c.functional[from];
    }
}

static void by_functionals(const phase_tile *t, const free_bounds *bounds, size_t base, uint64_t done,
                           chosen *out) {
    growing g;
    memset(&g, 0, sizeof g);
    for (unsigned k = 0; k < WINDOW && base + k < t->stage_count; k++)
        if ((done >> k & 1) == 0 && !add_order(t, bounds, base + k, &g)) break;
    put_others_first(&g, out);
}

void free_choose(const phase_tile *t, const free_bounds *bounds, size_t base, uint64_t done,
                 free_vectors *out) {
    chosen directions;
    by_directions(t, bounds, base, done, &directions);
    by_functionals(t, bounds, base, done, out);
    if (directions.stages > out->stages) *out = directions;
}

uint64_t free_clear(const free_vectors *c, uint64_t v) {
    for (unsigned k = 0; k < c->count; k++)
        if (functional_along(c->functional[k], v)) v ^= c->vector[k];
    return v;
}

void free_layout(const phase_tile *t, const layout *from, size_t base, uint64_t done, layout *out) {
    const free_bounds bounds = {.room = t->held_bits};
    free_vectors c;
    free_choose(t, &bounds, base, done, &c);
    uint64_t candidates[LAYOUT_TILE_BITS];
    unsigned count = 0;
    *out = (layout){.held_bits = from->held_bits, .thread_bits = from->thread_bits};
    for (unsigned k = 0; k < c.count; k++) out->held[k] = c.vector[k];
    for (unsigned k = 0; k < from->held_bits; k++) candidates[count++] = free_clear(&c, from->held[k]);
    for (unsigned k = 0; k < from->thread_bits; k++) candidates[count++] = free_clear(&c, from->thread[k]);
    layout_complete(out, c.count, candidates, count);
}
