/* SPDX-License-Identifier: Apache-2.0
 *
 * The BMMC paper's own way to do a program (Bouverot-Dupuis, Sheeran 2023, section 7.2), to compare with:
 *
 *      parm m f = bmmc A^-1 . parm 2^(n-1) f . bmmc A       before f the sub-arrays are brought side by side, and back after it
 *      bmmc A . bmmc B = bmmc A B                           so between two operations there is one BMMC at most
 *      parm m (bmmc A) = bmmc A'                            also where they stand in different parms
 *
 *      src --bmmc--> a --operation in place--> a --bmmc--> b --operation--> b ... --bmmc--> dst
 *
 * Each of these is a pass. The walk of normal.c has followed the rules for all stages at once: a stage's layout is the product of all
 * that goes before it. So the BMMC between two stages is from the layout of one to the layout of the other.
 */
#include "papers/program/paper.h"

#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "program/compile/make_pass.h"
#include "program/own.h"
#include "program/term.h"

typedef struct paper {
    const program_policy *policy;
    perm_affine at; /* where elements are, in terms of where they were at the beginning */
    program_passes *out;
} paper;

static perm_affine nowhere(unsigned n) { return (perm_affine){.a = gf2_identity(n)}; }

/* The pass of a normal form that has a map or a stage, and not both. */
static riffle_status append(paper *p, const program_normal *one, const pass_plan *plan) {
    static const unsigned only = 0;
    pass_plan whole = *plan;
    whole.normal = one;
    whole.policy = p->policy;
    whole.pass_of = &only;
    program_pass *const pass = &p->out->passes[p->out->count];
    const riffle_status status = make_pass(&whole, pass);
    if (status != RIFFLE_OK) return status;
    p->out->count++;
    p->out->stages += pass->stage_count;
    return RIFFLE_OK;
}

/* A BMMC from where elements are to where they are wanted, unless they are there. */
static riffle_status append_move(paper *p, const perm_affine *to) {
    if (program_same_map(&p->at, to)) return RIFFLE_OK;
    const unsigned n = p->out->n;
    program_normal one = {.n = n};
    pass_plan plan = {.moves = true, .there = gf2_identity(n), .back = gf2_identity(n)};
    gf2_matrix back;
    gf2_invert(&p->at.a, &back, NULL);
    one.map.a = gf2_multiply(&to->a, &back);
    one.map.c = to->c ^ gf2_apply(&one.map.a, p->at.c);
    gf2_invert(&one.map.a, &plan.inverse_map, NULL);
    p->at = *to;
    return append(p, &one, &plan);
}

static riffle_status append_stage(paper *p, program_stage *stage) {
    const program_normal one = {.n = p->out->n, .count = 1, .stages = stage};
    pass_plan plan = {.there = p->at.a, .origin = p->at.c};
    gf2_invert(&p->at.a, &plan.back, NULL);
    return append(p, &one, &plan);
}

static riffle_status make_passes(const program_normal *normal, paper *p) {
    const size_t most = 2 * normal->count + 1;
    riffle_status status = RIFFLE_OK;
    p->at = nowhere(normal->n);
    p->out->passes = calloc(most, sizeof *p->out->passes);
    if (p->out->passes == NULL) return fail_memory("passes", most * sizeof *p->out->passes);
    for (size_t k = 0; status == RIFFLE_OK && k < normal->count; k++) {
        const perm_affine to = program_map_of(normal->n, normal->layouts[k].place);
        status = append_move(p, &to);
        if (status == RIFFLE_OK) status = append_stage(p, &normal->stages[k]);
    }
    return status == RIFFLE_OK ? append_move(p, &normal->map) : status;
}

riffle_status paper_compile(const riffle_program *program, riffle_type type, const program_policy *policy,
                            program_passes *out) {
    program_passes made = {.n = program->n};
    program_normal normal = {0};
    paper p = {.policy = policy, .out = &made};
    riffle_status status = program_check_type(program, type);
    if (status == RIFFLE_OK) status = program_normalize(program, &normal);
    if (status == RIFFLE_OK) status = make_passes(&normal, &p);
    if (status == RIFFLE_OK) {
        made.program = riffle_program_retain(program);
        status = program_own_number(&made);
    }
    if (status == RIFFLE_OK) {
        program_route(&made);
        made.operations = normal.count;
        made.bound = (unsigned)made.count;
        made.paper_passes = made.count;
        *out = made;
    } else {
        program_passes_free(&made);
    }
    program_normal_free(&normal);
    return status;
}
