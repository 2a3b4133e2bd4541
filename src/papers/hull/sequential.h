/* SPDX-License-Identifier: Apache-2.0
 *
 * The dissertation's sequential hull (Jurkiewicz 2013, section 3.1), Algorithms 1 to 3: marriage before conquest on one array.
 *
 *     array    | l |      points above lr       | r |
 *     pivot    | l | above lm | m | -- | above mr | r |      m: the highest in the direction normal to a random pair; --: placeholders
 *
 * Points are discarded in pairs where one lies within the other, l, m and r. The lower boundary is found likewise, from r to l.
 */
#ifndef RIFFLE_PAPERS_HULL_SEQUENTIAL_H
#define RIFFLE_PAPERS_HULL_SEQUENTIAL_H

#include "hull/points.h"

/** The steps of it. */
typedef struct hull_sequential_counts {
    uint64_t pivots;    /**< calls of Algorithm 2 */
    uint64_t visits;    /**< points that these looked at, of all problems: Theorem 3.1 is of them */
    uint64_t discarded; /**< by Algorithm 3 */
} hull_sequential_counts;

/** The corners of points first to end - 1, all finite, as hull_definition has them: *length indices to `hull`, which has room for a point
 *  each. The first of equal points is a corner. `counts` may be NULL. */
riffle_status hull_sequential(const hull_points *points, uint64_t first, uint64_t end, uint32_t *hull,
                              uint64_t *length, hull_sequential_counts *counts);

#endif
