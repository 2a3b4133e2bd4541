/* SPDX-License-Identifier: Apache-2.0
 *
 * Predictions of launches that bring rows back (device/predict/predict.h).
 */
#ifndef RIFFLE_GROUP_PREDICT_UNGROUP_H
#define RIFFLE_GROUP_PREDICT_UNGROUP_H

#include "device/predict/predict.h"
#include "group/ungroup.h"

/** All that patterns are given, beside a launch. */
typedef struct ungroup_subject {
    const riffle_ungroup_task *task;
    const void *places; /**< the host's; NULL: drawn evenly, none of them nowhere, so that all is expected */
} ungroup_subject;

/** The place of an entry where places are drawn: any row, or RIFFLE_GROUP_NOWHERE where there is none. */
uint64_t ungroup_drawn_place(const riffle_ungroup_task *task, uint64_t entry);

/** The patterns of all kernels. The subject is an ungroup_subject. */
extern const kernel_pattern ungroup_patterns[];

#endif
