/* SPDX-License-Identifier: Apache-2.0
 *
 * Which algorithm moves a request soonest, for each kind of machine.
 */
#ifndef RIFFLE_PLAN_CHOOSE_POLICY_H
#define RIFFLE_PLAN_CHOOSE_POLICY_H

#include "plan/algorithm.h"

typedef struct policy_choice {
    const plan_algorithm *algorithm;
    const char *reason; /**< a sentence for explain; static storage */
} policy_choice;

/** The CPU policy, measured with `riffle bench --suite cpu` (docs/benchmarks.md). It fills the shape of buckets if it has to look at
 *  samples for one, so that nobody does again. */
policy_choice policy_cpu(const plan_request *request, bucket_shape *shape);

/** The policy of kernels, on a GPU or on the memory machine, measured with `riffle-bench --suite arbitrary`.
 *  Fails where the request's reader does. */
riffle_status policy_device(const plan_request *request, policy_choice *out);

#endif
