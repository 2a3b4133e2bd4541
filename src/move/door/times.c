/* SPDX-License-Identifier: Apache-2.0 */
#include "move/door/times.h"

#include "move/cuda/engine.h"

typedef struct timed {
    riffle_plan *plan;
    void *array[2]; /* dst and src */
    size_t bytes;
} timed;

static const void *src_of(const timed *t) { return t->array[t->plan->request.in_place ? 0 : 1]; }

static riffle_status execute(const void *context) {
    const timed *const t = context;
    return riffle_execute(t->plan, t->array[0], src_of(t));
}

static void append(const void *context, launch_list *out) {
    const timed *const t = context;
    cuda_plan_append(t->plan, t->array[0], src_of(t), t->plan->base.workspace, out);
}

/* The copy is one of all bytes between both arrays, whatever the plan does. */
static riffle_status time_plan(timed *t, measured_times *out) {
    const device *const on = &t->plan->base.on;
    riffle_status status = measure_array(on, t->bytes, &t->array[0]);
    if (status == RIFFLE_OK) status = measure_array(on, t->bytes, &t->array[1]);
    if (status != RIFFLE_OK) return status;
    const measured_work work = {.on = on,
                                .to = t->array[0],
                                .from = t->array[1],
                                .bytes = t->bytes,
                                .execute = execute,
                                .append = append,
                                .context = t};
    return measure_times(&work, out);
}

riffle_status explain_measure(const riffle_perm *perm, size_t elem_bytes, riffle_engine engine,
                              const riffle_plan_options *options, measured_times *out) {
    timed t = {.plan = NULL};
    if (riffle_perm_length(perm) == 0) return RIFFLE_OK;
    riffle_status status = riffle_plan_create(perm, elem_bytes, engine, options, &t.plan);
    if (status != RIFFLE_OK) return status;
    t.bytes = t.plan->request.span_bytes;
    status = time_plan(&t, out);
    for (unsigned k = 0; k < 2; k++) measure_array_free(&t.plan->base.on, t.array[k], t.bytes);
    riffle_plan_free(t.plan);
    return status;
}
