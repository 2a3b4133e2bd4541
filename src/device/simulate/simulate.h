/* SPDX-License-Identifier: Apache-2.0
 *
 * The door to the memory machine, the same for everything that is simulated:
 *
 *     plan, arrays --list of launches--> machine --> counts
 *
 * Sorts, hulls and programs are plans of a device (their gpu/), so that the list is the one that a GPU gets.
 */
#ifndef RIFFLE_DEVICE_SIMULATE_H
#define RIFFLE_DEVICE_SIMULATE_H

#include "device/device.h"
#include "device/predict/predict.h"
#include "machine/count/report.h"

/** The multiprocessors of an H200, for which lists are made. */
enum { SIMULATED_MULTIPROCESSORS = 132 };

/** A simulation: who runs it on a machine, between arrays that it checks. */
typedef struct simulated {
    const char *kernels; /**< "sorts": their kernels have warps of 32; NULL: who runs it checks the machine */
    unsigned multiprocessors;
    riffle_status (*run)(const device *on, void *subject);
    void (*describe)(const void *subject,
                     riffle_report *report); /**< adds to the report what the machine does not know */
    const kernel_pattern
        *patterns; /**< by which the subject's launches are predicted; NULL: `describe` tells */
} simulated;

/** Makes a machine, runs the subject on it, and takes the report. */
riffle_status simulate(const simulated *how, void *subject, const riffle_machine_options *options,
                       riffle_report **out);

/** Puts a prediction into a report, nothing of one that is not known. */
void simulate_predicted(const prediction *told, riffle_report *report);

#endif
