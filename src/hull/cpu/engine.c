/* SPDX-License-Identifier: Apache-2.0
 *
 * Hulls on the CPU, in three steps:
 *
 *   1. the hull of a sample, and of a larger one by the sieve (sieve.h) of the first;
 *   2. one pass over all points, which go through the sieve of that: what stays is a candidate;
 *   3. the hull of the candidates (solve.h).
 *
 * Each thread has a list of candidates. When it is full, they are replaced by their hull, and if that is most of them the
 * list grows: so a thread holds few candidates more than the hull has corners, whatever comes. Small sets are candidates as
 * they are. Each set of many is one thread's work.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/splitmix.h"
#include "base/status.h"
#include "base/threads/team.h"
#include "base/threads/threads.h"
#include "hull/cpu/sieve.h"
#include "hull/cpu/solve.h"
#include "hull/plan.h"

enum {
    SIEVE_FROM = 1 << 13, /* points of a set for which a sieve pays */
    FIRST_SAMPLE = 1 << 9,
    SECOND_SAMPLE = 1 << 14,
    SAMPLED = 16,              /* the second sample has at most one of so many points */
    A_TURN = 64 * SIEVE_BLOCK, /* points that a thread takes at a time */
    LIST_ROOM = 1 << 16,       /* candidates, before their hull is found for the first time */
    GROWTH = 8,                /* factor of a list that its hull fills by half: the next time is late */
};

/* A thread's own. */
typedef struct reader {
    hull_list list;
    hull_solver solver;
    hull_sieve sieve;
    uint64_t bad; /* the first point that is not finite, or UINT64_MAX */
    riffle_status status;
} reader;

typedef struct hull_cpu {
    hull_solver solver; /* all threads' */
    unsigned threads;
    reader readers[];
} hull_cpu;

static riffle_status create(riffle_hull_plan *plan, const riffle_hull_options *options) {
    unsigned threads = threads_most(options->threads);
    threads = threads_for(plan->n * hull_point_bytes(plan), BYTES_A_THREAD, threads);
    if (threads > HULL_MOST_LISTS) threads = HULL_MOST_LISTS;
    hull_cpu *const own = calloc(1, sizeof *own + threads * sizeof(reader));
    if (own == NULL) return fail_memory("the plan of a hull", sizeof *own + threads * sizeof(reader));
    own->threads = threads;
    plan->base.threads = threads;
    plan->own = own;
    return RIFFLE_OK;
}

static void destroy(void *plan_own) {
    hull_cpu *const own = plan_own;
    if (own == NULL) return;
    hull_solver_free(&own->solver);
    for (unsigned k = 0; k < own->threads; k++) {
        hull_list_free(&own->readers[k].list);
        hull_solver_free(&own->readers[k].solver);
    }
    free(own);
}

/* ------------------------------------------------------------------ reading */

/* Candidates become their hull. The list grows if that is more than half of its room. */
static riffle_status reduce(reader *r, const hull_points *points, bool all) {
    riffle_status status = hull_solver_reserve(&r->solver, r->list.count, 1);
    if (status != RIFFLE_OK) return status;
    hull_solve(&r->solver, &r->list, 1, hull_is_i64(points->type), all);
    r->list.count = r->solver.found.count;
    memcpy(r->list.items, r->solver.found.items, r->list.count * sizeof *r->list.items);
    return r->list.count > r->list.room / 2 ? hull_list_reserve(&r->list, GROWTH * r->list.room) : RIFFLE_OK;
}

/* Appends point i, unless it is not finite. */
static inline void add_point(reader *r, const hull_points *points, uint64_t i) {
    hull_list_add(&r->list, points, i);
    if (hull_is_i64(points->type)) return;
    const hull_candidate *const item = &r->list.items[r->list.count - 1];
    if (hull_is_finite(item->at.f64.x) && hull_is_finite(item->at.f64.y)) return;
    r->list.count--;
    if (i < r->bad) r->bad = i;
}

