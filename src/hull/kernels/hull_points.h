/* SPDX-License-Identifier: Apache-2.0
 *
 * Points for the kernels of hulls. There are two kinds of places, as in hull/predicates.h: real, which all types but the
 * integers of 8 bytes are, and integer. An order is a coordinate as an unsigned number that is greater where the coordinate is;
 * -0.0 and 0.0 have the same.
 */
#ifndef RIFFLE_HULL_KERNELS_HULL_POINTS_H
#define RIFFLE_HULL_KERNELS_HULL_POINTS_H

#include "device/kernels/warp.h"
#include "hull/kernels/bits.h"
#include "hull/kernels/hull.h"
#include "hull/predicates.h"

#ifdef __CUDACC__
#define HULL_NO_INLINE __noinline__
#else
#define HULL_NO_INLINE __attribute__((noinline))
#endif

static __device__ inline uint32_t hull_order_of_float(float x) {
    const uint32_t bits = hull_bits_as<uint32_t>(x + 0.0f);
    return bits >> 31 != 0 ? ~bits : bits | 0x80000000u;
}

struct hull_real {
    typedef hull_f64 place;
    typedef double coordinate;

    static __device__ inline int orient(place a, place b, place c) { return hull_orient_f64(a, b, c); }
    static __device__ inline bool before(place a, place b) { return hull_before_f64(a, b); }
    static __device__ inline bool is_finite(place a) { return hull_is_finite(a.x) && hull_is_finite(a.y); }
    static __device__ inline double turned(double x) { return -x; }
    /* How far b is from a, rounded. */
    static __device__ inline double distance(double a, double b) { return b - a; }
    static __device__ inline uint64_t order(double x) {
        const uint64_t bits = hull_bits(x + 0.0);
        return bits >> 63 != 0 ? ~bits : bits | UINT64_C(1) << 63;
    }
    static __device__ inline double of_order(uint64_t order) {
        return hull_bits_as<double>(order >> 63 != 0 ? order ^ UINT64_C(1) << 63 : ~order);
    }
    static __device__ inline uint64_t bits(double x) { return hull_bits(x); }
    static __device__ inline double of_bits(uint64_t bits) { return hull_bits_as<double>(bits); }

    template <class coordinate, uint32_t count>
    static __device__ inline void each(const void *points, const uint64_t *i, place *out) {
        coordinate x[count], y[count]; /* none is looked at before all are on their way */
        UNROLL
        for (uint32_t k = 0; k < count; ++k) {
            x[k] = ((const coordinate *)points)[2 * i[k]];
            y[k] = ((const coordinate *)points)[2 * i[k] + 1];
        }
        UNROLL
        for (uint32_t k = 0; k < count; ++k) out[k].x = (double)x[k], out[k].y = (double)y[k];
    }

    /* Points i[0], i[1], ... at once. */
    template <uint32_t count>
    static __device__ inline void load_each(const hull_table *t, const uint64_t *i, place *out) {
        switch (t->form << 4 | t->coordinate_bytes) {
        case HULL_REAL << 4 | 4: each<float, count>(t->points, i, out); break;
        case HULL_REAL << 4 | 8: each<double, count>(t->points, i, out); break;
        case HULL_SIGNED << 4 | 1: each<int8_t, count>(t->points, i, out); break;
        case HULL_SIGNED << 4 | 2: each<int16_t, count>(t->points, i, out); break;
        case HULL_SIGNED << 4 | 4: each<int32_t, count>(t->points, i, out); break;
        case HULL_UNSIGNED << 4 | 1: each<uint8_t, count>(t->points, i, out); break;
        case HULL_UNSIGNED << 4 | 2: each<uint16_t, count>(t->points, i, out); break;
        default: each<uint32_t, count>(t->points, i, out);
        }
    }

    static __device__ HULL_NO_INLINE place load(const hull_table *t, uint64_t i) {
        place out;
        load_each<1>(t, &i, &out);
        return out;
    }
};

struct hull_integer {
    typedef hull_i64 place;
    typedef int64_t coordinate;

