/* SPDX-License-Identifier: Apache-2.0
 *
 *     banks            0   1   2   3        or cells of an address group
 *     time 0  warp 0   3       .   0        a row a stage, the number of each lane where it accesses
 *     time 1  warp 0               2
 *     time 2  warp 1   2   3   0   1
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "machine/report/escape.h"
#include "machine/trace/picture.h"

enum { ROW = 18, HEAD = 44, FOOT = 22, WIDEST = 44, LEAST_TEXT = 15, LEAST_CELL = 34, LABELS = 190 };

static const char *const fills[] = {"#cfe3f5", "#f8dcc4", "#d9ead3", "#e5dcef", "#f5f0c0", "#d5e8e8"};
enum { FILLS = sizeof fills / sizeof *fills };

static double cell_width(const traced_round *round) {
    const double width = (PICTURE_WIDTH - LABELS - 20) / (double)round->width;
    return width < WIDEST ? width : WIDEST;
}

static unsigned column_of(const traced_round *round, const traced_access *a, const traced_lane *lane) {
    return (unsigned)(lane->address / a->bytes % round->width);
}

static void draw_title(const riffle_trace *trace, uint32_t number, unsigned top, FILE *stream) {
    const traced_round *round = &trace->round[number];
    fprintf(stream,
            "<text x=\"8\" y=\"%u\" font-size=\"13\"><tspan font-weight=\"bold\">round %u: %s %s</tspan> ",
            top + 16, number, round->is_shared ? "shared" : "global", trace_op_names[round->op]);
    if (*round->kernel != '\0') fputs(" in ", stream);
    escape_html(round->kernel, strlen(round->kernel), stream);
    if (*round->file != '\0') {
        fputs(", ", stream);
        escape_html(round->file, strlen(round->file), stream);
        fprintf(stream, ":%u", round->line);
    }
    fprintf(stream, ": warps %" PRIu64 ", stages %" PRIu64 ", time units %" PRIu64 " to %" PRIu64 "</text>\n",
            round->accesses, round->stages, round->begin, round->begin + round->time - 1);
}

static void draw_columns(const traced_round *round, unsigned y, FILE *stream) {
    const double width = cell_width(round);
    fprintf(stream, "<text x=\"%d\" y=\"%u\" text-anchor=\"end\" fill=\"#555\">%s</text>\n", LABELS - 8, y,
            round->is_shared ? "banks" : "cells of an address group");
    const unsigned every = width >= LEAST_TEXT ? 1 : (unsigned)(30 / width) + 1;
    for (unsigned c = 0; c < round->width; c += every)
        fprintf(stream, "<text x=\"%.2f\" y=\"%u\" text-anchor=\"middle\" fill=\"#555\">%u</text>",
                LABELS + (c + 0.5) * width, y, c);
    fputc('\n', stream);
}

static void draw_label(const riffle_trace *trace, const traced_access *a, unsigned stage, unsigned y,
                       FILE *stream) {
    const traced_round *round = &trace->round[a->round];
    fprintf(stream, "<text x=\"%d\" y=\"%u\" text-anchor=\"end\">", LABELS - 8, y + 13);
    fprintf(stream, "%" PRIu64 ": block %" PRIu64 " warp %u", trace_begin(trace, a) + stage, a->block, a->warp);
    for (unsigned k = 0; k < a->lanes && !round->is_shared; k++) {
        const traced_lane *lane = &trace->lane[a->first + k];
        if (lane->stage != stage) continue;
        fprintf(stream, ", group %" PRIu64, lane->address / a->bytes / round->width);
        break;
    }
    fputs("</text>\n", stream);
}

/* True if a lane before it has drawn its cell: equal addresses merge. */
static bool is_merged(const riffle_trace *trace, const traced_access *a, unsigned k) {
    const traced_lane *own = &trace->lane[a->first + k];
    for (unsigned j = 0; j < k; j++) {
        const traced_lane *lane = &trace->lane[a->first + j];
        if (lane->stage == own->stage && lane->address == own->address && lane->array == own->array)
            return true;
    }
    return false;
}

