/* SPDX-License-Identifier: Apache-2.0 */
#include "machine/count/verdict.h"
#include "machine/library.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

report_part verdict_estimate(const report_line *line) {
    report_part sum = {line->warps, line->requests, line->ideal_requests};
    if (!line->sampled) return sum;
    sum = (report_part){0};
    for (unsigned k = 0; k < REPORT_PARTS; k++) report_part_add(&sum, &line->part[k]);
    return sum;
}

double verdict_quotient(const report_line *line) {
    const report_part all = verdict_estimate(line);
    return (double)all.requests / (double)all.ideal_requests;
}

bool verdict_is_wasteful(const report_line *line, double threshold) {
    const double most = threshold > 0 ? threshold : VERDICT_THRESHOLD;
    const report_part all = verdict_estimate(line);
    return (double)all.requests > most * (double)all.ideal_requests;
}

/* Student's t with 95%, for means of FEWEST_PARTS to all. */
enum { FEWEST_PARTS = 8 };
static const double quantile[REPORT_PARTS - FEWEST_PARTS + 1] = {2.365, 2.306, 2.262, 2.228, 2.201,
                                                                 2.179, 2.160, 2.145, 2.131};

/* The variance of a quotient of sums, by random groups (Wolter, Introduction to Variance Estimation, chapter 2) of their linear form. */
double verdict_error(const report_line *line) {
    if (!line->sampled || line->requests == 0) return 0;
    const report_part all = verdict_estimate(line);
    const double quotient = (double)all.requests / (double)all.ideal_requests;
    double squares = 0;
    unsigned parts = 0;
    for (unsigned k = 0; k < REPORT_PARTS; k++) {
        const report_part *part = &line->part[k];
        const double off = (double)part->requests - quotient * (double)part->ideal_requests;
        squares += off * off;
        parts += part->requests > 0;
    }
    if (parts < FEWEST_PARTS) return INFINITY;
    return quantile[parts - FEWEST_PARTS] * sqrt(squares * parts / (parts - 1)) / (double)all.requests;
}

/* "16", or with one digit where that is not what it is: "2.5". */
static void say_number(double value, char out[static 24]) {
    snprintf(out, 24,
             value - (double)(uint64_t)value < 0.05 || value - (double)(uint64_t)value >= 0.95 ? "%.0f"
                                                                                               : "%.1f",
             value);
}

const char *verdict_say(const report_line *line, double threshold, char out[static VERDICT_TEXT]) {
    if (!verdict_is_wasteful(line, threshold))
        return line->space == SPACE_GLOBAL ? "coalesced" : "conflict-free";
    char taken[24], enough[24]; /* each is up to 32 times 16 */
    const report_part all = verdict_estimate(line);
    if (line->space == SPACE_GLOBAL) {
        say_number((double)all.requests / (double)all.warps, taken);
        say_number((double)all.ideal_requests / (double)all.warps, enough);
        snprintf(out, VERDICT_TEXT, "uncoalesced, %.16s sectors where %.16s would do", taken, enough);
    } else {
        say_number(verdict_quotient(line), taken);
        snprintf(out, VERDICT_TEXT, "%s-way bank conflict", taken);
    }
    return out;
}

static uint64_t count_wasteful(const riffle_report *report, report_space space, double threshold) {
    if (report == NULL) return 0;
    uint64_t rows = 0;
    for (size_t k = 0; k < report->lines; k++)
        rows += report->line[k].space == space && verdict_is_wasteful(&report->line[k], threshold);
    return rows;
}

uint64_t report_uncoalesced(const riffle_report *report, double threshold) {
    return count_wasteful(report, SPACE_GLOBAL, threshold);
}

uint64_t report_conflicts(const riffle_report *report, double threshold) {
    return count_wasteful(report, SPACE_SHARED, threshold);
}

uint64_t report_hazards_of(const riffle_report *report, const char *kind) {
    if (report == NULL || kind == NULL) return 0;
    uint64_t sum = 0;
    for (size_t k = 0; k < report->hazards; k++) {
        if (strcmp(hazard_names[report->hazard[k].kind], kind) == 0) sum += report->hazard[k].count;
    }
    return sum;
}
