/* SPDX-License-Identifier: Apache-2.0
 *
 * The needs of a plan for a device table, known before the table is looked at.
 */
#ifndef RIFFLE_MOVE_CUDA_PLAN_NEEDS_H
#define RIFFLE_MOVE_CUDA_PLAN_NEEDS_H

#include "plan/plan.h"
#include "riffle/cuda.h"

/** True for algorithms whose maps and schedules the GPU makes from the table; others get the table on the
 *  host. */
static inline bool cuda_plans_algorithm(riffle_algorithm algorithm) {
    return algorithm == RIFFLE_ALGORITHM_SCATTER || algorithm == RIFFLE_ALGORITHM_GATHER ||
           algorithm == RIFFLE_ALGORITHM_BUCKET || algorithm == RIFFLE_ALGORITHM_ONCE;
}

/** Checks the arguments, as far as one can without the table. */
riffle_status cuda_plan_check(uint64_t n, size_t elem_bytes, const plan_target *target,
                              const riffle_plan_options *options);

/** All that a plan by `algorithm` needs, for one that the GPU plans; of AUTO whatever it may choose. */
riffle_status cuda_plan_needs(uint64_t n, size_t elem_bytes, const plan_target *target,
                              const riffle_plan_options *options, riffle_cuda_needs *out);

/** Bytes that must be free for planning: all, but for a workspace that the caller brings. */
static inline size_t cuda_needs_sum(const riffle_cuda_needs *needs, const riffle_plan_options *options) {
    return needs->plan_bytes + needs->planning_bytes +
           (options->callers_workspace ? 0 : needs->workspace_bytes);
}

#endif
