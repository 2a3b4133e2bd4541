/* SPDX-License-Identifier: Apache-2.0
 *
 * Which algorithm for which request, and what it is expected to cost.
 */
#ifndef RIFFLE_PLAN_CHOOSE_CHOOSE_H
#define RIFFLE_PLAN_CHOOSE_CHOOSE_H

#include "base/processor/vectors.h"
#include "papers/hmm/scheduled.h"
#include "plan/affine/policy.h"
#include "plan/bucket/bucket.h"
#include "plan/bucket/tile.h"
#include "plan/request.h"

typedef struct plan_algorithm plan_algorithm;

typedef struct plan_choice {
    const plan_algorithm *algorithm;
    const char *reason; /**< a sentence for explain; static storage */
    vector_loops loops; /**< the loops that its passes run on a CPU */
    unsigned passes;
    bucket_shape shape;           /**< shape of the bucket algorithm on the CPU ... */
    bucket_tile_shape tile_shape; /**< ... and on devices */
    matrix_shape matrix;    /**< shape for transpose, row-wise, column-wise, scheduled and conflict-free */
    affine_arrays arrays;   /**< arrays of the affine one on devices */
    double traffic;         /**< bytes to and from memory for each element, beyond the caches */
    double copies;          /**< expected time over a copy's, beyond the caches */
    double kept;            /**< bytes that the plan keeps for each element */
    size_t workspace_bytes; /**< expected of the buffers between passes */
    unsigned threads;       /**< threads of the host, for one array ... */
    unsigned batch_threads; /**< ... or for all of a batch, an array each; one of the two is 1 */
} plan_choice;

/** Threads of the host that an execution takes. */
static inline unsigned plan_threads(const plan_choice *choice) {
    return choice->threads > choice->batch_threads ? choice->threads : choice->batch_threads;
}

/** Chooses. An algorithm that the request names is taken if it can do the permutation, else
 *  RIFFLE_ERROR_UNSUPPORTED says why not. (That row-wise and column-wise moves stay in their rows and columns
 *  shows only when the plan is built.) Fails where the request's reader does. */
riffle_status plan_choose(const plan_request *request, plan_choice *out);

/** Fills what a choice whose algorithm, passes and shape are there is expected to cost. */
void plan_expect(const plan_request *request, plan_choice *choice);

/** Fills what a choice is expected to cost that moves so many bytes an element. */
void plan_expect_traffic(const plan_request *request, double traffic, plan_choice *choice);

/** True if an array of so many bytes stays in the second-level cache, where no traffic is to be expected. */
bool plan_is_cached(size_t array_bytes);

/** True if a map is written out as a table: for kernels always, else where it is costly to evaluate and often
 *  used. */
bool plan_writes_out(const riffle_perm *map, const plan_request *request);

#endif
