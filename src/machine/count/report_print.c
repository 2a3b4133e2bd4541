/* SPDX-License-Identifier: Apache-2.0
 *
 * The report for people: a row for each line of code, then the sums, then what is wrong.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/status.h"
#include "machine/count/report.h"
#include "machine/count/report_summary.h"
#include "machine/count/verdict.h"

enum { PLACE_TEXT = 160 };

/* "FILE:LINE", and never what a name would do to a terminal. */
static const char *say_place(const char *file, unsigned line, char out[PLACE_TEXT]) {
    char shown[PLACE_TEXT - 20];
    snprintf(out, PLACE_TEXT, "%s:%u", riffle_printable(file, shown, sizeof shown), line);
    return out;
}

static int wider(int a, size_t b) { return (size_t)a > b ? a : (int)b; }

/* The widths of the columns whose texts differ in length. */
typedef struct widths {
    int kernel, place;
} widths;

static widths measure(const riffle_report *report) {
    widths w = {6, 4};
    for (size_t k = 0; k < report->lines; k++) {
        char place[PLACE_TEXT];
        say_place(report->line[k].file, report->line[k].line, place);
        w.kernel = wider(w.kernel, strlen(report->line[k].kernel));
        w.place = wider(w.place, strlen(place));
    }
    return w;
}

static void print_line(const report_line *line, double threshold, widths w, FILE *stream) {
    char place[PLACE_TEXT], verdict[VERDICT_TEXT];
    say_place(line->file, line->line, place);
    fprintf(stream,
            "%-*s  %-*s  %-6s  %-6s %10" PRIu64 " %12" PRIu64 " %12" PRIu64 " %8.2f %12" PRIu64 " %12" PRIu64
            " %12" PRIu64 "  %s",
            w.kernel, line->kernel, w.place, place, report_space_names[line->space], report_op_names[line->op],
            line->rounds, line->warps, line->stages, (double)line->stages / (double)line->warps,
            line->ideal_stages, line->requests, line->ideal_requests, verdict_say(line, threshold, verdict));
    if (line->merged > 0) fprintf(stream, "; components made one access of %u bytes", line->cell_bytes);
    fputc('\n', stream);
}

static void print_lines(const riffle_report *report, FILE *stream) {
    const widths w = measure(report);
    fprintf(stream, "%-*s  %-*s  %-6s  %-6s %10s %12s %12s %8s %12s %12s %12s  %s\n", w.kernel, "kernel",
            w.place, "line", "space", "op", "rounds", "warps", "stages", "per warp", "ideal", "requests",
            "ideal", "verdict");
    for (size_t k = 0; k < report->lines; k++)
        print_line(&report->line[k], report->options.threshold, w, stream);
}

static void print_sum(const report_launch *sum, FILE *stream) {
    const report_line *first = sum->first;
    if (first->launches > 0)
        fprintf(stream, "%s: %" PRIu64 " launch%s", first->kernel, first->launches,
                first->launches > 1 ? "es" : "");
    else
        fprintf(stream, "launch %u, %s", first->launch, first->kernel);
    fprintf(stream, ": %" PRIu64 " rounds, %" PRIu64 " stages, %" PRIu64 " time units\n", sum->rounds,
            sum->stages, sum->time_units);
}

/* Of several launches each by itself, or each kernel's. */
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
    fprintf(stream, "time units: %" PRIu64, riffle_report_time_units(report));
    if (report->is_predicted) fprintf(stream, " (predicted %" PRIu64 ")", report->predicted_time_units);
    fprintf(stream, "\n");
}

static void print_exchanges(const report_exchanges *e, FILE *stream) {
    if (e->block == 0) return;
    fprintf(stream, "block exchanges: %.0f of %u keys, and %.0f by searches; at least", e->counted, e->block,
            e->searches);
    if (e->sorting > 0) fprintf(stream, " %.0f to sort by comparisons,", e->sorting);
    fprintf(stream, " %.0f to permute, where a warp holds %u blocks\n", e->permuting, e->cache_blocks);
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
    fprintf(stream, "hazards: %" PRIu64 "\n", riffle_report_hazards(report));
    print_kind(report, false, stream);
    const uint64_t same = riffle_report_hazards_of(report, hazard_names[HAZARD_SAME_VALUE]);
    if (same > 0) fprintf(stream, "writes of the same value: %" PRIu64 "\n", same);
    print_kind(report, true, stream);
    if (report->is_program) fprintf(stream, "program: ended with status %d\n", report->exit_status);
    if (report->partial)
        fprintf(stream, "partial: a kernel was ended before it was through; the rows lack the rest\n");
}

riffle_status riffle_report_print(const riffle_report *report, FILE *stream) {
    if (report->lines > 0) print_lines(report, stream);
    print_launches(report, stream);
    print_totals(report, stream);
    print_exchanges(&report->exchanges, stream);
    print_hull(&report->hull, stream);
    print_hazards(report, stream);
    if (fflush(stream) != 0 || ferror(stream)) return fail(RIFFLE_ERROR_IO, "the report could not be written");
    return RIFFLE_OK;
}
