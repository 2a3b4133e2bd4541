/* SPDX-License-Identifier: Apache-2.0 */
#include "hull/cpu/solve.h"

#include "base/memory.h"
#include "hull/cpu/solution.h"

enum {
    A_BUCKET = 128,         /* candidates that a bucket should have */
    MOST_BUCKETS = 1 << 11, /* for a side: a thread's caches bear to write to so many at once */
    SMALL = 1 << 12,        /* fewer candidates are one thread's work */
};

static uint32_t buckets_for(uint64_t candidates) {
    uint32_t buckets = 1;
    while (buckets < MOST_BUCKETS && candidates / A_BUCKET > 2 * buckets) buckets *= 2;
    return buckets;
}

riffle_status hull_solver_reserve(hull_solver *solver, uint64_t candidates, unsigned lists) {
    solver->found.count = 0;
    riffle_status status = hull_list_reserve(&solver->found, candidates);
    const size_t wanted = (size_t)2 * buckets_for(candidates) * lists;
    if (status != RIFFLE_OK || wanted <= solver->buckets) return status;
    void *bucket;
    status = buffer_create("the buckets of a hull", wanted * sizeof *solver->bucket, &bucket);
    if (status != RIFFLE_OK) return status;
    riffle_buffer_free(solver->bucket, solver->buckets * sizeof *solver->bucket);
    solver->bucket = bucket;
    solver->buckets = wanted;
    return RIFFLE_OK;
}

void hull_solver_free(hull_solver *solver) {
    hull_list_free(&solver->found);
    riffle_buffer_free(solver->bucket, solver->buckets * sizeof *solver->bucket);
}

static uint64_t candidates_of(const solution *s) {
    uint64_t all = 0;
    for (unsigned k = 0; k < s->count; k++) all += s->lists[k].count;
    return all;
}

void hull_solve(hull_solver *solver, const hull_list *lists, unsigned count, bool is_i64, bool all) {
    part parts[HULL_MOST_LISTS];
    portion portions[(PORTIONS_A_THREAD + 1) * HULL_MOST_LISTS + 2];
    uint64_t next = 0;
    solution s = {.solver = solver, .lists = lists, .count = count, .all = all};
    const uint64_t candidates = candidates_of(&s);
    solver->found.count = 0;
    if (candidates == 0) return;
    s.threads = candidates < SMALL ? 1 : count;
    s.buckets = buckets_for(candidates);
    s.parts = parts;
    s.portions = portions;
    s.next = &next;
    (is_i64 ? solution_find_i64 : solution_find_f64)(&s);
}
