/* SPDX-License-Identifier: Apache-2.0
 *
 * The report as one page that needs nothing else: the rows, the worst access of each wasteful one drawn, the hazards, and
 * the source with what was counted beside its lines.
 *
 *     lanes      0 1 2 3 ...        a line from each lane to the bank (shared memory) or
 *     banks      0 1 2 3 ...        the sector (global memory) that it asks
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/status.h"
#include "machine/count/account.h"
#include "machine/count/report.h"
#include "machine/count/summary.h"
#include "machine/count/verdict.h"
#include "machine/library.h"
#include "machine/report/escape.h"

enum {
    CELL = 20,
    BOX = 18,
    TOP = 4,
    GAP = 70,
    BANKS = 32,
    WORD_BYTES = 4,
    SECTOR_BYTES = 32,
    MOST_SHOWN = 999
};

static void say(const char *text, FILE *stream) { escape_html(text, strlen(text), stream); }

/* ---- drawings */

/* The places asked, from the left: banks by their number, sectors in the order of their addresses. */
typedef struct places {
    uint64_t place[MACHINE_MAX_WIDTH];
    unsigned count;
} places;

static uint64_t sector_of(const warp_access *a, unsigned k) { return a->at[k] / SECTOR_BYTES; }

static places sectors_of(const warp_access *a) {
    places found = {.count = 0};
    for (unsigned k = 0; k < a->lanes; k++) {
        unsigned at = 0;
        while (at < found.count && found.place[at] < sector_of(a, k)) at++;
        if (at < found.count && found.place[at] == sector_of(a, k)) continue;
        memmove(&found.place[at + 1], &found.place[at], (found.count++ - at) * sizeof found.place[0]);
        found.place[at] = sector_of(a, k);
    }
    return found;
}

static unsigned column_of(const warp_access *a, unsigned k, const places *sectors) {
    if (a->space == SPACE_SHARED) return (unsigned)(place_offset(a->at[k]) / WORD_BYTES % BANKS);
    unsigned at = 0;
    while (sectors->place[at] != sector_of(a, k)) at++;
    return at;
}

/* A number of more digits than a box takes is left out. */
static void draw_box(unsigned column, unsigned top, uint64_t number, const char *kind, FILE *stream) {
    fprintf(stream, "<rect class=\"%s\" x=\"%u\" y=\"%u\" width=\"%d\" height=\"%d\"/>", kind, column * CELL,
            top, BOX, BOX);
    if (number <= MOST_SHOWN)
        fprintf(stream, "<text x=\"%u\" y=\"%u\">%" PRIu64 "</text>", column * CELL + BOX / 2, top + 13,
                number);
}

/* Within its array. */
static uint64_t sector_number(uint64_t sector) {
    return place_offset(sector * SECTOR_BYTES) / SECTOR_BYTES;
}

static void draw(const warp_access *a, FILE *stream) {
    const bool banks = a->space == SPACE_SHARED;
    const places sectors = sectors_of(a);
    const unsigned below = TOP + BOX + GAP, columns = banks ? BANKS : sectors.count;
    const uint64_t first = banks ? 0 : sector_number(sectors.place[0]);
    if (banks)
        fprintf(stream, "<p>lanes, and the banks that they ask for</p>");
    else
        fprintf(stream,
                "<p>lanes, and the 32-byte sectors that they ask for, from sector %" PRIu64
                " of the array on</p>",
                first);
    fprintf(stream, "<svg width=\"%d\" height=\"%u\">", MACHINE_MAX_WIDTH * CELL, below + BOX + TOP);
    for (unsigned k = 0; k < a->lanes; k++)
        fprintf(stream, "<line x1=\"%u\" y1=\"%d\" x2=\"%u\" y2=\"%u\"/>", a->lane[k] * CELL + BOX / 2,
                TOP + BOX, column_of(a, k, &sectors) * CELL + BOX / 2, below);
    for (unsigned k = 0; k < a->lanes; k++) draw_box(a->lane[k], TOP, a->lane[k], "lane", stream);
    for (unsigned k = 0; k < columns; k++)
        draw_box(k, below, banks ? k : sector_number(sectors.place[k]) - first, "place", stream);
    fprintf(stream, "</svg>\n");
}

