/* SPDX-License-Identifier: Apache-2.0
 *
 * From a grouping to passes: each gets a basis in which its tile is the low bits, and its stages are said in terms of that
 * basis.
 */
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "perm/gf2_span.h"
#include "program/fuse.h"
#include "program/pass.h"
#include "program/term.h"

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

/* What a pass is made from. Vectors of `memory` are where elements lie when it begins; stages say where they lay at the
 * very beginning, x = back (memory + origin). */
typedef struct pass_plan {
    const program_normal *normal;
    const program_policy *policy;
    const unsigned *pass_of;
    unsigned number;
    bool moves;             /* this pass does */
    gf2_matrix there, back; /* from the beginning to memory, and its inverse */
    uint64_t origin;
    gf2_matrix inverse_map; /* A^-1 where the pass moves */
} pass_plan;

/* All that the tile must span, and then what makes runs longer, up to its size. */
static basis choose_span(const pass_plan *plan, unsigned tile_bits) {
    const program_normal *normal = plan->normal;
    basis chosen = {0};
    for (unsigned j = 0; j < normal->n && j < plan->policy->lane_bits; j++) {
        basis_add(&chosen, (uint64_t)1 << j, tile_bits);
        if (plan->moves) basis_add(&chosen, plan->inverse_map.column[j], tile_bits);
    }
    for (size_t k = 0; k < normal->count; k++)
        for (unsigned t = 0; plan->pass_of[k] == plan->number && t < normal->stages[k].bits; t++)
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
    for (size_t k = 0; k < normal->count; k++) count += plan->pass_of[k] == plan->number;
    if (count == 0) return RIFFLE_OK;
    pass->stages = malloc(count * sizeof *pass->stages);
    if (pass->stages == NULL) return fail_memory("the stages of a pass", count * sizeof *pass->stages);
    const coordinates c = coordinates_of(plan, pass);
    for (size_t k = 0; k < normal->count; k++) {
        if (plan->pass_of[k] != plan->number) continue;
        pass->stages[pass->stage_count] = normal->stages[k];
        translate(&c, &pass->stages[pass->stage_count++]);
    }
    return RIFFLE_OK;
}

static riffle_status make_passes(const program_normal *normal, const program_policy *policy,
                                 const program_grouping *grouping, program_passes *out) {
    pass_plan plan = {.normal = normal, .policy = policy, .pass_of = grouping->pass_of};
    plan.there = plan.back = gf2_identity(normal->n);
    plan.moves = !program_map_is_identity(&normal->map);
    gf2_invert(&normal->map.a, &plan.inverse_map, NULL);
    out->passes = calloc(grouping->passes + 1, sizeof *out->passes);
    if (out->passes == NULL) return fail_memory("passes", grouping->passes * sizeof *out->passes);
    for (; out->count < grouping->passes; out->count++) {
        program_pass *pass = &out->passes[out->count];
        plan.number = (unsigned)out->count;
        choose_bases(&plan, pass);
        riffle_status status = fill_stages(&plan, pass);
        if (status != RIFFLE_OK) return status;
        out->stages += pass->stage_count;
        if (!plan.moves) continue;
        plan.there = normal->map.a;
        plan.back = plan.inverse_map;
        plan.origin = normal->map.c;
        plan.moves = false;
    }
    return RIFFLE_OK;
}

static double weight_of(const program_choice *choice, unsigned passes) {
    return passes == 0 ? 0 : choice->first + (passes - 1) * choice->other;
}

/* The best choice and its grouping. */
static riffle_status choose(const program_normal *normal, riffle_type type, const program_choice *choices,
                            size_t count, size_t *best, program_grouping *out) {
    for (size_t k = 0; k < count; k++) {
        program_grouping tried;
        const riffle_status status = program_group(normal, type, &choices[k].policy, &tried);
        if (status != RIFFLE_OK) return status;
        const bool is_better =
            k == 0 || weight_of(&choices[k], tried.passes) < weight_of(&choices[*best], out->passes);
        program_grouping_free(is_better ? out : &tried);
        if (!is_better) continue;
        *out = tried;
        *best = k;
    }
    return RIFFLE_OK;
}

riffle_status program_compile_best(const riffle_program *program, riffle_type type,
                                   const program_choice *choices, size_t count, program_passes *out) {
    program_passes made = {.n = program->n};
    program_normal normal = {0};
    program_grouping grouping = {0};
    size_t best = 0;
    riffle_status status = program_check_type(program, type);
    if (status == RIFFLE_OK) status = program_normalize(program, &normal);
    if (status == RIFFLE_OK) {
        program_simplify(&normal, type);
        status = choose(&normal, type, choices, count, &best, &grouping);
    }
    if (status == RIFFLE_OK) status = make_passes(&normal, &choices[best].policy, &grouping, &made);
    if (status == RIFFLE_OK) {
        made.bound = grouping.bound;
        made.paper_passes = normal.operations + normal.permutations;
        made.program = riffle_program_retain(program);
        *out = made;
    } else {
        program_passes_free(&made);
    }
    program_grouping_free(&grouping);
    program_normal_free(&normal);
    return status;
}

riffle_status program_compile(const riffle_program *program, riffle_type type, const program_policy *policy,
                              program_passes *out) {
    return program_compile_best(program, type, &(program_choice){*policy, 1, 1}, 1, out);
}

void program_passes_free(program_passes *passes) {
    for (size_t k = 0; passes->passes != NULL && k < passes->count; k++) free(passes->passes[k].stages);
    free(passes->passes);
    riffle_program_free(passes->program);
    *passes = (program_passes){0};
}
