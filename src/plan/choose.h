/* SPDX-License-Identifier: Apache-2.0
 *
 * Which algorithm for which permutation, and what it is expected to cost.
 */
#ifndef RIFFLE_PLAN_CHOOSE_H
#define RIFFLE_PLAN_CHOOSE_H

#include "plan/affine_policy.h"
#include "plan/bucket.h"
#include "plan/bucket_tile.h"
#include "plan/scheduled.h"
#include "plan/target.h"

typedef struct plan_choice {
    riffle_algorithm algorithm; /**< never AUTO */
    const char *reason;         /**< a sentence for explain; static storage */
    unsigned passes;
    bucket_shape shape;           /**< of the bucket algorithm on the CPU ... */
    bucket_tile_shape tile_shape; /**< ... and on devices */
    matrix_shape matrix;  /**< of the transpose, row-wise, column-wise, scheduled and conflict-free ones */
    affine_arrays arrays; /**< of the affine one on devices */
    double traffic;       /**< bytes to and from memory for each element, beyond the caches */
    double copies;        /**< expected time over a copy's, beyond the caches */
    double kept;          /**< bytes that the plan keeps for each element */
} plan_choice;

/** How far apart neighbours go is not known yet. */
#define PLAN_GROUPS_UNKNOWN (-1.0)

/** Chooses for `perm`, which has been through riffle_perm_recognize; batch and stride in the options are not 0.
 *  An algorithm other than AUTO in the options is taken if it can do the permutation, else
 *  RIFFLE_ERROR_UNSUPPORTED says why not. (That row-wise and column-wise moves stay in their rows and columns
 *  shows only when the plan is built.) `groups` is how many groups of target->width places a window of elements
 *  goes to, for each element (models/window.h), or PLAN_GROUPS_UNKNOWN where perm itself can tell. */
riffle_status plan_choose(const riffle_perm *perm, double groups, size_t elem_bytes, const plan_target *target,
                          const riffle_plan_options *options, plan_choice *out);

/** True if the affine algorithm moves `perm` on the target: affine, elements a power of two of bytes, on the
 *  CPU at least one cache line. */
bool plan_can_affine(const riffle_perm *perm, size_t elem_bytes, const plan_target *target,
                     const riffle_plan_options *options);

/** Why the bucket algorithm cannot move such elements on the target, or NULL. */
const char *plan_bucket_obstacle(const riffle_perm *perm, size_t elem_bytes, const plan_target *target,
                                 const riffle_plan_options *options);

/** True if an array of so many bytes stays in the second-level cache, where no traffic is to be expected. */
bool plan_is_cached(size_t array_bytes);

/** True if a map is written out as a table: for kernels always, else where it is costly to evaluate and often
 *  used. */
bool plan_writes_out(const riffle_perm *perm, const plan_target *target, unsigned executions);

#endif
