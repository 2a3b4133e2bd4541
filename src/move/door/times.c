/* SPDX-License-Identifier: Apache-2.0
 *
 * A plan and a copy of as many bytes are executed in turn, so that both meet the machine in the same state; the best of each counts.
 */
#define _POSIX_C_SOURCE 200809L
#include "move/door/times.h"

#include <string.h>
#include <time.h>

#include "base/memory.h"
#include "base/status.h"

enum { MOST_RUNS = 9, LEAST_RUNS = 2 };
static const double MOST_SECONDS = 1;

typedef struct timed {
    riffle_plan *plan, *copy;
    void *array[2];
    size_t bytes;
} timed;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* A copy of all bytes between both arrays, whatever the plan does. */
static riffle_status plan_copy(timed *t) {
    riffle_perm *identity;
    riffle_status status = riffle_perm_parse("identity", t->bytes, &identity);
    if (status != RIFFLE_OK) return status;
    status = riffle_plan_create(identity, 1, RIFFLE_ENGINE_CPU, NULL, &t->copy);
    riffle_perm_free(identity);
    return status;
}

static riffle_status begin(const riffle_perm *perm, size_t elem_bytes, const riffle_plan_options *options,
                           timed *t) {
    riffle_status status = riffle_plan_create(perm, elem_bytes, RIFFLE_ENGINE_CPU, options, &t->plan);
    if (status != RIFFLE_OK) return status;
    t->bytes = t->plan->request.span_bytes;
    for (unsigned k = 0; status == RIFFLE_OK && k < 2; k++) {
        status = buffer_create("an array to measure with", t->bytes, &t->array[k]);
        if (status == RIFFLE_OK) memset(t->array[k], 1, t->bytes);
    }
    return status == RIFFLE_OK ? plan_copy(t) : status;
}

static void end(const timed *t) {
    riffle_plan_free(t->copy);
    riffle_plan_free(t->plan);
    for (unsigned k = 0; k < 2; k++) riffle_buffer_free(t->array[k], t->bytes);
}

/* Lowers *best to the time of an execution. */
static riffle_status run(const riffle_plan *plan, void *dst, const void *src, double *best) {
    const double before = now();
    const riffle_status status = riffle_execute(plan, dst, src);
    const double seconds = now() - before;
    if (*best == 0 || seconds < *best) *best = seconds;
    return status;
}

static riffle_status measure(const timed *t, explain_times *out) {
    const double end = now() + MOST_SECONDS;
    const void *const src = t->plan->request.in_place ? t->array[0] : t->array[1];
    riffle_status status = RIFFLE_OK;
    while (status == RIFFLE_OK && out->runs < MOST_RUNS && (out->runs < LEAST_RUNS || now() < end)) {
        status = run(t->copy, t->array[0], t->array[1], &out->copy_seconds);
        if (status == RIFFLE_OK) status = run(t->plan, t->array[0], src, &out->seconds);
        out->runs++;
    }
    return status;
}

riffle_status explain_measure(const riffle_perm *perm, size_t elem_bytes, riffle_engine engine,
                              const riffle_plan_options *options, explain_times *out) {
    timed t = {NULL};
    if (engine != RIFFLE_ENGINE_CPU)
        return fail(RIFFLE_ERROR_UNSUPPORTED,
                    "explain measures the time of the cpu engine alone; leave out measure, and time a GPU "
                    "with riffle-bench");
    if (riffle_perm_length(perm) == 0) return RIFFLE_OK;
    riffle_status status = begin(perm, elem_bytes, options, &t);
    if (status == RIFFLE_OK) status = measure(&t, out);
    end(&t);
    return status;
}
