/* SPDX-License-Identifier: Apache-2.0
 *
 *     title: what does not change
 *     time |      .-*        -*- scheduled, w 16
 *     units|   .-*           -o- gather, w 16       o: estimated
 *          '----------
 *            2^10  2^12  n
 */
#include "sweep/plot.h"

#include <math.h>
#include <string.h>

#include "sweep/axis.h"

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
    LABEL_ROOM = 160,
    LEAST_APART = 34, /* labels of ticks */
    COLOURS = 8
};

static const char *const colours[COLOURS] = {"#0072b2", "#d55e00", "#009e73", "#aa3377",
                                             "#c98a00", "#4aa3d8", "#332288", "#777777"};
/* The models' names of the parameters, for a legend. */
static const char *const symbols[SWEEP_PARAMETERS] = {"n", "bytes", "w", "L", "l", "d"};
static const char *const axis_names[SWEEP_PARAMETERS] = {"n, elements",
                                                         "bytes of an element",
                                                         "w, width",
                                                         "L, latency of global memory",
                                                         "l, latency of shared memory",
                                                         "d, DMMs"};

/* A drawing under way. */
typedef struct drawing {
    const plot *plot;
    FILE *stream;
    axis x, y;
    size_t lines;
    bool has_estimates;
} drawing;

/* ----------------------------------------------------------------------- which line is which */

static const sweep_request *ask_of(const drawing *d) { return d->plot->of->ask; }

/* Point k's number among those of its line, and the line's. */
static size_t line_of(const plot *p, size_t k, size_t *place) {
    const sweep_values *const values = p->of->ask->values;
    size_t below = 1;
    for (unsigned q = 0; q < (unsigned)p->along; q++) below *= values[q].count;
    *place = k / below % values[p->along].count;
    return k / below / values[p->along].count * below + k % below;
}

size_t plot_lines(const sweep *s, sweep_parameter along) { return s->count / s->ask->values[along].count; }

static const sweep_point *point_of(const plot *p, size_t line, size_t place) {
    for (size_t k = 0; k < p->of->count; k++) {
        size_t at;
        if (line_of(p, k, &at) == line && at == place) return &p->of->point[k];
    }
    return NULL; /* no line is asked for beyond them */
}

static bool is_named(const drawing *d, unsigned q, bool changes) {
    const bool is_measured = ask_of(d)->what.of[0] == SWEEP_MEASURED;
    return q != (unsigned)d->plot->along && (ask_of(d)->values[q].count > 1) == changes &&
           !(is_measured && sweep_is_of_model((sweep_parameter)q));
}

static void append(char *text, size_t room, const char *more) {
    const size_t used = strlen(text);
    snprintf(text + used, room - used, "%s%s", used > 0 ? ", " : "", more);
}

/* The words for what is the same on all lines, or differs between them. */
static void name_line(const drawing *d, const sweep_point *p, bool changes, char *text, size_t room) {
    char one[40];
    *text = '\0';
    if ((ask_of(d)->algorithm.count > 1) == changes) append(text, room, riffle_algorithm_string(p->algorithm));
    for (unsigned q = 0; q < SWEEP_PARAMETERS; q++) {
        if (!is_named(d, q, changes)) continue;
        snprintf(one, sizeof one, "%s = %llu", symbols[q], (unsigned long long)p->at[q]);
        append(text, room, one);
    }
    if ((ask_of(d)->what.count > 1) == changes) append(text, room, sweep_whats[p->what]);
}

/* --------------------------------------------------------------------------------- the frame */

/* Specs may hold anything. */
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

static size_t longest_label(const drawing *d) {
    size_t longest = strlen("bound: n/w + L - 1");
    char text[LABEL_ROOM];
    for (size_t k = 0; k < d->lines; k++) {
        name_line(d, point_of(d->plot, k, 0), true, text, sizeof text);
        if (strlen(text) > longest) longest = strlen(text);
    }
    return longest;
}

