/* SPDX-License-Identifier: Apache-2.0
 *
 * A plan and a copy of as many bytes are executed in turn, so that both meet the machine in the same state; the best of each counts.
 */
#define _POSIX_C_SOURCE 200809L
#include "move/door/times.h"

#include <string.h>

#include "base/memory.h"
#include "move/clock.h"
#include "move/cuda/engine.h"

enum { MOST_RUNS = 9, LEAST_RUNS = 2 };
static const double MOST_SECONDS = 1;

typedef struct timed {
    riffle_plan *plan, *copy;
    void *array[2];
    size_t bytes;
} timed;

static bool is_on_gpu(const riffle_plan *plan) { return plan->request.target.kind == TARGET_CUDA; }

/* A copy of all bytes between both arrays, whatever the plan does. */
static riffle_status plan_copy(riffle_engine engine, timed *t) {
    riffle_perm *identity;
    riffle_status status = riffle_perm_parse("identity", t->bytes, &identity);
    if (status != RIFFLE_OK) return status;
    status = riffle_plan_create(identity, 1, engine, NULL, &t->copy);
    riffle_perm_free(identity);
    return status;
}

static riffle_status make_array(const timed *t, void **out) {
    static const char name[] = "an array to measure with";
    const device *const on = &t->plan->base.on;
    if (is_on_gpu(t->plan)) return on->ops->allocate(on, name, t->bytes, out);
    const riffle_status status = buffer_create(name, t->bytes, out);
    if (status == RIFFLE_OK) memset(*out, 1, t->bytes);
    return status;
}

static void free_array(const timed *t, void *array) {
    const device *const on = &t->plan->base.on;
    if (is_on_gpu(t->plan))
        on->ops->release(on, array);
    else
        riffle_buffer_free(array, t->bytes);
}

static riffle_status begin(const riffle_perm *perm, size_t elem_bytes, riffle_engine engine,
                           const riffle_plan_options *options, timed *t) {
    riffle_status status = riffle_plan_create(perm, elem_bytes, engine, options, &t->plan);
    if (status != RIFFLE_OK) return status;
    t->bytes = t->plan->request.span_bytes;
    for (unsigned k = 0; status == RIFFLE_OK && k < 2; k++) status = make_array(t, &t->array[k]);
    return status == RIFFLE_OK ? plan_copy(engine, t) : status;
}

static void end(const timed *t) {
    for (unsigned k = 0; t->plan != NULL && k < 2; k++) free_array(t, t->array[k]);
    riffle_plan_free(t->copy);
    riffle_plan_free(t->plan);
}

static riffle_status run_here(const riffle_plan *plan, void *dst, const void *src, double *seconds) {
    const double before = clock_seconds();
    const riffle_status status = riffle_execute(plan, dst, src);
    *seconds = clock_seconds() - before;
    return status;
}

/* Lowers *best to the time of an execution. */
static riffle_status run(const riffle_plan *plan, void *dst, const void *src, double *best) {
    double seconds;
    const riffle_status status = is_on_gpu(plan)
                                     ? cuda_plan_time(plan, dst, src, plan->base.workspace, &seconds)
                                     : run_here(plan, dst, src, &seconds);
    if (status == RIFFLE_OK && (*best == 0 || seconds < *best)) *best = seconds;
    return status;
}

static riffle_status measure(const timed *t, explain_times *out) {
    const double end = clock_seconds() + MOST_SECONDS;
    const void *const src = t->plan->request.in_place ? t->array[0] : t->array[1];
    riffle_status status = RIFFLE_OK;
    while (status == RIFFLE_OK && out->runs < MOST_RUNS && (out->runs < LEAST_RUNS || clock_seconds() < end)) {
        status = run(t->copy, t->array[0], t->array[1], &out->copy_seconds);
        if (status == RIFFLE_OK) status = run(t->plan, t->array[0], src, &out->seconds);
        out->runs++;
    }
    return status;
}

riffle_status explain_measure(const riffle_perm *perm, size_t elem_bytes, riffle_engine engine,
                              const riffle_plan_options *options, explain_times *out) {
    timed t = {.plan = NULL};
    if (riffle_perm_length(perm) == 0) return RIFFLE_OK;
    riffle_status status = begin(perm, elem_bytes, engine, options, &t);
    if (status == RIFFLE_OK) status = measure(&t, out);
    end(&t);
    return status;
}
