/* SPDX-License-Identifier: Apache-2.0
 *
 * The estimate's own choice is tried first, so that whatever the time is, no plan is worse than without trials. Then come its variants (one
 * thread, stores past the caches or into them) and the other algorithms in the estimate's order, but for those that it has at more than
 * half as much time again: to make their tables takes longer than all trials. A candidate whose first execution takes three times as long
 * as the best one gets no second; others take turns with it, on the whole array, since a part would lie in other caches and where
 * stores go is tried.
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

static const double USUAL_SECONDS = 1, HOPELESS = 3, FAR = 1.1, AHEAD = 0.98, LOOK_SECONDS = 2e-5;
static const double DOUBT = 1.5; /* estimates are as wrong as that at most */

enum { ROUNDS = 3, LEAST_STREAMED_BYTES = 4 << 20, MOST_OF_ONE_THREAD = 8 << 20, OTHERS_MOST = 6 };

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

/* A plan on trial. */
typedef struct entrant {
    riffle_plan *plan;
    unsigned times; /* executions between two looks at the clock: short moves are done often */
    double seconds; /* the shortest execution's */
} entrant;

/* The first execution wakes threads, and finds pages and caches as others left them. */
static void enter(entrant *e, const bench *b) {
    e->seconds = execute(e->plan, b, 1);
    e->times = e->seconds < LOOK_SECONDS ? (unsigned)(LOOK_SECONDS / (e->seconds + 1e-8)) + 1 : 1;
}

static void look(entrant *e, const bench *b) {
    if (clock_seconds() >= b->deadline) return;
    const double seconds = execute(e->plan, b, e->times);
    if (seconds < e->seconds) e->seconds = seconds;
}

/* Both in turn, so that what else the machine does meets both, until one is ahead by far. */
static void compare(entrant *best, entrant *next, const bench *b) {
    if (next->seconds > HOPELESS * best->seconds && next->seconds > LOOK_SECONDS) return;
    for (unsigned k = 0; k < ROUNDS; k++) {
        if (k > 0) look(best, b);
        look(next, b);
        if (next->seconds > FAR * best->seconds || best->seconds > FAR * next->seconds) return;
    }
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

/* A request whose algorithm is said or, in place, chosen, and its variants. One thread has no chance with long arrays. */
static void add_variants(candidates *all, plan_request r, const plan_choice *c) {
    const bool has_stores = has_stores_to_choose(&r, c);
    const bool has_threads = plan_threads(c) > 1 && r.array_bytes < MOST_OF_ONE_THREAD;
    const plan_stores other = streams(&r, c->algorithm->id) ? STORES_CACHED : STORES_STREAMED;
    add(all, r);
    plan_request one = r, changed = r;
    one.most_threads = 1;
    changed.stores = other;
    if (has_stores) add(all, changed);
    if (has_threads) add(all, one);
    one.stores = other;
    if (has_stores && has_threads) add(all, one);
}

/* Nothing is estimated in the caches of moves element by element: they are tried where one of them is the choice. */
static bool is_worth_trying(const plan_choice *c, const plan_choice *chosen) {
    return chosen->copies == 0 || (c->copies > 0 && c->copies <= DOUBT * chosen->copies);
}

/* The algorithms other than the choice that are worth trying, in the estimate's order. */
static unsigned find_others(const plan_request *r, const plan_choice *chosen, plan_choice *out) {
    static const riffle_algorithm all[] = {RIFFLE_ALGORITHM_COPY,   RIFFLE_ALGORITHM_AFFINE,
                                           RIFFLE_ALGORITHM_AXES,   RIFFLE_ALGORITHM_GATHER,
                                           RIFFLE_ALGORITHM_BUCKET, RIFFLE_ALGORITHM_SCATTER};
    unsigned count = 0;
    for (size_t k = 0; k < sizeof all / sizeof all[0]; k++) {
        plan_request next = *r;
        plan_choice c;
        next.algorithm = all[k];
        if (all[k] == chosen->algorithm->id || plan_choose(&next, &c) != RIFFLE_OK) continue;
        if (!is_worth_trying(&c, chosen)) continue;
        unsigned at = count++;
        for (; at > 0 && out[at - 1].copies > c.copies; at--) out[at] = out[at - 1];
        out[at] = c;
    }
    return count;
}

/* The request itself comes first, as the estimate has it. */
static riffle_status find_candidates(const plan_request *r, candidates *out) {
    plan_choice chosen, others[OTHERS_MOST];
    const riffle_status status = plan_choose(r, &chosen);
    if (status != RIFFLE_OK) return status;
    plan_request next = *r;
    if (!r->in_place) next.algorithm = chosen.algorithm->id;
    out->count = 0;
    add_variants(out, next, &chosen);
    const bool is_free = r->algorithm == RIFFLE_ALGORITHM_AUTO && !r->in_place;
    const unsigned count = is_free ? find_others(r, &chosen, others) : 0;
    for (unsigned k = 0; k < count; k++) {
        next.algorithm = others[k].algorithm->id;
        add_variants(out, next, &others[k]);
    }
    return RIFFLE_OK;
}

/* ------------------------------------------------------------------- trials */

/* The best plan so far. */
typedef struct winner {
    entrant best;
    plan_request request;
    plan_trials trials;
} winner;

static void take(winner *w, const plan_request *r, const entrant *e) {
    discard(w->best.plan);
    w->best = *e;
    w->request = *r;
    w->trials.best = w->trials.count;
}

/* The earlier of two that are as fast stays. */
static riffle_status try_one(const plan_request *r, const bench *b, winner *w) {
    entrant e;
    const riffle_status status = make(r, &e.plan);
    if (status != RIFFLE_OK) return status;
    plan_trials *const t = &w->trials;
    const riffle_algorithm algorithm = riffle_plan_algorithm(e.plan);
    const unsigned threads = plan_threads(&e.plan->choice);
    enter(&e, b);
    if (w->best.plan == NULL)
        look(&e, b);
    else
        compare(&w->best, &e, b);
    if (w->best.plan == NULL || e.seconds < AHEAD * w->best.seconds)
        take(w, r, &e);
    else
        discard(e.plan);
    t->trial[t->count++] = (plan_trial){algorithm, threads, streams(r, algorithm), e.seconds};
    t->trial[t->best].seconds = w->best.seconds;
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
    winner w = {.best = {.plan = NULL}, .request = *request};
    const bool is_known = measured_recall(&w.request, &w.trials) && make(&w.request, &w.best.plan) == RIFFLE_OK;
    riffle_status status = RIFFLE_OK;
    if (!is_known) {
        w.trials = (plan_trials){.count = 0};
        status = measure(request, &w);
    }
    if (status == RIFFLE_OK) status = keep_trials(w.best.plan, &w.trials);
    if (status != RIFFLE_OK) {
        discard(w.best.plan);
        return status;
    }
    w.best.plan->trials->trial[w.best.plan->trials->best].threads = plan_threads(&w.best.plan->choice);
    if (request->algorithm == RIFFLE_ALGORITHM_AUTO) w.best.plan->choice.reason = MEASURED_REASON;
    *out = w.best.plan;
    return RIFFLE_OK;
}
