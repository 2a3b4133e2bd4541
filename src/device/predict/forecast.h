/* SPDX-License-Identifier: Apache-2.0
 *
 * A forecast: who is told of each list before a device queues it, and predicts its launches. simulate sets one on the memory
 * machine; explain runs a plan on a device that does nothing else, so that both predict the very lists that run.
 */
#ifndef RIFFLE_DEVICE_FORECAST_H
#define RIFFLE_DEVICE_FORECAST_H

#include "device/device.h"
#include "device/predict/predict.h"

typedef struct forecast {
    prediction_model model;
    const kernel_pattern *patterns;
    const void *subject; /**< given to each pattern */
    prediction told;     /**< to be freed */
    uintptr_t next;      /**< the forecast's device: where its next memory begins */
} forecast;

/** The papers' machine with what `how` asks for instead, which may be NULL, and with the limits of its GPU, where that has numbers, else an H200's; it looks at so
 *  many elements of a launch. RIFFLE_ERROR_UNSUPPORTED for a width that is no warp's, which `kernels` have: "sorts". */
riffle_status forecast_model_of(const riffle_explanation *how, const char *kernels, uint64_t most_elements,
                                prediction_model *out);

/** Multiprocessors of the GPU that `how` names, or of an H200. */
unsigned forecast_multiprocessors(const riffle_explanation *how);

forecast forecast_begin(const prediction_model *model, const kernel_pattern *patterns, const void *subject);

/** Adds a list's launches. */
riffle_status forecast_list(forecast *f, const launch_list *list);

/** A device's listener that does so. */
device_listener forecast_listener(forecast *f);

/** A device that only foretells, with limits like a memory machine's of that model. Nothing is at its addresses, which begin on an
 *  address group of any machine: what comes in is dropped, and zeros come out. Both structures are to outlive it. */
device device_of_forecast(forecast *f, unsigned multiprocessors);

#endif
