/* SPDX-License-Identifier: Apache-2.0
 *
 * Predictions of lists of launches: what a memory machine will count of each, as its kernel's pattern says (device/predict/pattern.h).
 * explain and simulate have their predictions from here, of every feature alike.
 *
 *     list of launches --pattern of each kernel--> rounds --> counts of each launch, and their sum
 *
 * A feature has a table of its kernels' patterns. Copies and fills of bytes are the host's, and a memory machine counts none.
 */
#ifndef RIFFLE_DEVICE_PREDICT_H
#define RIFFLE_DEVICE_PREDICT_H

#include "device/launch.h"
#include "device/predict/pattern.h"

typedef struct prediction_model {
    riffle_machine_options machine; /**< without zeros */
    uint64_t most_elements;         /**< elements of a launch that are looked at where no formula counts them */
} prediction_model;

typedef struct launch_prediction {
    const char *kernel;
    pattern_counts counts;
} launch_prediction;

typedef struct prediction {
    bool is_known;           /**< else nothing is said: a kernel among the launches has no pattern */
    pattern_meaning meaning; /**< the worst of all launches' */
    pattern_counts counts;
    size_t launches, capacity;
    launch_prediction *launch; /**< each launch, in order */
} prediction;

/** Describes a launch of a feature's subject: its pass, its plan, or what is known of its data. */
typedef void (*launch_pattern)(const launch *work, const void *subject, pattern *out);

/** A kernel, and its pattern; a table of them ends with a kernel of NULL. */
typedef struct kernel_pattern {
    const kernel_record *kernel;
    launch_pattern pattern;
} kernel_pattern;

/** A prediction of no launches, to which they are added. It is to be freed. */
static inline prediction prediction_of_nothing(void) { return (prediction){.is_known = true}; }

void prediction_free(prediction *p);

/** Adds a launch of a kernel, of `grid` blocks, which may be more than a launch can have. Where it has no pattern, or one
 *  that tells nothing, *out is not known from then on. */
riffle_status predict_launch(const launch *work, uint64_t grid, const kernel_pattern *patterns,
                             const void *subject, const prediction_model *model, prediction *out);

/** Adds all launches of a list. */
riffle_status predict_list(const launch_list *list, const kernel_pattern *patterns, const void *subject,
                           const prediction_model *model, prediction *out);

#endif
