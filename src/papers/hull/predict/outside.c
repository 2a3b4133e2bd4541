/* SPDX-License-Identifier: Apache-2.0 */
#include "papers/hull/predict/outside.h"

#include <math.h>
#include <stdlib.h>

#include "base/status.h"

enum { FEW = 1 << 15 /* points that are drawn one by one */ };

/* ------------------------------------------------------------------ directions */

static hull_f64 way_of(unsigned edge) { return (hull_f64){edge < 2 ? 1 : -1, edge == 0 || edge == 3 ? 1 : -1}; }

bool paper_is_farther(unsigned edge, const paper_record *a, const paper_record *b) {
    const int side = hull_cross_f64((hull_f64){0, 0}, way_of(edge), a->at, b->at);
    return side != 0 ? side > 0 : paper_before(b, a);
}

unsigned paper_edge_of(const paper_record corner[HULL_PAPER_EDGES], const paper_record *own) {
    unsigned edge = 0;
    while (edge < HULL_PAPER_EDGES &&
           paper_side(&corner[edge], &corner[(edge + 1) % HULL_PAPER_EDGES], own) <= 0)
        edge++;
    return edge;
}

/* ------------------------------------------------------------------ few points */

static void draw_all(const hull_draw *draw, uint32_t n, paper_outside *out) {
    for (uint32_t k = 0; k < n; k++) {
        const paper_record own = {hull_drawn(draw, k), k};
        for (unsigned edge = 0; edge < HULL_PAPER_EDGES; edge++)
            if (k == 0 || paper_is_farther(edge, &out->corner[edge], &own)) out->corner[edge] = own;
    }
    for (uint32_t k = 0; k < n; k++) {
        const paper_record own = {hull_drawn(draw, k), k};
        const unsigned edge = paper_edge_of(out->corner, &own);
        if (edge < HULL_PAPER_EDGES) out->point[out->points++] = (paper_point){own, edge};
    }
}

/* ----------------------------------------------------------------- many points */

/* A point of the square 0 .. 1, as its type has it. */
static paper_record placed(const hull_draw *draw, double x, double y, double index) {
    return (paper_record){{hull_drawn_coordinate(draw->type, x), hull_drawn_coordinate(draw->type, y)},
                          (uint32_t)index};
}

/* How far from its corner of the square a diagonal through a point is; corners stand clockwise from the top left. */
static double depth(unsigned edge, hull_f64 at) {
    return (edge == 0 || edge == 3 ? at.x : 1 - at.x) + (edge < 2 ? 1 - at.y : at.y);
}

/* Points in a triangle of a corner have its area's share of all: it is empty up to an exponential one. */
static hull_f64 draw_corner(const hull_draw *draw, unsigned edge, double n) {
    const double s = fmin(sqrt(-2 * log(1 - hull_drawn_number(draw, 2 * edge)) / n), 0.5),
                 along = s * hull_drawn_number(draw, 2 * edge + 1);
    return (hull_f64){edge == 0 || edge == 3 ? along : 1 - along, edge < 2 ? 1 - (s - along) : s - along};
}

/* A strip along an edge of the square reaches to the farther one of its corners. */
static double strip_of(const hull_f64 corner[HULL_PAPER_EDGES], unsigned edge) {
    const hull_f64 a = corner[edge], b = corner[(edge + 1) % HULL_PAPER_EDGES];
    switch (edge) {
    case 0: return fmax(1 - a.y, 1 - b.y);
    case 1: return fmax(1 - a.x, 1 - b.x);
    case 2: return fmax(a.y, b.y);
    default: return fmax(a.x, b.x);
    }
}

static hull_f64 in_strip(unsigned edge, double along, double up) {
    switch (edge) {
    case 0: return (hull_f64){along, 1 - up};
    case 1: return (hull_f64){1 - up, along};
    case 2: return (hull_f64){along, up};
    default: return (hull_f64){up, along};
    }
}

static bool is_in_a_triangle(const hull_f64 corner[HULL_PAPER_EDGES], hull_f64 at) {
    for (unsigned edge = 0; edge < HULL_PAPER_EDGES; edge++)
        if (depth(edge, at) < depth(edge, corner[edge])) return true;
    return false;
}

static int by_index(const void *a, const void *b) {
    const paper_point *const p = a, *const q = b;
    return (p->is.index > q->is.index) - (p->is.index < q->is.index);
}

static void draw_strip(const hull_draw *draw, const hull_f64 corner[HULL_PAPER_EDGES], unsigned edge,
                       uint32_t count, double n, paper_outside *out) {
    const double width = strip_of(corner, edge);
    const hull_draw of = {draw->type, draw->number * HULL_PAPER_EDGES + edge + 1000};
    for (uint32_t k = 0; k < count; k++) {
        const hull_f64 at = in_strip(edge, hull_drawn_number(&of, 3 * (uint64_t)k),
                                     width * hull_drawn_number(&of, 3 * (uint64_t)k + 1));
        if (is_in_a_triangle(corner, at)) continue;
        const paper_record own = placed(draw, at.x, at.y, n * hull_drawn_number(&of, 3 * (uint64_t)k + 2));
        if (paper_edge_of(out->corner, &own) == edge) out->point[out->points++] = (paper_point){own, edge};
    }
}

