/* SPDX-License-Identifier: Apache-2.0
 *
 * Two reports of one program, before and after a change. Lines move when a file is edited, so what is compared are sums:
 * of all accesses of a kernel to an array, by space and operation, and of a kernel's hazards of one kind.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/status.h"
#include "machine/count/summary.h"
#include "machine/count/verdict.h"
#include "machine/library.h"
#include "machine/report/read.h"

/* ---- sums */

static bool same_text(const char *a, const char *b) {
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

static bool same_group(const report_line *a, const report_line *b) {
    return a->space == b->space && a->op == b->op && strcmp(a->kernel, b->kernel) == 0 &&
           same_text(a->array, b->array);
}

/* All rows of a group; no warps if there are none. */
static report_line sum_group(const riffle_report *report, const report_line *like) {
    report_line sum = *like;
    sum.warps = sum.requests = sum.ideal_requests = 0;
    sum.sampled = true; /* judged by the part, a sum of estimates */
    memset(sum.part, 0, sizeof sum.part);
    for (size_t k = 0; k < report->lines; k++) {
        if (!same_group(&report->line[k], like)) continue;
        sum.warps += report->line[k].warps;
        sum.requests += report->line[k].requests;
        sum.ideal_requests += report->line[k].ideal_requests;
        const report_part all = verdict_estimate(&report->line[k]);
        report_part_add(&sum.part[0], &all);
    }
    return sum;
}

static bool is_first_of_group(const riffle_report *report, size_t k) {
    for (size_t j = 0; j < k; j++)
        if (same_group(&report->line[j], &report->line[k])) return false;
    return true;
}

static uint64_t count_hazards(const riffle_report *report, const report_hazard *like) {
    uint64_t sum = 0;
    for (size_t k = 0; k < report->hazards; k++) {
        const report_hazard *h = &report->hazard[k];
        if (h->kind == like->kind && strcmp(h->kernel, like->kernel) == 0) sum += h->count;
    }
    return sum;
}

static bool is_first_hazard(const riffle_report *report, size_t k) {
    for (size_t j = 0; j < k; j++)
        if (report->hazard[j].kind == report->hazard[k].kind &&
            strcmp(report->hazard[j].kernel, report->hazard[k].kernel) == 0)
            return false;
    return true;
}

/* ---- what is said */

static void say_group(const char *how, const report_line *line, uint64_t before, uint64_t after, FILE *stream) {
    char kernel[160], array[160];
    fprintf(stream, "%s: %s, %s %s of %s: wasted %s %" PRIu64 " -> %" PRIu64 "\n", how,
            riffle_printable(line->kernel, kernel, sizeof kernel), report_space_names[line->space],
            report_op_names[line->op],
            line->array != NULL ? riffle_printable(line->array, array, sizeof array) : "memory",
            line->space == SPACE_GLOBAL ? "sectors" : "wavefronts", before, after);
}

static void say_hazard(const char *how, const report_hazard *h, uint64_t before, uint64_t after, FILE *stream) {
    char kernel[160];
    fprintf(stream, "%s: %s, %s: hazards %" PRIu64 " -> %" PRIu64 "\n", how,
            riffle_printable(h->kernel, kernel, sizeof kernel), hazard_names[h->kind], before, after);
}

/* Rows that got worse go into `worse`, as differences would not be judged by their ratio. */
static riffle_status compare_group(const riffle_report *now, const riffle_report *before,
                                   const report_line *like, riffle_report *worse, FILE *stream) {
    report_line after = sum_group(now, like);
    const report_line was = sum_group(before, like);
    const uint64_t wasted = report_line_wasted(&after), had = report_line_wasted(&was);
    if (wasted < had) say_group("better", like, had, wasted, stream);
    if (wasted <= had) return RIFFLE_OK;
    say_group("worse", like, had, wasted, stream);
    after.worst = NULL;
    return report_add_line(worse, &after);
}

static riffle_status compare_hazard(const riffle_report *now, const riffle_report *before,
                                    const report_hazard *like, riffle_report *worse, FILE *stream) {
    const uint64_t after = count_hazards(now, like), had = count_hazards(before, like);
    if (after < had) say_hazard("better", like, had, after, stream);
    if (after <= had) return RIFFLE_OK;
    say_hazard("worse", like, had, after, stream);
    return report_add_hazard(worse, like);
}

/* Compares the rows of `of`, which is `now` or `before`. Rows of `before` count only where `now` lacks them. */
static riffle_status compare_lists(const riffle_report *now, const riffle_report *before,
                                   const riffle_report *of, riffle_report *worse, FILE *stream) {
    riffle_status status = RIFFLE_OK;
    for (size_t k = 0; k < of->lines && status == RIFFLE_OK; k++) {
        if (!is_first_of_group(of, k) || (of == before && sum_group(now, &of->line[k]).warps > 0)) continue;
        status = compare_group(now, before, &of->line[k], worse, stream);
    }
    for (size_t k = 0; k < of->hazards && status == RIFFLE_OK; k++) {
        if (!is_first_hazard(of, k) || (of == before && count_hazards(now, &of->hazard[k]) > 0)) continue;
        status = compare_hazard(now, before, &of->hazard[k], worse, stream);
    }
    return status;
}

riffle_status report_compare(const riffle_report *report, const char *name, const char *json, FILE *stream,
                             riffle_report **out) {
    RETURN_IF_NULL(report, name, json, stream, out);
    riffle_report *before = NULL, *worse = NULL;
    riffle_status status = report_read(name, json, &before);
    if (status == RIFFLE_OK) status = report_create(&report->options, &worse);
    if (status == RIFFLE_OK) status = compare_lists(report, before, report, worse, stream);
    if (status == RIFFLE_OK) status = compare_lists(report, before, before, worse, stream);
    if (status == RIFFLE_OK && (fflush(stream) != 0 || ferror(stream)))
        status = fail(RIFFLE_ERROR_IO, "the report could not be written");
    report_free(before);
    if (status == RIFFLE_OK)
        *out = worse;
    else
        report_free(worse);
    return status;
}
