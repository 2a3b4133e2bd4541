/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/shapes.h"

#include <math.h>
#include <string.h>

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

/* Floats are finer near 0, and there are more points: so about 5 * 10^5 of 10^8 are corners. */
static place parabola(uint64_t k) {
    const double v = 2 * uniform(3 * k) - 1, x = v * v * v * sqrt(fabs(v));
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

static place (*const shapes[])(uint64_t k) = {square,   disc, ring,      normal,
                                              parabola, grid, collinear, duplicates};

const char *const hull_shape_names[] = {"square", "disc",      "ring",       "normal", "parabola",
                                        "grid",   "collinear", "duplicates", NULL};

bool hull_shape_fill(const char *name, riffle_type type, uint64_t n, void *points) {
    unsigned shape = 0;
    while (hull_shape_names[shape] != NULL && strcmp(hull_shape_names[shape], name) != 0) shape++;
    if (hull_shape_names[shape] == NULL) return false;
    float *const floats = points;
    double *const doubles = points;
#pragma omp parallel for schedule(static)
    for (uint64_t k = 0; k < n; ++k) {
        const place at = shapes[shape](k);
        if (type == RIFFLE_TYPE_F32) {
            floats[2 * k] = (float)at.x;
            floats[2 * k + 1] = (float)at.y;
        } else {
            doubles[2 * k] = at.x;
            doubles[2 * k + 1] = at.y;
        }
    }
    return true;
}
