/* SPDX-License-Identifier: Apache-2.0
 *
 * Types of points for the kernels that are made for each of them.
 */
#ifndef RIFFLE_HULL_KERNELS_HULL_TYPES_H
#define RIFFLE_HULL_KERNELS_HULL_TYPES_H

#include "hull/kernels/hull_points.h"

/* A point as one access of memory: a word that is as long, or two. */
template <unsigned bytes> struct hull_word;
template <> struct hull_word<2> { typedef uint16_t type; };
template <> struct hull_word<4> { typedef uint32_t type; };
template <> struct hull_word<8> { typedef uint64_t type; };
template <> struct hull_word<16> { typedef vector16 type; };

template <class single> struct hull_pair {
    typedef single coordinate;
    typedef typename hull_word<2 * sizeof(single)>::type pair;
    enum { POINTS = 2 * sizeof(single) == 16 ? HULL_AT_ONCE / 2 : HULL_AT_ONCE }; /* as registers allow */
    struct coordinates {
        single x, y;
    };
    static __device__ inline single x_of(pair word) { return hull_bits_as<coordinates>(word).x; }
    static __device__ inline single y_of(pair word) { return hull_bits_as<coordinates>(word).y; }
};

/* Places as a lane holds them, from another lane. */
struct hull_f32 {
    float x, y;
};

static __device__ inline hull_f32 warp_from_lane(hull_f32 at, uint32_t lane) {
    return {hull_bits_as<float>(warp_from_lane(hull_bits_as<uint32_t>(at.x), lane)),
            hull_bits_as<float>(warp_from_lane(hull_bits_as<uint32_t>(at.y), lane))};
}

static __device__ inline hull_f64 warp_from_lane(hull_f64 at, uint32_t lane) {
    return {hull_bits_as<double>(warp_from_lane(hull_bits(at.x), lane)),
            hull_bits_as<double>(warp_from_lane(hull_bits(at.y), lane))};
}

static __device__ inline hull_i64 warp_from_lane(hull_i64 at, uint32_t lane) {
    return {(int64_t)warp_from_lane((uint64_t)at.x, lane), (int64_t)warp_from_lane((uint64_t)at.y, lane)};
}

/* Floats are tried as floats: the bound is that of hull_sure_sign, of float's rounding. */
static __device__ inline int hull_lanes_turn(hull_f32 a, hull_f32 b, hull_f32 c) {
    const float left = (b.x - a.x) * (c.y - a.y), right = (b.y - a.y) * (c.x - a.x);
    const float size = (left < 0 ? -left : left) + (right < 0 ? -right : right);
    const float turn = left - right, bound = 1.7881396e-7f * size;
    if (size > 1e-30f && (turn > bound || -turn > bound)) return turn > 0 ? 1 : -1;
    return hull_orient_f64({(double)a.x, (double)a.y}, {(double)b.x, (double)b.y}, {(double)c.x, (double)c.y});
}

static __device__ inline int hull_lanes_turn(hull_f64 a, hull_f64 b, hull_f64 c) {
    return hull_orient_f64(a, b, c);
}
static __device__ inline int hull_lanes_turn(hull_i64 a, hull_i64 b, hull_i64 c) {
    return hull_orient_i64(a, b, c);
}

/* Types of points: as they lie in memory, and how a coordinate is scaled. Floats are scaled as floats, integers as what holds
 * them. A value that is no number has no cell. */
template <class single, class scaled> struct hull_narrow : hull_pair<single> {
    typedef hull_real kind;
    scaled x, y, u, v;
    __device__ inline hull_narrow(const hull_scale<hull_real> &scale)
        : x((scaled)scale.from.x), y((scaled)scale.from.y), u((scaled)scale.u), v((scaled)scale.v) {}
    static __device__ inline bool is_finite(single at) { return (single)0.5 == 0 || at - at == 0; }
    static __device__ inline auto lane_place(single at, single up) {
        if constexpr (sizeof(scaled) == 4)
            return hull_f32{(float)at, (float)up};
        else
            return hull_f64{(double)at, (double)up};
    }
    __device__ inline float along(single at) const { return (float)(((scaled)at - x) * u); }
    __device__ inline float up(single at) const { return (float)(((scaled)at - y) * v); }
};

template <class single> struct hull_long_integer : hull_pair<single> {
    typedef hull_integer kind;
    hull_scale<hull_integer> scale;
    __device__ inline hull_long_integer(const hull_scale<hull_integer> &given) : scale(given) {}
    static __device__ inline int64_t centred(single at) {
        return (single)-1 > 0 ? hull_centred((uint64_t)at) : (int64_t)at;
    }
    static __device__ inline bool is_finite(single) { return true; }
    static __device__ inline hull_i64 lane_place(single at, single up) { return {centred(at), centred(up)}; }
    __device__ inline float along(single at) const {
        return (float)(hull_integer::distance(scale.from.x, centred(at)) * scale.u);
    }
    __device__ inline float up(single at) const {
        return (float)(hull_integer::distance(scale.from.y, centred(at)) * scale.v);
    }
};

typedef hull_narrow<float, float> hull_as_f32;
typedef hull_narrow<double, double> hull_as_f64;
typedef hull_narrow<int8_t, float> hull_as_i8;
typedef hull_narrow<int16_t, float> hull_as_i16;
typedef hull_narrow<int32_t, double> hull_as_i32;
typedef hull_narrow<uint8_t, float> hull_as_u8;
typedef hull_narrow<uint16_t, float> hull_as_u16;
typedef hull_narrow<uint32_t, double> hull_as_u32;
typedef hull_long_integer<int64_t> hull_as_i64;
typedef hull_long_integer<uint64_t> hull_as_u64;

#endif
