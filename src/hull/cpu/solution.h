/* SPDX-License-Identifier: Apache-2.0
 *
 * A hull of candidates on its way: the steps that look at coordinates, written once in solve.inc for each kind of them, and
 * those that do not.
 */
#ifndef RIFFLE_HULL_CPU_SOLUTION_H
#define RIFFLE_HULL_CPU_SOLUTION_H

#include "hull/cpu/solve.h"

enum { PORTIONS_A_THREAD = 4 /**< so that none waits long for the last */ };

/** In a key: belongs to no side. */
static const uint32_t LEFT_OUT = UINT32_C(1) << 31;

/** Buckets from .. to - 1, sorted; then the corners that are left of them. */
typedef struct portion {
    uint32_t from, to;
    uint64_t first, count;
} portion;

/** The facts found of a list. */
typedef struct part {
    hull_candidate first, last;
    uint64_t on_line; /**< on the line from the first to the last of all, and not at their places */
} part;

typedef struct solution {
    hull_solver *solver;
    const hull_list *lists;
    unsigned count, threads;
    bool all;
    part *parts;                /**< the lists' */
    hull_candidate first, last; /**< in lexicographic order; equal ones by the least index */
    uint32_t buckets;           /**< on each side */
    double scale;               /**< from x to a bucket */
    portion *portions;
    uint64_t portion_count, *next; /**< the next portion to be walked */
} solution;

/** The place of a bucket in each list's counts, which become the places that its candidates go to. */
static inline uint32_t *buckets_of(const solution *s, unsigned list) {
    return s->solver->bucket + (size_t)list * 2 * s->buckets;
}

/** After the scatter the last list's place is a bucket's end. */
static inline uint64_t bucket_end(const solution *s, uint32_t bucket) {
    return buckets_of(s, s->count - 1)[bucket];
}

/** Counts become places: bucket by bucket, in a bucket list by list. Returns how many there are. */
uint64_t solution_add_up(const solution *s);

/** Cuts what was kept into portions of some size, none of both sides. */
void solution_cut(solution *s, uint64_t kept);

/** With `all`: what is on the line is on a boundary only if a side has nothing beyond it. */
void solution_settle_line(const solution *s);

/** All steps, for one kind of coordinates: of s->lists, into s->solver->found. */
void solution_find_f64(solution *s);
void solution_find_i64(solution *s);

#endif
