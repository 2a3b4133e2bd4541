/* SPDX-License-Identifier: Apache-2.0
 *
 * Decides whether a permutation can be moved within one array, and in how many passes.
 */
#ifndef RIFFLE_PLAN_CHOOSE_IN_PLACE_H
#define RIFFLE_PLAN_CHOOSE_IN_PLACE_H

#include "plan/choose/choose.h"

/** plan_choose for plans in place: all but what it costs. The identity takes no pass, others the algorithm
 *  that is expected to be the fastest of those that can (plan_algorithm.in_place); where none can, RIFFLE_ERROR_UNSUPPORTED says what stands in
 *  the way of each. */
riffle_status in_place_choose(const plan_request *request, plan_choice *out);

#endif
