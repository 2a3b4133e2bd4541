/* SPDX-License-Identifier: Apache-2.0
 *
 * Predictions of launches of arrays of bits (device/predict/predict.h).
 */
#ifndef RIFFLE_BITS_GPU_PREDICT_H
#define RIFFLE_BITS_GPU_PREDICT_H

#include "device/predict/predict.h"

/** Patterns of bit transpositions, which ask nothing of a subject. */
extern const kernel_pattern bits_patterns[];

/** Patterns of moves of packed elements; their subject is the address of a pointer to the plan. */
extern const kernel_pattern bits_move_patterns[];

#endif
