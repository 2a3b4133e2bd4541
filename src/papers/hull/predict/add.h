/* SPDX-License-Identifier: Apache-2.0
 *
 * The dissertation's hull, followed: what several steps have, sums over processors and problems that are added.
 */
#ifndef RIFFLE_PAPERS_HULL_PREDICT_ADD_H
#define RIFFLE_PAPERS_HULL_PREDICT_ADD_H

#include "papers/hull/predict/follow.h"

enum { PAPER_SCAN_SITES = 2, PAPER_ADD_SITES = 5, PAPER_PAIR_SITES = 6 };

/** Cells from `start` on to `end` that are to be emptied; the first of all, `begin`, gets the pivot where it is new. */
typedef struct paper_gap {
    uint32_t begin, start, end;
    paper_record pivot;
    bool is_new;
} paper_gap;

/** The last pivot was l or r. */
static inline bool paper_is_stuck(const paper_problem *own) {
    return own->m.index == own->l.index || own->m.index == own->r.index;
}

/** Problems that a warp's lanes add at once. */
typedef struct paper_adding {
    uint32_t tasks, first_task; /**< how many are left alone, and the number of the first */
    uint32_t shared, first_shared;
    uint32_t owner[PAPER_LANES], owners[PAPER_LANES]; /**< processors of each that is shared */
} paper_adding;

/** A warp's sums of `length` words of counts from word `at` on. */
void paper_add_scan(paper_follow *f, unsigned site, uint32_t warp, uint64_t at, uint32_t length);

/** A lane's problem, shared or left alone; of no points it is none. */
void paper_add_problem(paper_follow *f, paper_adding *to, const paper_problem *own, unsigned which,
                       bool is_last);

/** The accesses of all that was added, from `site` on. */
void paper_add_problems(paper_follow *f, unsigned site, uint32_t warp, const paper_adding *of);

/** A problem's l and r and a pair of its points are read, from `site` on. */
void paper_add_pair(paper_follow *f, unsigned site, uint32_t processor, const paper_way *way);

/** Cells are emptied; the pivot has a site of its own. */
void paper_clean(paper_follow *f, unsigned emptied, unsigned pivot, uint32_t processor, paper_record *cells,
                 const paper_gap *gap);

#endif