/* The numbers of the lanes that share a lane's cell: "0", or "0+3" for four of them from lane 0 on. */
static void draw_lane(const riffle_trace *trace, const traced_access *a, unsigned k, unsigned y, FILE *stream) {
    const traced_round *round = &trace->round[a->round];
    const traced_lane *own = &trace->lane[a->first + k];
    const double width = cell_width(round), x = LABELS + column_of(round, a, own) * width;
    unsigned more = 0;
    for (unsigned j = k + 1; j < a->lanes; j++) {
        const traced_lane *lane = &trace->lane[a->first + j];
        more += lane->stage == own->stage && lane->address == own->address && lane->array == own->array;
    }
    fprintf(
        stream,
        "<rect x=\"%.2f\" y=\"%u\" width=\"%.2f\" height=\"%d\" fill=\"%s\" stroke=\"#777\"><title>lane %u: ",
        x, y, width, ROW - 2, fills[(a->warp + a->block) % FILLS], own->lane);
    escape_html(trace->string[own->array], strlen(trace->string[own->array]), stream);
    fprintf(stream, "[%" PRIu64 "]</title></rect>", own->address / a->bytes);
    if (width < LEAST_TEXT) return;
    fprintf(stream, "<text x=\"%.2f\" y=\"%u\" text-anchor=\"middle\"><tspan font-weight=\"bold\">%u",
            x + width / 2, y + 12, own->lane);
    if (more > 0) fprintf(stream, "+%u", more);
    fputs("</tspan>", stream);
    if (width >= LEAST_CELL)
        fprintf(stream, "<tspan font-size=\"9\" fill=\"#444\"> [%" PRIu64 "]</tspan>", own->address / a->bytes);
    fputs("</text>\n", stream);
}

static void draw_access(const riffle_trace *trace, const traced_access *a, unsigned top, unsigned shown,
                        FILE *stream) {
    const traced_round *round = &trace->round[a->round];
    for (unsigned stage = 0; stage < a->stages && stage < shown; stage++) {
        const unsigned y = top + stage * ROW;
        draw_label(trace, a, stage, y, stream);
        fprintf(stream,
                "<rect x=\"%d\" y=\"%u\" width=\"%.2f\" height=\"%d\" fill=\"none\" stroke=\"#ddd\"/>\n",
                LABELS, y, cell_width(round) * round->width, ROW - 2);
    }
    for (unsigned k = 0; k < a->lanes; k++) {
        const unsigned stage = trace->lane[a->first + k].stage;
        if (stage < shown && !is_merged(trace, a, k)) draw_lane(trace, a, k, top + stage * ROW, stream);
    }
}

unsigned picture_round(const riffle_trace *trace, uint32_t number, unsigned most, unsigned top, FILE *stream) {
    const uint64_t stages = trace->round[number].stages;
    const unsigned rows = stages < most ? (unsigned)stages : most, height = HEAD + rows * ROW + FOOT;
    if (stream == NULL) return height;
    draw_title(trace, number, top, stream);
    draw_columns(&trace->round[number], top + HEAD - 6, stream);
    unsigned drawn = 0;
    for (size_t k = 0; k < trace->accesses && drawn < rows; k++) {
        const traced_access *a = &trace->access[k];
        if (a->round != number) continue;
        draw_access(trace, a, top + HEAD + drawn * ROW, rows - drawn, stream);
        drawn += a->stages;
    }
    if (stages > rows)
        fprintf(stream, "<text x=\"%d\" y=\"%u\" fill=\"#555\">and %" PRIu64 " stages more</text>\n", LABELS,
                top + HEAD + rows * ROW + 14, stages - rows);
    return height;
}

static uint64_t wasted(const traced_round *round) { return round->stages - round->accesses; }

uint32_t picture_worst(const riffle_trace *trace) {
    if (trace->accesses == 0) return 0;
    uint32_t worst = trace->access[0].round;
    for (uint32_t k = 0; k < trace->rounds; k++)
        if (wasted(&trace->round[k]) > wasted(&trace->round[worst])) worst = k;
    return worst;
}
