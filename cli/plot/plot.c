/* SPDX-License-Identifier: Apache-2.0 */
#include "plot/plot.h"

#include <math.h>
#include <string.h>

#include "plot/axis.h"

enum {
    LEFT = 76,
    RIGHT = 560, /* where the lines end, and the legend begins soon */
    TOP = 52,
    BOTTOM = 360,
    HEIGHT = 412,
    LEGEND = 578,
    LEGEND_ROW = 19,
    LETTER = 7, /* the width of one, nearly */
    TITLE_ROOM = 96,
    LEAST_APART = 34, /* labels of ticks */
    LEAST_LABEL = 18, /* letters of the legend */
    COLOURS = 8
};

static const char *const colours[COLOURS] = {"#0072b2", "#d55e00", "#009e73", "#aa3377",
                                             "#c98a00", "#4aa3d8", "#332288", "#777777"};
static const char *const grey = "#555";

/* A drawing under way. */
typedef struct drawing {
    const plot *of;
    FILE *stream;
    axis x, y;
    unsigned rows; /* lines of the legend so far */
} drawing;

/* --------------------------------------------------------------------------------- the frame */

/* Titles may hold anything. */
static void print_escaped(const char *text, size_t most, FILE *stream) {
    for (size_t k = 0; text[k] != '\0' && k < most; k++) {
        const char c = text[k];
        if (c == '<')
            fputs("&lt;", stream);
        else if (c == '&')
            fputs("&amp;", stream);
        else
            fputc(c >= ' ' && c <= '~' ? c : '?', stream);
    }
    if (strlen(text) > most) fputs("...", stream);
}

static size_t longest_label(const plot *of) {
    size_t longest = LEAST_LABEL;
    for (size_t k = 0; k < of->lines; k++)
        if (strlen(of->line[k].name) > longest) longest = strlen(of->line[k].name);
    return longest;
}

static void draw_frame(const drawing *d) {
    const int width = LEGEND + 44 + (int)longest_label(d->of) * LETTER;
    fprintf(d->stream,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" "
            "font-family=\"sans-serif\" font-size=\"12\" fill=\"#222\">\n"
            "<rect width=\"%d\" height=\"%d\" rx=\"8\" fill=\"#fff\"/>\n"
            "<text x=\"%d\" y=\"22\" font-size=\"14\" font-weight=\"bold\">",
            width, HEIGHT, width, HEIGHT, width, HEIGHT, LEFT);
    print_escaped(d->of->title, TITLE_ROOM / 2, d->stream);
    fprintf(d->stream, "</text>\n<text x=\"%d\" y=\"40\" fill=\"#555\">", LEFT);
    print_escaped(d->of->subtitle, TITLE_ROOM, d->stream);
    fputs("</text>\n", d->stream);
}

static void draw_y_ticks(const drawing *d) {
    for (unsigned k = 0; k < d->y.ticks; k++) {
        const double y = axis_pixel(&d->y, d->y.tick[k]);
        fprintf(d->stream,
                "<path d=\"M%d %.1fH%d\" stroke=\"#e2e2e2\"/><text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">",
                LEFT, y, RIGHT, LEFT - 8, y + 4);
        axis_print(&d->y, d->y.tick[k], d->stream);
        fputs("</text>\n", d->stream);
    }
    fprintf(d->stream, "<text transform=\"translate(18 %d) rotate(-90)\" text-anchor=\"middle\">%s</text>\n",
            (TOP + BOTTOM) / 2, d->of->y_name);
}

/* At the numbers of the list, where there is room. */
static void draw_x_ticks(const drawing *d) {
    double room = 0;
    for (unsigned k = 0; k < d->of->x->count; k++) {
        const double number = (double)d->of->x->of[k], x = axis_pixel(&d->x, number);
        fprintf(d->stream, "<path d=\"M%.1f %dv5\" stroke=\"#555\"/>", x, BOTTOM);
        if (x < room) continue;
        fprintf(d->stream, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">", x, BOTTOM + 19);
        axis_print(&d->x, number, d->stream);
        fputs("</text>\n", d->stream);
        room = x + LEAST_APART;
    }
    fprintf(d->stream, "<path d=\"M%d %dV%dH%d\" fill=\"none\" stroke=\"#555\"/>\n", LEFT, TOP, BOTTOM, RIGHT);
    fprintf(d->stream, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">%s</text>\n", (LEFT + RIGHT) / 2,
            BOTTOM + 40, d->of->x_name);
}

/* --------------------------------------------------------------------------------- the lines */

static const char *colour_of(const plot_line *line) {
    return line->colour == PLOT_GREY ? grey : colours[line->colour % COLOURS];
}

static void draw_mark(const drawing *d, const plot_line *line, bool is_hollow, double x, double y) {
    const bool is_ring = line->style == PLOT_RINGS;
    fprintf(d->stream, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%s\" fill=\"%s\" stroke=\"%s\"/>", x, y,
            is_ring ? "5.5" : "3",
            is_ring     ? "none"
            : is_hollow ? "#fff"
                        : colour_of(line),
            colour_of(line));
}

