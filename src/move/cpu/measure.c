/* SPDX-License-Identifier: Apache-2.0
 *
 * The estimate's own choice is tried first, so that whatever the time is, no plan is worse than without trials. Then come its variants (one
 * thread, stores past the caches or into them) and the other algorithms. A candidate whose first execution takes three times as long as
 * the best one gets no second.
 */
#define _POSIX_C_SOURCE 200809L
#include "move/cpu/measure.h"

#include <stdlib.h>

#include "base/status.h"
#include "base/threads/threads.h"
#include "device/clock.h"
#include "device/explain/measure.h"
#include "move/cpu/execute.h"
#include "plan/algorithm.h"
#include "plan/choose/choose.h"
#include "plan/request/measured.h"
#include "plan/wisdom/wisdom.h"

static const double USUAL_SECONDS = 1, HOPELESS = 3, LOOK_SECONDS = 2e-5;

enum { EXECUTIONS = 5, LEAST_STREAMED_BYTES = 4 << 20 };

/* The arrays, and the time. */
typedef struct bench {
    void *dst;
    const void *src;
    void *own[2]; /* NULL where the arrays are the caller's */
    size_t bytes;
    double deadline;
} bench;

static const device on_host = {.ops = NULL};

static riffle_status make_arrays(bench *b) {
    riffle_status status = measure_array(&on_host, b->bytes, &b->own[0]);
    if (status == RIFFLE_OK) status = measure_array(&on_host, b->bytes, &b->own[1]);
    b->dst = b->own[0];
    b->src = b->own[1];
    return status;
}

static riffle_status begin(const plan_request *r, bench *out) {
    *out = (bench){.dst = r->effort_dst, .src = r->effort_src, .bytes = r->span_bytes};
    const riffle_status status = out->dst == NULL ? make_arrays(out) : RIFFLE_OK;
    if (r->in_place) out->src = out->dst;
    out->deadline = clock_seconds() + (r->effort_seconds > 0 ? r->effort_seconds : USUAL_SECONDS);
    return status;
}

static void end(const bench *b) {
    for (unsigned k = 0; k < 2; k++) measure_array_free(&on_host, b->own[k], b->bytes);
}

static riffle_status make(const plan_request *r, riffle_plan **out) {
    riffle_plan *plan;
    cpu_plan *host;
    riffle_status status = plan_build(r, &plan);
    if (status != RIFFLE_OK) return status;
    status = cpu_plan_create(plan, &host);
    if (status == RIFFLE_OK) plan->engine = host;
    plan_settle(plan);
    if (status == RIFFLE_OK)
        *out = plan;
    else
        plan_destroy(plan);
    return status;
}

static void discard(riffle_plan *plan) {
    if (plan == NULL) return;
    cpu_plan_free(plan->engine);
    plan_destroy(plan);
}

static double execute(const riffle_plan *plan, const bench *b, unsigned times) {
    const double began = clock_seconds();
    check_sums compared = {0, 0}; /* the arrays are measured on, and hold nothing */
    for (unsigned k = 0; k < times; k++) cpu_plan_execute(plan->engine, plan, b->dst, b->src, &compared);
    return (clock_seconds() - began) / times;
}

/* The shortest of several looks at the clock, between which short moves are done often. */
static double time_plan(const riffle_plan *plan, const bench *b, double best) {
    double shortest = execute(plan, b, 1);
    if (shortest > HOPELESS * best && shortest > LOOK_SECONDS) return shortest;
    const unsigned times = shortest < LOOK_SECONDS ? (unsigned)(LOOK_SECONDS / (shortest + 1e-8)) + 1 : 1;
    for (unsigned k = 0; k < EXECUTIONS && clock_seconds() < b->deadline; k++) {
        const double seconds = execute(plan, b, times);
        if (seconds < shortest) shortest = seconds;
    }
    return shortest;
}

/* ---------------------------------------------------------------- candidates */

typedef struct candidates {
    unsigned count;
    plan_request request[TRIALS_MOST];
} candidates;

static bool has_stores_to_choose(const plan_request *r, const plan_choice *c) {
    const riffle_algorithm a = c->algorithm->id;
    return !r->in_place && r->array_bytes >= LEAST_STREAMED_BYTES &&
           (a == RIFFLE_ALGORITHM_AFFINE || a == RIFFLE_ALGORITHM_AXES ||
            (a == RIFFLE_ALGORITHM_COPY && c->loops == LOOPS_REVERSALS));
}

static bool streams(const plan_request *r, riffle_algorithm a) {
    return a == RIFFLE_ALGORITHM_AXES ? plan_place(r) == DST_PAST : plan_streams(r);
}

static void add(candidates *all, plan_request r) {
    if (all->count < TRIALS_MOST) all->request[all->count++] = r;
}

