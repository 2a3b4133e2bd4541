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
    const riffle_bits_plan *plan; /* the patterns' */
} bits_question;

static const riffle_bits_plan *plan_of(const plan_base *base) { return (const riffle_bits_plan *)base; }

static void discard(plan_base *base) { riffle_bits_plan_free((riffle_bits_plan *)base); }

/* A plan that is only foretold brings no map. */
static riffle_status plan(void *asked, riffle_engine engine, const device *on, plan_base **out) {
    bits_question *const q = asked;
    riffle_bits_plan *made;
    (void)engine;
    const riffle_status status = on != NULL ? bits_plan_create(q->perm, q->elem_bits, q->options, on, &made)
                                            : riffle_bits_plan_create(q->perm, q->elem_bits, q->options, &made);
    if (status != RIFFLE_OK) return status;
    q->plan = made;
    *out = &made->base;
    return RIFFLE_OK;
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
    fprintf(stream, "\"n\":%" PRIu64 ",\"elem_bits\":%u,\"batch\":%" PRIu64, p->n, p->elem_bits, p->batch);
    explain_members(base, bits_way_string(p->way), stream);
}

/* Whole bytes are explained as such where they are moved by a GPU. */
static riffle_status explain_bytes(const bits_question *q, const riffle_explanation *how, FILE *stream,
                                   bool *is_of_bytes) {
    riffle_bits_plan *made;
    const riffle_status status = bits_plan_create(q->perm, q->elem_bits, q->options, NULL, &made);
    if (status != RIFFLE_OK) return status;
    const riffle_plan_options bytes = {.batch = made->batch};
    *is_of_bytes = made->engine != RIFFLE_ENGINE_CPU && made->byte_perm != NULL;
    riffle_status told = RIFFLE_OK;
    if (*is_of_bytes) told = riffle_explain_as(made->byte_perm, 1, made->engine, &bytes, how, stream);
    riffle_bits_plan_free(made);
    return told;
}

riffle_status riffle_explain_bits(const riffle_perm *perm, uint64_t elem_bits,
                                  const riffle_bits_options *options, const riffle_explanation *how,
                                  FILE *stream) {
    RETURN_IF_NULL(perm, stream);
    bits_question asked = {perm, elem_bits, options, NULL};
    bool is_of_bytes = false;
    const explained what = {.kernels = "bits",
                            .most_elements = MOST_ELEMENTS,
                            .patterns = bits_move_patterns,
                            .subject = &asked.plan,
                            .asked = &asked,
                            EXPLAINED_PARTS};
    const riffle_status status = explain_bytes(&asked, how, stream, &is_of_bytes);
    if (status != RIFFLE_OK || is_of_bytes) return status;
    return explain_plan(&what, options != NULL ? options->engine : RIFFLE_ENGINE_CPU, how, stream);
}
