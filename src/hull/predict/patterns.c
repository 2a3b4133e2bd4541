/* SPDX-License-Identifier: Apache-2.0 */
#include "hull/predict/patterns.h"

#include <math.h>
#include <stdlib.h>

#include "base/arithmetic.h"
#include "base/status.h"
#include "hull/gpu/steps/steps_kernel.h"

#define OF(kernel, pattern)                                                                                    \
    { &KERNEL_##kernel.record, pattern_of_##pattern }

#define OF_PLACES(kernel) OF(kernel##_real, kernel), OF(kernel##_integer, kernel)

#define OF_POINTS(kernel)                                                                                      \
    OF(kernel##_f32, kernel), OF(kernel##_f64, kernel), OF(kernel##_i8, kernel), OF(kernel##_i16, kernel),     \
        OF(kernel##_i32, kernel), OF(kernel##_i64, kernel), OF(kernel##_u8, kernel), OF(kernel##_u16, kernel), \
        OF(kernel##_u32, kernel), OF(kernel##_u64, kernel)

const kernel_pattern hull_patterns[] = {OF_POINTS(hull_small_sets),
                                        OF_PLACES(hull_sets),
                                        OF_PLACES(hull_large_sets),
                                        OF_PLACES(hull_settle),
                                        OF_PLACES(hull_bounds),
                                        OF_PLACES(hull_extremes_of_sample),
                                        OF_PLACES(hull_boundaries),
                                        OF_POINTS(hull_filter),
                                        OF_PLACES(hull_refine),
                                        OF_PLACES(hull_candidates),
                                        OF(hull_sorted, hull_sorted),
                                        OF_PLACES(hull_results),
                                        OF_PLACES(hull_take_all),
                                        OF(hull_paper, hull_paper),
                                        {0}};

/* --------------------------------------------------------------------- means */

void hull_trials_free(hull_trial *trials[HULL_TRIALS]) {
    for (unsigned k = 0; k < HULL_TRIALS; k++) {
        if (trials[k] == NULL) continue;
        free(trials[k]->list[0]);
        free(trials[k]->list[1]);
        free(trials[k]);
        trials[k] = NULL;
    }
}

static uint64_t times(uint64_t count, double by) { return (uint64_t)llround((double)count * by); }

void hull_scale_counts(pattern_counts *counts, double by) {
    for (unsigned k = 0; k < PATTERN_SPACES * PATTERN_OPS; k++) {
        pattern_count *const one = &counts->of[k / PATTERN_OPS][k % PATTERN_OPS];
        one->rounds = times(one->rounds, by), one->casual_rounds = times(one->casual_rounds, by);
        one->stages = times(one->stages, by), one->time_units = times(one->time_units, by);
    }
}

static riffle_status find_trial(const hull_subject *subject, unsigned k) {
    if (subject->trials[k] != NULL) return RIFFLE_OK;
    subject->trials[k] = calloc(1, sizeof **subject->trials);
    if (subject->trials[k] == NULL) return fail_memory("a prediction's points", sizeof **subject->trials);
    subject->trials[k]->draw = (hull_draw){subject->type, k};
    return RIFFLE_OK;
}

riffle_status hull_find_trials(const hull_subject *subject) {
    riffle_status status = RIFFLE_OK;
    for (unsigned k = 0; k < HULL_TRIALS && status == RIFFLE_OK; k++) status = find_trial(subject, k);
    return status;
}

void hull_mean(const launch *work, const hull_subject *subject, hull_launch_on describe, pattern *out) {
    pattern_counts sum = {0};
    pattern_mean(out, PATTERN_EXPECTED);
    out->status = hull_find_trials(subject);
    for (unsigned k = 0; k < HULL_TRIALS && out->status == RIFFLE_OK; k++) {
        pattern one;
        pattern_begin(&one, out->machine, out->grid, out->most_elements);
        out->status = describe(work, subject->trials[k], &one);
        out->is_unknown |= one.is_unknown;
        const pattern_counts counts = pattern_end(&one);
        if (out->status == RIFFLE_OK) out->status = one.status;
        pattern_counts_add(&sum, &counts);
    }
    hull_scale_counts(&sum, 1.0 / HULL_TRIALS);
    pattern_add(out, &sum);
}