static riffle_status draw_many(const hull_draw *draw, double n, paper_outside *out) {
    hull_f64 corner[HULL_PAPER_EDGES];
    uint32_t count[HULL_PAPER_EDGES], all = 0;
    const hull_draw of = {draw->type, draw->number + 2000};
    for (unsigned edge = 0; edge < HULL_PAPER_EDGES; edge++) {
        corner[edge] = draw_corner(&of, edge, n);
        out->corner[edge] =
            placed(draw, corner[edge].x, corner[edge].y, n * hull_drawn_number(&of, 100 + edge));
    }
    for (unsigned edge = 0; edge < HULL_PAPER_EDGES; edge++)
        all += count[edge] = (uint32_t)llround(n * strip_of(corner, edge));
    out->point = malloc((all + 1) * sizeof *out->point);
    if (out->point == NULL) return fail_memory("a prediction's points", (all + 1) * sizeof *out->point);
    for (unsigned edge = 0; edge < HULL_PAPER_EDGES; edge++)
        draw_strip(draw, corner, edge, count[edge], n, out);
    qsort(out->point, out->points, sizeof *out->point, by_index);
    return RIFFLE_OK;
}

/* --------------------------------------------------- many points of few places */

enum { PLACES = 1 << 16, ALL_TAKEN = 30 /* points a place, of which no place has none */ };

/* Points at a place, by Poisson's distribution. */
static uint64_t points_at(const hull_draw *of, uint32_t place, double each) {
    if (each >= ALL_TAKEN) return (uint64_t)each;
    double term = exp(-each), sum = term;
    const double number = hull_drawn_number(of, 2 * (uint64_t)place);
    uint64_t out = 0;
    for (; number > sum && out < 8 * ALL_TAKEN; sum += term) term *= each / (double)++out;
    return out;
}

/* The first of `points` in their order, of n. */
static paper_record first_at(const hull_draw *of, uint32_t place, uint64_t points, double n) {
    const double first = 1 - pow(hull_drawn_number(of, 2 * (uint64_t)place + 1), 1 / (double)points);
    return placed(of, (place / 256 + 0.5) / 256, (place % 256 + 0.5) / 256, n * first);
}

/* Points at a place beyond an edge. */
static uint64_t points_beyond(const hull_draw *of, uint32_t place, double n, const paper_outside *out,
                              paper_point *first) {
    const uint64_t points = points_at(of, place, n / PLACES);
    if (points == 0) return 0;
    first->is = first_at(of, place, points, n);
    first->edge = paper_edge_of(out->corner, &first->is);
    return first->edge < HULL_PAPER_EDGES ? points : 0;
}

static void find_corners(const hull_draw *of, double n, paper_outside *out) {
    bool is_first = true;
    for (uint32_t place = 0; place < PLACES; place++) {
        const uint64_t points = points_at(of, place, n / PLACES);
        if (points == 0) continue;
        const paper_record own = first_at(of, place, points, n);
        for (unsigned edge = 0; edge < HULL_PAPER_EDGES; edge++)
            if (is_first || paper_is_farther(edge, &out->corner[edge], &own)) out->corner[edge] = own;
        is_first = false;
    }
}

/* Coordinates of a byte: places are looked at, for several points are at each. */
static riffle_status draw_places(const hull_draw *draw, double n, paper_outside *out) {
    const hull_draw of = {draw->type, draw->number + 3000};
    paper_point own;
    uint64_t all = 0;
    find_corners(&of, n, out);
    for (uint32_t place = 0; place < PLACES; place++) all += points_beyond(&of, place, n, out, &own);
    out->point = malloc((size_t)(all + 1) * sizeof *out->point);
    if (out->point == NULL) return fail_memory("a prediction's points", (size_t)(all + 1) * sizeof *out->point);
    for (uint32_t place = 0; place < PLACES; place++)
        for (uint64_t left = points_beyond(&of, place, n, out, &own); left > 0; left--) {
            out->point[out->points++] = own;
            own.is.index = (uint32_t)(n * hull_drawn_number(&of, 2 * PLACES + (uint64_t)out->points));
        }
    qsort(out->point, out->points, sizeof *out->point, by_index);
    return RIFFLE_OK;
}

riffle_status paper_outside_draw(const hull_draw *draw, uint64_t n, paper_outside *out) {
    *out = (paper_outside){.points = 0};
    if (n > FEW && riffle_type_bytes(draw->type) == 1) return draw_places(draw, (double)n, out);
    if (n > FEW) return draw_many(draw, (double)n, out);
    out->point = malloc((n + 1) * sizeof *out->point);
    if (out->point == NULL) return fail_memory("a prediction's points", (n + 1) * sizeof *out->point);
    draw_all(draw, (uint32_t)n, out);
    return RIFFLE_OK;
}

void paper_outside_free(paper_outside *of) {
    free(of->point);
    of->point = NULL;
}
