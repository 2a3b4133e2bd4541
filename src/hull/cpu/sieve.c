/* SPDX-License-Identifier: Apache-2.0 */
#include "hull/cpu/sieve.h"

#include <math.h>
#include <string.h>

#include "base/processor/vectors.h"

typedef struct place {
    double u, v;
} place;

/* A boundary of the polygon, in the order of u: the lower one, or the upper one turned over in v. */
typedef struct boundary {
    const hull_sieve *sieve;
    const hull_list *hull;
    bool is_i64, is_upper;
} boundary;

/* From one coordinate to another, rounded. */
static hull_f64 difference(const hull_candidate *a, const hull_sieve *s, bool is_i64) {
    if (!is_i64) return (hull_f64){a->at.f64.x - s->from.f64.x, a->at.f64.y - s->from.f64.y};
    return (hull_f64){(double)((uint64_t)a->at.i64.x - (uint64_t)s->from.i64.x),
                      (double)((uint64_t)a->at.i64.y - (uint64_t)s->from.i64.y)};
}

static place place_of(const boundary *b, uint64_t k) {
    const uint64_t at = b->is_upper && k > 0 ? b->hull->count - k : k;
    const hull_f64 far = difference(&b->hull->items[at], b->sieve, b->is_i64);
    const double v = far.y * b->sieve->v_scale;
    return (place){far.x * b->sieve->u_scale, b->is_upper ? 1 - v : v};
}

/* How high the boundary is at shift, 1 + shift, ...; infinite beside it. `width` is where it ends. */
static void measure(const boundary *b, double width, double shift, double *heights) {
    place from = place_of(b, 0), to = place_of(b, 1);
    uint64_t at = 1;
    for (uint32_t c = 0; c < SIEVE_CELLS; c++) {
        const double u = c + shift;
        heights[c] = INFINITY;
        if (u <= 0 || u >= width) continue;
        while (to.u < u) {
            from = to;
            to = place_of(b, ++at);
        }
        heights[c] = from.v + (to.v - from.v) * ((u - from.u) / (to.u - from.u));
    }
}

/* The highest that a boundary is over each cell made wider. */
static void measure_cells(const boundary *b, double width, double *highest) {
    double right[SIEVE_CELLS];
    measure(b, width, -SIEVE_U, highest);
    measure(b, width, 1 + SIEVE_U, right);
    for (uint32_t c = 0; c < SIEVE_CELLS; c++) highest[c] = fmax(highest[c], right[c]);
}

static void set_stretches(hull_sieve *sieve, const hull_list *hull, double width, bool is_i64) {
    double low[SIEVE_CELLS], high[SIEVE_CELLS]; /* the upper boundary's turned over */
    measure_cells(&(boundary){sieve, hull, is_i64, false}, width, low);
    measure_cells(&(boundary){sieve, hull, is_i64, true}, width, high);
    for (uint32_t c = 0; c < SIEVE_CELLS; c++) {
        sieve->range[c + 1][0] = (float)(low[c] + SIEVE_V);
        sieve->range[c + 1][1] = (float)(1 - high[c] - SIEVE_V);
    }
    sieve->cells = SIEVE_CELLS;
}

/* Where u and v are 0, and how far the polygon reaches from there. */
static hull_f64 place_polygon(hull_sieve *sieve, const hull_list *hull, bool is_i64) {
    hull_candidate least = hull->items[0], most = least;
    for (uint64_t k = 1; k < hull->count; k++) {
        const hull_candidate *const corner = &hull->items[k];
        if (is_i64) {
            if (corner->at.i64.y < least.at.i64.y) least.at.i64.y = corner->at.i64.y;
            if (corner->at.i64.y > most.at.i64.y) most.at.i64.y = corner->at.i64.y;
            if (corner->at.i64.x > most.at.i64.x) most.at.i64.x = corner->at.i64.x;
        } else {
            least.at.f64.y = fmin(least.at.f64.y, corner->at.f64.y);
            most.at.f64.y = fmax(most.at.f64.y, corner->at.f64.y);
            most.at.f64.x = fmax(most.at.f64.x, corner->at.f64.x);
        }
    }
    if (is_i64)
        sieve->from.i64 = least.at.i64;
    else
        sieve->from.f64 = least.at.f64;
    return difference(&most, sieve, is_i64);
}

static bool is_within(double scale, double least) { return scale >= least && scale <= 1 / least; }

void hull_sieve_make(hull_sieve *sieve, const hull_list *hull, riffle_type type) {
    const bool is_i64 = hull_is_i64(type);
    const double least = type == RIFFLE_TYPE_F32 ? 0x1p-100 : 0x1p-1000;
    memset(sieve, 0, offsetof(hull_sieve, range));
    sieve->range[0][0] = sieve->range[1][0] = sieve->range[SIEVE_CELLS + 1][0] = INFINITY;
    if (hull->count < 3) return;
    const hull_f64 far = place_polygon(sieve, hull, is_i64);
    if (!is_within((double)SIEVE_CELLS / far.x, least) || !is_within(1 / far.y, least)) return;
    sieve->u_scale = (double)SIEVE_CELLS / far.x;
    sieve->v_scale = 1 / far.y;
    set_stretches(sieve, hull, far.x * sieve->u_scale, is_i64);
}

hull_sieve_pass *hull_sieve_pass_for(riffle_type type) {
    static hull_sieve_pass *(*const passes[VECTOR_SETS])(riffle_type) = {
        [VECTORS_PORTABLE] = hull_sieve_pass_portable,
#if defined(__x86_64__)
        [VECTORS_AVX2] = hull_sieve_pass_avx2,
        [VECTORS_AVX512] = hull_sieve_pass_avx512,
#elif defined(__aarch64__)
        [VECTORS_NEON] = hull_sieve_pass_neon,
#endif
    };
    hull_sieve_pass *const pass = passes[vectors_for(LOOPS_HULLS)](type);
    return pass != NULL ? pass : hull_sieve_pass_portable(type);
}
