/* SPDX-License-Identifier: Apache-2.0
 *
 * riffle_explain_bits: which way, what the launch accesses on a GPU that need not be there, and what an execution takes here.
 */
#include <inttypes.h>

#include "base/status.h"
#include "bits/gpu/plan.h"
#include "bits/gpu/predict.h"
#include "device/elements.h"
#include "device/explain/explain.h"

enum { MOST_ELEMENTS = 1 << 17 /* bytes that are looked at where moves follow a map */ };

typedef struct bits_question {
    const riffle_perm *perm;
    uint64_t elem_bits;
    const riffle_bits_options *options;
    riffle_bits_plan *chosen;     /* taken by the first who plans */
    const riffle_bits_plan *plan; /* the patterns' */
} bits_question;

static const riffle_bits_plan *plan_of(const plan_base *base) { return (const riffle_bits_plan *)base; }

static void discard(plan_base *base) { riffle_bits_plan_free((riffle_bits_plan *)base); }

static riffle_status take_chosen(bits_question *q, riffle_bits_plan **out) {
    *out = q->chosen;
    q->chosen = NULL;
    return *out != NULL ? RIFFLE_OK : bits_plan_create(q->perm, q->elem_bits, q->options, out);
}

/* A plan that is only foretold brings no map. */
static riffle_status foretell(riffle_bits_plan *plan, const device *on) {
    device_limits limits;
    plan->base.on = *on;
    const riffle_status status = on->ops->describe(on, &limits);
    return status == RIFFLE_OK && plan->way == BITS_AXES ? bits_device_plan_boxes(plan, &limits) : status;
}

static riffle_status plan(void *asked, riffle_engine engine, const device *on, plan_base **out) {
    bits_question *const q = asked;
    riffle_bits_plan *made = NULL;
    (void)engine;
    riffle_status status = take_chosen(q, &made);
    if (status == RIFFLE_OK) status = on != NULL ? foretell(made, on) : bits_plan_make_ready(made);
    if (status == RIFFLE_OK)
        *out = &made->base;
    else
        riffle_bits_plan_free(made);
    q->plan = made;
    return status;
}

static void arrays(const plan_base *base, size_t out[EXPLAINED_ARRAYS]) {
    out[BITS_SRC] = out[BITS_DST] = bits_plan_bytes(plan_of(base));
}

static void append(const plan_base *base, const explained_arrays *a, launch_list *out) {
    const riffle_bits_plan *const p = plan_of(base);
    if (p->way != BITS_NOTHING) bits_device_append(p, a->of[BITS_DST], a->of[BITS_SRC], out);
}

static riffle_status execute(const plan_base *base, const explained_arrays *a) {
    return riffle_bits_execute(plan_of(base), a->of[BITS_DST], a->of[BITS_SRC]);
}

static riffle_status fill(const plan_base *base, void *first) {
    elements_fill(RIFFLE_TYPE_U8, bits_plan_bytes(plan_of(base)), first);
    return RIFFLE_OK;
}

static unsigned bounds(const plan_base *base, measured_bound out[EXPLAINED_BOUNDS]) {
    (void)base;
    out[0] = (measured_bound){"bytes", "traffic", "each is read once and written once, a copy", 1};
    return 1;
}

static riffle_status print(const plan_base *base, FILE *stream) {
    return riffle_bits_plan_explain(plan_of(base), stream);
}

static void members(const plan_base *base, FILE *stream) {
    const riffle_bits_plan *const p = plan_of(base);
    fprintf(stream, "\"n\":%" PRIu64 ",\"elem_bits\":%u,\"batch\":%" PRIu64, p->packed.n, p->packed.elem_bits,
            p->packed.batch);
    explain_members(base, bits_way_string(p->way), stream);
}

/* Whole bytes are explained as such where they are moved by a GPU. */
static riffle_status explain_chosen(const explained *what, const riffle_explanation *how, FILE *stream) {
    const riffle_bits_plan *const chosen = ((const bits_question *)what->asked)->chosen;
    const riffle_plan_options bytes = {.batch = chosen->packed.batch};
    if (chosen->engine != RIFFLE_ENGINE_CPU && chosen->way == BITS_BYTES)
        return riffle_explain_as(chosen->byte_perm, 1, chosen->engine, &bytes, how, stream);
    return explain_plan(what, chosen->engine, how, stream);
}

riffle_status riffle_explain_bits(const riffle_perm *perm, uint64_t elem_bits,
                                  const riffle_bits_options *options, const riffle_explanation *how,
                                  FILE *stream) {
    RETURN_IF_NULL(perm, stream);
    bits_question asked = {perm, elem_bits, options, NULL, NULL};
    const explained what = {.kernels = "bits",
                            .most_elements = MOST_ELEMENTS,
                            .patterns = bits_move_patterns,
                            .subject = &asked.plan,
                            .asked = &asked,
                            EXPLAINED_PARTS};
    riffle_status status = bits_plan_create(perm, elem_bits, options, &asked.chosen);
    if (status == RIFFLE_OK) status = explain_chosen(&what, how, stream);
    riffle_bits_plan_free(asked.chosen);
    return status;
}
