/* SPDX-License-Identifier: Apache-2.0
 *
 * Patterns of the kernels that need no plan to be foretold: shifts, and exchanges of elements in rows.
 */
#ifndef RIFFLE_BITS_GPU_PREDICT_SHIFT_H
#define RIFFLE_BITS_GPU_PREDICT_SHIFT_H

#include "device/predict/predict.h"

void pattern_of_shift(const launch *work, const void *subject, pattern *out);
void pattern_of_exchange_of_bits(const launch *work, const void *subject, pattern *out);

#endif
