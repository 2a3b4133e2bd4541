/* SPDX-License-Identifier: Apache-2.0
 *
 *     block 0 warp 0   ###-----        ###----      # stages, - the rest of the latency
 *     block 0 warp 1      #-----          ###----
 *                      0    5    10   15            time units
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "machine/report/escape.h"
#include "machine/trace/picture.h"

enum { ROW = 16, BAR = 12, HEAD = 40, FOOT = 44, MOST_ROWS = 64, WIDEST_UNIT = 24, TICKS = 10 };

static const double THINNEST = 1.2; /* of a bar: thinner ones are pale on most screens */

/* By space and operation: stages of their colour, with a frame where there is more than one. */
static const char *const fills[2][3] = {{"#4477aa", "#ee8866", "#aa3377"}, {"#2fa0c8", "#c29a1c", "#bb88bb"}};

static const char *fill_of(const traced_round *round) { return fills[round->is_shared][round->op]; }

void picture_begin(unsigned height, FILE *stream) {
    fprintf(stream,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%u\" viewBox=\"0 0 %d %u\" "
            "font-family=\"sans-serif\" font-size=\"11\">\n<rect width=\"100%%\" height=\"100%%\" "
            "fill=\"white\"/>\n",
            PICTURE_WIDTH, height, PICTURE_WIDTH, height);
}

void picture_end(FILE *stream) { fputs("</svg>\n", stream); }

picture_scale picture_scale_of(const riffle_trace *trace) {
    picture_scale s = {.first = UINT64_MAX};
    for (size_t k = 0; k < trace->accesses; k++) {
        const traced_access *a = &trace->access[k];
        const uint64_t begin = trace_begin(trace, a),
                       end = begin + a->stages + trace->round[a->round].latency - 1;
        if (begin < s.first) s.first = begin;
        if (end > s.last) s.last = end;
    }
    if (s.first > s.last) s.first = s.last;
    s.unit = (PICTURE_WIDTH - PICTURE_LEFT - 20) / (double)(s.last - s.first + 1);
    if (s.unit > WIDEST_UNIT) s.unit = WIDEST_UNIT;
    return s;
}

/* 1, 2 or 5 times a power of ten, so that there are some ten of them. */
static uint64_t tick_of(uint64_t time) {
    uint64_t tick = 1;
    for (unsigned k = 0; tick * TICKS < time; k++) tick = k % 3 == 1 ? tick / 2 * 5 : tick * 2;
    return tick;
}

static void draw_axis(const picture_scale *s, unsigned top, unsigned bottom, FILE *stream) {
    const uint64_t tick = tick_of(s->last - s->first);
    for (uint64_t time = (s->first + tick - 1) / tick * tick; time <= s->last; time += tick) {
        const double x = picture_x(s, time);
        fprintf(stream, "<path d=\"M%.2f %uV%u\" stroke=\"#ddd\"/>", x, top, bottom);
        fprintf(stream, "<text x=\"%.2f\" y=\"%u\" text-anchor=\"middle\" fill=\"#555\">%" PRIu64 "</text>\n",
                x, bottom + 13, time);
    }
    fprintf(stream, "<text x=\"%d\" y=\"%u\" text-anchor=\"end\" fill=\"#555\">time units</text>\n",
            PICTURE_LEFT - 14, bottom + 13);
}

static void draw_key(unsigned top, FILE *stream) {
    static const char *const spaces[] = {"global", "shared"};
    unsigned x = PICTURE_LEFT;
    for (unsigned space = 0; space < 2; space++) {
        for (unsigned op = 0; op < 3; op++) {
            fprintf(
                stream,
                "<rect x=\"%u\" y=\"%u\" width=\"10\" height=\"10\" fill=\"%s\"/><text x=\"%u\" y=\"%u\">%s "
                "%s</text>\n",
                x, top, fills[space][op], x + 14, top + 9, spaces[space], trace_op_names[op]);
            x += 105;
        }
    }
    fprintf(stream, "<text x=\"%u\" y=\"%u\" fill=\"#555\">framed: more than one stage</text>\n", x, top + 9);
}

