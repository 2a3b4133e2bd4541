/* SPDX-License-Identifier: Apache-2.0
 *
 * Predicts a memory machine's counts of a plan, before it runs: riffle_explain prints them, riffle_simulate puts them
 * beside what it has counted.
 */
#ifndef RIFFLE_PLAN_EXPLAIN_PREDICT_H
#define RIFFLE_PLAN_EXPLAIN_PREDICT_H

#include "device/predict/predict.h"
#include "plan/checked.h"
#include "plan/plan.h"

/** The addresses of a plan's buffers; nothing need be there. */
typedef struct plan_buffers {
    uintptr_t start[BUFFERS];
} plan_buffers;

/** Buffers that begin on an address group of any machine, and are far from each other. */
plan_buffers plan_buffers_nowhere(const plan_request *request);

/** Predicts a plan's launches between buffers, and those of its check, if it is checked, around them. *out is to be freed, whatever is
 *  returned. */
riffle_status plan_predict_passes(const riffle_plan *plan, const plan_buffers *buffers, const plan_check *check,
                                  const prediction_model *model, prediction *out);

/** The same of a choice, for buffers nowhere: of an outline of its plan, which is quickly made. The request is one to a machine
 *  like the model's (plan_request_for). */
riffle_status plan_predict(const plan_request *request, const plan_choice *choice,
                           const prediction_model *model, prediction *out);

/** The moves alone, without the launches of a check around them; *adds_read: those read src for it. */
riffle_status plan_predict_moves(const plan_request *request, const plan_choice *choice,
                                 const prediction_model *model, prediction *out, bool *adds_read);

/** The launches of a check around moves, that which reads src and that which reads dst. */
typedef struct plan_check_prediction {
    prediction read, written;
} plan_check_prediction;

/** The launches of a request's check; none where it has no check. Both of *out are to be freed, whatever is returned. */
riffle_status plan_predict_check(const plan_request *request, const prediction_model *model,
                                 plan_check_prediction *out);

/** The address of the k-th array of a batch, in those buffers that hold all of it. */
uintptr_t plan_array_of(const riffle_plan *plan, const plan_buffers *buffers, pass_buffer which, uint64_t k);

#endif