/* Appends what stays of points first .. end - 1. */
static riffle_status sieve_points(reader *r, const hull_sieve *sieve, const hull_points *points, uint64_t first,
                                  uint64_t end, bool all) {
    hull_sieve_pass *const pass = hull_sieve_pass_for(points->type);
    const size_t bytes = 2 * riffle_type_bytes(points->type);
    uint16_t kept[SIEVE_BLOCK + 16];
    for (uint64_t i = first; i < end; i += SIEVE_BLOCK) {
        const unsigned count = end - i < SIEVE_BLOCK ? (unsigned)(end - i) : SIEVE_BLOCK;
        const unsigned stay = pass(sieve, (const char *)points->data + i * bytes, count, kept);
        const riffle_status status = r->list.room - r->list.count < stay ? reduce(r, points, all) : RIFFLE_OK;
        if (status != RIFFLE_OK) return status;
        for (unsigned k = 0; k < stay; k++) add_point(r, points, i + kept[k]);
    }
    return RIFFLE_OK;
}

/* Room for the candidates of a set of n points, to begin with; for all of them if most may be corners. */
static riffle_status begin_list(reader *r, uint64_t n, bool is_round) {
    const uint64_t room = n < LIST_ROOM || is_round ? n + SIEVE_BLOCK : LIST_ROOM;
    r->list.count = 0;
    return hull_list_reserve(&r->list, room);
}

/* ------------------------------------------------------------------ samples */

/* Appends `size` points of first .. end - 1, one of each stretch, as far as the sieve leaves them. */
static void sample(reader *r, const hull_points *points, uint64_t first, uint64_t end, uint64_t size) {
    _Alignas(64) char block[16 * SIEVE_BLOCK];
    hull_sieve_pass *const pass = hull_sieve_pass_for(points->type);
    const size_t bytes = 2 * riffle_type_bytes(points->type);
    const uint64_t stretch = (end - first) / size;
    uint64_t random = size; /* any seed: it decides what is thrown away early, not the result */
    for (uint64_t from = 0; from < size; from += SIEVE_BLOCK) {
        const unsigned count = size - from < SIEVE_BLOCK ? (unsigned)(size - from) : SIEVE_BLOCK;
        uint32_t index[SIEVE_BLOCK];
        uint16_t kept[SIEVE_BLOCK + 16];
        for (unsigned k = 0; k < count; k++) {
            const uint64_t i = first + (from + k) * stretch + splitmix_next(&random) % stretch;
            index[k] = (uint32_t)i;
            memcpy(block + k * bytes, (const char *)points->data + i * bytes, bytes);
        }
        const unsigned stay = pass(&r->sieve, block, count, kept);
        for (unsigned k = 0; k < stay; k++) add_point(r, points, index[kept[k]]);
    }
}

/* Makes the reader's sieve for points first .. end - 1; one that throws nothing away where they are few.
 * *is_round becomes whether most of the sample are corners. */
static riffle_status make_sieve(reader *r, const hull_points *points, uint64_t first, uint64_t end,
                                bool *is_round) {
    const uint64_t most = (end - first) / SAMPLED;
    const uint64_t sizes[] = {FIRST_SAMPLE, most < SECOND_SAMPLE ? most : SECOND_SAMPLE};
    hull_sieve_make(&r->sieve, &(hull_list){0}, points->type);
    *is_round = false;
    if (end - first < SIEVE_FROM) return RIFFLE_OK;
    riffle_status status = begin_list(r, sizes[0] + sizes[1], false);
    for (unsigned k = 0; status == RIFFLE_OK && k < 2; k++) {
        sample(r, points, first, end, sizes[k]);
        status = reduce(r, points, false);
        if (status == RIFFLE_OK) hull_sieve_make(&r->sieve, &r->list, points->type);
    }
    *is_round = r->list.count > sizes[1] / 2;
    return status;
}