    static __device__ inline int orient(place a, place b, place c) { return hull_orient_i64(a, b, c); }
    static __device__ inline bool before(place a, place b) { return hull_before_i64(a, b); }
    static __device__ inline bool is_finite(place) { return true; }
    static __device__ inline int64_t turned(int64_t x) { return ~x; }
    static __device__ inline double distance(int64_t a, int64_t b) {
        return b >= a ? (double)hull_distance(a, b) : -(double)hull_distance(a, b);
    }
    static __device__ inline uint64_t order(int64_t x) { return (uint64_t)x ^ UINT64_C(1) << 63; }
    static __device__ inline int64_t of_order(uint64_t order) { return (int64_t)(order ^ UINT64_C(1) << 63); }
    static __device__ inline uint64_t bits(int64_t x) { return (uint64_t)x; }
    static __device__ inline int64_t of_bits(uint64_t bits) { return (int64_t)bits; }

    template <uint32_t count>
    static __device__ inline void load_each(const hull_table *t, const uint64_t *i, place *out) {
        const uint64_t *const at = (const uint64_t *)t->points,
                              top = t->form == HULL_UNSIGNED ? UINT64_C(1) << 63 : 0; /* as hull_centred */
        UNROLL
        for (uint32_t k = 0; k < count; ++k) {
            out[k].x = (int64_t)(at[2 * i[k]] ^ top);
            out[k].y = (int64_t)(at[2 * i[k] + 1] ^ top);
        }
    }

    static __device__ inline place load(const hull_table *t, uint64_t i) {
        place out;
        load_each<1>(t, &i, &out);
        return out;
    }
};

template <class kind>
static __device__ inline typename kind::place hull_turned(typename kind::place a, bool is_turned) {
    if (is_turned) a.x = kind::turned(a.x), a.y = kind::turned(a.y);
    return a;
}

/** By a quarter of a turn: what is right comes to be below. */
template <class kind>
static __device__ inline typename kind::place hull_quartered(typename kind::place a, uint32_t quarter) {
    typename kind::place out = a;
    if (quarter != 0) out.x = a.y, out.y = kind::turned(a.x);
    return out;
}

template <class place> static __device__ inline bool hull_is_same(place a, place b) {
    return a.x == b.x && a.y == b.y;
}

/** Every kernel here begins so: the launch behind it may be made ready while this one runs, and it waits itself until all before it
 *  is done, where it was launched to be ready early. */
static __device__ inline void hull_follow() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.launch_dependents;\n\tgriddepcontrol.wait;" ::: "memory");
#endif
}

/* ---------------------------------------------------------------------- sets */

/** Points of a set: begin .. end - 1. */
struct hull_span {
    uint64_t begin, end;
};

/** None where `first` is not what it should be. */
static __device__ inline bool hull_find_span(const hull_table *t, uint64_t set, hull_span *span) {
    if (t->first == nullptr) {
        span->begin = set * t->each;
        span->end = span->begin + t->each;
        return true;
    }
    span->begin = t->first[set];
    span->end = t->first[set + 1];
    if (span->begin <= span->end && span->end <= t->n) return true;
    span->begin = span->end = 0;
    return false;
}

/** The same, and remembers it. */
static __device__ inline hull_span hull_span_of(const hull_table *t, uint64_t set) {
    hull_span span;
    if (!hull_find_span(t, set, &span))
        ATOMIC_MIN((unsigned long long *)&t->state->record.bad_set, (unsigned long long)set);
    return span;
}

/** Point j of the sample, among those of a set: neighbours in groups, a group somewhere in each stretch. */
static __device__ inline uint64_t hull_sampled(const hull_table *t, hull_span span, uint64_t j) {
    const uint64_t groups = t->sample / HULL_GROUP, group = j / HULL_GROUP;
    const uint64_t stretch = (span.end - span.begin) / groups;
    const uint32_t random = (uint32_t)group * 2654435761u;
    const uint64_t within = stretch <= HULL_GROUP ? 0 : (uint64_t)random * (stretch - HULL_GROUP) >> 32;
    return span.begin + group * stretch + within + j % HULL_GROUP;
}

static __device__ inline void hull_refuse_point(const hull_table *t, uint64_t i) {
    ATOMIC_MIN((unsigned long long *)&t->state->record.bad_point, (unsigned long long)i);
}

