/* SPDX-License-Identifier: Apache-2.0
 *
 * A report's predictions beside its counts: each launch, and each column of the HMM paper's Table I.
 */
#ifndef RIFFLE_TESTS_SUPPORT_PREDICTED_SUPPORT_H
#define RIFFLE_TESTS_SUPPORT_PREDICTED_SUPPORT_H

#include "machine/count/report.h"
#include "predicted/bounds.h"
#include "riffle/machine.h"
#include "support.h"

static inline report_predicted counted_of(const riffle_report *report, unsigned number, report_space space,
                                          bool reads) {
    report_predicted sum = {0};
    for (size_t k = 0; k < report->lines; k++) {
        const report_line *const line = &report->line[k];
        if (line->launch != number || line->space != space || (line->op == OP_READ) != reads) continue;
        sum.rounds += line->rounds, sum.casual_rounds += line->casual_rounds;
        sum.stages += line->stages, sum.time_units += line->time_units;
    }
    return sum;
}

/* How a predicted number may differ from a counted one. */
typedef bool predicted_judge(const report_predicted *counted, const report_predicted *told);

static inline bool predicted_equal(const report_predicted *counted, const report_predicted *told) {
    return memcmp(counted, told, sizeof *counted) == 0;
}

/* True, with the first difference in words, if a launch is not counted as it was predicted. */
static inline bool predicted_differs(const riffle_report *report, predicted_judge *judge, size_t room,
                                     char *what) {
    for (unsigned number = 0; number < report->predictions; number++) {
        const report_prediction *const p = &report->prediction[number];
        for (unsigned k = 0; k < 2 * SPACES; k++) {
            const report_space space = (report_space)(k / 2);
            const report_op op = k % 2 == 0 ? OP_READ : OP_WRITE;
            const report_predicted counted = counted_of(report, number, space, op == OP_READ),
                                   *told = &p->of[space][op];
            if (judge(&counted, told)) continue;
            snprintf(what, room,
                     "launch %u, %s, %s %s: counted %llu rounds, %llu casual, %llu stages, %llu time units; "
                     "predicted %llu, %llu, %llu, %llu",
                     number, p->kernel, report_space_names[space], report_op_names[op],
                     (unsigned long long)counted.rounds, (unsigned long long)counted.casual_rounds,
                     (unsigned long long)counted.stages, (unsigned long long)counted.time_units,
                     (unsigned long long)told->rounds, (unsigned long long)told->casual_rounds,
                     (unsigned long long)told->stages, (unsigned long long)told->time_units);
            return true;
        }
    }
    return false;
}

/* True, with a reason in words, if counts are not what the prediction's own meaning says: equal to the last unit where it is exact, no more
 * where it is a bound, and else time units within what is given. */
static inline bool predicted_fails(const riffle_report *report, prediction_bound bound, size_t room,
                                   char *what) {
    const uint64_t counted = riffle_report_time_units(report), told = report->predicted_time_units;
    const char *const meaning = report->predicted_meaning;
    const bool is_exact = strcmp(meaning, "exact") == 0, is_bound = strcmp(meaning, "at most") == 0;
    if (is_exact && predicted_differs(report, predicted_equal, room, what)) return true;
    if (is_exact   ? counted == told
        : is_bound ? counted <= told
                   : is_within(bound, (double)told, (double)counted))
        return false;
    snprintf(what, room, "%llu time units predicted (%s), %llu counted", (unsigned long long)told, meaning,
             (unsigned long long)counted);
    return true;
}

/* Fails if what is listed as exact is not, to the last unit in each launch and in all. */
static inline void assert_predicted(prediction_bound bound, const riffle_report *report, const char *subject,
                                    uint64_t seed) {
    char what[400] = "it is not predicted";
    assert_true(bound_of(bound).any == 0);
    if (!report->is_predicted || strcmp(report->predicted_meaning, "exact") != 0 ||
        predicted_differs(report, predicted_equal, sizeof what, what))
        fail_msg("seed %llu: %s: %s", (unsigned long long)seed, subject, what);
    assert_int_equal(report->predicted_time_units, riffle_report_time_units(report));
}

#endif
