/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RIFFLE_PLAN_EXPLAIN_TRANSLATION_H
#define RIFFLE_PLAN_EXPLAIN_TRANSLATION_H

#include "plan/plan.h"

/** Where a CPU moves elements one by one or by buckets: the faults of address translation that either way is
 *  expected to take (models/move_cost.h). */
void explain_translation(const plan_request *request, const plan_choice *choice, FILE *stream);

#endif
