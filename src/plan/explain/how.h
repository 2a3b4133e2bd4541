/* SPDX-License-Identifier: Apache-2.0
 *
 * How a plan is explained: as a table or a document, beside which machine, with which bandwidth.
 */
#ifndef RIFFLE_PLAN_EXPLAIN_HOW_H
#define RIFFLE_PLAN_EXPLAIN_HOW_H

#include "device/explain/measure.h"
#include "riffle/machine.h"

/** The papers' machine, with the limits of an H200. */
#define EXPLAIN_MACHINE                                                                                        \
    {                                                                                                          \
        .width = 32, .latency = 400, .shared_latency = 1, .dmms = 1, .block_threads = 1024,                    \
        .shared_bytes = 227 << 10                                                                              \
    }

typedef struct explain_how {
    riffle_machine_options model; /**< without zeros */
    double bytes_per_second;      /**< that memory carries at best; 0: not known */
    const char *gpu;              /**< the name of the one that was given, or NULL */
    bool json;
    measured_times times;
} explain_how;

/** The machine that is asked for, NULL for the defaults, with EXPLAIN_MACHINE's numbers for zeros. RIFFLE_ERROR_UNSUPPORTED where
 *  permutations have no kernels for it. */
riffle_status explain_take_machine(const riffle_machine_options *asked, riffle_machine_options *out);

#endif
