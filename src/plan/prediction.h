/* SPDX-License-Identifier: Apache-2.0
 *
 * The count of a plan's accesses on a memory machine, as a closed form has it.
 */
#ifndef RIFFLE_PLAN_PREDICTION_H
#define RIFFLE_PLAN_PREDICTION_H

#include "models/hmm.h"

typedef struct plan_model {
    hmm_machine machine;
    unsigned dmms;
    uint64_t samples; /**< warps that are looked at for a distribution that has no closed form */
} plan_model;

typedef struct plan_prediction {
    bool is_known; /**< else nothing is said */
    bool is_exact; /**< else a distribution is estimated */
    hmm_count count;
} plan_prediction;

#endif
