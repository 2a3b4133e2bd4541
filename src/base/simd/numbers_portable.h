/* SPDX-License-Identifier: Apache-2.0
 *
 * The words of numbers.h for any processor: vectors of 16 bytes, which the compiler makes of what there is, SSE2 on every x86-64.
 */
#ifndef RIFFLE_BASE_SIMD_NUMBERS_PORTABLE_H
#define RIFFLE_BASE_SIMD_NUMBERS_PORTABLE_H

#include <string.h>

#define VECTOR_TARGET
#define VECTORS_PORTABLE_WORDS
#define VECTOR_NAME(name) name##_portable

enum { VECTOR_BYTES = 16, VECTORS_CROSS = 3, VECTORS_WITHIN = 8 };

#include "base/simd/numbers.h"

VECTOR_INLINE vector vector_choose(vector mask, vector yes, vector no) { return (yes & mask) | (no & ~mask); }

VECTOR_INLINE vector_pair vector_ordered(numbers type, vector a, vector b) {
    return vector_exchanged(vector_less(type, b, a), a, b);
}

VECTOR_INLINE bool vector_is_zero(vector v) { return (v[0] | v[1]) == 0; }

VECTOR_INLINE vector vector_order_of(unsigned bytes) { return (vector){bytes, bytes}; }

/* Halves first, then what is within them. */
VECTOR_INLINE vector vector_shuffled(vector v, vector order, unsigned bytes) {
    (void)order;
    if ((bytes & 8) != 0) v = (vector){v[1], v[0]};
    if ((bytes & 4) != 0) v = v >> 32 | v << 32;
    if ((bytes & 2) != 0) v = (vector)((vector_u32)v >> 16 | (vector_u32)v << 16);
    if ((bytes & 1) != 0) v = (vector)((vector_u16)v >> 8 | (vector_u16)v << 8);
    return v;
}

/* As base/half.h does it, without a branch. */
VECTOR_INLINE vector vector_widened(const void *halves) {
    vector_half_u16 from;
    memcpy(&from, halves, sizeof from);
    const vector_u32 half = __builtin_convertvector(from, vector_u32), rest = half & 0x7fff;
    const vector_u32 infinite = (vector_u32)(rest >= 0x7c00) & (112U << 23);
    const vector_u32 subnormal = (vector_u32)(__builtin_convertvector((vector_i32)rest, vector_f32) * 0x1p-24F);
    const vector_u32 normal = (rest << 13) + (112U << 23) + infinite;
    return vector_choose((vector)(rest < 0x400), (vector)subnormal, (vector)normal) |
           (vector)((half & 0x8000) << 16);
}

VECTOR_INLINE void vector_narrowed(void *halves, vector floats) {
    const vector_u32 bits = (vector_u32)floats & 0x7fffffff;
    const vector rounded = (vector)((bits - (112U << 23) + 0xfff + (bits >> 13 & 1)) >> 13);
    const vector subnormal = (vector)((vector_u32)((vector_f32)bits + 0.5F) - 0x3f000000U);
    const vector_u32 no_number = (vector_u32)((vector_i32)bits > 0x7f800000) & (0x200 | (bits >> 13 & 0x3ff));
    vector magnitude = vector_choose((vector)((vector_i32)bits < 0x38800000), subnormal, rounded);
    magnitude =
        vector_choose((vector)((vector_i32)bits >= 0x477ff000), (vector)(no_number | 0x7c00), magnitude);
    const vector_u32 sign = (vector_u32)floats >> 16 & 0x8000;
    const vector_half_u16 to = __builtin_convertvector((vector_u32)magnitude | sign, vector_half_u16);
    memcpy(halves, &to, sizeof to);
}

VECTOR_INLINE vector vector_singles(vector_f64 low, vector_f64 high) {
    return (vector)(vector_f32){(float)low[0], (float)low[1], (float)high[0], (float)high[1]};
}

VECTOR_INLINE vector_f32 vector_less_product(vector_f32 c, vector_f32 a, float b) { return c - a * b; }

#endif
