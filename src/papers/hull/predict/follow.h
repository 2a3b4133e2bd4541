/* SPDX-License-Identifier: Apache-2.0
 *
 * The dissertation's hull followed on points that are drawn (papers/hull/kernels/paper.h), step by step, and what its processors access. A step is
 * a launch of its own on the memory machine, where rounds begin anew; a GPU makes all of them in one.
 *
 *     records in memory    a member at a time: x, y, index, spare      or whole: 16 bytes of floats, three words of others
 *
 * Which of both an access is, a compiler says; here it is as the machine's has it.
 */
#ifndef RIFFLE_PAPERS_HULL_PREDICT_FOLLOW_H
#define RIFFLE_PAPERS_HULL_PREDICT_FOLLOW_H

#include "device/predict/pattern.h"
#include "papers/hull/predict/outside.h"

enum { PAPER_LANES = 32 };

typedef struct paper_problem {
    paper_record l, r, m;
    uint32_t begin, end, first, count, left, right;
    bool is_stuck;
    unsigned at;
} paper_problem;

/** A line that points are the highest above. */
typedef struct paper_way {
    hull_f64 a, b;
    bool is_turned; /**< the pair is taken the other way round */
    bool has_pair;  /**< a pair of points was read */
} paper_way;

typedef struct paper_follow {
    const hull_paper_table *t;
    uint64_t n;
    unsigned warps; /**< in a block */
    uint32_t processors;
    uint32_t kind; /**< the record's */
    riffle_type type;
    paper_outside out; /**< the points */
    uint32_t bin[HULL_PAPER_EDGES + 1];
    paper_record *cells[2], *best;
    uint32_t *counts[2];
    uint32_t *owner[2];
    paper_problem *problems[2], *tasks;
    uint32_t active[2], waiting, iteration; /**< waiting: tasks of the independent stage */
    bool is_done;                           /**< all points are in one place */
    uint32_t length;
    pattern p;                       /**< a step's */
    uint32_t (*done)[PATTERN_SITES]; /**< [processor]: rounds of a step that it has come through */
    pattern_counts counts_of_steps;
} paper_follow;

void paper_step_begin(paper_follow *f);
riffle_status paper_step_end(paper_follow *f);

/** A processor accesses one cell, so many times. */
void paper_uniform(paper_follow *f, unsigned site, pattern_op op, unsigned bytes, uint32_t processor,
                   uint32_t times);

/** The processor's lanes access cells in so many address groups. */
void paper_stages(paper_follow *f, unsigned site, pattern_op op, unsigned bytes, uint32_t processor,
                  uint64_t stages);

/** As paper_uniform, of a record of the state or of a problem, read in words or stored; and of a record of cells, whole. */
void paper_stored(paper_follow *f, unsigned site, uint32_t processor, uint32_t times);
void paper_store(paper_follow *f, unsigned site, uint32_t processor, uint32_t times);
void paper_one_whole(paper_follow *f, unsigned site, pattern_op op, uint32_t processor, uint32_t times);
void paper_one_member(paper_follow *f, unsigned site, pattern_op op, uint32_t processor, uint32_t times);

/** Lanes access `count` cells that lie `stride` bytes apart, from byte `at` on. */
void paper_run(paper_follow *f, unsigned site, pattern_op op, unsigned bytes, uint32_t processor, uint64_t at,
               uint64_t stride, uint32_t count);

/** Lanes access neighbouring records of cells, each member by itself; whole; their indices alone; their x, if there is one. */
void paper_members(paper_follow *f, unsigned site, pattern_op op, uint32_t processor, uint64_t cell,
                   uint32_t count);
void paper_whole(paper_follow *f, unsigned site, pattern_op op, uint32_t processor, uint64_t cell,
                 uint32_t count);
void paper_indices(paper_follow *f, unsigned site, uint32_t processor, uint64_t cell, uint32_t count);

/** Part `part` of so many of 0 .. length - 1 begins there. */
static inline uint32_t paper_part(uint64_t length, uint32_t parts, uint32_t part) {
    return (uint32_t)(length * part / parts);
}

/** A processor accesses cells of shared memory without a conflict. */
void paper_shared(paper_follow *f, unsigned site, pattern_op op, unsigned bytes, uint32_t processor);

/** The pair of a problem's points, or l and r. */
paper_way paper_way_of(const paper_problem *own, const paper_record *cells, uint32_t chance);

/** True if c is to be taken rather than the highest so far. */
bool paper_is_higher(const paper_way *way, const paper_record *best, const paper_record *c);

/** The highest of records begin .. end - 1 and `best`. */
paper_record paper_highest(const paper_way *way, paper_record best, const paper_record *cells, uint32_t begin,
                           uint32_t end);

enum { PAPER_LEFT, PAPER_RIGHT, PAPER_DISCARD };

/** The subproblem of a point beyond l r. */
unsigned paper_classify(const paper_record *l, const paper_record *m, const paper_record *r,
                        const paper_record *own);

/** Bits of the lanes among `votes` that their pair covers. */
uint32_t paper_pruned(const paper_record *l, const paper_record *r, const paper_record *lanes, uint32_t votes);

/** Steps up to the bins; one iteration of the splitting stage; the independent stage; finalization. */
riffle_status paper_initialize(paper_follow *f);
riffle_status paper_split(paper_follow *f);
riffle_status paper_solve_alone(paper_follow *f);
riffle_status paper_finish(paper_follow *f);

#endif