/* A request whose algorithm is said or, in place, chosen, and its variants. */
static void add_variants(candidates *all, plan_request r) {
    plan_choice c;
    if (plan_choose(&r, &c) != RIFFLE_OK) return;
    const bool has_stores = has_stores_to_choose(&r, &c), has_threads = plan_threads(&c) > 1;
    const plan_stores other = streams(&r, c.algorithm->id) ? STORES_CACHED : STORES_STREAMED;
    add(all, r);
    plan_request one = r, changed = r;
    one.most_threads = 1;
    changed.stores = other;
    if (has_stores) add(all, changed);
    if (has_threads) add(all, one);
    one.stores = other;
    if (has_stores && has_threads) add(all, one);
}

/* The request itself comes first, as the estimate has it. */
static riffle_status find_candidates(const plan_request *r, candidates *out) {
    static const riffle_algorithm others[] = {RIFFLE_ALGORITHM_COPY,   RIFFLE_ALGORITHM_AFFINE,
                                              RIFFLE_ALGORITHM_AXES,   RIFFLE_ALGORITHM_GATHER,
                                              RIFFLE_ALGORITHM_BUCKET, RIFFLE_ALGORITHM_SCATTER};
    plan_choice chosen;
    const riffle_status status = plan_choose(r, &chosen);
    if (status != RIFFLE_OK) return status;
    plan_request first = *r;
    if (!r->in_place) first.algorithm = chosen.algorithm->id;
    out->count = 0;
    add_variants(out, first);
    for (size_t k = 0; k < sizeof others / sizeof others[0]; k++) {
        plan_request next = *r;
        next.algorithm = others[k];
        if (r->algorithm == RIFFLE_ALGORITHM_AUTO && !r->in_place && others[k] != chosen.algorithm->id)
            add_variants(out, next);
    }
    return RIFFLE_OK;
}

/* ------------------------------------------------------------------- trials */

/* The best plan so far. */
typedef struct winner {
    riffle_plan *plan;
    plan_request request;
    plan_trials trials;
} winner;

static riffle_status try_one(const plan_request *r, const bench *b, winner *w) {
    riffle_plan *plan;
    const riffle_status status = make(r, &plan);
    if (status != RIFFLE_OK) return status;
    plan_trials *const t = &w->trials;
    const double best = w->plan != NULL ? t->trial[t->best].seconds : 1e30, seconds = time_plan(plan, b, best);
    t->trial[t->count] = (plan_trial){riffle_plan_algorithm(plan), plan_threads(&plan->choice),
                                      streams(r, riffle_plan_algorithm(plan)), seconds};
    if (seconds < best) {
        discard(w->plan);
        w->plan = plan;
        w->request = *r;
        t->best = t->count;
    } else {
        discard(plan);
    }
    t->count++;
    return RIFFLE_OK;
}

/* A candidate other than the first that cannot be planned is none. */
static riffle_status try_all(const candidates *all, const bench *b, winner *w) {
    for (unsigned k = 0; k < all->count && (k == 0 || clock_seconds() < b->deadline); k++) {
        const riffle_status status = try_one(&all->request[k], b, w);
        if (k == 0 && status != RIFFLE_OK) return status;
    }
    return RIFFLE_OK;
}

static riffle_status remember(const plan_request *asked, const winner *w) {
    const plan_trial *const best = &w->trials.trial[w->trials.best];
    const wisdom_entry entry = {.key = measured_key(asked),
                                .algorithm = best->algorithm,
                                .threads = w->request.most_threads,
                                .stores = w->request.stores,
                                .picoseconds = (uint64_t)(best->seconds * 1e12)};
    return wisdom_keep(&entry, 1);
}

static riffle_status keep_trials(riffle_plan *plan, const plan_trials *trials) {
    plan->trials = malloc(sizeof *plan->trials);
    if (plan->trials == NULL) return fail_memory("a plan's trials", sizeof *plan->trials);
    *plan->trials = *trials;
    return RIFFLE_OK;
}

static riffle_status measure(const plan_request *r, winner *w) {
    candidates *const all = malloc(sizeof *all);
    if (all == NULL) return fail_memory("candidates", sizeof *all);
    bench b = {.dst = NULL};
    riffle_status status = find_candidates(r, all);
    if (status == RIFFLE_OK) status = begin(r, &b);
    if (status == RIFFLE_OK) status = try_all(all, &b, w);
    if (status == RIFFLE_OK) status = remember(r, w);
    end(&b);
    free(all);
    return status;
}

riffle_status measure_plan(const plan_request *request, riffle_plan **out) {
    winner w = {.plan = NULL, .request = *request};
    const bool is_known = measured_recall(&w.request, &w.trials) && make(&w.request, &w.plan) == RIFFLE_OK;
    riffle_status status = RIFFLE_OK;
    if (!is_known) {
        w.trials = (plan_trials){.count = 0};
        status = measure(request, &w);
    }
    if (status == RIFFLE_OK) status = keep_trials(w.plan, &w.trials);
    if (status != RIFFLE_OK) {
        discard(w.plan);
        return status;
    }
    w.plan->trials->trial[w.plan->trials->best].threads = plan_threads(&w.plan->choice);
    if (request->algorithm == RIFFLE_ALGORITHM_AUTO) w.plan->choice.reason = MEASURED_REASON;
    *out = w.plan;
    return RIFFLE_OK;
}
