/* SPDX-License-Identifier: Apache-2.0
 *
 * The counts of a plan's launches on a memory machine, as their patterns have them (device/pattern.h).
 */
#ifndef RIFFLE_PLAN_PREDICTION_H
#define RIFFLE_PLAN_PREDICTION_H

#include "device/pattern.h"

typedef struct plan_model {
    riffle_machine_options machine; /**< without zeros */
    uint64_t most_elements;         /**< elements of a launch that are looked at where no formula counts them */
} plan_model;

typedef struct launch_prediction {
    const char *kernel;
    pattern_counts counts;
} launch_prediction;

typedef struct plan_prediction {
    bool is_known; /**< else nothing is said: a kernel among the launches has no pattern */
    bool is_exact; /**< else some blocks stand for others, or rounds and time are near only (docs/machine.md) */
    pattern_counts counts;
    size_t launches, capacity;
    launch_prediction *launch; /**< each launch, in order */
} plan_prediction;

void plan_prediction_free(plan_prediction *prediction);

#endif
