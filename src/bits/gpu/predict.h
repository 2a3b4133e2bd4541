/* SPDX-License-Identifier: Apache-2.0
 *
 * Predictions of launches of bit transpositions (device/predict/predict.h).
 */
#ifndef RIFFLE_BITS_GPU_PREDICT_H
#define RIFFLE_BITS_GPU_PREDICT_H

#include "device/predict/predict.h"

/** Their patterns, which ask nothing of a subject. */
extern const kernel_pattern bits_patterns[];

#endif
