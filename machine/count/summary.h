/* SPDX-License-Identifier: Apache-2.0
 *
 * Rounds by kind, as Table I of the HMM paper counts them, and by launch. An atomic counts as a write.
 */
#ifndef RIFFLE_MACHINE_COUNT_SUMMARY_H
#define RIFFLE_MACHINE_COUNT_SUMMARY_H

#include <stdlib.h>

#include "machine/count/report.h"
#include "machine/count/verdict.h"
#include "machine/layout/shared_layout.h"

/** Counts for each space, reads and writes apart; good means coalesced or conflict-free. */
typedef struct report_summary {
    uint64_t good[SPACES][OPS], casual[SPACES][OPS];
} report_summary;

static inline report_summary report_summarize(const riffle_report *report) {
    report_summary sum = {{{0}}, {{0}}};
    for (size_t k = 0; k < report->lines; k++) {
        const report_line *line = &report->line[k];
        const report_op op = line->op == OP_READ ? OP_READ : OP_WRITE;
        sum.good[line->space][op] += line->rounds - line->casual_rounds;
        sum.casual[line->space][op] += line->casual_rounds;
    }
    return sum;
}

/** Requests of a row beyond its fewest; of all rows whose verdict says that they waste; and the row's share of those. */
static inline uint64_t report_line_wasted(const report_line *line) {
    return line->requests > line->ideal_requests ? line->requests - line->ideal_requests : 0;
}

static inline uint64_t report_wasted(const riffle_report *report) {
    uint64_t sum = 0;
    for (size_t k = 0; k < report->lines; k++)
        if (verdict_is_wasteful(&report->line[k], report->options.threshold))
            sum += report_line_wasted(&report->line[k]);
    return sum;
}

static inline double report_share(const report_line *line, double threshold, uint64_t wasted) {
    if (wasted == 0 || !verdict_is_wasteful(line, threshold)) return 0;
    return (double)report_line_wasted(line) / (double)wasted;
}

/** Wavefronts of a row under the layout that the machine tries: the mean over its seeds. */
static inline double report_laid_out(const report_line *line, const riffle_machine_options *options) {
    return (double)line->laid_requests / shared_layout_seeds(options);
}

/** The rows as people see them: of users' kernels the most wasteful first, of riffle's as they lie. Free it; NULL without
 *  memory. */
const report_line **report_in_order(const riffle_report *report);

/** Notes of the whole, which a reader must know: rows that lack something, nothing that was counted, places without lines, blocks that were not
 *  counted or not looked at. */
typedef enum report_note { NOTE_PARTIAL, NOTE_IDLE, NOTE_LINES, NOTE_SAMPLED, NOTES } report_note;
enum { REPORT_NOTE_TEXT = 512 };

/** Titles of notes: "partial", "nothing counted", "lines unknown". */
extern const char *const report_note_titles[NOTES];

/** A note without its title, or NULL where there is no such thing to say. */
const char *report_say_note(const riffle_report *report, report_note which, char out[REPORT_NOTE_TEXT]);

/** All lines of one launch: the kernel's report. */
typedef struct report_launch {
    const report_line *first; /**< names the launch and its kernel */
    uint64_t rounds, stages, time_units;
} report_launch;

/** Sums up the launch whose lines begin at *k, and moves *k behind them. Lines stand in the order of
 *  launches. */
static inline report_launch report_next_launch(const riffle_report *report, size_t *k) {
    report_launch sum = {.first = &report->line[*k]};
    for (; *k < report->lines && report->line[*k].launch == sum.first->launch; ++*k) {
        const report_line *line = &report->line[*k];
        sum.rounds += line->rounds;
        sum.stages += line->stages;
        sum.time_units += line->time_units;
    }
    return sum;
}

#endif
