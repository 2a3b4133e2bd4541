/* SPDX-License-Identifier: Apache-2.0
 *
 * The hull of candidates, exactly. The first and last of them in lexicographic order, l and r, are corners; of the others those
 * below the line l r are on the lower boundary or on none, those above it on the upper. They are sorted around:
 *
 *      buckets   0 .. B-1         B .. 2B-1
 *                below, by x  --> above, by x backwards      a bucket's number is a monotone function of x
 *                l  ...        r  ...                  (l)
 *
 * so that one walk that drops whatever does not turn left finds both boundaries. Portions, of whole buckets, are walked by
 * different threads, in place; where two of them meet, corners are dropped on both sides until it turns left there too. That
 * makes the boundary convex, for it is convex everywhere, and what was dropped lies inside, for a line between two
 * candidates says so.
 */
#ifndef RIFFLE_HULL_CPU_SOLVE_H
#define RIFFLE_HULL_CPU_SOLVE_H

#include "hull/cpu/candidates.h"

enum { HULL_MOST_LISTS = 64 };

/** Memory that a solution needs, kept from one to the next. */
typedef struct hull_solver {
    hull_list found;  /**< the hull, after a solution */
    uint32_t *bucket; /**< a place for each bucket of each list */
    size_t buckets;   /**< how many there is room for */
} hull_solver;

/** Makes room for so many candidates in so many lists. */
riffle_status hull_solver_reserve(hull_solver *solver, uint64_t candidates, unsigned lists);

void hull_solver_free(hull_solver *solver);

/** The hull of the candidates of all lists, of one kind of coordinates, into solver->found: counter-clockwise from the
 *  first, of equal ones the least index; with `all` those between corners too. On as many threads as there are lists,
 *  HULL_MOST_LISTS at most. There is room. */
void hull_solve(hull_solver *solver, const hull_list *lists, unsigned count, bool is_i64, bool all);

#endif
