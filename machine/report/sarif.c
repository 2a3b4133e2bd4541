/* SPDX-License-Identifier: Apache-2.0
 *
 * The report as SARIF 2.1.0 (OASIS, 2020), which services for code review show at the lines: hazards are errors, writes of
 * the same value notes, wasteful rows warnings.
 */
#include "machine/report/sarif.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/status.h"
#include "machine/count/report.h"
#include "machine/count/summary.h"
#include "machine/count/verdict.h"
#include "machine/library.h"
#include "machine/report/escape.h"
#include "riffle.h"

typedef struct rule {
    const char *id, *text, *level;
} rule;

static rule rule_of(unsigned k) {
    static const char *const texts[HAZARDS] = {
        [HAZARD_OUT_OF_BOUNDS] = "An access to no array of the launch",
        [HAZARD_MISALIGNED] = "An address that is no multiple of the access's size",
        [HAZARD_UNINITIALIZED] = "A read of bytes that nothing has written",
        [HAZARD_RACE] = "Two threads at one place, one of them writing, and no barrier between",
        [HAZARD_SAME_VALUE] = "Two threads write the same value to one place with no barrier between",
        [HAZARD_BARRIER] = "A barrier or warp-wide function that not all threads reach",
        [HAZARD_DIVISION] = "An integer divided by zero",
        [HAZARD_ENDLESS] = "A thread that does not come to an end",
    };
    if (k < HAZARDS) return (rule){hazard_names[k], texts[k], k == HAZARD_SAME_VALUE ? "note" : "error"};
    if (k == SARIF_UNCOALESCED)
        return (rule){"uncoalesced", "An access to more sectors of global memory than its bytes need",
                      "warning"};
    return (rule){"conflict", "Lanes of a warp that ask for different words in one bank of shared memory",
                  "warning"};
}

static void print_rules(FILE *stream) {
    for (unsigned k = 0; k < SARIF_RULES; k++) {
        const rule one = rule_of(k);
        fprintf(stream,
                "%s{\"id\":\"%s\",\"shortDescription\":{\"text\":\"%s\"},\"defaultConfiguration\":{\"level\":"
                "\"%s\"}}",
                k > 0 ? "," : "", one.id, one.text, one.level);
    }
}

void sarif_print_place(const char *file, unsigned line, const char *path, FILE *stream) {
    const char *slash = strrchr(path, '/');
    const bool is_users = strcmp(slash != NULL ? slash + 1 : path, file) == 0;
    fprintf(stream, "{\"physicalLocation\":{\"artifactLocation\":{\"uri\":\"%s",
            is_users && *path == '/' ? "file://" : "");
    escape_path(is_users ? path : file, stream);
    fprintf(stream, "\"}");
    if (line > 0) fprintf(stream, ",\"region\":{\"startLine\":%u}", line);
    fputc('}', stream);
}

void sarif_print_kernel(const char *kernel, FILE *stream) {
    fprintf(stream, ",\"logicalLocations\":[{\"kind\":\"function\",\"fullyQualifiedName\":");
    escape_json(kernel, stream);
    fprintf(stream, "}]}");
}

void sarif_begin_result(unsigned k, const char *text, bool first, FILE *stream) {
    const rule one = rule_of(k);
    fprintf(stream,
            "%s\n{\"ruleId\":\"%s\",\"ruleIndex\":%u,\"level\":\"%s\",\"message\":{\"text\":", first ? "" : ",",
            one.id, k, one.level);
    escape_json(text, stream);
    fprintf(stream, "},\"locations\":[");
}

void sarif_begin(FILE *stream) {
    fprintf(stream,
            "{\"$schema\":\"https://json.schemastore.org/"
            "sarif-2.1.0.json\",\"version\":\"2.1.0\",\"runs\":[{\"tool\":{"
            "\"driver\":{\"name\":\"riffle lint\",\"version\":\"%s\",\"rules\":[",
            riffle_version());
    print_rules(stream);
    fprintf(stream, "]}},");
}

