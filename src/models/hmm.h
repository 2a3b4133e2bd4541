/* SPDX-License-Identifier: Apache-2.0
 *
 * Closed forms of the Hierarchical Memory Machine (Kasagi, Nakano, Ito 2013): how long the permutation
 * algorithms take for n elements on a machine of width w and latency L, and what no algorithm can beat.
 */
#ifndef RIFFLE_MODELS_HMM_H
#define RIFFLE_MODELS_HMM_H

#include "perm/perm.h"

enum { HMM_MAX_WIDTH = 32 };

typedef struct hmm_machine {
    unsigned width;   /**< w >= 1 */
    unsigned latency; /**< L >= 1, of global memory; shared memory has latency 1 */
} hmm_machine;

/** Rounds of memory access by all threads, by kind (the columns of Table I). */
typedef struct hmm_rounds {
    unsigned casual_read, casual_write, coalesced_read, coalesced_write; /**< global */
    unsigned shared_casual_read, shared_casual_write, conflict_free_read, conflict_free_write;
} hmm_rounds;

/** Table I's row for an algorithm (COPY, SCATTER = D-designated, GATHER = S-designated, TRANSPOSE, ROW_WISE,
 *  COLUMN_WISE, SCHEDULED, CONFLICT_FREE); false for any other. */
bool hmm_rounds_of(riffle_algorithm algorithm, hmm_rounds *out);

/** The distribution D_w(P) (section IV): address groups of w elements of the output that the warps of w
 *  consecutive inputs touch, summed over all warps. Between n/w and n. Exact. Affine permutations and
 *  rotations in O(m^2) or O(1); others in O(n) evaluations. A last warp or group that is not full counts as
 *  one that is. */
riffle_status hmm_distribution(const riffle_perm *perm, unsigned width, uint64_t *out);

/** The same from `samples` warps spread evenly over the input where the exact value would take more
 *  evaluations than that; *exact says which it is. */
riffle_status hmm_distribution_estimate(const riffle_perm *perm, unsigned width, uint64_t samples, double *out,
                                        bool *exact);

/** Time units of an algorithm that moves n elements, a multiple of w: Table I's running time where row_rounds
 *  is 1. Rows of more elements than a block has threads make each round of a row-wise pass in row_rounds
 *  rounds, and pay the latency in each. `distribution` is D_w(P) for SCATTER and D_w(P^-1) for GATHER; others
 *  ignore it. */
uint64_t hmm_time_units(riffle_algorithm algorithm, uint64_t n, uint64_t row_rounds, uint64_t distribution,
                        hmm_machine machine);

/** n/w + L - 1: every element must be read once, w a time unit, and the last takes L (section VII). */
uint64_t hmm_lower_bound(uint64_t n, hmm_machine machine);

#endif
