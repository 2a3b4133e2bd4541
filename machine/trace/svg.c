/* SPDX-License-Identifier: Apache-2.0
 *
 * Warps by time, and one round below: as one drawing, or as a page where a slider chooses the round. The script on the page only shows
 * and hides what is drawn here.
 */
#include <inttypes.h>
#include <stdio.h>

#include "base/arithmetic.h"
#include "machine/trace/formats.h"
#include "machine/trace/picture.h"

enum { PAGE_STAGES = 1024 };

static uint32_t drawn_round(const riffle_trace *trace) {
    return trace->options.round > 0 ? (uint32_t)(trace->options.round - 1) : picture_worst(trace);
}

bool trace_write_svg(const riffle_trace *trace, FILE *stream) {
    traced_warps warps;
    if (!warps_of(trace, false, &warps)) return false;
    const uint32_t round = drawn_round(trace);
    const unsigned time = picture_time(trace, &warps, round, 0, NULL);
    picture_begin(time + picture_round(trace, round, PICTURE_MOST_STAGES, time, NULL), stream);
    picture_time(trace, &warps, round, 0, stream);
    picture_round(trace, round, PICTURE_MOST_STAGES, time, stream);
    picture_end(stream);
    warps_free(&warps);
    return true;
}

static const char HEAD[] =
    "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>riffle: a trace</title>\n"
    "<style>body{font-family:sans-serif;margin:1em}label{display:block;margin:1em 0}"
    "input{width:600px;vertical-align:middle}.round{display:none}.shown{display:block}</style>"
    "</head><body>\n";
static const char TAIL[] =
    "<script>\n"
    "const all=document.querySelectorAll('.round'),slider=document.getElementById('slider');\n"
    "const mark=document.getElementById('mark'),said=document.getElementById('said');\n"
    "function show(){const k=+slider.value;all.forEach((one,at)=>one.classList.toggle('shown',at===k));\n"
    "mark.setAttribute('x',all[k].dataset.x);mark.setAttribute('width',all[k].dataset.width);"
    "said.textContent=all[k].dataset.round;}\n"
    "slider.addEventListener('input',show);show();\n"
    "</script></body></html>\n";

/* Rounds that have accesses, up to so many: their numbers. */
static unsigned rounds_with_accesses(const riffle_trace *trace, uint32_t number[static PICTURE_MOST_ROUNDS]) {
    unsigned count = 0;
    for (uint32_t k = 0; k < trace->rounds && count < PICTURE_MOST_ROUNDS; k++)
        if (trace->round[k].accesses > 0) number[count++] = k;
    return count;
}

/* Stages of each round that keep a page to PAGE_STAGES of all, some 7 MB; the first ones of long rounds. */
static unsigned stages_of_page(const riffle_trace *trace, const uint32_t *number, unsigned count) {
    for (unsigned most = PICTURE_MOST_STAGES; most > 1; most--) {
        uint64_t sum = 0;
        for (unsigned k = 0; k < count; k++) sum += min(trace->round[number[k]].stages, (uint64_t)most);
        if (sum <= PAGE_STAGES) return most;
    }
    return 1;
}

static void write_round(const riffle_trace *trace, uint32_t number, const picture_scale *s, bool shown,
                        unsigned most, FILE *stream) {
    const traced_round *round = &trace->round[number];
    fprintf(stream, "<div class=\"round%s\" data-round=\"%u\" data-x=\"%.2f\" data-width=\"%.2f\">\n",
            shown ? " shown" : "", number, picture_x(s, round->begin), (double)round->time * s->unit);
    picture_begin(picture_round(trace, number, most, 0, NULL), stream);
    picture_round(trace, number, most, 0, stream);
    picture_end(stream);
    fputs("</div>\n", stream);
}

bool trace_write_html(const riffle_trace *trace, FILE *stream) {
    uint32_t number[PICTURE_MOST_ROUNDS];
    traced_warps warps;
    if (!warps_of(trace, false, &warps)) return false;
    const unsigned count = rounds_with_accesses(trace, number);
    const uint32_t first = drawn_round(trace);
    const picture_scale s = picture_scale_of(trace);
    unsigned chosen = 0;
    for (unsigned k = 0; k < count; k++)
        if (number[k] == first) chosen = k;
    fputs(HEAD, stream);
    picture_begin(picture_time(trace, &warps, first, 0, NULL), stream);
    picture_time(trace, &warps, first, 0, stream);
    picture_end(stream);
    fprintf(stream,
            "<label>round <output id=\"said\">%u</output> <input id=\"slider\" type=\"range\" min=\"0\" "
            "max=\"%u\" value=\"%u\"></label>\n",
            first, count > 0 ? count - 1 : 0, chosen);
    if (count == PICTURE_MOST_ROUNDS)
        fprintf(stream, "<p>The page has the first %u rounds. Trace one launch or one block for others.</p>\n",
                count);
    const unsigned most = stages_of_page(trace, number, count);
    for (unsigned k = 0; k < count; k++)
        write_round(trace, number[k], &s, k == chosen, k == chosen ? PICTURE_MOST_STAGES : most, stream);
    fputs(TAIL, stream);
    warps_free(&warps);
    return true;
}
