/* SPDX-License-Identifier: Apache-2.0
 *
 * Accesses that are expected of launches of hulls: a function for each kernel, which explain and simulate ask by one table. Where they depend on
 * points they are means over draws of points uniform in a square (draw.h), and the subject has what one launch leaves to the next.
 */
#ifndef RIFFLE_HULL_PREDICT_PATTERNS_H
#define RIFFLE_HULL_PREDICT_PATTERNS_H

#include "device/predict/expect.h"
#include "device/predict/predict.h"
#include "hull/kernels/kernel.h"
#include "hull/predict/trial.h"

enum { HULL_TRIALS = 3 };

/** All that patterns are given of a hull, beside a launch. */
typedef struct hull_subject {
    riffle_type type;
    hull_trial **
        trials; /**< HULL_TRIALS of one large set, NULL until a launch makes them; to be freed by hull_trials_free */
} hull_subject;

void hull_trials_free(hull_trial *trials[HULL_TRIALS]);

/** A launch on one of the sets that are drawn: describes it, and leaves in `trial` what it finds. */
typedef riffle_status (*hull_launch_on)(const launch *work, hull_trial *trial, pattern *out);

/** Makes those that no launch has made. RIFFLE_ERROR_OUT_OF_MEMORY. */
riffle_status hull_find_trials(const hull_subject *subject);

/** The mean over all trials. */
void hull_mean(const launch *work, const hull_subject *subject, hull_launch_on describe, pattern *out);

/** Adds all steps by which so many warps find the hull of candidates in tiles of so many. */
void hull_expect_sorted(expectation *e, double warps, double tile, double candidates);

/** Counts times a number. */
void hull_scale_counts(pattern_counts *counts, double by);

static inline const hull_table *hull_table_of(const launch *work) {
    return &((const struct hull_arguments *)work->arguments)->table;
}

/** The patterns of hulls; kernels that are not in it have no prediction. */
extern const kernel_pattern hull_patterns[];

void pattern_of_hull_small_sets(const launch *work, const void *subject, pattern *out);
void pattern_of_hull_sets(const launch *work, const void *subject, pattern *out);
void pattern_of_hull_large_sets(const launch *work, const void *subject, pattern *out);
void pattern_of_hull_settle(const launch *work, const void *subject, pattern *out);

void pattern_of_hull_bounds(const launch *work, const void *subject, pattern *out);
void pattern_of_hull_extremes_of_sample(const launch *work, const void *subject, pattern *out);
void pattern_of_hull_boundaries(const launch *work, const void *subject, pattern *out);
void pattern_of_hull_filter(const launch *work, const void *subject, pattern *out);
void pattern_of_hull_refine(const launch *work, const void *subject, pattern *out);
void pattern_of_hull_candidates(const launch *work, const void *subject, pattern *out);
void pattern_of_hull_sorted(const launch *work, const void *subject, pattern *out);
void pattern_of_hull_results(const launch *work, const void *subject, pattern *out);

void pattern_of_hull_take_all(const launch *work, const void *subject, pattern *out);
void pattern_of_hull_paper(const launch *work, const void *subject, pattern *out);

#endif
