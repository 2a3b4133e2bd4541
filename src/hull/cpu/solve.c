/* SPDX-License-Identifier: Apache-2.0 */
#include "hull/cpu/solve.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads/team.h"

enum {
    A_BUCKET = 128,         /* candidates that a bucket should have */
    MOST_BUCKETS = 1 << 11, /* for a side: a thread's caches bear to write to so many at once */
    PORTIONS_A_THREAD = 4,  /* so that none waits long for the last */
    SPREAD_MOST = 1024,     /* as many or fewer are spread over cells */
    SPREAD_CELLS = 512,
    BY_INSERTION = 24, /* fewer are sorted by insertion */
    SMALL = 1 << 12,   /* fewer candidates are one thread's work */
    DEPTH = 64,        /* quicksort's */
};

/* In a key: belongs to no side. */
static const uint32_t LEFT_OUT = UINT32_C(1) << 31;

/* Buckets from .. to - 1, sorted; then the corners that are left of them. */
typedef struct portion {
    uint32_t from, to;
    uint64_t first, count;
} portion;

/* The facts found of a list. */
typedef struct part {
    hull_candidate first, last;
    uint64_t on_line; /* on the line from the first to the last of all, and not at their places */
} part;

typedef struct solution {
    hull_solver *solver;
    const hull_list *lists;
    unsigned count, threads;
    bool all;
    part *parts;                /* the lists' */
    hull_candidate first, last; /* in lexicographic order; equal ones by the least index */
    uint32_t buckets;           /* on each side */
    double scale;               /* from x to a bucket */
    portion *portions;
    uint64_t portion_count, *next; /* the next portion to be walked */
} solution;

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

/* The place of a bucket in each list's counts, which become the places that its candidates go to. */
static uint32_t *buckets_of(const solution *s, unsigned list) {
    return s->solver->bucket + (size_t)list * 2 * s->buckets;
}

static uint64_t candidates_of(const solution *s) {
    uint64_t all = 0;
    for (unsigned k = 0; k < s->count; k++) all += s->lists[k].count;
    return all;
}

/* Counts become places: bucket by bucket, in a bucket list by list. Returns how many there are. */
static uint64_t add_up(const solution *s) {
    uint32_t place = 0;
    for (uint32_t b = 0; b < 2 * s->buckets; b++)
        for (unsigned k = 0; k < s->count; k++) {
            uint32_t *const at = &buckets_of(s, k)[b];
            const uint32_t here = *at;
            *at = place;
            place += here;
        }
    return place;
}

/* After the scatter the last list's place is a bucket's end. */
static uint64_t bucket_end(const solution *s, uint32_t bucket) { return buckets_of(s, s->count - 1)[bucket]; }

static void cut_side(solution *s, uint32_t from, uint32_t to, uint64_t size) {
    uint64_t first = from == 0 ? 0 : bucket_end(s, from - 1);
    for (uint32_t b = from; b < to; b++) {
        const uint64_t end = bucket_end(s, b);
        if (end - first < size && b + 1 < to) continue;
        if (end > first) s->portions[s->portion_count++] = (portion){from, b + 1, first, end - first};
        first = end;
        from = b + 1;
    }
}

/* Cuts what was kept into portions of some size, none of both sides. */
static void cut(solution *s, uint64_t kept) {
    const uint64_t size = kept / (PORTIONS_A_THREAD * s->threads) + 1;
    cut_side(s, 0, s->buckets, size);
    cut_side(s, s->buckets, 2 * s->buckets, size);
}

/* With `all`: what is on the line is on a boundary only if a side has nothing beyond it. */
static void settle_line(const solution *s) {
    uint64_t on_line = 0, below = 0, above = 0;
    for (unsigned k = 0; k < s->count; k++) {
        on_line += s->parts[k].on_line;
        for (uint32_t b = 0; b < s->buckets; b++) {
            below += buckets_of(s, k)[b];
            above += buckets_of(s, k)[s->buckets + b];
        }
    }
    if (on_line == 0 || (below > 2 && above > 0)) return; /* the line's ends are among those below */
    for (unsigned k = 0; k < s->count; k++)
        for (uint64_t i = 0; i < s->lists[k].count; i++) {
            hull_candidate *const item = &s->lists[k].items[i];
            if ((item->key & LEFT_OUT) == 0 || item->key == UINT32_MAX) continue;
            const uint32_t bucket = item->key & ~LEFT_OUT;
            item->key = below == 2 ? bucket : 2 * s->buckets - 1 - bucket;
            buckets_of(s, k)[item->key]++;
        }
}

#define KIND(name) name##_f64
#define POINT hull_f64
#define AT f64
#define OFFSET(x, from) ((x) - (from))
#define FLIP_IF(is, x) ((x) * ((is) ? -1.0 : 1.0))
#include "hull/cpu/solve.inc"
#undef KIND
#undef POINT
#undef AT
#undef OFFSET
#undef FLIP_IF

#define KIND(name) name##_i64
#define POINT hull_i64
#define AT i64
#define OFFSET(x, from) ((double)((uint64_t)(x) - (uint64_t)(from)))
#define FLIP_IF(is, x) ((x) ^ -(int64_t)(is))
#include "hull/cpu/solve.inc"

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
    if (is_i64)
        solve_i64(&s);
    else
        solve_f64(&s);
}
