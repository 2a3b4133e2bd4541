/* SPDX-License-Identifier: Apache-2.0
 *
 * The report for people: a row for each line of code, of users' kernels the most wasteful first and with what would mend
 * it, then the sums, then what is wrong.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/names.h"
#include "base/status.h"
#include "machine/count/report.h"
#include "machine/count/summary.h"
#include "machine/count/verdict.h"
#include "machine/library.h"

enum { PLACE_TEXT = 160, CALL_TEXT = 400, ADVICE_SHOWN = 400 };

/* "FILE:LINE", and never what a name would do to a terminal. */
static const char *say_place(const char *file, unsigned line, char out[PLACE_TEXT]) {
    char shown[PLACE_TEXT - 20];
    snprintf(out, PLACE_TEXT, "%s:%u", riffle_printable(file, shown, sizeof shown), line);
    return out;
}

static int wider(int a, size_t b) { return (size_t)a > b ? a : (int)b; }

/* "FILE:LINE < FILE:LINE", the place and where its function was called. */
static const char *say_call(const report_line *line, char out[CALL_TEXT]) {
    char place[PLACE_TEXT], shown[CALL_TEXT - PLACE_TEXT];
    say_place(line->file, line->line, place);
    if (line->called_from == NULL) return strcpy(out, place);
    snprintf(out, CALL_TEXT, "%s < %s", place, riffle_printable(line->called_from, shown, sizeof shown));
    return out;
}

static const char *say_array(const report_line *line, char out[PLACE_TEXT]) {
    return riffle_printable(line->array, out, PLACE_TEXT);
}

/* The widths of the columns whose texts differ in length; array 0: there is no such column. */
typedef struct widths {
    int kernel, place, array;
    const riffle_machine_options *options;
    uint64_t wasted; /* requests of all wasteful rows beyond their fewest */
} widths;

static widths measure(const riffle_report *report) {
    widths w = {6, 4, report->attributed ? 5 : 0, &report->options, report_wasted(report)};
    for (size_t k = 0; k < report->lines; k++) {
        char place[CALL_TEXT], array[PLACE_TEXT];
        w.kernel = wider(w.kernel, strlen(report->line[k].kernel));
        w.place = wider(w.place, strlen(say_call(&report->line[k], place)));
        if (report->attributed) w.array = wider(w.array, strlen(say_array(&report->line[k], array)));
    }
    return w;
}

/* The wavefronts of a warp under the layout that is tried: their mean over its seeds. */
static void print_laid_out(const report_line *line, const riffle_machine_options *options, FILE *stream) {
    if (options->shared_layout == RIFFLE_LAYOUT_RAW) return;
    if (line->space == SPACE_SHARED)
        fprintf(stream, "%9.2f ", report_laid_out(line, options) / (double)line->warps);
    else
        fprintf(stream, "%9s ", "");
}

static void print_line(const report_line *line, double threshold, widths w, FILE *stream) {
    char place[CALL_TEXT], array[PLACE_TEXT], verdict[VERDICT_TEXT];
    fprintf(stream, "%-*s  %-*s  %-6s  %-6s ", w.kernel, line->kernel, w.place, say_call(line, place),
            report_space_names[line->space], report_op_names[line->op]);
    if (w.array > 0) fprintf(stream, " %-*s ", w.array, say_array(line, array));
    fprintf(stream, "%10" PRIu64 " %12" PRIu64 " ", line->rounds, line->warps);
    if (w.array > 0) fprintf(stream, "%6.1f ", (double)line->lanes / (double)line->warps);
    fprintf(stream, "%12" PRIu64 " %8.2f %12" PRIu64 " %12" PRIu64 " %12" PRIu64 " ", line->stages,
            (double)line->stages / (double)line->warps, line->ideal_stages, line->requests,
            line->ideal_requests);
    print_laid_out(line, w.options, stream);
    if (w.array > 0) fprintf(stream, "%5.1f%% ", 100 * report_share(line, threshold, w.wasted));
    fprintf(stream, " %s", verdict_say(line, threshold, verdict));
    if (line->merged > 0) fprintf(stream, "; neighbours made one access of %u bytes", line->cell_bytes);
    if (2 * line->mergeable >= line->warps && line->mergeable > 0)
        fprintf(stream, "; nvcc may make neighbours one access: --nvcc tells");
    fputc('\n', stream);
}

static void print_titles(widths w, FILE *stream) {
    fprintf(stream, "%-*s  %-*s  %-6s  %-6s ", w.kernel, "kernel", w.place, "line", "space", "op");
    if (w.array > 0) fprintf(stream, " %-*s ", w.array, "array");
    fprintf(stream, "%10s %12s ", "rounds", "warps");
    if (w.array > 0) fprintf(stream, "%6s ", "lanes");
    fprintf(stream, "%12s %8s %12s %12s %12s ", "stages", "per warp", "ideal", "requests", "ideal");
    if (w.options->shared_layout != RIFFLE_LAYOUT_RAW)
        fprintf(stream, "under %3s ", riffle_layout_string(w.options->shared_layout));
    if (w.array > 0) fprintf(stream, "%6s ", "wasted");
    fprintf(stream, " verdict\n");
}

