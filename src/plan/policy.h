/* SPDX-License-Identifier: Apache-2.0
 *
 * Which algorithm moves a recognized permutation soonest, for each kind of machine.
 */
#ifndef RIFFLE_PLAN_POLICY_H
#define RIFFLE_PLAN_POLICY_H

#include "perm/perm.h"
#include "plan/target.h"

typedef struct policy_choice {
    riffle_algorithm algorithm;
    const char *reason; /**< a sentence for explain; static storage */
} policy_choice;

/** The CPU policy, measured with `riffle bench --suite cpu` (docs/benchmarks.md). */
policy_choice policy_cpu(const riffle_perm *perm, size_t elem_bytes, const riffle_plan_options *options);

/** The policy of kernels, on a GPU or on the memory machine, measured with `riffle bench --suite arbitrary`;
 *  `groups` as plan_choose has it. */
policy_choice policy_device(const riffle_perm *perm, double groups, size_t elem_bytes,
                            const plan_target *target, const riffle_plan_options *options);

#endif
