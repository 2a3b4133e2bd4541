/* SPDX-License-Identifier: Apache-2.0
 *
 * Predictions of launches of groups (device/predict/predict.h): the patterns of their kernels, which follow where entries go. Keys that are
 * drawn make all expected.
 */
#ifndef RIFFLE_GROUP_PREDICT_PATTERNS_H
#define RIFFLE_GROUP_PREDICT_PATTERNS_H

#include "device/predict/predict.h"
#include "group/predict/known.h"

/** The patterns of all kernels. The subject is a group_subject. */
extern const kernel_pattern group_patterns[];

/* Launches, a function for each kernel. */
void pattern_of_group_count(const launch *work, const void *subject, pattern *out);
void pattern_of_group_count_wide(const launch *work, const void *subject, pattern *out);
void pattern_of_group_scan(const launch *work, const void *subject, pattern *out);
void pattern_of_group_offsets(const launch *work, const void *subject, pattern *out);
void pattern_of_group_one(const launch *work, const void *subject, pattern *out);
void pattern_of_group_places(const launch *work, const void *subject, pattern *out);
void pattern_of_group_move(const launch *work, const void *subject, pattern *out);
void pattern_of_group_low(const launch *work, const void *subject, pattern *out);
void pattern_of_group_begin(const launch *work, const void *subject, pattern *out);
void pattern_of_group_tell(const launch *work, const void *subject, pattern *out);
void pattern_of_group_rows(const launch *work, const void *subject, pattern *out);
void pattern_of_group_pad(const launch *work, const void *subject, pattern *out);
void pattern_of_group_check_places(const launch *work, const void *subject, pattern *out);
void pattern_of_group_check_offsets(const launch *work, const void *subject, pattern *out);
void pattern_of_group_written(const launch *work, const void *subject, pattern *out);

#endif