static void draw_bar(const riffle_trace *trace, const traced_access *a, const picture_scale *s, unsigned y,
                     FILE *stream) {
    const traced_round *round = &trace->round[a->round];
    const double x = picture_x(s, trace_begin(trace, a)), stages = fmax(a->stages * s->unit, THINNEST);
    if (round->latency > 1)
        fprintf(stream, "<rect x=\"%.2f\" y=\"%u\" width=\"%.2f\" height=\"%d\" fill=\"%s\" opacity=\"0.25\"/>",
                x + stages, y + 3, (round->latency - 1) * s->unit, BAR - 6, fill_of(round));
    fprintf(stream, "<rect x=\"%.2f\" y=\"%u\" width=\"%.2f\" height=\"%d\" fill=\"%s\"%s/>\n", x, y, stages,
            BAR, fill_of(round), a->stages > 1 ? " stroke=\"#222\"" : "");
}

/* A line where a launch begins, with its kernel's name if there is room behind the one before. */
static void draw_launches(const riffle_trace *trace, const picture_scale *s, unsigned top, unsigned bottom,
                          FILE *stream) {
    double room = 0;
    for (size_t k = 0; k < trace->rounds; k++) {
        const traced_round *round = &trace->round[k];
        const bool begins = k == 0 || trace->round[k - 1].launch != round->launch;
        if (!begins || round->begin < s->first || round->begin > s->last) continue;
        const double x = picture_x(s, round->begin);
        fprintf(stream, "<path d=\"M%.2f %uV%u\" stroke=\"#999\" stroke-dasharray=\"3 3\"/>\n", x, top - 4,
                bottom);
        if (x < room || *round->kernel == '\0') continue;
        fprintf(stream, "<text x=\"%.2f\" y=\"%u\" font-weight=\"bold\">", x + 2, top - 6);
        escape_html(round->kernel, strlen(round->kernel), stream);
        fputs("</text>\n", stream);
        room = x + 8 * (double)strlen(round->kernel);
    }
}

static void draw_rows(const traced_warps *warps, size_t rows, unsigned top, FILE *stream) {
    for (size_t k = 0; k < rows; k++)
        fprintf(stream, "<text x=\"%d\" y=\"%u\" text-anchor=\"end\">block %" PRIu64 " warp %u</text>\n",
                PICTURE_LEFT - 6, top + (unsigned)k * ROW + 10, warps->warp[k].block, warps->warp[k].warp);
    if (warps->count > rows)
        fprintf(stream, "<text x=\"%d\" y=\"%u\" fill=\"#555\">and %zu warps more</text>\n", PICTURE_LEFT,
                top + (unsigned)rows * ROW + 28, warps->count - rows);
}

unsigned picture_time(const riffle_trace *trace, const traced_warps *warps, uint32_t round, unsigned top,
                      FILE *stream) {
    const size_t rows = warps->count < MOST_ROWS ? warps->count : MOST_ROWS;
    const unsigned first = top + HEAD, bottom = first + (unsigned)rows * ROW;
    if (stream == NULL) return bottom + FOOT - top;
    const picture_scale s = picture_scale_of(trace);
    draw_key(top + 4, stream);
    if (round < trace->rounds)
        fprintf(stream,
                "<rect id=\"mark\" x=\"%.2f\" y=\"%u\" width=\"%.2f\" height=\"%u\" fill=\"#ffe680\" "
                "opacity=\"0.5\"/>\n",
                picture_x(&s, trace->round[round].begin), first - 2, (double)trace->round[round].time * s.unit,
                bottom - first + 4);
    draw_axis(&s, first, bottom, stream);
    draw_launches(trace, &s, first, bottom, stream);
    draw_rows(warps, rows, first, stream);
    for (size_t k = 0; k < trace->accesses; k++)
        if (warps->of_access[k] < rows)
            draw_bar(trace, &trace->access[k], &s, first + (unsigned)warps->of_access[k] * ROW + 1, stream);
    return bottom + FOOT - top;
}
