/* SPDX-License-Identifier: Apache-2.0
 *
 * Exact pivots between ranks (Jurkiewicz 2013, section 4.2.2: pivots that cut sorted parts so that each processor merges its own share).
 * All elements have one order: by their keys, equal ones by their rank, and within a rank by their place.
 *
 *     rank 0's sorted   | to 0 | to 1   | to 2 |
 *     rank 1's          | to 0    | to 1 | to 2 |        the stretches "to p" are share[p] elements together
 *
 * Each boundary has a window in each rank's array that it must be in. A round takes the windows' weighted median for a pivot: at least a
 * quarter of what is left is known to be ahead of the boundary or behind it then, so rounds are some log2 of all elements.
 */
#ifndef RIFFLE_MPI_SPLITS_H
#define RIFFLE_MPI_SPLITS_H

#include "communicator.h"

typedef struct splits {
    const communicator *all;
    size_t elem_bytes;
    const riffle_sort_plan *order; /**< what sorted the array */
    const riffle_sort_plan *pivot; /**< splits_plan's */
    const void *sorted;
    uint64_t n;
    const uint64_t *share; /**< elements for each rank, of all ranks' together */
} splits;

/** Plans the choice of pivots. */
riffle_status splits_plan(const riffle_sort_key *key, int ranks, riffle_sort_plan **out);

/** Finds how many of this rank's elements go to each rank, and in how many rounds. On all ranks. */
riffle_status splits_find(const splits *of, uint64_t *counts, unsigned *rounds);

#endif
