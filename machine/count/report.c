/* SPDX-License-Identifier: Apache-2.0 */
#include "machine/count/report.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/names.h"
#include "base/status.h"
#include "machine/count/account.h"
#include "machine/count/summary.h"
#include "machine/count/verdict.h"
#include "machine/library.h"

const char *const report_space_names[SPACES] = {[SPACE_GLOBAL] = "global", [SPACE_SHARED] = "shared"};
const char *const report_op_names[OPS] = {[OP_READ] = "read", [OP_WRITE] = "write", [OP_ATOMIC] = "atomic"};
const char report_several_arrays[] = "several arrays";
const char *const hazard_names[HAZARDS] = {
    [HAZARD_OUT_OF_BOUNDS] = "out-of-bounds", [HAZARD_MISALIGNED] = "misaligned",
    [HAZARD_UNINITIALIZED] = "uninitialized", [HAZARD_RACE] = "race",
    [HAZARD_SAME_VALUE] = "same-value",       [HAZARD_BARRIER] = "barrier",
    [HAZARD_DIVISION] = "division",           [HAZARD_ENDLESS] = "endless",
};

const char *const report_move_names[MOVE_KINDS] = {[MOVE_LOAD] = "global to shared",
                                              [MOVE_STORE] = "shared to global",
                                              [MOVE_PEER] = "shared to shared of the cluster",
                                              [MOVE_FACTORS] = "factors of products"};

riffle_status report_create(const riffle_machine_options *options, riffle_report **out) {
    riffle_report *report = calloc(1, sizeof *report);
    if (report == NULL) return fail_memory("a report", sizeof *report);
    report->options = *options;
    *out = report;
    return RIFFLE_OK;
}

void report_free(riffle_report *report) {
    if (report == NULL) return;
    for (size_t k = 0; k < report->strings; k++) free(report->string[k]);
    free(report->string);
    for (size_t k = 0; k < report->lines; k++) free((void *)(uintptr_t)report->line[k].worst);
    free(report->line);
    free(report->move);
    free(report->hazard);
    free(report->refusal);
    free(report->prediction);
    free(report);
}

const char *report_string(riffle_report *report, const char *text) {
    for (size_t k = 0; k < report->strings; k++) {
        if (strcmp(report->string[k], text) == 0) return report->string[k];
    }
    char **grown = realloc(report->string, (report->strings + 1) * sizeof(char *));
    if (grown == NULL) return NULL;
    report->string = grown;
    char *copy = strdup(text);
    if (copy != NULL) report->string[report->strings++] = copy;
    return copy;
}

