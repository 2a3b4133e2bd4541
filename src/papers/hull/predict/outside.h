/* SPDX-License-Identifier: Apache-2.0
 *
 * Points uniform in a square, as the dissertation's hull needs them: its four corners, and the points beyond the quadrangle of these, of which there
 * are about the root of all. They are drawn by themselves, so that sets of any length take as long. Coordinates of a byte make few places, each of which many points
 * may share: there the number of points of a place is drawn.
 *
 *     +---------+
 *     | A . . B |     a corner is the point farthest along a diagonal: none is in the triangle that it cuts off
 *     |.       .|     points beyond A B, B C, C D and D A are drawn in the strips that have them
 *     | D . . C |
 *     +---------+
 */
#ifndef RIFFLE_PAPERS_HULL_PREDICT_OUTSIDE_H
#define RIFFLE_PAPERS_HULL_PREDICT_OUTSIDE_H

#include "hull/predict/draw.h"
#include "papers/hull/kernels/paper.h"

typedef struct paper_record {
    hull_f64 at;
    uint32_t index; /**< HULL_PAPER_NONE: an empty cell */
} paper_record;

typedef struct paper_point {
    paper_record is;
    uint32_t edge; /**< that it is beyond */
} paper_point;

typedef struct paper_outside {
    paper_record corner[HULL_PAPER_EDGES];
    paper_point *point; /**< by index */
    uint32_t points;
} paper_outside;

/** True if b is to be taken rather than a, in the direction that corner `edge` is farthest in. */
bool paper_is_farther(unsigned edge, const paper_record *a, const paper_record *b);

/** The edge that a point is beyond, or HULL_PAPER_EDGES. */
unsigned paper_edge_of(const paper_record corner[HULL_PAPER_EDGES], const paper_record *own);

/** Finds them among n points of a draw. RIFFLE_ERROR_OUT_OF_MEMORY; to be freed by paper_outside_free. */
riffle_status paper_outside_draw(const hull_draw *draw, uint64_t n, paper_outside *out);
void paper_outside_free(paper_outside *of);

/** Lexicographic, of equal places the least index first. */
static inline bool paper_before(const paper_record *a, const paper_record *b) {
    const bool is_same = a->at.x == b->at.x && a->at.y == b->at.y;
    return is_same ? a->index < b->index : hull_before_f64(a->at, b->at);
}

/** 1 if c is to the left of the line from a to b. */
static inline int paper_side(const paper_record *a, const paper_record *b, const paper_record *c) {
    return hull_cross_f64(a->at, b->at, a->at, c->at);
}

#endif
