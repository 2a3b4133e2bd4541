/* SPDX-License-Identifier: Apache-2.0
 *
 * Predicts a memory machine's counts for a request, before it runs: riffle_explain prints them, riffle_simulate puts them
 * beside what it has counted.
 */
#ifndef RIFFLE_PLAN_EXPLAIN_PREDICT_H
#define RIFFLE_PLAN_EXPLAIN_PREDICT_H

#include "plan/choice.h"
#include "plan/prediction.h"

/** Not known where the algorithm has no closed form, its kernel moves elements in parts, several DMMs work at a
 *  time, or the arrays of a batch begin within address groups. */
riffle_status plan_predict(const plan_request *request, const plan_choice *choice, const plan_model *model,
                           plan_prediction *out);

#endif