/* ------------------------------------------------------------------ results */

/* The hull's points, as the plan says. */
static void write_hull(const riffle_hull_plan *plan, void *hulls, uint64_t at, const void *points,
                       const hull_list *hull) {
    const size_t bytes = riffle_hull_plan_result_bytes(plan), point_bytes = hull_point_bytes(plan);
    char *const to = (char *)hulls + at * bytes;
    const hull_candidate *const items = hull->items;
    if (plan->points) {
        for (uint64_t k = 0; k < hull->count; k++)
            memcpy(to + k * bytes, (const char *)points + items[k].index * point_bytes, point_bytes);
    } else if (bytes == sizeof(uint32_t)) {
        for (uint64_t k = 0; k < hull->count; k++)
            memcpy(to + k * sizeof(uint32_t), &items[k].index, sizeof(uint32_t));
    } else {
        for (uint64_t k = 0; k < hull->count; k++)
            memcpy(to + k * sizeof(uint64_t), &(uint64_t){items[k].index}, sizeof(uint64_t));
    }
}

/* ------------------------------------------------------------------ one set */

/* An execution. */
typedef struct run {
    const riffle_hull_plan *plan;
    hull_cpu *own;
    hull_points points;
    void *hulls;
    uint64_t *lengths;
    const uint64_t *first;
    uint64_t begin, end; /* the points of all sets */
    uint64_t *taken;
} run;

static void read_share(const void *context, team_member me) {
    const run *const all = context;
    reader *const r = &all->own->readers[me.number];
    const uint64_t count = all->end - all->begin;
    while (r->status == RIFFLE_OK) {
        const team_share mine = team_take(count, A_TURN, all->taken);
        if (mine.first == mine.end) return;
        r->status = sieve_points(r, &all->own->readers[0].sieve, &all->points, all->begin + mine.first,
                                 all->begin + mine.end, all->plan->all);
    }
}

static riffle_status execute_one(const run *all) {
    hull_cpu *const own = all->own;
    const uint64_t n = all->end - all->begin;
    bool is_round;
    riffle_status status = make_sieve(&own->readers[0], &all->points, all->begin, all->end, &is_round);
    for (unsigned k = 0; status == RIFFLE_OK && k < own->threads; k++)
        status = begin_list(&own->readers[k], n / own->threads, is_round);
    if (status != RIFFLE_OK) return status;
    team_run(own->threads, read_share, all);
    uint64_t bad = UINT64_MAX, candidates = 0;
    hull_list lists[HULL_MOST_LISTS];
    for (unsigned k = 0; k < own->threads; k++) {
        const reader *const r = &own->readers[k];
        if (r->status != RIFFLE_OK) return fail_memory("candidates of a hull", n * sizeof(hull_candidate));
        if (r->bad < bad) bad = r->bad;
        lists[k] = r->list;
        candidates += r->list.count;
    }
    if (bad != UINT64_MAX) return hull_refuse(&all->points, bad);
    status = hull_solver_reserve(&own->solver, candidates, own->threads);
    if (status != RIFFLE_OK) return status;
    hull_solve(&own->solver, lists, own->threads, hull_is_i64(all->points.type), all->plan->all);
    write_hull(all->plan, all->hulls, all->begin, all->points.data, &own->solver.found);
    all->lengths[0] = own->solver.found.count;
    return RIFFLE_OK;
}

/* ---------------------------------------------------------------- many sets */

static riffle_status execute_set(const run *all, reader *r, uint64_t k) {
    const uint64_t first = hull_set_first(all->plan, all->first, k);
    const uint64_t end = hull_set_first(all->plan, all->first, k + 1);
    bool is_round;
    riffle_status status = make_sieve(r, &all->points, first, end, &is_round);
    if (status == RIFFLE_OK) status = begin_list(r, end - first, is_round);
    if (status == RIFFLE_OK) status = sieve_points(r, &r->sieve, &all->points, first, end, all->plan->all);
    if (status == RIFFLE_OK) status = hull_solver_reserve(&r->solver, r->list.count, 1);
    if (status != RIFFLE_OK) return status;
    hull_solve(&r->solver, &r->list, 1, hull_is_i64(all->points.type), all->plan->all);
    write_hull(all->plan, all->hulls, first, all->points.data, &r->solver.found);
    all->lengths[k] = r->solver.found.count;
    return RIFFLE_OK;
}

