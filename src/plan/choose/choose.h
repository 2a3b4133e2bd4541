/* SPDX-License-Identifier: Apache-2.0
 *
 * Which algorithm for which request, and what it is expected to cost.
 */
#ifndef RIFFLE_PLAN_CHOOSE_CHOOSE_H
#define RIFFLE_PLAN_CHOOSE_CHOOSE_H

#include "plan/plan.h"

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

/** True if elements are so few that a plan for many executions keeps where each goes, in 8 KiB at most. */
bool plan_is_short(const plan_request *request);

/** The shape of the bucket algorithm on a CPU: one pass where the permutation has streams, unless passes are to be checked. */
bucket_shape bucket_shape_of(const plan_request *request);

/** True if a map is written out as a table: for kernels always, else where it is often used, and costly to evaluate or short. */
bool plan_writes_out(const riffle_perm *map, const plan_request *request);

/** Chooses, and builds the plan (plan_build_chosen). */
riffle_status plan_build(const plan_request *request, riffle_plan **out);

#endif
