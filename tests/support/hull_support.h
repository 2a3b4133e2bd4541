/* SPDX-License-Identifier: Apache-2.0
 *
 * Points that are hard for convex hulls, of every type of coordinates: for tests on the host, on the machine and on a GPU.
 */
#ifndef RIFFLE_TESTS_HULL_SUPPORT_H
#define RIFFLE_TESTS_HULL_SUPPORT_H

#include <math.h>
#include <string.h>

#include "random_numbers.h"
#include "riffle/hull.h"

/** Kinds of sets. Integers take what of it they can hold. */
typedef enum hull_kind {
    HULL_KIND_GRID = 0,  /**< a small grid: many collinear, many equal */
    HULL_KIND_LINE,      /**< on a line, as far as rounding goes */
    HULL_KIND_NEAR_LINE, /**< on a line and up to 1 ulp beside it */
    HULL_KIND_EQUAL,     /**< one place, or two */
    HULL_KIND_SQUARE,    /**< uniform */
    HULL_KIND_CIRCLE,    /**< on a circle, rounded */
    HULL_KIND_PARABOLA,  /**< on a parabola, rounded */
    HULL_KIND_WIDE,      /**< any exponents: huge and tiny ones */
    HULL_KIND_SUBNORMAL, /**< a grid of the smallest numbers */
    HULL_KIND_CLUSTERS,  /**< tight clusters far from each other */
    HULL_KIND_ZEROS,     /**< 0, -0 and 1 */
    HULL_KINDS,
} hull_kind;

static inline double hull_uniform(rng *r) { return (double)(rng_next(r) >> 11) * 0x1p-53; }

static inline double hull_nudged(rng *r, double x, bool is_float) {
    const uint64_t way = rng_below(r, 3);
    if (way == 0) return x;
    const double to = way == 1 ? INFINITY : -INFINITY;
    return is_float ? (double)nextafterf((float)x, (float)to) : nextafter(x, to);
}

/** A set's own numbers, chosen once a set. */
typedef struct hull_shape {
    hull_kind kind;
    bool is_float;
    double slope, offset, scale;
    uint64_t side;
} hull_shape;

static inline hull_shape hull_shape_random(rng *r, hull_kind kind, bool is_float) {
    hull_shape s = {.kind = kind, .is_float = is_float, .side = 1 + rng_below(r, 9)};
    s.slope = rng_below(r, 2) == 0 ? hull_uniform(r) : (double)rng_below(r, 4);
    s.offset = rng_below(r, 2) == 0 ? hull_uniform(r) * 100 : 0;
    s.scale = ldexp(1, (int)rng_below(r, 21) - 10);
    return s;
}

static inline void hull_pair_random(rng *r, const hull_shape *s, double out[2]) {
    const double u = hull_uniform(r), v = hull_uniform(r), angle = 6.283185307179586 * u;
    const double tiny = s->is_float ? 0x1p-149 : 0x1p-1074;
    const int range = s->is_float ? 250 : 2040, least = s->is_float ? -140 : -1060;
    switch (s->kind) {
    case HULL_KIND_GRID: out[0] = (double)rng_below(r, s->side), out[1] = (double)rng_below(r, s->side); break;
    case HULL_KIND_LINE: out[0] = u * s->scale, out[1] = out[0] * s->slope + s->offset; break;
    case HULL_KIND_NEAR_LINE:
        out[0] = (double)rng_below(r, 40) * s->scale;
        out[1] = hull_nudged(r, out[0] * s->slope + s->offset, s->is_float);
        out[0] = hull_nudged(r, out[0], s->is_float);
        break;
    case HULL_KIND_EQUAL: out[0] = s->offset, out[1] = u < 0.5 && s->side > 4 ? s->offset : s->slope; break;
    case HULL_KIND_SQUARE: out[0] = u * s->scale, out[1] = v * s->scale; break;
    case HULL_KIND_CIRCLE: out[0] = 50 + cos(angle) * 50, out[1] = 50 + sin(angle) * 50; break;
    case HULL_KIND_PARABOLA: out[0] = floor(u * 1000), out[1] = out[0] * out[0] * 1e-3; break;
    case HULL_KIND_WIDE:
        out[0] = ldexp(u - 0.5, (int)rng_below(r, (uint64_t)range) + least);
        out[1] = ldexp(v - 0.5, (int)rng_below(r, (uint64_t)range) + least);
        break;
    case HULL_KIND_SUBNORMAL:
        out[0] = tiny * ((double)rng_below(r, s->side) - 2),
        out[1] = tiny * ((double)rng_below(r, s->side) - 3);
        break;
    case HULL_KIND_CLUSTERS:
        out[0] = (double)rng_below(r, 3) * 40 + u * 0x1p-40,
        out[1] = (double)rng_below(r, 3) * 40 + v * 0x1p-40;
        break;
    default:
        out[0] = u < 0.3 ? -0.0 : u < 0.7 ? 0.0 : 1.0, out[1] = v < 0.4 ? -0.0 : v < 0.8 ? 0.0 : 1.0;
        break;
    }
}

/* An integer coordinate: the double within 0 .. 127, or, where the set is of the wide kind, any bits. */
static inline uint64_t hull_integer_random(rng *r, const hull_shape *s, double x) {
    if (s->kind != HULL_KIND_WIDE) return (uint64_t)(int64_t)fmax(-128, fmin(127, x));
    const uint64_t bits = rng_next(r), way = rng_below(r, 4);
    return way == 0   ? bits
           : way == 1 ? bits >> 62
           : way == 2 ? ~(bits >> 62)
                      : (bits >> 62) ^ UINT64_C(1) << 63;
}

/** Fills n points of `type` with a random set of the kind. */
static inline void hull_fill(rng *r, hull_kind kind, riffle_type type, void *points, uint64_t n) {
    const hull_shape s = hull_shape_random(r, kind, type == RIFFLE_TYPE_F32);
    for (uint64_t i = 0; i < n; i++) {
        double pair[2];
        hull_pair_random(r, &s, pair);
        for (unsigned k = 0; k < 2; k++) {
            char *const to = (char *)points + (2 * i + k) * riffle_type_bytes(type);
            const float single = (float)pair[k];
            const uint64_t integer = type < RIFFLE_TYPE_F16 ? hull_integer_random(r, &s, pair[k]) : 0;
            if (type == RIFFLE_TYPE_F64)
                memcpy(to, &pair[k], sizeof pair[k]);
            else if (type == RIFFLE_TYPE_F32)
                memcpy(to, &single, sizeof single);
            else
                memcpy(to, &integer, riffle_type_bytes(type)); /* little-endian */
        }
    }
}

#endif
