/* SPDX-License-Identifier: Apache-2.0
 *
 * From a program to fused passes: its normal form, a grouping, and a pass of each group. The first one moves.
 */
#include <stdlib.h>

#include "base/status.h"
#include "program/compile/fuse.h"
#include "program/compile/make_pass.h"
#include "program/own.h"
#include "program/term.h"

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
        riffle_status status = make_pass(&plan, pass);
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
        made.operations = normal.count;
        made.paper_passes = program_paper_passes(&normal);
        program_simplify(&normal, type);
        status = choose(&normal, type, choices, count, &best, &grouping);
    }
    if (status == RIFFLE_OK) status = make_passes(&normal, &choices[best].policy, &grouping, &made);
    if (status == RIFFLE_OK) {
        made.program = riffle_program_retain(program);
        status = program_own_number(&made);
    }
    if (status == RIFFLE_OK) {
        program_route(&made);
        made.bound = grouping.bound;
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
