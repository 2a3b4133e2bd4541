/* SPDX-License-Identifier: Apache-2.0
 *
 * A decision of the planner: an algorithm, the shape in which it sees the array, and what that should cost.
 */
#ifndef RIFFLE_PLAN_CHOICE_H
#define RIFFLE_PLAN_CHOICE_H

#include "base/processor/vectors.h"
#include "papers/schedules/scheduled.h"
#include "plan/affine/policy.h"
#include "plan/bucket/bucket.h"
#include "plan/bucket/tile.h"
#include "plan/request/request.h"

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
    double copies;          /**< expected time over a copy's, beyond the caches; 0: not known */
    double kept;            /**< bytes that the plan keeps for each element */
    size_t workspace_bytes; /**< expected of the buffers between passes */
    unsigned threads;       /**< threads of the host, for one array ... */
    unsigned batch_threads; /**< ... or for all of a batch, an array each; one of the two is 1 */
} plan_choice;

/** Threads of the host that an execution takes. */
static inline unsigned plan_threads(const plan_choice *choice) {
    return choice->threads > choice->batch_threads ? choice->threads : choice->batch_threads;
}

#endif
