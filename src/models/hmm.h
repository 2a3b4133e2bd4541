/* SPDX-License-Identifier: Apache-2.0
 *
 * Closed forms of the Hierarchical Memory Machine (Kasagi, Nakano, Ito 2013): what the passes of its
 * permutation algorithms do for n elements on a machine of width w and latency L, how long that takes, and what
 * no algorithm can beat. They are what the memory machine counts, to the last unit (tests/move/test_simulate.c).
 */
#ifndef RIFFLE_MODELS_HMM_H
#define RIFFLE_MODELS_HMM_H

#include "perm/perm.h"

enum { HMM_MAX_WIDTH = 32 };

typedef struct hmm_machine {
    unsigned width;          /**< w >= 1 */
    unsigned latency;        /**< L >= 1, of global memory ... */
    unsigned shared_latency; /**< ... and of shared memory, 1 in the paper */
    unsigned block_threads;  /**< most threads of a block */
} hmm_machine;

/** Counts of passes: rounds of memory access by all threads, and the pipeline stages that these take. Table I's rows are sums
 *  of the forms below, with whole matrices, and blocks that hold a row or a tile. */
typedef struct hmm_count {
    uint64_t rounds, stages;               /**< in global memory */
    uint64_t shared_rounds, shared_stages; /**< in shared memory */
} hmm_count;

void hmm_add(hmm_count *sum, hmm_count more);

/** Each round takes its stages and latency - 1 units more, one round after the other. */
uint64_t hmm_time_units(hmm_count count, hmm_machine machine);

/** A copy, also rotated or reflected: `distribution` is D_w(P). */
hmm_count hmm_copy(uint64_t n, uint64_t distribution, hmm_machine machine);

/** Element by element along a table: D_w(P) for a scatter, D_w(P^-1) for a gather. */
hmm_count hmm_indexed(uint64_t n, uint64_t distribution, hmm_machine machine);

/** The transpose of any matrix, tiles at its edges cut off. */
hmm_count hmm_transpose(uint64_t rows, uint64_t cols, hmm_machine machine);

/** A row-wise pass over rows of cols elements, a multiple of w, of which only the first `readable` are read and
 *  the first `writable` written. */
hmm_count hmm_row_wise(uint64_t rows, uint64_t cols, uint64_t readable, uint64_t writable, hmm_machine machine);

/** The distribution D_w(P) (section IV): address groups of w elements of the output that the warps of w
 *  consecutive inputs touch, summed over all warps. Between n/w and n. Exact. Affine permutations and
 *  rotations in O(m^2) or O(1); others in O(n) evaluations. A last warp or group that is not full counts as
 *  one that is. */
riffle_status hmm_distribution(const riffle_perm *perm, unsigned width, uint64_t *out);

/** The same from `samples` warps spread evenly over the input where the exact value would take more
 *  evaluations than that; *exact says which it is. */
riffle_status hmm_distribution_estimate(const riffle_perm *perm, unsigned width, uint64_t samples, double *out,
                                        bool *exact);

/** n/w + L - 1: every element must be read once, w a time unit, and the last takes L (section VII). */
uint64_t hmm_lower_bound(uint64_t n, hmm_machine machine);

#endif