/* Prints the remedies of rows that have one. */
static void print_advice(const riffle_report *report, const report_line *const *line, FILE *stream) {
    bool any = false;
    for (size_t k = 0; k < report->lines; k++) {
        char place[CALL_TEXT], array[PLACE_TEXT], advice[ADVICE_SHOWN];
        if (line[k]->advice == NULL) continue;
        if (!any) fprintf(stream, "\n");
        any = true;
        fprintf(stream, "%s, %s %s of %s: %s\n", say_call(line[k], place), report_space_names[line[k]->space],
                report_op_names[line[k]->op], say_array(line[k], array),
                riffle_printable(line[k]->advice, advice, sizeof advice));
    }
}

static bool print_lines(const riffle_report *report, FILE *stream) {
    const widths w = measure(report);
    const report_line **line = report_in_order(report);
    if (line == NULL) return false;
    print_titles(w, stream);
    for (size_t k = 0; k < report->lines; k++) print_line(line[k], report->options.threshold, w, stream);
    print_advice(report, line, stream);
    free(line);
    return true;
}

/* Kernels and places have columns as wide as the widest of them. */
static void print_moves(const riffle_report *report, FILE *stream) {
    if (report->moves == 0) return;
    char place[PLACE_TEXT];
    int kernel = 6, at = 4;
    for (size_t k = 0; k < report->moves; k++) {
        kernel = wider(kernel, strlen(report->move[k].kernel));
        at = wider(at, strlen(say_place(report->move[k].file, report->move[k].line, place)));
    }
    fprintf(stream, "\n%-*s  %-*s  %-31s %12s %12s %12s\n", kernel, "kernel", at, "line", "beside the threads", "times", "bytes", "requests");
    for (size_t k = 0; k < report->moves; k++) {
        const report_move *one = &report->move[k];
        fprintf(stream, "%-*s  %-*s  %-31s %12" PRIu64 " %12" PRIu64 " %12" PRIu64 "\n", kernel, one->kernel, at,
                say_place(one->file, one->line, place), report_move_names[one->kind], one->times, one->bytes, one->requests);
    }
}

static void print_sum(const report_launch *sum, FILE *stream) {
    const report_line *first = sum->first;
    if (first->launches > 0)
        fprintf(stream, "%s: %" PRIu64 " launch%s", first->kernel, first->launches,
                first->launches > 1 ? "es" : "");
    else
        fprintf(stream, "launch %u, %s", first->launch, first->kernel);
    fprintf(stream, ": %" PRIu64 " round%s, %" PRIu64 " stages, %" PRIu64 " time units\n", sum->rounds,
            plural(sum->rounds), sum->stages, sum->time_units);
}

/* Prints a table for each launch, or for each kernel. */
static void print_launches(const riffle_report *report, FILE *stream) {
    if (report->lines == 0) return;
    const bool one = report->line[0].launch == report->line[report->lines - 1].launch;
    if (one && report->line[0].launches == 0) return;
    fprintf(stream, "\n");
    for (size_t k = 0; k < report->lines;) {
        const report_launch sum = report_next_launch(report, &k);
        print_sum(&sum, stream);
    }
}

/* Numbers that are not exact say what they are. */
static void print_predicted(const riffle_report *report, FILE *stream) {
    const bool is_exact = strcmp(report->predicted_meaning, "exact") == 0;
    fprintf(stream, " (predicted %" PRIu64 "%s%s", report->predicted_time_units, is_exact ? "" : ", ",
            is_exact ? "" : report->predicted_meaning);
    if (!is_exact && report->predicted_of != NULL) fprintf(stream, " of %s", report->predicted_of);
    fputc(')', stream);
}

static void print_totals(const riffle_report *report, FILE *stream) {
    const report_summary sum = report_summarize(report);
    fprintf(stream, "\nmachine: width %u, latency %u, shared latency %u, DMMs %u\n", report->options.width,
            report->options.latency, report->options.shared_latency, report->options.dmms);
    if (report->algorithm != NULL)
        fprintf(stream, "algorithm: %s, n = %" PRIu64 "\n", report->algorithm, report->n);
    fprintf(stream,
            "global rounds: coalesced %" PRIu64 " read, %" PRIu64 " write; casual %" PRIu64 " read, %" PRIu64
            " write\n",
            sum.good[SPACE_GLOBAL][OP_READ], sum.good[SPACE_GLOBAL][OP_WRITE],
            sum.casual[SPACE_GLOBAL][OP_READ], sum.casual[SPACE_GLOBAL][OP_WRITE]);
    fprintf(stream,
            "shared rounds: conflict-free %" PRIu64 " read, %" PRIu64 " write; casual %" PRIu64
            " read, %" PRIu64 " write\n",
            sum.good[SPACE_SHARED][OP_READ], sum.good[SPACE_SHARED][OP_WRITE],
            sum.casual[SPACE_SHARED][OP_READ], sum.casual[SPACE_SHARED][OP_WRITE]);
    fprintf(stream, "time units: %" PRIu64, report_time_units(report));
    if (report->is_predicted) print_predicted(report, stream);
    fprintf(stream, "\n");
}

