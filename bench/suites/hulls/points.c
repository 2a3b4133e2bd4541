/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "bench/shapes.h"
#include "hulls/hulls.h"

typedef struct place {
    double x, y;
} place;

bool bench_hull_fill(const bench_row *row, void *points) {
    return hull_shape_fill(row->by, row->type, row->n * (row->batch > 0 ? row->batch : 1), points);
}

static place place_at(const bench_row *row, const void *points, uint64_t k) {
    if (row->type == RIFFLE_TYPE_F64)
        return (place){((const double *)points)[2 * k], ((const double *)points)[2 * k + 1]};
    return (place){(double)((const float *)points)[2 * k], (double)((const float *)points)[2 * k + 1]};
}

static double cross(place a, place b, place c) { return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x); }

/* A hull with what a point of it is looked up by: its last corner, where the way back begins. */
typedef struct hull {
    const bench_row *row;
    const void *points;
    const uint32_t *corners;
    uint64_t length, last;
    double near; /* a cross product that may be rounding */
} hull;

static place corner(const hull *h, uint64_t k) {
    return place_at(h->row, h->points, h->corners[k % h->length]);
}

/* The last of the sides first .. end - 1 that begins at x or before it, where x goes up with them, or down. */
static uint64_t side_at(const hull *h, uint64_t first, uint64_t end, double x, bool is_up) {
    while (end - first > 1) {
        const uint64_t middle = first + (end - first) / 2;
        if (is_up ? corner(h, middle).x <= x : corner(h, middle).x >= x)
            first = middle;
        else
            end = middle;
    }
    return first;
}

static bool is_outside(const hull *h, place at) {
    if (h->length < 3) return fabs(cross(corner(h, 0), corner(h, h->length - 1), at)) > h->near;
    const uint64_t below = side_at(h, 0, h->last, at.x, true),
                   above = side_at(h, h->last, h->length, at.x, false);
    return cross(corner(h, below), corner(h, below + 1), at) < -h->near ||
           cross(corner(h, above), corner(h, above + 1), at) < -h->near;
}

static bool is_convex(const hull *h) {
    uint64_t wrong = 0;
#pragma omp parallel for schedule(static) reduction(+ : wrong)
    for (uint64_t k = 0; k < h->length; ++k)
        wrong += h->length > 2 && cross(corner(h, k), corner(h, k + 1), corner(h, k + 2)) < -h->near;
    return wrong == 0;
}

static bool is_hull_of(const bench_row *row, const void *points, uint64_t first, const uint32_t *corners,
                       uint64_t length) {
    hull h = {row, points, corners, length, 0, 0};
    if (length == 0) return row->n == 0;
    for (uint64_t k = 0; k < length; ++k)
        if (corners[k] < first || corners[k] >= first + row->n) return false;
    double size = 0;
    for (uint64_t k = 0; k < length; ++k) {
        if (corner(&h, k).x > corner(&h, h.last).x) h.last = k;
        size = fmax(size, fmax(fabs(corner(&h, k).x), fabs(corner(&h, k).y)));
    }
    h.near = size * size * (row->type == RIFFLE_TYPE_F32 ? 0x1p-20 : 0x1p-46);
    uint64_t outside = 0;
#pragma omp parallel for schedule(static) reduction(+ : outside) if (row->n > 100000)
    for (uint64_t k = first; k < first + row->n; ++k) outside += is_outside(&h, place_at(row, points, k));
    return outside == 0 && is_convex(&h);
}

bool bench_is_hull(const bench_row *row, const void *points, const uint32_t *hulls, const uint64_t *lengths) {
    bool is_right = true;
    for (uint64_t k = 0; is_right && k < (row->batch > 0 ? row->batch : 1); ++k)
        is_right = is_hull_of(row, points, k * row->n, hulls + k * row->n, lengths[k]);
    return is_right;
}
