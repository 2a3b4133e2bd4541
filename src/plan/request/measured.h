/* SPDX-License-Identifier: Apache-2.0
 *
 * Trials of measuring: those of a plan, and the one that was best before for a request like it.
 */
#ifndef RIFFLE_PLAN_REQUEST_MEASURED_H
#define RIFFLE_PLAN_REQUEST_MEASURED_H

#include <stdio.h>

#include "plan/request/request.h"

/** The reason of a choice that was measured. */
#define MEASURED_REASON "the fastest of those that were tried"

enum { TRIALS_MOST = 16 };

/** One candidate. */
typedef struct plan_trial {
    riffle_algorithm algorithm;
    unsigned threads;
    bool streams;   /**< stores went past the caches */
    double seconds; /**< the shortest execution's */
} plan_trial;

typedef struct plan_trials {
    bool was_known; /**< the only one here was measured before */
    unsigned count; /**< at least 1 */
    unsigned best;  /**< the one that the plan is */
    plan_trial trial[TRIALS_MOST];
} plan_trials;

/** The request's key: equal for equal moves on equal processors, and different else for all that one meets. It looks at the permutation
 *  in some places only: tables that agree there are moved alike. */
uint64_t measured_key(const plan_request *request);

/** If something like the request was measured, narrows it to what won and fills *out. */
bool measured_recall(plan_request *request, plan_trials *out);

/** Prints the trials as a part of an explanation. */
void measured_print(const plan_trials *trials, FILE *stream);

#endif
