/* SPDX-License-Identifier: Apache-2.0
 *
 * Predictions of sorts beside a memory machine's counts, for tests whose steps are cut shorter than a GPU's.
 */
#ifndef RIFFLE_TESTS_SORT_PREDICTED_SUPPORT_H
#define RIFFLE_TESTS_SORT_PREDICTED_SUPPORT_H

#include "predicted_support.h"
#include "sort/predict/patterns.h"
#include "sort_machine_support.h"

/* Stages and rounds of global and of shared memory. */
typedef struct sort_sums {
    double stages[SPACES], rounds[SPACES];
} sort_sums;

static inline double sort_time_of(const sort_sums *sums, double latency) {
    return sums->stages[SPACE_GLOBAL] + sums->stages[SPACE_SHARED] + sums->rounds[SPACE_GLOBAL] * (latency - 1);
}

static inline sort_sums sort_counted(const riffle_report *report) {
    sort_sums sums = {0};
    for (size_t k = 0; k < report->lines; k++) {
        const report_line *const line = &report->line[k];
        sums.stages[line->space] += (double)line->stages;
        sums.rounds[line->space] += (double)line->rounds;
    }
    return sums;
}

/* The launches of what has run, by what is known of random keys. */
static inline prediction sort_predicted(const sort_run *run) {
    const device on = device_of_machine(run->m);
    const prediction_model model = {*on.machine_options, UINT64_MAX};
    bool sorts_ties = false;
    sort_subject subject = sort_task_subject(&run->task);
    subject.sorts_ties = &sorts_ties;
    prediction told = prediction_of_nothing();
    launch_list list;
    launch_list_begin(&list);
    launch_sort_task(&run->task, &run->arrays, run->from, users_kernel_of(&run->users), (sort_compared){0},
                     &list);
    assert_int_equal(predict_list(&list, sort_patterns, &subject, &model, &told), RIFFLE_OK);
    launch_list_free(&list);
    return told;
}

static inline sort_sums sort_told(const prediction *told) {
    sort_sums sums = {0};
    for (unsigned space = 0; space < SPACES; space++)
        for (unsigned op = 0; op < PATTERN_OPS; op++) {
            sums.stages[space] += (double)told->counts.of[space][op].stages;
            sums.rounds[space] += (double)told->counts.of[space][op].rounds;
        }
    return sums;
}

/* Fails if time units, where global memory has latency 1 and where it has 400, are not near the counted. */
static inline void sort_expect_near(const sort_case *c, uint64_t seed, prediction_bound bound) {
    rng r = {seed};
    sort_run run = run_case(c, &r);
    prediction told = sort_predicted(&run);
    assert_true(told.is_known);
    assert_int_equal(told.meaning, c->key.before != NULL ? PATTERN_USERS : PATTERN_EXPECTED);
    const sort_sums counted = sort_counted(machine_report(run.m)), sums = sort_told(&told);
    for (unsigned latency = 1; latency <= 400; latency += 399) {
        const double a = sort_time_of(&sums, latency), b = sort_time_of(&counted, latency);
        if (!(latency == 1 ? is_within : is_within_slow)(bound, a, b))
            fail_msg("%llu elements of %zu bytes, values %zu, indices %zu, task %d, %llu segments, levels %d, "
                     "latency %u: %.0f time units predicted, %.0f counted",
                     (unsigned long long)c->n, c->key.elem_bytes, c->value_bytes, c->index_bytes, (int)c->task,
                     (unsigned long long)c->segments, c->levels, latency, a, b);
    }
    prediction_free(&told);
    end(&run);
}

#endif
