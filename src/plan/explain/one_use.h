/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RIFFLE_PLAN_EXPLAIN_ONE_USE_H
#define RIFFLE_PLAN_EXPLAIN_ONE_USE_H

#include "plan/plan.h"

/** Where a GPU is to move elements along a table or a shuffle once: what the call that plans nothing carries and
 *  takes (plan/once/once.h), beside the plan's move. Fails as the sample of the permutation does. */
riffle_status explain_one_use(const plan_request *request, const plan_choice *choice, FILE *stream);

#endif
