/* SPDX-License-Identifier: Apache-2.0
 *
 * The patterns of the kernels of moves (device/predict/pattern.h), one function for each family of them: it reads a launch's
 * arguments and says what its warps access. A pass is predicted by the launches that carry it out.
 *
 *     pass --launch_pass--> launches --pattern of each kernel--> rounds --> counts
 */
#ifndef RIFFLE_MOVE_PREDICT_PREDICT_H
#define RIFFLE_MOVE_PREDICT_PREDICT_H

#include "device/predict/predict.h"
#include "move/gpu/launch.h"

/** The patterns of all kernels. The subject is the launch's pass, which has its tables, on the host. */
extern const kernel_pattern move_patterns[];

void pattern_of_copy(const launch *work, const void *subject, pattern *out);
void pattern_of_reverse_ends(const launch *work, const void *subject, pattern *out);
void pattern_of_scatter(const launch *work, const void *subject, pattern *out);
void pattern_of_gather(const launch *work, const void *subject, pattern *out);
void pattern_of_rows(const launch *work, const void *subject, pattern *out);
void pattern_of_row_words(const launch *work, const void *subject, pattern *out);
void pattern_of_transpose(const launch *work, const void *subject, pattern *out);
void pattern_of_row_wise(const launch *work, const void *subject, pattern *out);
void pattern_of_in_rows(const launch *work, const void *subject, pattern *out);
void pattern_of_in_columns(const launch *work, const void *subject, pattern *out);
void pattern_of_affine_tile(const launch *work, const void *subject, pattern *out);
void pattern_of_exchange(const launch *work, const void *subject, pattern *out);
void pattern_of_bucket(const launch *work, const void *subject, pattern *out);
void pattern_of_once_values(const launch *work, const void *subject, pattern *out);
void pattern_of_once_run_lists(const launch *work, const void *subject, pattern *out);
void pattern_of_once_place(const launch *work, const void *subject, pattern *out);
void pattern_of_bmmc(const launch *work, const void *subject, pattern *out);

#endif
