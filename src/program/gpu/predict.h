/* SPDX-License-Identifier: Apache-2.0
 *
 * Predictions of launches of programs (device/predict/predict.h).
 */
#ifndef RIFFLE_PROGRAM_GPU_PREDICT_H
#define RIFFLE_PROGRAM_GPU_PREDICT_H

#include "device/predict/predict.h"

/** The patterns of the fused kernels, which ask nothing of a subject. Users' operations are taken to compute in registers alone. */
extern const kernel_pattern program_patterns[];

#endif
