/* SPDX-License-Identifier: Apache-2.0 */
#include "program/compile/make_pass.h"

#include <stdlib.h>

#include "base/status.h"
#include "perm/gf2_span.h"

/* A basis being chosen, in order. */
typedef struct basis {
    gf2_span span;
    unsigned count;
    uint64_t vector[RIFFLE_MAX_BITS];
} basis;

static void basis_add(basis *b, uint64_t v, unsigned most) {
    if (b->count < most && gf2_span_add(&b->span, v)) b->vector[b->count++] = v;
}

/* The unit vectors that come first, as many as the span has. */
static unsigned leading_units(const gf2_span *span, unsigned n) {
    unsigned count = 0;
    while (count < n && gf2_span_reduce(span, (uint64_t)1 << count) == 0) count++;
    return count;
}

static bool is_in(const pass_plan *plan, size_t stage) { return plan->pass_of[stage] == plan->number; }

/* All that the tile must span, and then what makes runs longer, up to its size. */
static basis choose_span(const pass_plan *plan, unsigned tile_bits) {
    const program_normal *normal = plan->normal;
    basis chosen = {0};
    for (unsigned j = 0; j < normal->n && j < plan->policy->lane_bits; j++) {
        basis_add(&chosen, (uint64_t)1 << j, tile_bits);
        if (plan->moves) basis_add(&chosen, plan->inverse_map.column[j], tile_bits);
    }
    for (size_t k = 0; k < normal->count; k++)
        for (unsigned t = 0; is_in(plan, k) && t < normal->stages[k].bits; t++)
            basis_add(&chosen, gf2_apply(&plan->there, normal->stages[k].direction[t]), tile_bits);
    for (unsigned j = 0; j < normal->n; j++) {
        basis_add(&chosen, (uint64_t)1 << j, tile_bits);
        if (plan->moves) basis_add(&chosen, plan->inverse_map.column[j], tile_bits);
    }
    return chosen;
}

/* The same span with the unit vectors first, and then what completes it to all of GF(2)^n. */
static basis order_basis(const basis *chosen, unsigned n, unsigned lane_bits) {
    basis ordered = {0};
    for (unsigned j = 0; j < lane_bits; j++) basis_add(&ordered, (uint64_t)1 << j, n);
    for (unsigned k = 0; k < chosen->count; k++) /* without the bits of the lanes, so that runs stay in order */
        basis_add(&ordered, chosen->vector[k] >> lane_bits << lane_bits, n);
    for (unsigned j = 0; j < n; j++) basis_add(&ordered, (uint64_t)1 << j, n);
    return ordered;
}

static void choose_bases(const pass_plan *plan, program_pass *pass) {
    const unsigned n = plan->normal->n;
    const perm_affine *map = &plan->normal->map;
    pass->n = n;
    pass->tile_bits = plan->policy->tile_bits < n ? plan->policy->tile_bits : n;
    const basis chosen = choose_span(plan, pass->tile_bits);
    pass->lane_bits = leading_units(&chosen.span, n);
    const basis ordered = order_basis(&chosen, n, pass->lane_bits);
    pass->moves = plan->moves;
    pass->write_origin = plan->moves ? map->c : 0;
    gf2_span written = {0};
    for (unsigned j = 0; j < n; j++) {
        pass->read[j] = ordered.vector[j];
        pass->write[j] = plan->moves ? gf2_apply(&map->a, ordered.vector[j]) : ordered.vector[j];
        if (j < pass->tile_bits) gf2_span_add(&written, pass->write[j]);
    }
    pass->write_lane_bits = leading_units(&written, n);
}

/* Coordinates of a pass: index = origin + sum of column[j] over the bits j of u. */
typedef struct coordinates {
    gf2_matrix column, inverse;
    uint64_t origin;
} coordinates;

static coordinates coordinates_of(const pass_plan *plan, const program_pass *pass) {
    coordinates c = {.column = {.m = pass->n}, .origin = gf2_apply(&plan->back, plan->origin)};
    for (unsigned j = 0; j < pass->n; j++) c.column.column[j] = gf2_apply(&plan->back, pass->read[j]);
    gf2_invert(&c.column, &c.inverse, NULL);
    return c;
}

static void translate_functionals(const coordinates *c, unsigned count, uint64_t *functionals) {
    for (unsigned k = 0; k < count; k++) {
        uint64_t translated = functional_at(functionals[k], c->origin) != 0 ? PROGRAM_ONE : 0;
        for (unsigned j = 0; j < c->column.m; j++)
            translated |= (uint64_t)functional_along(functionals[k], c->column.column[j]) << j;
        functionals[k] = translated;
    }
}

static void translate(const coordinates *c, program_stage *stage) {
    for (unsigned t = 0; t < stage->bits; t++)
        stage->direction[t] = gf2_apply(&c->inverse, stage->direction[t]);
    translate_functionals(c, stage->bits, stage->position);
    translate_functionals(c, stage->conditions, stage->condition);
    translate_functionals(c, stage->index_bits, stage->index);
}

static riffle_status fill_stages(const pass_plan *plan, program_pass *pass) {
    const program_normal *normal = plan->normal;
    size_t count = 0;
    for (size_t k = 0; k < normal->count; k++) count += is_in(plan, k);
    if (count == 0) return RIFFLE_OK;
    pass->stages = malloc(count * sizeof *pass->stages);
    if (pass->stages == NULL) return fail_memory("the stages of a pass", count * sizeof *pass->stages);
    const coordinates c = coordinates_of(plan, pass);
    for (size_t k = 0; k < normal->count; k++) {
        if (!is_in(plan, k)) continue;
        pass->stages[pass->stage_count] = normal->stages[k];
        translate(&c, &pass->stages[pass->stage_count++]);
    }
    return RIFFLE_OK;
}

riffle_status make_pass(const pass_plan *plan, program_pass *out) {
    choose_bases(plan, out);
    return fill_stages(plan, out);
}