/* ---- rows and hazards */

static void print_cell_number(uint64_t value, FILE *stream) {
    fprintf(stream, "<td class=\"n\">%" PRIu64 "</td>", value);
}

static void print_cell(const char *text, FILE *stream) {
    fprintf(stream, "<td>");
    say(text, stream);
    fprintf(stream, "</td>");
}

static void print_place(const report_line *line, FILE *stream) {
    say(line->file, stream);
    fprintf(stream, ":%u", line->line);
    if (line->called_from == NULL) return;
    fprintf(stream, " &lt; ");
    say(line->called_from, stream);
}

/* The base name, as rows have it. */
static const char *name_of(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

/* A row's place leads to its line, where the source is that file's. */
static void print_link(const report_line *line, const char *path, FILE *stream) {
    const bool is_here = strcmp(line->file, name_of(path)) == 0;
    if (is_here) fprintf(stream, "<a href=\"#L%u\">", line->line);
    print_place(line, stream);
    if (is_here) fprintf(stream, "</a>");
}

static void print_row(const report_line *line, const riffle_report *report, const char *path, uint64_t wasted,
                      FILE *stream) {
    char verdict[VERDICT_TEXT];
    const bool bad = verdict_is_wasteful(line, report->options.threshold);
    fprintf(stream, "<tr%s>", bad ? " class=\"bad\"" : "");
    print_cell(line->kernel, stream);
    fprintf(stream, "<td>");
    print_link(line, path, stream);
    fprintf(stream, "</td>");
    print_cell(report_space_names[line->space], stream);
    print_cell(report_op_names[line->op], stream);
    print_cell(line->array != NULL ? line->array : "", stream);
    print_cell_number(line->warps, stream);
    fprintf(stream, "<td class=\"n\">%.1f</td>", (double)line->lanes / (double)line->warps);
    print_cell_number(line->requests, stream);
    print_cell_number(line->ideal_requests, stream);
    fprintf(stream, "<td class=\"n\">%.1f%%</td>", 100 * report_share(line, report->options.threshold, wasted));
    print_cell(verdict_say(line, report->options.threshold, verdict), stream);
    fprintf(stream, "</tr>\n");
}

static void print_detail(const report_line *line, const riffle_report *report, FILE *stream) {
    if (!verdict_is_wasteful(line, report->options.threshold) || line->worst == NULL) return;
    fprintf(stream, "<h3>");
    print_place(line, stream);
    fprintf(stream, ", %s %s of ", report_space_names[line->space], report_op_names[line->op]);
    say(line->array != NULL ? line->array : "memory", stream);
    fprintf(stream, "</h3>\n");
    if (line->advice != NULL) {
        fprintf(stream, "<p>");
        say(line->advice, stream);
        fprintf(stream, "</p>\n");
    }
    draw(line->worst, stream);
}

static void print_hazards(const riffle_report *report, FILE *stream) {
    fprintf(stream, "<h2>Hazards: %" PRIu64 "</h2>\n<ul>", report_hazards(report));
    for (size_t k = 0; k < report->hazards; k++) {
        const report_hazard *h = &report->hazard[k];
        fprintf(stream, "<li>");
        say(h->file, stream);
        fprintf(stream, ":%u: %s in ", h->line, hazard_names[h->kind]);
        say(h->kernel, stream);
        fprintf(stream, ": ");
        say(h->text, stream);
        fprintf(stream, " (%" PRIu64 " times)</li>\n", h->count);
    }
    fprintf(stream, "</ul>\n");
}

/* ---- the source */

/* True if a line wastes requests or has a hazard. */
static bool is_bad(const riffle_report *report, const char *file, unsigned number) {
    for (size_t k = 0; k < report->lines; k++) {
        const report_line *line = &report->line[k];
        if (line->line == number && strcmp(line->file, file) == 0 &&
            verdict_is_wasteful(line, report->options.threshold))
            return true;
    }
    for (size_t k = 0; k < report->hazards; k++)
        if (report->hazard[k].line == number && strcmp(report->hazard[k].file, file) == 0) return true;
    return false;
}

/* Prints the notes beside a line. */
static void print_notes(const riffle_report *report, const char *file, unsigned number, FILE *stream) {
    for (size_t k = 0; k < report->lines; k++) {
        const report_line *line = &report->line[k];
        if (line->line != number || strcmp(line->file, file) != 0) continue;
        fprintf(stream, "%s %s of ", report_space_names[line->space], report_op_names[line->op]);
        say(line->array != NULL ? line->array : "memory", stream);
        fprintf(stream, ": %" PRIu64 " requests, fewest %" PRIu64 "<br>", line->requests, line->ideal_requests);
    }
    for (size_t k = 0; k < report->hazards; k++) {
        const report_hazard *h = &report->hazard[k];
        if (h->line != number || strcmp(h->file, file) != 0) continue;
        fprintf(stream, "%s<br>", hazard_names[h->kind]);
    }
}

static void print_source(const riffle_report *report, const char *path, const char *source, FILE *stream) {
    const char *file = name_of(path);
    unsigned number = 1;
    fprintf(stream, "<h2>");
    say(file, stream);
    fprintf(stream, "</h2>\n<table class=\"source\">\n");
    for (const char *line = source; *line != '\0'; number++) {
        const size_t length = strcspn(line, "\n");
        fprintf(stream, "<tr id=\"L%u\"%s><td class=\"n\">%u</td><td><pre>", number,
                is_bad(report, file, number) ? " class=\"bad\"" : "", number);
        escape_html(line, length, stream);
        fprintf(stream, "</pre></td><td>");
        print_notes(report, file, number, stream);
        fprintf(stream, "</td></tr>\n");
        line += length + (line[length] == '\n');
    }
    fprintf(stream, "</table>\n");
}

static void print_notes_of_all(const riffle_report *report, FILE *stream) {
    char note[REPORT_NOTE_TEXT];
    for (report_note k = 0; k < NOTES; k++) {
        if (report_say_note(report, k, note) == NULL) continue;
        const char *title = report_note_titles[k];
        fprintf(stream, "<p class=\"bad\">%c%s: ", toupper((unsigned char)title[0]), title + 1);
        say(note, stream);
        fprintf(stream, ".</p>\n");
    }
}

static const char style[] =
    "body{font:14px sans-serif;margin:2em}table{border-collapse:collapse}td,th{padding:2px 8px;text-align:left;"
    "vertical-align:top}th{border-bottom:1px solid #888}td.n,th.n{text-align:right}.bad{background:#fdd}"
    ".source td{padding:0 8px;font:12px monospace;white-space:nowrap}pre{margin:0}svg text{font:9px "
    "sans-serif;text-anchor:middle}"
    "svg line{stroke:#c33}.lane{fill:#dde}.place{fill:#ded}";

riffle_status report_print_html(const riffle_report *report, const char *path, const char *source,
                                FILE *stream) {
    RETURN_IF_NULL(report, path, stream);
    const uint64_t wasted = report_wasted(report);
    const report_line **line = report_in_order(report);
    if (line == NULL) return fail_memory("a report's order", report->lines * sizeof *line);
    fprintf(stream, "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>riffle lint: ");
    say(path, stream);
    fprintf(stream, "</title><style>%s</style></head><body>\n<h1>", style);
    say(path, stream);
    fprintf(stream, "</h1>\n<table><tr><th>kernel</th><th>line</th><th>space</th><th>op</th><th>array</th><th "
                    "class=\"n\">warps</th>"
                    "<th class=\"n\">lanes</th><th class=\"n\">requests</th><th class=\"n\">fewest</th><th "
                    "class=\"n\">wasted</th><th>verdict</th></tr>\n");
    for (size_t k = 0; k < report->lines; k++) print_row(line[k], report, path, wasted, stream);
    fprintf(stream, "</table>\n");
    print_notes_of_all(report, stream);
    for (size_t k = 0; k < report->lines; k++) print_detail(line[k], report, stream);
    free(line);
    print_hazards(report, stream);
    if (source != NULL) print_source(report, path, source, stream);
    fprintf(stream, "</body></html>\n");
    if (fflush(stream) != 0 || ferror(stream)) return fail(RIFFLE_ERROR_IO, "the report could not be written");
    return RIFFLE_OK;
}
