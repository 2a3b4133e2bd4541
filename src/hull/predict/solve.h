/* SPDX-License-Identifier: Apache-2.0
 *
 * The hull of a few points by one block (hull/kernels/hull_sets.cu, hull_solve_near), followed step by step on points that are drawn, and what it
 * accesses: points are brought near, sorted by numbers, and their two boundaries found and written.
 */
#ifndef RIFFLE_HULL_PREDICT_SOLVE_H
#define RIFFLE_HULL_PREDICT_SOLVE_H

#include "device/predict/tape.h"
#include "hull/kernels/hull.h"
#include "hull/predicates.h"

/** Points to be solved. */
typedef struct hull_solved {
    const hull_f64 *at;
    const uint32_t *index; /**< each point's number among all; NULL: they are neighbours from `first` on */
    uint64_t names;        /**< where the list begins that has `index`, in the workspace */
    uint64_t first;        /**< where the results go, and the first of neighbours */
    uint32_t count;        /**< 1 .. HULL_FEW */
} hull_solved;

/** Blocks of a launch that solve. */
typedef struct hull_solver {
    const hull_table *table;
    uint32_t room, threads;
    pattern near, sorting, solving; /* one a phase, so that sites are enough */
    tape near_tape, sorting_tape, solving_tape;
    struct hull_solver_memory *memory;
} hull_solver;

/** Begins for a launch of that machine; RIFFLE_ERROR_OUT_OF_MEMORY. It is to be ended also after a failure. */
riffle_status hull_solver_begin(const pattern *of, const hull_table *table, uint32_t room, uint32_t threads,
                                hull_solver *out);

/** The next sets are those of a block, which stands for so many. */
void hull_solver_begin_block(hull_solver *s, uint64_t first, uint64_t alike);

/** Follows the block on a set, and returns the length of its hull. */
uint32_t hull_solver_follow(hull_solver *s, const hull_solved *set);

/** Frees all, and returns the counts. */
pattern_counts hull_solver_end(hull_solver *s);

#endif
