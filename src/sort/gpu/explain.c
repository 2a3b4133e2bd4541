/* SPDX-License-Identifier: Apache-2.0
 *
 * riffle_explain_sort: which way, what the launches access on a GPU that need not be there, and what an execution takes here.
 */
#include <inttypes.h>

#include "base/status.h"
#include "device/explain/explain.h"
#include "riffle/machine.h"
#include "sort/explain.h"
#include "sort/gpu/plan.h"
#include "sort/random_elements.h"

/* By its number in the table of arrays. */
enum { FROM_KEYS, KEYS, FROM_VALUES, VALUES, INDICES, LENGTHS };

typedef struct sort_question {
    uint64_t n;
    const riffle_sort_key *key;
    riffle_sort_options options;
    sort_subject subject; /* made of a device's plan */
    bool sorts_ties;
} sort_question;

static const riffle_sort_plan *plan_of(const plan_base *base) { return (const riffle_sort_plan *)base; }

static riffle_status plan(void *asked, riffle_engine engine, const device *on, plan_base **out) {
    sort_question *const q = asked;
    riffle_sort_plan *made;
    q->options.callers_workspace = engine == RIFFLE_ENGINE_CUDA;
    riffle_status status = sort_plan_create(q->n, q->key, engine, on, &q->options, &made);
    if (status != RIFFLE_OK) return status;
    status = sort_check_equal_segments(made);
    if (status != RIFFLE_OK) {
        riffle_sort_plan_free(made);
        return status;
    }
    if (made->base.on.ops != NULL) q->subject = sort_subject_of(made);
    q->subject.sorts_ties = &q->sorts_ties;
    *out = &made->base;
    return RIFFLE_OK;
}

static void discard(plan_base *base) { riffle_sort_plan_free((riffle_sort_plan *)base); }

/* A sort puts elements where they came from; a merge and some of them do not. */
static void arrays(const plan_base *base, size_t out[EXPLAINED_ARRAYS]) {
    const riffle_sort_plan *const p = plan_of(base);
    const size_t n = (size_t)p->n;
    out[FROM_KEYS] = out[KEYS] = n * p->layout.elem_bytes;
    out[FROM_VALUES] = out[VALUES] = n * p->value_bytes;
    out[INDICES] = n * p->index_bytes;
    out[LENGTHS] = p->task == RIFFLE_SORT_TASK_UNIQUE ? (size_t)p->segments * sizeof(uint64_t) : 0;
}

static riffle_sort_arrays arrays_of(const explained_arrays *a) {
    return (riffle_sort_arrays){.keys = a->of[KEYS],
                                .values = a->of[VALUES],
                                .indices = a->of[INDICES],
                                .lengths = a->of[LENGTHS],
                                .from_keys = a->of[FROM_KEYS],
                                .from_values = a->of[FROM_VALUES]};
}

static void append(const plan_base *base, const explained_arrays *a, launch_list *out) {
    const riffle_sort_arrays all = arrays_of(a);
    sort_append(plan_of(base), &all, a->workspace, out);
}

static riffle_status execute(const plan_base *base, const explained_arrays *a) {
    const riffle_sort_arrays all = arrays_of(a);
    return riffle_sort_execute(plan_of(base), &all);
}

static riffle_status fill(const plan_base *base, void *first) {
    const riffle_sort_plan *const p = plan_of(base);
    return sort_fill_random(p->n, &p->key, p->task == RIFFLE_SORT_TASK_MERGE ? p->segments : 0, first);
}

/* A copy exchanges all blocks once. */
static unsigned bounds(const plan_base *base, measured_bound out[EXPLAINED_BOUNDS]) {
    const riffle_sort_plan *const p = plan_of(base);
    const sort_exchanges e = sort_exchanges_of(p);
    const double blocks = e.blocks > 0 ? e.blocks : 1;
    out[0] = (measured_bound){"exchanges", "exchange", "all are read and written so often", e.model.passes};
    out[1] = (measured_bound){"to permute", "permuting", "Theorem 4.1", e.bound.permuting / blocks};
    out[2] = (measured_bound){"to compare", "comparing", "section 4.1.2", e.bound.comparing / blocks};
    return 3;
}

static riffle_status print(const plan_base *base, FILE *stream) {
    return riffle_sort_plan_explain(plan_of(base), stream);
}

static void members(const plan_base *base, FILE *stream) {
    const riffle_sort_plan *const p = plan_of(base);
    fprintf(stream, "\"n\":%" PRIu64 ",\"elem_bytes\":%" PRIu32 ",\"segments\":%" PRIu64, p->n,
            p->layout.elem_bytes, p->segments);
    if (sort_task_counts(p->task)) fprintf(stream, ",\"count\":%" PRIu64, p->count);
    explain_members(base, riffle_sort_algorithm_string(p->algorithm), stream);
}

riffle_status riffle_explain_sort(uint64_t n, const riffle_sort_key *key, riffle_engine engine,
                                  const riffle_sort_options *options, const riffle_explanation *how,
                                  FILE *stream) {
    RETURN_IF_NULL(key, stream);
    sort_question asked = {
        .n = n, .key = key, .options = options != NULL ? *options : (riffle_sort_options){0}};
    const explained what = {.kernels = "sorts",
                            .most_elements = UINT64_MAX,
                            .patterns = sort_patterns,
                            .subject = &asked.subject,
                            .asked = &asked,
                            EXPLAINED_PARTS};
    return explain_plan(&what, engine, how, stream);
}
