/* SPDX-License-Identifier: Apache-2.0
 *
 * riffle_explain_hull: which way, what the launches access on a GPU that need not be there, and what an execution takes here.
 */
#include <inttypes.h>

#include "base/status.h"
#include "device/explain/explain.h"
#include "hull/gpu/plan.h"
#include "hull/predict/patterns.h"
#include "riffle/machine.h"

/* By its number in the table of arrays. */
enum { POINTS, HULLS, LENGTHS };

typedef struct hull_question {
    uint64_t n;
    riffle_type type;
    riffle_hull_options options;
} hull_question;

static const riffle_hull_plan *plan_of(const plan_base *base) { return (const riffle_hull_plan *)base; }

static void discard(plan_base *base) { riffle_hull_plan_free((riffle_hull_plan *)base); }

static riffle_status plan(void *asked, riffle_engine engine, const device *on, plan_base **out) {
    hull_question *const q = asked;
    riffle_hull_plan *made;
    q->options.callers_workspace = engine == RIFFLE_ENGINE_CUDA;
    riffle_status status = hull_plan_create(q->n, q->type, engine, on, &q->options, &made);
    if (status != RIFFLE_OK) return status;
    status = hull_check_even(made);
    if (status == RIFFLE_OK)
        *out = &made->base;
    else
        riffle_hull_plan_free(made);
    return status;
}

static void arrays(const plan_base *base, size_t out[EXPLAINED_ARRAYS]) {
    const riffle_hull_plan *const p = plan_of(base);
    out[POINTS] = (size_t)p->n * hull_point_bytes(p);
    out[HULLS] = (size_t)p->n * riffle_hull_plan_result_bytes(p);
    out[LENGTHS] = (size_t)p->sets * sizeof(uint64_t);
}

static void append(const plan_base *base, const explained_arrays *a, launch_list *out) {
    const hull_arrays all = {
        .points = a->of[POINTS], .hulls = a->of[HULLS], .lengths = a->of[LENGTHS], .workspace = a->workspace};
    hull_append(plan_of(base), &all, out);
}

static riffle_status execute(const plan_base *base, const explained_arrays *a) {
    return riffle_hull_execute(
        plan_of(base),
        &(riffle_hull_arrays){.hulls = a->of[HULLS], .lengths = a->of[LENGTHS], .points = a->of[POINTS]});
}

/* The points that predictions are of. */
static riffle_status fill(const plan_base *base, void *first) {
    hull_draw_points(plan_of(base)->type, plan_of(base)->n, first);
    return RIFFLE_OK;
}

/* A copy writes as much as it reads. */
static unsigned bounds(const plan_base *base, measured_bound out[EXPLAINED_BOUNDS]) {
    (void)base;
    out[0] = (measured_bound){"points", "reading", "each is read once, half of a copy", 0.5};
    return 1;
}

static riffle_status print(const plan_base *base, FILE *stream) {
    return riffle_hull_plan_explain(plan_of(base), stream);
}

static void members(const plan_base *base, FILE *stream) {
    const riffle_hull_plan *const p = plan_of(base);
    fprintf(stream, "\"n\":%" PRIu64 ",\"type\":\"%s\",\"segments\":%" PRIu64, p->n,
            riffle_type_string(p->type), p->sets);
    explain_members(base, riffle_hull_algorithm_string(p->algorithm), stream);
    fprintf(stream, ",\"way\":\"%s\"", p->engine->way(p));
}

riffle_status riffle_explain_hull(uint64_t n, riffle_type type, riffle_engine engine,
                                  const riffle_hull_options *options, const riffle_explanation *how,
                                  FILE *stream) {
    RETURN_IF_NULL(stream);
    hull_question asked = {n, type, options != NULL ? *options : (riffle_hull_options){0}};
    hull_trial *trials[HULL_TRIALS] = {NULL};
    const hull_subject subject = {type, trials};
    const explained what = {.kernels = "hulls",
                            .most_elements = UINT64_MAX,
                            .patterns = hull_patterns,
                            .subject = &subject,
                            .asked = &asked,
                            EXPLAINED_PARTS};
    const riffle_status status = explain_plan(&what, engine, how, stream);
    hull_trials_free(trials);
    return status;
}