static void draw_frame(const drawing *d) {
    char text[LABEL_ROOM];
    const int width = LEGEND + 44 + (int)longest_label(d) * LETTER;
    name_line(d, &d->plot->of->point[0], false, text, sizeof text);
    fprintf(d->stream,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" "
            "font-family=\"sans-serif\" font-size=\"12\" fill=\"#222\">\n"
            "<rect width=\"%d\" height=\"%d\" rx=\"8\" fill=\"#fff\"/>\n"
            "<text x=\"%d\" y=\"22\" font-size=\"14\" font-weight=\"bold\">",
            width, HEIGHT, width, HEIGHT, width, HEIGHT, LEFT);
    print_escaped(ask_of(d)->by, TITLE_ROOM / 2, d->stream);
    fprintf(d->stream, "</text>\n<text x=\"%d\" y=\"40\" fill=\"#555\">", LEFT);
    print_escaped(text, TITLE_ROOM, d->stream);
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
            (TOP + BOTTOM) / 2, ask_of(d)->what.of[0] == SWEEP_MEASURED ? "seconds" : "time units");
}

/* At the values that were swept, where there is room. */
static void draw_x_ticks(const drawing *d) {
    const sweep_values *const values = &ask_of(d)->values[d->plot->along];
    double room = 0;
    for (unsigned k = 0; k < values->count; k++) {
        const double x = axis_pixel(&d->x, (double)values->of[k]);
        fprintf(d->stream, "<path d=\"M%.1f %dv5\" stroke=\"#555\"/>", x, BOTTOM);
        if (x < room) continue;
        fprintf(d->stream, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">", x, BOTTOM + 19);
        axis_print(&d->x, (double)values->of[k], d->stream);
        fputs("</text>\n", d->stream);
        room = x + LEAST_APART;
    }
    fprintf(d->stream, "<path d=\"M%d %dV%dH%d\" fill=\"none\" stroke=\"#555\"/>\n", LEFT, TOP, BOTTOM, RIGHT);
    fprintf(d->stream, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">%s</text>\n", (LEFT + RIGHT) / 2,
            BOTTOM + 40, axis_names[d->plot->along]);
}

/* --------------------------------------------------------------------------------- the lines */

/* Counts beside predictions are rings around them, for both are mostly equal. */
static bool is_ring(const drawing *d, const sweep_point *p) {
    return ask_of(d)->what.count > 1 && p->what == SWEEP_COUNTED;
}

static void draw_mark(const drawing *d, const sweep_point *p, double x, double y, const char *colour) {
    const bool is_hollow = p->what != SWEEP_MEASURED && !p->is_exact;
    fprintf(d->stream, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%s\" fill=\"%s\" stroke=\"%s\"/>", x, y,
            is_ring(d, p) ? "5.5" : "3",
            is_ring(d, p) ? "none"
            : is_hollow   ? "#fff"
                          : colour,
            colour);
}

/* A point without a number interrupts it. */
static void draw_path(const drawing *d, size_t line, bool is_bound, const char *style) {
    const unsigned count = ask_of(d)->values[d->plot->along].count;
    bool is_down = false;
    fputs("<path d=\"", d->stream);
    for (unsigned k = 0; k < count; k++) {
        const sweep_point *const p = point_of(d->plot, line, k);
        if (p->has_value)
            fprintf(d->stream, "%c%.1f %.1f", is_down ? 'L' : 'M',
                    axis_pixel(&d->x, (double)p->at[d->plot->along]),
                    axis_pixel(&d->y, is_bound ? p->bound : p->value));
        is_down = p->has_value;
    }
    fprintf(d->stream, "\" fill=\"none\" %s/>\n", style);
}

static void draw_marks(const drawing *d, size_t line, const char *colour) {
    const unsigned count = ask_of(d)->values[d->plot->along].count;
    for (unsigned k = 0; k < count; k++) {
        const sweep_point *const p = point_of(d->plot, line, k);
        if (p->has_value)
            draw_mark(d, p, axis_pixel(&d->x, (double)p->at[d->plot->along]), axis_pixel(&d->y, p->value),
                      colour);
    }
}

static void draw_line(const drawing *d, size_t line) {
    char style[80], text[LABEL_ROOM];
    const size_t number = line % (d->lines / ask_of(d)->what.count); /* both quantities have the same colour */
    const char *const colour = colours[number % COLOURS];
    const sweep_point *const first = point_of(d->plot, line, 0);
    const int y = TOP + 8 + (int)line * LEGEND_ROW;
    snprintf(style, sizeof style, "stroke=\"%s\" stroke-width=\"2\"%s", colour,
             number >= COLOURS ? " stroke-dasharray=\"6 4\"" : "");
    if (!is_ring(d, first)) draw_path(d, line, false, style);
    draw_marks(d, line, colour);
    name_line(d, first, true, text, sizeof text);
    if (is_ring(d, first))
        draw_mark(d, first, LEGEND + 12, y, colour);
    else
        fprintf(d->stream, "\n<path d=\"M%d %dh24\" %s/>", LEGEND, y, style);
    fprintf(d->stream, "<text x=\"%d\" y=\"%d\">%s</text>\n", LEGEND + 30, y + 4, text);
}