static void execute_share(const void *context, team_member me) {
    const run *const all = context;
    reader *const r = &all->own->readers[me.number];
    const uint64_t a_turn = all->plan->sets / (32 * me.count) + 1;
    while (r->status == RIFFLE_OK) {
        const team_share mine = team_take(all->plan->sets, a_turn, all->taken);
        if (mine.first == mine.end) return;
        for (uint64_t k = mine.first; r->status == RIFFLE_OK && k < mine.end; k++)
            r->status = execute_set(all, r, k);
    }
}

static void check_share(const void *context, team_member me) {
    const run *const all = context;
    const team_share mine = team_share_of(all->end - all->begin, me);
    const uint64_t end = all->begin + mine.end;
    const uint64_t bad = hull_first_not_finite(&all->points, all->begin + mine.first, end);
    if (bad != end) all->own->readers[me.number].bad = bad;
}

/* All points are looked at before a hull is written. */
static riffle_status execute_many(const run *all) {
    hull_cpu *const own = all->own;
    team_run(own->threads, check_share, all);
    for (unsigned k = 0; k < own->threads; k++)
        if (own->readers[k].bad != UINT64_MAX) return hull_refuse(&all->points, own->readers[k].bad);
    team_run(own->threads, execute_share, all);
    for (unsigned k = 0; k < own->threads; k++)
        if (own->readers[k].status != RIFFLE_OK)
            return fail_memory("candidates of a hull", all->plan->n * sizeof(hull_candidate));
    return RIFFLE_OK;
}

static riffle_status execute(const riffle_hull_plan *plan, const riffle_hull_arrays *arrays) {
    const uint64_t *const first = arrays->first;
    hull_cpu *const own = plan->own;
    uint64_t taken = 0;
    const run all = {.plan = plan,
                     .own = own,
                     .points = {plan->type, arrays->points, plan->n},
                     .hulls = arrays->hulls,
                     .lengths = arrays->lengths,
                     .first = first,
                     .begin = hull_set_first(plan, first, 0),
                     .end = hull_set_first(plan, first, plan->sets),
                     .taken = &taken};
    for (unsigned k = 0; k < own->threads; k++) {
        own->readers[k].bad = UINT64_MAX;
        own->readers[k].status = RIFFLE_OK;
    }
    return plan->sets == 1 ? execute_one(&all) : execute_many(&all);
}

/* ------------------------------------------------------------- explanations */

static const char *way(const riffle_hull_plan *plan) {
    return plan->n / plan->sets >= SIEVE_FROM ? "sieve and chain" : "chain";
}

static void explain(const riffle_hull_plan *plan, FILE *out) {
    const uint64_t length = plan->n / plan->sets, most = length / SAMPLED;
    fprintf(out, "phases      ");
    if (plan->sets > 1) fprintf(out, "each set is one thread's work\n            ");
    if (length >= SIEVE_FROM) {
        fprintf(out,
                "the hull of a sample of %" PRIu64 " points is made a sieve\n"
                "            all are read once, and what falls into the sieve is thrown away\n            ",
                most < SECOND_SAMPLE ? most : (uint64_t)SECOND_SAMPLE);
    }
    fprintf(out, "%s sorted by x, and walked once; all decisions are exact\n",
            length >= SIEVE_FROM ? "what stays is" : "points are");
}

const hull_engine cpu_hull_engine = {
    .create = create, .execute = execute, .way = way, .explain = explain, .destroy = destroy};
