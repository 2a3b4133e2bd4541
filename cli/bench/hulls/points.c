/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <string.h>

#include "bench/hulls/hulls.h"
#include "bench/word.h"

typedef struct place {
    double x, y;
} place;

static double uniform(uint64_t k) { return (double)(bench_hash(k) >> 11) * 0x1p-53; }

static double angle_of(uint64_t k) { return 6.283185307179586 * uniform(3 * k); }

static place square(uint64_t k) { return (place){uniform(3 * k), uniform(3 * k + 1)}; }

static place on_circle(uint64_t k, double radius) {
    return (place){radius * cos(angle_of(k)), radius * sin(angle_of(k))};
}

static place disc(uint64_t k) { return on_circle(k, sqrt(uniform(3 * k + 1))); }

static place ring(uint64_t k) { return on_circle(k, 1); }

static place normal(uint64_t k) { return on_circle(k, sqrt(-2 * log(1 - uniform(3 * k + 1)))); }

static place parabola(uint64_t k) {
    const double x = 2 * uniform(3 * k) - 1;
    return (place){x, x * x};
}

static place grid(uint64_t k) {
    return (place){floor(uniform(3 * k) * 16384), floor(uniform(3 * k + 1) * 16384)};
}

static place collinear(uint64_t k) {
    const double x = floor(uniform(3 * k) * 0x1p20);
    return (place){x, 3 * x + 7};
}

static place duplicates(uint64_t k) {
    return (place){floor(uniform(3 * k) * 30), floor(uniform(3 * k + 1) * 30)};
}

static const struct {
    const char *name;
    place (*point)(uint64_t k);
} shapes[] = {{"square", square},     {"disc", disc}, {"ring", ring},           {"normal", normal},
              {"parabola", parabola}, {"grid", grid}, {"collinear", collinear}, {"duplicates", duplicates}};
enum { SHAPES = sizeof shapes / sizeof shapes[0] };

static uint64_t points_of(const bench_row *row) { return row->n * (row->batch > 0 ? row->batch : 1); }

bool bench_hull_fill(const bench_row *row, void *points) {
    unsigned shape = 0;
    while (shape < SHAPES && strcmp(shapes[shape].name, row->by) != 0) shape++;
    if (shape == SHAPES) return false;
    float *const floats = points;
    double *const doubles = points;
#pragma omp parallel for schedule(static)
    for (uint64_t k = 0; k < points_of(row); ++k) {
        const place at = shapes[shape].point(k);
        if (row->type == RIFFLE_TYPE_F32) {
            floats[2 * k] = (float)at.x;
            floats[2 * k + 1] = (float)at.y;
        } else {
            doubles[2 * k] = at.x;
            doubles[2 * k + 1] = at.y;
        }
    }
    return true;
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