/* Where lines differ by the algorithm alone one bound is for all; else it would be as many lines again. */
static bool has_bound(const sweep_request *ask, sweep_parameter along) {
    for (unsigned q = 0; q < SWEEP_PARAMETERS; q++)
        if (q != (unsigned)along && ask->values[q].count > 1) return false;
    return true;
}

/* The line that has a bound at the most places. */
static size_t fullest_line(const drawing *d) {
    size_t best = 0, most = 0;
    for (size_t line = 0; line < d->lines; line++) {
        size_t found = 0;
        for (unsigned k = 0; k < ask_of(d)->values[d->plot->along].count; k++)
            found += point_of(d->plot, line, k)->has_value;
        if (found > most) best = line, most = found;
    }
    return best;
}

static void draw_below_legend(const drawing *d) {
    int y = TOP + 14 + (int)d->lines * LEGEND_ROW;
    if (has_bound(ask_of(d), d->plot->along)) {
        static const char style[] = "stroke=\"#555\" stroke-dasharray=\"2 3\"";
        draw_path(d, fullest_line(d), true, style);
        fprintf(d->stream, "<path d=\"M%d %dh24\" %s/><text x=\"%d\" y=\"%d\" fill=\"#555\">%s</text>\n",
                LEGEND, y, style, LEGEND + 30, y + 4,
                ask_of(d)->what.of[0] == SWEEP_MEASURED ? "a copy" : "bound: n/w + L - 1");
        y += LEGEND_ROW;
    }
    if (d->has_estimates)
        fprintf(d->stream,
                "<circle cx=\"%d\" cy=\"%d\" r=\"3\" fill=\"#fff\" stroke=\"#555\"/><text x=\"%d\" y=\"%d\" "
                "fill=\"#555\">estimated</text>\n",
                LEGEND + 12, y, LEGEND + 30, y + 4);
}

/* --------------------------------------------------------------------------------- the whole */

static void stretch(double number, double *least, double *most) {
    *least = fmin(*least, number);
    *most = fmax(*most, number);
}

/* Equal steps are drawn as such, however far they go. */
static void fit_x(drawing *d) {
    const sweep_values *const values = &ask_of(d)->values[d->plot->along];
    const double first_step = fabs((double)values->of[1] - (double)values->of[0]);
    double least = INFINITY, most = 0;
    for (unsigned k = 0; k < values->count; k++) stretch((double)values->of[k], &least, &most);
    const bool is_even = 2 * first_step * (values->count - 1) > most - least;
    const bool is_logarithmic = axis_is_far(least, most) && (values->count == 2 || !is_even);
    d->x = axis_of(least, most, is_logarithmic, LEFT + 14, RIGHT - 14);
}

static void fit_y(drawing *d) {
    const sweep *const s = d->plot->of;
    double least = INFINITY, most = 0;
    for (size_t k = 0; k < s->count; k++) {
        const sweep_point *const p = &s->point[k];
        if (!p->has_value) continue;
        d->has_estimates |= p->what != SWEEP_MEASURED && !p->is_exact;
        stretch(p->value, &least, &most);
        if (has_bound(s->ask, d->plot->along)) stretch(p->bound, &least, &most);
    }
    const bool is_far = axis_is_far(least, most);
    d->y = axis_of(is_far ? least : 0, most, is_far, BOTTOM - 8, TOP + 8);
}

riffle_status plot_draw(const void *subject, FILE *stream) {
    drawing d = {.plot = subject, .stream = stream};
    d.lines = plot_lines(d.plot->of, d.plot->along);
    fit_x(&d);
    fit_y(&d);
    draw_frame(&d);
    draw_y_ticks(&d);
    draw_x_ticks(&d);
    for (size_t line = 0; line < d.lines; line++) draw_line(&d, line);
    draw_below_legend(&d);
    fputs("</svg>\n", stream);
    return RIFFLE_OK;
}