static void print_exchanges(const report_exchanges *e, FILE *stream) {
    if (e->block == 0) return;
    fprintf(stream, "block exchanges: %.0f of %u keys, and %.0f by searches; at least", e->counted, e->block,
            e->searches);
    if (e->sorting > 0) fprintf(stream, " %.0f to sort by comparisons,", e->sorting);
    fprintf(stream, " %.0f to permute, where a warp holds %u blocks\n", e->permuting, e->cache_blocks);
}

static void print_in_block(const report_in_block *b, FILE *stream) {
    if (b->blocks == 0) return;
    fprintf(stream,
            "in the blocks, the move alone: %" PRIu64 " reads, %" PRIu64 " writes; %" PRIu64
            " stages, %.2f a warp, %" PRIu64 " at most; time units: %" PRIu64 " (predicted %" PRIu64 ")\n",
            b->reads, b->writes, b->stages, (double)b->stages / (double)b->warps, b->worst_stages,
            b->time_units, b->predicted_time_units);
}

static void print_hull(const riffle_hull_counts *h, FILE *stream) {
    if (h->corners == 0) return;
    fprintf(stream,
            "hull: %" PRIu64 " corners; warps' accesses of global memory: %" PRIu64 " read, %" PRIu64
            " write\n",
            h->corners, h->reads, h->writes);
    if (h->outside == 0) return;
    fprintf(stream,
            "hull: %" PRIu64 " points outside of the quadrilateral, %" PRIu64 " iterations, then %" PRIu64
            " problems and %" PRIu64 " pivots\n",
            h->outside, h->iterations, h->problems, h->pivots);
}

/* "a.cu:3", or of a race "a.cu:3 (writes) and a.cu:7 (reads)" */
static void print_places(const report_hazard *h, FILE *stream) {
    static const char *const does[OPS] = {"reads", "writes", "updates"};
    char place[PLACE_TEXT];
    fprintf(stream, "  %s", say_place(h->file, h->line, place));
    if (h->other_file != NULL)
        fprintf(stream, " (%s) and %s (%s)", does[h->op], say_place(h->other_file, h->other_line, place),
                does[h->other_op]);
}

static void print_kind(const riffle_report *report, bool same_value, FILE *stream) {
    for (size_t k = 0; k < report->hazards; k++) {
        const report_hazard *h = &report->hazard[k];
        if ((h->kind == HAZARD_SAME_VALUE) != same_value) continue;
        print_places(h, stream);
        fprintf(stream, ": %s in %s: %s", hazard_names[h->kind], h->kernel, h->text);
        if (h->count > 1) fprintf(stream, " (%" PRIu64 " times)", h->count);
        fprintf(stream, "\n");
    }
}

static void print_hazards(const riffle_report *report, FILE *stream) {
    fprintf(stream, "hazards: %" PRIu64 "\n", report_hazards(report));
    print_kind(report, false, stream);
    const uint64_t same = report_hazards_of(report, hazard_names[HAZARD_SAME_VALUE]);
    if (same > 0) fprintf(stream, "writes of the same value: %" PRIu64 "\n", same);
    print_kind(report, true, stream);
    for (size_t k = 0; k < report->refusals; k++) {
        const report_refusal *one = &report->refusal[k];
        char place[PLACE_TEXT];
        fprintf(stream, "refused: %s: %s", say_place(one->file, one->line, place), one->text);
        if (one->count > 1) fprintf(stream, " (%" PRIu64 " times)", one->count);
        fprintf(stream, "\n");
    }
    if (report->is_program && report->not_done_after == 0)
        fprintf(stream, "program: ended with status %d\n", report->exit_status);
    char note[REPORT_NOTE_TEXT];
    for (report_note k = 0; k < NOTES; k++)
        if (report_say_note(report, k, note) != NULL) fprintf(stream, "%s: %s\n", report_note_titles[k], note);
}

riffle_status report_print(const riffle_report *report, FILE *stream) {
    RETURN_IF_NULL(report, stream);
    if (report->lines > 0 && !print_lines(report, stream))
        return fail_memory("a report's order", report->lines * sizeof(report_line *));
    print_moves(report, stream);
    print_launches(report, stream);
    print_totals(report, stream);
    print_in_block(&report->in_block, stream);
    print_exchanges(&report->exchanges, stream);
    print_hull(&report->hull, stream);
    print_hazards(report, stream);
    if (fflush(stream) != 0 || ferror(stream)) return fail(RIFFLE_ERROR_IO, "the report could not be written");
    return RIFFLE_OK;
}
