/* SPDX-License-Identifier: Apache-2.0
 *
 * riffle_explain_program: which passes, what their launches access on a GPU that need not be there, and what an execution takes here.
 */
#include "program/explain.h"

#include "base/status.h"
#include "device/elements.h"
#include "device/explain/explain.h"
#include "program/gpu/plan.h"
#include "program/gpu/predict.h"
#include "riffle/machine.h"

enum { MOST_ELEMENTS = 1 << 17 /* looked at in a launch, where its blocks are not alike */ };

typedef struct program_question {
    const riffle_program *program;
    riffle_type type;
    riffle_program_options options;
} program_question;

static const riffle_program_plan *plan_of(const plan_base *base) { return (const riffle_program_plan *)base; }

static riffle_status plan(void *asked, riffle_engine engine, const device *on, plan_base **out) {
    program_question *const q = asked;
    riffle_program_plan *made;
    q->options.callers_workspace = engine == RIFFLE_ENGINE_CUDA;
    const riffle_status status = program_plan_create(q->program, q->type, engine, on, &q->options, &made);
    if (status == RIFFLE_OK) *out = &made->base;
    return status;
}

static void discard(plan_base *base) { riffle_program_plan_free((riffle_program_plan *)base); }

/* As riffle_simulate_program has them: one array where that does, else two. */
static void arrays(const plan_base *base, size_t out[EXPLAINED_ARRAYS]) {
    const riffle_program_plan *const p = plan_of(base);
    out[0] = program_plan_bytes(p);
    out[1] = riffle_program_plan_in_place(p) ? 0 : out[0];
}

static void *dst_of(const explained_arrays *a) { return a->of[1] != NULL ? a->of[1] : a->of[0]; }

static void append(const plan_base *base, const explained_arrays *a, launch_list *out) {
    program_append(plan_of(base), dst_of(a), a->of[0], a->workspace, out);
}

static riffle_status execute(const plan_base *base, const explained_arrays *a) {
    return riffle_program_execute(plan_of(base), dst_of(a), a->of[0]);
}

static riffle_status fill(const plan_base *base, void *first) {
    const riffle_program_plan *const p = plan_of(base);
    elements_fill(p->type, program_plan_elements(p), first);
    return RIFFLE_OK;
}

/* A pass reads and writes all once, as a copy does. */
static unsigned bounds(const plan_base *base, measured_bound out[EXPLAINED_BOUNDS]) {
    const program_passes *const passes = &plan_of(base)->passes;
    out[0] = (measured_bound){"passes", "pass", "so many passes as it has, a copy each", (double)passes->count};
    out[1] = (measured_bound){"fewest passes", "bound", "no grouping in such tiles has fewer", passes->bound};
    return 2;
}

static riffle_status print(const plan_base *base, FILE *stream) {
    return riffle_program_plan_explain(plan_of(base), stream);
}

static void members(const plan_base *base, FILE *stream) { program_explain_members(plan_of(base), stream); }

riffle_status riffle_explain_program(const riffle_program *program, riffle_type type, riffle_engine engine,
                                     const riffle_program_options *options, const riffle_explanation *how,
                                     FILE *stream) {
    RETURN_IF_NULL(program, stream);
    program_question asked = {program, type, options != NULL ? *options : (riffle_program_options){0}};
    const explained what = {.kernels = "programs",
                            .most_elements = MOST_ELEMENTS,
                            .patterns = program_patterns,
                            .asked = &asked,
                            EXPLAINED_PARTS};
    return explain_plan(&what, engine, how, stream);
}
