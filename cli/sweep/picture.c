/* SPDX-License-Identifier: Apache-2.0 */
#include "sweep/picture.h"

#include <math.h>
#include <string.h>

/* The models' names of the parameters, for a legend. */
static const char *const symbols[SWEEP_PARAMETERS] = {"n", "bytes", "w", "L", "l", "d"};
static const char *const axis_names[SWEEP_PARAMETERS] = {"n, elements",
                                                         "bytes of an element",
                                                         "w, width",
                                                         "L, latency of global memory",
                                                         "l, latency of shared memory",
                                                         "d, DMMs"};

typedef struct picture {
    const sweep *of;
    sweep_parameter along;
} picture;

/* Point k's number among those of its line, and the line's. */
static size_t line_of(const picture *p, size_t k, size_t *place) {
    const number_list *const values = p->of->ask->values;
    size_t below = 1;
    for (unsigned q = 0; q < (unsigned)p->along; q++) below *= values[q].count;
    *place = k / below % values[p->along].count;
    return k / below / values[p->along].count * below + k % below;
}

size_t sweep_lines(const sweep *s, sweep_parameter along) { return s->count / s->ask->values[along].count; }

static bool is_measured(const picture *p) { return p->of->ask->what.of[0] == SWEEP_MEASURED; }

static bool is_named(const picture *p, unsigned q, bool changes) {
    return q != (unsigned)p->along && (p->of->ask->values[q].count > 1) == changes &&
           !(is_measured(p) && sweep_is_of_model((sweep_parameter)q));
}

static void append(char *text, size_t room, const char *more) {
    const size_t used = strlen(text);
    snprintf(text + used, room - used, "%s%s", used > 0 ? ", " : "", more);
}

/* The words for what is the same on all lines, or differs between them. */
static void name_line(const picture *p, const sweep_point *at, bool changes, char *text, size_t room) {
    const sweep_request *const ask = p->of->ask;
    char one[40];
    *text = '\0';
    if ((ask->algorithm.count > 1) == changes) append(text, room, riffle_algorithm_string(at->algorithm));
    for (unsigned q = 0; q < SWEEP_PARAMETERS; q++) {
        if (!is_named(p, q, changes)) continue;
        snprintf(one, sizeof one, "%s = %llu", symbols[q], (unsigned long long)at->at[q]);
        append(text, room, one);
    }
    if ((ask->what.count > 1) == changes) append(text, room, sweep_whats[at->what]);
}

/* Counts beside predictions are rings around them, for both are mostly equal; both quantities have the same colour. */
static void begin_line(const picture *p, size_t line, const sweep_point *at, plot_line *out) {
    const sweep_request *const ask = p->of->ask;
    name_line(p, at, true, out->name, sizeof out->name);
    out->style = ask->what.count > 1 && at->what == SWEEP_COUNTED ? PLOT_RINGS : PLOT_MARKED;
    out->colour = (unsigned)(line % (sweep_lines(p->of, p->along) / ask->what.count));
}

static void add_points(const picture *p, plot *out) {
    for (size_t k = 0; k < p->of->count; k++) {
        const sweep_point *const at = &p->of->point[k];
        size_t place;
        const size_t line = line_of(p, k, &place);
        plot_line *const to = &out->line[line];
        if (place == 0) begin_line(p, line, at, to);
        to->y[place] = at->has_value ? at->value : NAN;
        to->hollow[place] = at->has_value && at->what != SWEEP_MEASURED && !at->is_exact;
        if (to->hollow[place]) out->hollow_means = "estimated";
    }
}

/* Where lines differ by the algorithm alone one bound is for all; else it would be as many lines again. */
static bool has_bound(const picture *p) {
    for (unsigned q = 0; q < SWEEP_PARAMETERS; q++)
        if (q != (unsigned)p->along && p->of->ask->values[q].count > 1) return false;
    return true;
}

/* The line that has a bound at the most places. */
static size_t fullest_line(const plot *of) {
    size_t best = 0, most = 0;
    for (size_t line = 0; line < of->lines; line++) {
        size_t found = 0;
        for (unsigned k = 0; k < of->x->count; k++) found += isnan(of->line[line].y[k]) ? 0 : 1;
        if (found > most) best = line, most = found;
    }
    return best;
}

static void add_bound(const picture *p, plot *out) {
    const size_t from = fullest_line(out);
    plot_line *const bound = &out->line[out->lines];
    bound->style = PLOT_DOTTED;
    bound->colour = PLOT_GREY;
    snprintf(bound->name, sizeof bound->name, "%s", is_measured(p) ? "a copy" : "bound: n/w + L - 1");
    for (size_t k = 0; k < p->of->count; k++) {
        const sweep_point *const at = &p->of->point[k];
        size_t place;
        if (line_of(p, k, &place) == from) bound->y[place] = at->has_value ? at->bound : NAN;
    }
    out->lines++;
}

void sweep_picture(const sweep *s, sweep_parameter along, plot *out) {
    const picture p = {s, along};
    *out = (plot){.title = s->ask->by,
                  .x_name = axis_names[along],
                  .y_name = is_measured(&p) ? "seconds" : "time units",
                  .x = &s->ask->values[along],
                  .lines = sweep_lines(s, along)};
    name_line(&p, &s->point[0], false, out->subtitle, sizeof out->subtitle);
    add_points(&p, out);
    if (has_bound(&p)) add_bound(&p, out);
}