static bool same_text(const char *a, const char *b) {
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

static bool same_place(const report_line *a, const report_line *b) {
    return a->launch == b->launch && a->line == b->line && a->space == b->space && a->op == b->op &&
           strcmp(a->kernel, b->kernel) == 0 && strcmp(a->file, b->file) == 0 &&
           same_text(a->called_from, b->called_from);
}

/* The row for a line: of its array, or of several; NULL if it needs one of its own. No row behind one of an earlier launch is
 * looked at: rows are in the order of launches, but for those of this launch, which may be last. */
static report_line *find_row(const riffle_report *report, const report_line *line, bool *is_crowded) {
    unsigned places = 0;
    report_line *several = NULL;
    for (size_t k = report->lines; k > 0 && report->line[k - 1].launch >= line->launch; k--) {
        report_line *row = &report->line[k - 1];
        if (!same_place(row, line)) continue;
        if (same_text(row->array, line->array)) return row;
        if (same_text(row->array, report_several_arrays)) several = row;
        places++;
    }
    *is_crowded = places >= REPORT_MOST_ARRAYS;
    return *is_crowded ? several : NULL;
}

/* Takes over a copy of the worst access; false without memory. */
static bool take_worst(report_line *row, const warp_access *worst) {
    if (worst == NULL) return true;
    warp_access *copy = malloc(sizeof *copy);
    if (copy == NULL) return false;
    *copy = *worst;
    free((void *)(uintptr_t)row->worst);
    row->worst = copy;
    return true;
}

static void add_to_row(report_line *row, const report_line *line) {
    row->lanes += line->lanes;
    if (line->cell_bytes > row->cell_bytes) row->cell_bytes = line->cell_bytes;
    if (line->worst_stages > row->worst_stages) row->worst_stages = line->worst_stages;
    row->merged += line->merged;
    row->mergeable += line->mergeable;
    row->rounds += line->rounds;
    row->casual_rounds += line->casual_rounds;
    row->warps += line->warps;
    row->stages += line->stages;
    row->ideal_stages += line->ideal_stages;
    row->time_units += line->time_units;
    row->requests += line->requests;
    row->ideal_requests += line->ideal_requests;
    row->laid_requests += line->laid_requests;
    if (line->laid_worst > row->laid_worst) row->laid_worst = line->laid_worst;
    row->sampled |= line->sampled;
    for (unsigned k = 0; k < REPORT_PARTS; k++) report_part_add(&row->part[k], &line->part[k]);
}

/* Makes room for one more of `size` bytes; NULL without memory, and then the array is as it was. */
static void *room_for_one(void *array, size_t count, size_t *capacity, size_t size) {
    if (count < *capacity) return array;
    const size_t wanted = 2 * *capacity + 16;
    void *grown = realloc(array, wanted * size);
    if (grown != NULL) *capacity = wanted;
    return grown;
}

unsigned report_kernel_number(const riffle_report *report, const char *kernel, unsigned next) {
    for (size_t k = 0; k < report->lines; k++) {
        if (strcmp(report->line[k].kernel, kernel) == 0) return report->line[k].launch;
    }
    return next;
}

void report_note_launch(riffle_report *report, unsigned launch) {
    uint64_t most = 0;
    for (size_t k = 0; k < report->lines; k++) {
        const report_line *line = &report->line[k];
        if (line->launch == launch && line->launches > most) most = line->launches;
    }
    for (size_t k = 0; k < report->lines; k++) {
        if (report->line[k].launch == launch) report->line[k].launches = most + 1;
    }
}

static bool take_text(riffle_report *report, const char **text) {
    if (*text == NULL) return true;
    *text = report_string(report, *text);
    return *text != NULL;
}

static bool take_texts(riffle_report *report, report_line *row) {
    return take_text(report, &row->array) && take_text(report, &row->called_from) &&
           take_text(report, &row->advice);
}

/* A row keeps the advice for the access that wasted most. */
static riffle_status join_row(riffle_report *report, report_line *row, const report_line *line) {
    if (line->worst != NULL && (row->worst == NULL || report_line_wasted(line) > row->advised)) {
        const char *advice = line->advice;
        if (!take_text(report, &advice) || !take_worst(row, line->worst))
            return fail_memory("a report's lines", sizeof *row);
        row->advice = advice;
        row->advised = report_line_wasted(line);
    }
    add_to_row(row, line);
    return RIFFLE_OK;
}

riffle_status report_add_line(riffle_report *report, const report_line *line) {
    bool is_crowded = false;
    report_line *row = find_row(report, line, &is_crowded);
    if (row != NULL) return join_row(report, row, line);
    report_line copy = *line;
    copy.kernel = report_string(report, line->kernel);
    copy.file = report_string(report, line->file);
    copy.worst = NULL;
    copy.advised = report_line_wasted(line);
    if (is_crowded) copy.array = report_several_arrays;
    if (!take_texts(report, &copy) || !take_worst(&copy, line->worst))
        return fail_memory("a report's lines", (report->lines + 1) * sizeof copy);
    report_line *grown = room_for_one(report->line, report->lines, &report->line_capacity, sizeof copy);
    if (grown != NULL) report->line = grown;
    if (grown == NULL || copy.kernel == NULL || copy.file == NULL) {
        free((void *)(uintptr_t)copy.worst);
        return fail_memory("a report's lines", (report->lines + 1) * sizeof copy);
    }
    report->line[report->lines++] = copy;
    return RIFFLE_OK;
}

static bool same_lines(const report_hazard *a, const report_hazard *b) {
    return a->line == b->line && same_text(a->file, b->file) && a->other_line == b->other_line &&
           same_text(a->other_file, b->other_file);
}

/* Either line of a race may come first. */
static bool same_hazard(const report_hazard *a, const report_hazard *b) {
    if (a->kind != b->kind || strcmp(a->kernel, b->kernel) != 0) return false;
    report_hazard turned = *b;
    turned.file = b->other_file;
    turned.line = b->other_line;
    turned.other_file = b->file;
    turned.other_line = b->line;
    return same_lines(a, b) || same_lines(a, &turned);
}

riffle_status report_add_hazard(riffle_report *report, const report_hazard *hazard) {
    for (size_t k = 0; k < report->hazards; k++) {
        report_hazard *had = &report->hazard[k];
        if (!same_hazard(had, hazard)) continue;
        had->count += hazard->count;
        return RIFFLE_OK;
    }
    report_hazard copy = *hazard;
    copy.kernel = report_string(report, hazard->kernel);
    copy.file = report_string(report, hazard->file);
    copy.text = report_string(report, hazard->text);
    if (hazard->other_file != NULL) copy.other_file = report_string(report, hazard->other_file);
    report_hazard *grown = room_for_one(report->hazard, report->hazards, &report->hazard_capacity, sizeof copy);
    if (grown != NULL) report->hazard = grown;
    if (grown == NULL || copy.kernel == NULL || copy.file == NULL || copy.text == NULL)
        return fail_memory("a report's hazards", (report->hazards + 1) * sizeof copy);
    report->hazard[report->hazards++] = copy;
    return RIFFLE_OK;
}

riffle_status report_add_move(riffle_report *report, const report_move *move) {
    for (size_t k = 0; k < report->moves; k++) {
        report_move *had = &report->move[k];
        if (had->launch != move->launch || had->line != move->line || had->kind != move->kind ||
            strcmp(had->file, move->file) != 0 || strcmp(had->kernel, move->kernel) != 0)
            continue;
        had->times += move->times;
        had->bytes += move->bytes;
        had->requests += move->requests;
        return RIFFLE_OK;
    }
    report_move copy = *move;
    copy.file = report_string(report, move->file);
    copy.kernel = report_string(report, move->kernel);
    report_move *grown = room_for_one(report->move, report->moves, &report->move_capacity, sizeof copy);
    if (grown != NULL) report->move = grown;
    if (grown == NULL || copy.file == NULL || copy.kernel == NULL)
        return fail_memory("a report's copies", (report->moves + 1) * sizeof copy);
    report->move[report->moves++] = copy;
    return RIFFLE_OK;
}

riffle_status report_add_refusal(riffle_report *report, const report_refusal *refusal) {
    for (size_t k = 0; k < report->refusals; k++) {
        report_refusal *had = &report->refusal[k];
        if (had->line != refusal->line || strcmp(had->file, refusal->file) != 0 ||
            strcmp(had->text, refusal->text) != 0)
            continue;
        had->count += refusal->count;
        return RIFFLE_OK;
    }
    report_refusal copy = *refusal;
    copy.file = report_string(report, refusal->file);
    copy.text = report_string(report, refusal->text);
    report_refusal *grown =
        room_for_one(report->refusal, report->refusals, &report->refusal_capacity, sizeof copy);
    if (grown != NULL) report->refusal = grown;
    if (grown == NULL || copy.file == NULL || copy.text == NULL)
        return fail_memory("a report's refusals", (report->refusals + 1) * sizeof copy);
    report->refusal[report->refusals++] = copy;
    return RIFFLE_OK;
}

/* Rows that waste the same stay in the order of their lines. */
static int compare_waste(const void *a, const void *b) {
    const report_line *one = *(const report_line *const *)a, *other = *(const report_line *const *)b;
    const uint64_t own = report_line_wasted(one), its = report_line_wasted(other);
    if (own != its) return own > its ? -1 : 1;
    return one < other ? -1 : one > other;
}

const report_line **report_in_order(const riffle_report *report) {
    const report_line **order = malloc((report->lines + 1) * sizeof *order);
    if (order == NULL) return NULL;
    for (size_t k = 0; k < report->lines; k++) order[k] = &report->line[k];
    if (report->attributed) qsort(order, report->lines, sizeof *order, compare_waste);
    return order;
}

uint64_t report_time_units(const riffle_report *report) {
    if (report == NULL) return 0;
    uint64_t sum = 0;
    for (size_t k = 0; k < report->lines; k++) sum += report->line[k].time_units;
    return sum;
}

uint64_t report_predicted_time_units(const riffle_report *report) {
    return report != NULL ? report->predicted_time_units : 0;
}

uint64_t report_casual_rounds(const riffle_report *report) {
    if (report == NULL) return 0;
    uint64_t sum = 0;
    for (size_t k = 0; k < report->lines; k++) sum += report->line[k].casual_rounds;
    return sum;
}

uint64_t report_hazards(const riffle_report *report) {
    if (report == NULL) return 0;
    uint64_t sum = 0;
    for (size_t k = 0; k < report->hazards; k++) {
        if (report->hazard[k].kind != HAZARD_SAME_VALUE) sum += report->hazard[k].count;
    }
    return sum;
}

bool report_is_partial(const riffle_report *report) {
    return report != NULL && (report->partial || report->not_done_after > 0);
}

unsigned report_not_done_after(const riffle_report *report) {
    return report != NULL ? report->not_done_after : 0;
}

uint64_t report_not_run(const riffle_report *report) { return report != NULL ? report->left_blocks : 0; }

uint64_t report_not_checked(const riffle_report *report) {
    return report != NULL && report->run_blocks > report->checked_blocks ? report->run_blocks - report->checked_blocks : 0;
}

const char *report_left_out(const riffle_report *report) { return report != NULL ? report->left_out : NULL; }

bool report_is_empty(const riffle_report *report) {
    return report == NULL || report->lines + report->moves + report->hazards == 0;
}

const char *const report_note_titles[NOTES] = {"partial", "nothing counted", "lines unknown", "sampled"};

bool report_is_idle(const riffle_report *report) {
    return report != NULL && report->is_program && report->launched == 0 && report->not_done_after == 0;
}

/* Blocks that had not begun when their launch was ended, or the time was over. */
static uint64_t cut_blocks(const riffle_report *report) {
    return report->blocks - report->run_blocks - report->left_blocks;
}

static void say_partial(const riffle_report *report, char out[static REPORT_NOTE_TEXT]) {
    char cut[96] = "";
    if (cut_blocks(report) > 0)
        snprintf(cut, sizeof cut, ": %" PRIu64 " of %" PRIu64 " blocks did not run", cut_blocks(report),
                 report->blocks);
    if (report->not_done_after == 0 && report->unfinished != NULL) {
        snprintf(out, REPORT_NOTE_TEXT, "%.300s: raise --work, or look for a loop without end; the rows lack the rest%s",
                 report->unfinished, cut);
        return;
    }
    if (report->not_done_after == 0) {
        snprintf(out, REPORT_NOTE_TEXT, "a kernel was ended before it was through%s; the rows lack the rest",
                 cut);
        return;
    }
    const int length = snprintf(out, REPORT_NOTE_TEXT,
                                "not done after %u seconds%s; the rows have what was counted until then",
                                report->not_done_after, cut);
    if (report->left_out != NULL)
        snprintf(
            out + length, REPORT_NOTE_TEXT - (size_t)length,
            ", but nothing of the launch of %.200s that was running, which came to no access for two seconds",
            report->left_out);
}

static void say_idle(const riffle_report *report, char out[static REPORT_NOTE_TEXT]) {
    if (report->asked != NULL && report->others != NULL)
        snprintf(out, REPORT_NOTE_TEXT, "the program launched no kernel %.100s, but %.300s", report->asked,
                 report->others);
    else if (report->refused > 0)
        snprintf(out, REPORT_NOTE_TEXT, "CUDA would refuse each of the program's launches");
    else
        snprintf(out, REPORT_NOTE_TEXT,
                 "the program ended with status %d and launched no kernel; does it want "
                 "arguments? they stand behind --",
                 report->exit_status);
}

/* How sure the rows are that do not have all blocks. */
static size_t say_error(const riffle_report *report, char *out, size_t room) {
    const report_line *worst = NULL;
    double most = 0;
    unsigned unknown = 0;
    for (size_t k = 0; k < report->lines; k++) {
        const double error = verdict_error(&report->line[k]);
        unknown += isinf(error) != 0;
        if (isinf(error) || error <= most) continue;
        worst = &report->line[k];
        most = error;
    }
    int said = 0;
    if (worst != NULL)
        said =
            snprintf(out, room,
                     "; of all blocks requests / ideal is %.2f within %.1f%%, with 95%%, in the least certain "
                     "row (%.60s:%u)",
                     verdict_quotient(worst), 100 * most, worst->file, worst->line);
    if (unknown > 0)
        said += snprintf(out + said, room - (size_t)said, "; how sure they are is not known of %u row%s",
                         unknown, plural(unknown));
    return (size_t)said;
}

static void say_sampled(const riffle_report *report, char out[static REPORT_NOTE_TEXT]) {
    size_t said = (size_t)snprintf(out, REPORT_NOTE_TEXT, "%" PRIu64 " of %" PRIu64 " blocks were counted",
                                   report->counted_blocks, report->blocks);
    if (report->cut_counts > 0)
        said += (size_t)snprintf(out + said, REPORT_NOTE_TEXT - said, ", of %" PRIu64 " more the first accesses",
                                 report->cut_counts);
    said += say_error(report, out + said, REPORT_NOTE_TEXT - said);
    const char *const looked = "; hazards were looked for in ";
    if (report->checked_blocks == report->blocks)
        said += (size_t)snprintf(out + said, REPORT_NOTE_TEXT - said, "%sall", looked);
    else
        said += (size_t)snprintf(out + said, REPORT_NOTE_TEXT - said, "%s%" PRIu64, looked,
                                 report->checked_blocks);
    if (report->left_blocks > 0)
        said += (size_t)snprintf(out + said, REPORT_NOTE_TEXT - said,
                                 "; %" PRIu64 " did not run, so that results are not what they would be",
                                 report->left_blocks);
    snprintf(out + said, REPORT_NOTE_TEXT - said, "; see --accesses, --checks and --work");
}

static bool some_passed_over(const riffle_report *report) {
    const uint64_t begun = report->blocks - cut_blocks(report);
    return report->counted_blocks < begun || report->checked_blocks < begun;
}

const char *report_say_note(const riffle_report *report, report_note which, char out[REPORT_NOTE_TEXT]) {
    if (which == NOTE_PARTIAL && report_is_partial(report)) {
        say_partial(report, out);
    } else if (which == NOTE_IDLE && report_is_idle(report)) {
        say_idle(report, out);
    } else if (which == NOTE_LINES && report->lines_unknown != NULL) {
        snprintf(out, REPORT_NOTE_TEXT, "%s", report->lines_unknown);
    } else if (which == NOTE_SAMPLED && some_passed_over(report)) {
        say_sampled(report, out);
    } else {
        return NULL;
    }
    return out;
}