static void print_hazard(const report_hazard *h, const char *path, bool first, FILE *stream) {
    sarif_begin_result(h->kind, h->text, first, stream);
    sarif_print_place(h->file, h->line, path, stream);
    sarif_print_kernel(h->kernel, stream);
    fputc(']', stream);
    if (h->other_file != NULL) {
        fprintf(stream, ",\"relatedLocations\":[");
        sarif_print_place(h->other_file, h->other_line, path, stream);
        fprintf(stream, ",\"message\":{\"text\":\"the other thread's %s\"}}]", report_op_names[h->other_op]);
    }
    fprintf(stream, ",\"properties\":{\"count\":%" PRIu64 "}}", h->count);
}

/* "shared read of tile: 32-way bank conflict, 100.0% of all wasted requests; ADVICE" */
static void print_row(const report_line *line, const riffle_report *report, uint64_t wasted, const char *path,
                      bool first, FILE *stream) {
    char verdict[VERDICT_TEXT], text[1024];
    snprintf(text, sizeof text, "%s %s%s%.100s: %s, %.1f%% of all wasted requests%s%.400s",
             report_space_names[line->space], report_op_names[line->op], line->array != NULL ? " of " : "",
             line->array != NULL ? line->array : "", verdict_say(line, report->options.threshold, verdict),
             100 * report_share(line, report->options.threshold, wasted), line->advice != NULL ? "; " : "",
             line->advice != NULL ? line->advice : "");
    sarif_begin_result(line->space == SPACE_GLOBAL ? SARIF_UNCOALESCED : SARIF_CONFLICT, text, first, stream);
    sarif_print_place(line->file, line->line, path, stream);
    sarif_print_kernel(line->kernel, stream);
    fprintf(stream, "],\"properties\":{\"requests\":%" PRIu64 ",\"ideal_requests\":%" PRIu64 "}}",
            line->requests, line->ideal_requests);
}

/* Tells whether the results are complete. */
static void print_invocation(const riffle_report *report, FILE *stream) {
    char note[REPORT_NOTE_TEXT], text[REPORT_NOTE_TEXT + 32];
    bool any = false;
    fprintf(stream, "\"invocations\":[{\"executionSuccessful\":%s,\"toolExecutionNotifications\":[",
            report->not_done_after > 0 || report->left_blocks > 0 || report_is_idle(report) ? "false" : "true");
    for (report_note k = 0; k < NOTES; k++) {
        if (report_say_note(report, k, note) == NULL) continue;
        fprintf(stream, "%s{\"level\":\"warning\",\"message\":{\"text\":", any ? "," : "");
        snprintf(text, sizeof text, "%s: %s", report_note_titles[k], note);
        escape_json(text, stream);
        fprintf(stream, "}}");
        any = true;
    }
    fprintf(stream, "]}],");
}

riffle_status report_print_sarif(const riffle_report *report, const char *path, FILE *stream) {
    RETURN_IF_NULL(report, path, stream);
    const uint64_t wasted = report_wasted(report);
    const report_line **line = report_in_order(report);
    bool first = true;
    if (line == NULL) return fail_memory("a report's order", report->lines * sizeof *line);
    sarif_begin(stream);
    print_invocation(report, stream);
    fprintf(stream, "\"results\":[");
    for (size_t k = 0; k < report->hazards; k++, first = false)
        print_hazard(&report->hazard[k], path, first, stream);
    for (size_t k = 0; k < report->lines; k++) {
        if (!verdict_is_wasteful(line[k], report->options.threshold)) continue;
        print_row(line[k], report, wasted, path, first, stream);
        first = false;
    }
    free(line);
    fprintf(stream, "]}]}\n");
    if (fflush(stream) != 0 || ferror(stream)) return fail(RIFFLE_ERROR_IO, "the report could not be written");
    return RIFFLE_OK;
}
