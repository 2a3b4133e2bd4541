/* SPDX-License-Identifier: Apache-2.0
 *
 * Predictions of launches of histograms (device/predict/predict.h).
 */
#ifndef RIFFLE_HISTOGRAM_PREDICT_H
#define RIFFLE_HISTOGRAM_PREDICT_H

#include "device/predict/predict.h"
#include "histogram/histogram.h"

/** Their patterns. The subject is a histogram whose keys are the host's. */
extern const kernel_pattern histogram_patterns[];

#endif