static void draw_path(const drawing *d, const plot_line *line, const char *style) {
    bool is_down = false;
    fputs("<path d=\"", d->stream);
    for (unsigned k = 0; k < d->of->x->count; k++) {
        const bool is_there = !isnan(line->y[k]);
        if (is_there)
            fprintf(d->stream, "%c%.1f %.1f", is_down ? 'L' : 'M', axis_pixel(&d->x, (double)d->of->x->of[k]),
                    axis_pixel(&d->y, line->y[k]));
        is_down = is_there;
    }
    fprintf(d->stream, "\" fill=\"none\" %s/>\n", style);
}

static void draw_marks(const drawing *d, const plot_line *line) {
    for (unsigned k = 0; k < d->of->x->count; k++)
        if (!isnan(line->y[k]))
            draw_mark(d, line, line->hollow[k], axis_pixel(&d->x, (double)d->of->x->of[k]),
                      axis_pixel(&d->y, line->y[k]));
}

static void draw_marked(drawing *d, const plot_line *line) {
    char style[80];
    const int y = TOP + 8 + (int)d->rows++ * LEGEND_ROW;
    snprintf(style, sizeof style, "stroke=\"%s\" stroke-width=\"2\"%s", colour_of(line),
             line->colour >= COLOURS ? " stroke-dasharray=\"6 4\"" : "");
    if (line->style == PLOT_MARKED) draw_path(d, line, style);
    draw_marks(d, line);
    if (line->style == PLOT_RINGS)
        draw_mark(d, line, false, LEGEND + 12, y);
    else
        fprintf(d->stream, "\n<path d=\"M%d %dh24\" %s/>", LEGEND, y, style);
    fprintf(d->stream, "<text x=\"%d\" y=\"%d\">%s</text>\n", LEGEND + 30, y + 4, line->name);
}

static void draw_dotted(drawing *d, const plot_line *line) {
    char style[80];
    const int y = TOP + 14 + (int)d->rows++ * LEGEND_ROW;
    snprintf(style, sizeof style, "stroke=\"%s\" stroke-dasharray=\"2 3\"", colour_of(line));
    draw_path(d, line, style);
    fprintf(d->stream, "<path d=\"M%d %dh24\" %s/><text x=\"%d\" y=\"%d\" fill=\"#555\">%s</text>\n", LEGEND, y,
            style, LEGEND + 30, y + 4, line->name);
}

static void draw_hollow(const drawing *d) {
    const int y = TOP + 14 + (int)d->rows * LEGEND_ROW;
    fprintf(d->stream,
            "<circle cx=\"%d\" cy=\"%d\" r=\"3\" fill=\"#fff\" stroke=\"#555\"/><text x=\"%d\" y=\"%d\" "
            "fill=\"#555\">%s</text>\n",
            LEGEND + 12, y, LEGEND + 30, y + 4, d->of->hollow_means);
}

/* --------------------------------------------------------------------------------- the whole */

static void stretch(double number, double *least, double *most) {
    *least = fmin(*least, number);
    *most = fmax(*most, number);
}

/* Equal steps are drawn as such, however far they go. */
static void fit_x(drawing *d) {
    const number_list *const x = d->of->x;
    const double first_step = fabs((double)x->of[1] - (double)x->of[0]);
    double least = INFINITY, most = 0;
    for (unsigned k = 0; k < x->count; k++) stretch((double)x->of[k], &least, &most);
    const bool is_even = 2 * first_step * (x->count - 1) > most - least;
    const bool is_logarithmic = axis_is_far(least, most) && (x->count == 2 || !is_even);
    d->x = axis_of(least, most, is_logarithmic, LEFT + 14, RIGHT - 14);
}

/* fmin and fmax pass over what is no number. */
static void fit_y(drawing *d) {
    double least = INFINITY, most = 0;
    for (size_t line = 0; line < d->of->lines; line++)
        for (unsigned k = 0; k < d->of->x->count; k++) stretch(d->of->line[line].y[k], &least, &most);
    const bool is_far = axis_is_far(least, most);
    d->y = axis_of(is_far ? least : 0, most, is_far, BOTTOM - 8, TOP + 8);
}

riffle_status plot_draw(const void *subject, FILE *stream) {
    drawing d = {.of = subject, .stream = stream};
    fit_x(&d);
    fit_y(&d);
    draw_frame(&d);
    draw_y_ticks(&d);
    draw_x_ticks(&d);
    for (size_t k = 0; k < d.of->lines; k++) {
        const plot_line *const line = &d.of->line[k];
        if (line->style == PLOT_DOTTED)
            draw_dotted(&d, line);
        else
            draw_marked(&d, line);
    }
    if (d.of->hollow_means != NULL) draw_hollow(&d);
    fputs("</svg>\n", stream);
    return RIFFLE_OK;
}
