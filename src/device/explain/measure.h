/* SPDX-License-Identifier: Apache-2.0
 *
 * Measurements for explanations and trials: arrays of their own, and the time of an execution beside that of a copy of as many bytes.
 * Both are done in turn, so that both meet the machine in the same state.
 */
#ifndef RIFFLE_DEVICE_EXPLAIN_MEASURE_H
#define RIFFLE_DEVICE_EXPLAIN_MEASURE_H

#include <stdio.h>

#include "device/device.h"

/** An array to measure with, where plans run: of ones on the host, which `on` without operations is, of anything on a GPU. */
riffle_status measure_array(const device *on, size_t bytes, void **out);
void measure_array_free(const device *on, void *array, size_t bytes);

/** An execution, and the copy beside it. */
typedef struct measured_work {
    const device *on;                                      /**< whose operations are NULL: the host */
    void *to;                                              /**< where the copy writes */
    const void *from;                                      /**< where it reads */
    size_t bytes;                                          /**< that are copied */
    riffle_status (*execute)(const void *context);         /**< on the host */
    void (*append)(const void *context, launch_list *out); /**< on a GPU */
    const void *context;                                   /**< given to them */
} measured_work;

/** The medians of several executions and of as many copies. */
typedef struct measured_times {
    double seconds;      /**< an execution's; 0: nothing was measured */
    double copy_seconds; /**< a copy's */
    unsigned runs;       /**< how many of each */
} measured_times;

/** Executes and copies for about a second, on a GPU by its clock. */
riffle_status measure_times(const measured_work *work, measured_times *out);

/** A time that no execution is below, or that its traffic takes, as so many copies. */
typedef struct measured_bound {
    const char *name;    /**< in the table */
    const char *member;  /**< in a document, with `_seconds` behind it */
    const char *meaning; /**< in a few words */
    double copies;       /**< 0: there is none */
} measured_bound;

/** Prints the times beside the bounds, the copy's first; nothing where nothing was measured. */
void measured_times_print(const measured_times *t, const measured_bound *bounds, unsigned count, FILE *stream);

/** The same as the member "measured" of a JSON object, with a comma before it. */
void measured_times_print_json(const measured_times *t, const measured_bound *bounds, unsigned count,
                               FILE *stream);

#endif
