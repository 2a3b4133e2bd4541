/* SPDX-License-Identifier: Apache-2.0
 *
 * Jurkiewicz's hull of points in the plane (2013, section 3.5), in steps that a whole grid makes one after the other, as those
 * of sorted.h. A warp is a processor; MIMD steps are of all of them, SIMD steps of one block.
 *
 *     initialization   find, quad, count, bins, fill
 *     splitting stage  farthest, pivots, classify, places, partition, clean, assign: again while a problem has processors
 *     independent      alone: a warp a problem, Algorithm 7
 *     finalization     live, order, write
 *
 * A problem is a range of cells with points left of the line from l to r, two corners; corners stand clockwise in cells:
 *
 *     cells   | A | above AB | B | above BC | C | above CD | D | above DA |      bins at first
 *     problem | left of l m | m | empty ... | left of m r |                      after its pivot m is found
 *
 * There are two arrays of cells; a problem moves from one to the other with each iteration. Cells that no problem has are
 * the same in both.
 *
 * The processors of a problem are shared by its subproblems in proportion and by Lemma 3.2: at least floor(n_s / n P) for one
 * of n_s points. Who gets fewer than two is left to the independent stage, as section 3.3 recommends; section 3.5 had each
 * keep one and ran an iteration again where that was impossible. This takes the place of section 3.4.1's balancing too.
 */
#ifndef RIFFLE_PAPERS_HULL_KERNELS_PAPER_H
#define RIFFLE_PAPERS_HULL_KERNELS_PAPER_H

#include "hull/kernels/points.h"
#include "hull/predicates.h"

enum {
    HULL_PAPER_ITERATIONS =
        64, /**< most iterations of the splitting stage; what has processors then is left to the independent stage */
    HULL_PAPER_STACK =
        40, /**< problems of a warp: the longer half waits, so that each is at most half of the one before */
    HULL_PAPER_EDGES = 4,
    HULL_PAPER_SMALL = 64, /**< points of a problem that no processors share */
};

typedef enum hull_paper_step {
    HULL_PAPER_FIND,
    HULL_PAPER_QUAD,
    HULL_PAPER_COUNT,
    HULL_PAPER_BINS,
    HULL_PAPER_FILL,
    HULL_PAPER_FARTHEST,
    HULL_PAPER_PIVOTS,
    HULL_PAPER_CLASSIFY,
    HULL_PAPER_PLACES,
    HULL_PAPER_PARTITION,
    HULL_PAPER_CLEAN,
    HULL_PAPER_ASSIGN,
    HULL_PAPER_ALONE,
    HULL_PAPER_LIVE,
    HULL_PAPER_ORDER,
    HULL_PAPER_WRITE,
    HULL_PAPER_DONE,
} hull_paper_step;

/** Results of steps. */
typedef struct hull_paper_state {
    uint64_t corner[HULL_PAPER_EDGES]
                   [HULL_RECORD_WORDS]; /**< A top left, B top right, C bottom right, D bottom left: records */
    uint32_t bin[HULL_PAPER_EDGES + 1]; /**< the cell of each corner, before its bin; cells in all */
    uint32_t points;                    /**< in bins */
    uint32_t active[2];                 /**< problems that have processors, of even and odd iterations */
    uint32_t tasks, taken; /**< problems left to the independent stage; those that a warp has taken */
    uint32_t is_single;    /**< 1: all points are in one place */
    uint32_t iterations;   /**< iterations of the splitting stage */
    uint32_t pops;         /**< problems of the independent stage */
    uint32_t first;        /**< place of the lexicographically smallest corner among those found */
    uint32_t length;
    uint32_t unused;
} hull_paper_state;

/** A problem of the splitting stage, or a task of the independent one. */
typedef struct hull_paper_problem {
    uint64_t l[HULL_RECORD_WORDS], r[HULL_RECORD_WORDS], m[HULL_RECORD_WORDS]; /**< records */
    uint32_t begin, end;                                                       /**< cells */
    uint32_t first, count;                                                     /**< processors */
    uint32_t left, right;                                                      /**< points of its subproblems */
    uint32_t is_stuck; /**< 1: its last pivot was l or r, so that the next pair is l and r themselves */
    uint32_t at;       /**< the array that has it */
} hull_paper_problem;

typedef struct hull_paper_cursor {
    uint32_t step, iteration;
} hull_paper_cursor;

/** Arrays are device memory. */
typedef struct hull_paper_table {
    hull_source from;
    uint32_t *hull;
    uint64_t *length;
    hull_paper_state *state;
    void *cells[2];
    void *best;                      /**< records: four, or one, for each processor */
    uint32_t *counts;                /**< four words for each processor */
    uint32_t *owner[2];              /**< the problem of each processor, HULL_PAPER_NONE without one */
    hull_paper_problem *problems[2]; /**< an iteration's */
    hull_paper_problem *tasks;
    hull_paper_problem *stacks; /**< HULL_PAPER_STACK for each processor */
    uint32_t processors;
} hull_paper_table;

#define HULL_PAPER_NONE 0xffffffffu

/** How many of `count` processors the left one of two subproblems gets: in proportion, and at least as many as Lemma 3.2 says for
 *  both, `all` being the processors of all `points`. */
HULL_FUNCTION uint32_t hull_paper_share(uint32_t count, uint32_t left, uint32_t right, uint32_t points,
                                        uint32_t all) {
    const uint32_t least = (uint32_t)((uint64_t)left * all / points),
                   other = (uint32_t)((uint64_t)right * all / points);
    const uint64_t both = (uint64_t)left + right;
    uint32_t share = both == 0 ? 0 : (uint32_t)(((uint64_t)count * left + both / 2) / both);
    if (share > count - other) share = count - other;
    return share < least ? least : share;
}

HULL_FUNCTION void hull_paper_next(const hull_paper_table *t, hull_paper_cursor *c) {
    switch ((hull_paper_step)c->step) {
    case HULL_PAPER_QUAD: c->step = t->state->is_single ? HULL_PAPER_DONE : HULL_PAPER_COUNT; break;
    case HULL_PAPER_FILL: c->step = t->state->active[0] > 0 ? HULL_PAPER_FARTHEST : HULL_PAPER_ALONE; break;
    case HULL_PAPER_ASSIGN:
        c->iteration++;
        c->step = t->state->active[c->iteration & 1] > 0 ? HULL_PAPER_FARTHEST : HULL_PAPER_ALONE;
        break;
    case HULL_PAPER_WRITE:
    case HULL_PAPER_DONE: c->step = HULL_PAPER_DONE; break;
    default: c->step++; break;
    }
}

HULL_FUNCTION hull_paper_cursor hull_paper_begin(uint32_t candidates) {
    hull_paper_cursor c = {HULL_PAPER_FIND, 0};
    if (candidates == 0) c.step = HULL_PAPER_DONE;
    return c;
}

#endif
