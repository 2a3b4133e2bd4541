/* SPDX-License-Identifier: Apache-2.0
 *
 * Transposes in place (plan/matrix/in_place.h) as the way of an algorithm in place.
 */
#ifndef RIFFLE_PLAN_ALGORITHMS_TRANSPOSE_IN_PLACE_H
#define RIFFLE_PLAN_ALGORITHMS_TRANSPOSE_IN_PLACE_H

#include "plan/plan.h"

/** plan_algorithm.in_place and .build of transposes in place. */
const char *transpose_in_place(const plan_request *request, plan_choice *choice);
riffle_status transpose_build_in_place(riffle_plan *plan);

#endif