/** Point i, which is `at`, or, where it is not finite, which is remembered, another. */
template <class kind>
static __device__ inline typename kind::place hull_only_finite(const hull_table *t, uint64_t i,
                                                               typename kind::place at) {
    if (kind::is_finite(at)) return at;
    hull_refuse_point(t, i);
    at.x = at.y = 0;
    return at;
}

template <class kind>
static __device__ inline typename kind::place hull_load_finite(const hull_table *t, uint64_t i) {
    return hull_only_finite<kind>(t, i, kind::load(t, i));
}

/* ------------------------------------------------------------------- results */

template <class word>
static __device__ inline void hull_copy_point(const hull_table *t, uint64_t at, uint64_t i) {
    word *const to = (word *)t->hulls + 2 * at;
    const word *const from = (const word *)t->points + 2 * i;
    const word x = from[0], y = from[1];
    to[0] = x;
    to[1] = y;
}

/** Writes the result that stands for point i. */
static __device__ HULL_NO_INLINE void hull_write(const hull_table *t, uint64_t at, uint32_t i) {
    if (t->result_bytes == 4) {
        ((uint32_t *)t->hulls)[at] = i;
    } else if (t->result_bytes == 8) {
        ((uint64_t *)t->hulls)[at] = i;
    } else if (t->coordinate_bytes == 1) {
        hull_copy_point<uint8_t>(t, at, i);
    } else if (t->coordinate_bytes == 2) {
        hull_copy_point<uint16_t>(t, at, i);
    } else if (t->coordinate_bytes == 4) {
        hull_copy_point<uint32_t>(t, at, i);
    } else {
        hull_copy_point<uint64_t>(t, at, i);
    }
}

/* --------------------------------------------------------------------- cells */

/** How coordinates become u = 0 .. HULL_CELLS and v = 0 .. 1 over what a sample has seen. Scales of 0 make one cell of all. */
template <class kind> struct hull_scale {
    typename kind::place from;
    double u, v;
};

static __device__ inline double hull_scale_for(double length, double width, double least) {
    const double scale = length / width;
    return scale >= least && scale <= 1 / least ? scale : 0;
}

template <class kind>
static __device__ inline hull_scale<kind> hull_scale_within(const hull_table *t, const uint64_t *bounds,
                                                            uint32_t quarter) {
    typename kind::place least, most;
    least.x = kind::of_order(bounds[0]), least.y = kind::of_order(bounds[1]);
    most.x = kind::of_order(~bounds[2]), most.y = kind::of_order(~bounds[3]);
    const double width = kind::distance(least.x, most.x), height = kind::distance(least.y, most.y);
    hull_scale<kind> scale;
    scale.from = least;
    if (quarter != 0) scale.from.x = least.y, scale.from.y = kind::turned(most.x);
    scale.u = hull_scale_for(HULL_CELLS, quarter != 0 ? height : width, t->least_scale);
    scale.v = hull_scale_for(1, quarter != 0 ? width : height, t->least_scale);
    if (scale.u == 0 || scale.v == 0) scale.u = scale.v = 0;
    return scale;
}

/** Keeps it for later kernels, which need not divide again. */
template <class kind>
static __device__ inline void hull_keep_scale(const hull_table *t, const hull_scale<kind> &scale,
                                              uint32_t quarter) {
    uint64_t *const to = t->state->scale[quarter];
    to[0] = kind::bits(scale.from.x), to[1] = kind::bits(scale.from.y);
    to[2] = hull_bits(scale.u), to[3] = hull_bits(scale.v);
}

template <class kind>
static __device__ inline hull_scale<kind> hull_scale_of(const hull_table *t, uint32_t quarter) {
    const uint64_t *const from = t->state->scale[quarter];
    hull_scale<kind> scale;
    scale.from.x = kind::of_bits(from[0]), scale.from.y = kind::of_bits(from[1]);
    scale.u = hull_bits_as<double>(from[2]), scale.v = hull_bits_as<double>(from[3]);
    return scale;
}

/** The cell of x, which never descends where x ascends: what is beside the cells belongs to the last of them. */
template <class kind>
static __device__ inline uint32_t hull_cell(const hull_scale<kind> *scale, typename kind::coordinate x) {
    const double u = kind::distance(scale->from.x, x) * scale->u;
    return u >= (double)HULL_CELLS ? HULL_CELLS - 1 : u > 0 ? (uint32_t)u : 0;
}

#endif
