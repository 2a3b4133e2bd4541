/* SPDX-License-Identifier: Apache-2.0
 *
 * The words that stages of programs are written in: arithmetic on vectors of numbers, for each set of instructions. A set's header,
 * numbers_avx2.h say, has VECTOR_TARGET, VECTOR_NAME(name) and VECTOR_BYTES, includes this file, and adds the words in the second
 * list. The compiler's own vectors do the first list: they name the same operation for every set, and each is one instruction.
 *
 *      vector                      VECTOR_BYTES of numbers, whatever their type
 *      vector_sum, _difference     of numbers of a type, which is a constant
 *      vector_negated, _scaled, _signs
 *      vector_rounded              of floats that are sums of halves: to 11 bits, to nearest and even
 *
 *      vector_choose               yes in bytes where the mask has ones, no where it has zeros
 *      vector_ordered              the less and the more of two; b comes first only where it is less
 *      vector_is_zero              true if all bits are
 *      vector_order_of, _shuffled  byte b becomes byte b ^ bytes, below VECTOR_BYTES
 *      vector_widened, _narrowed   VECTOR_BYTES / 2 of halves as floats, and back, rounded to nearest and even
 *      vector_singles              two vectors of doubles as one of floats
 *      vector_less_product         c - a b of floats, whose product is exact: one instruction where there is one
 *      VECTORS_CROSS               stages between lines that are done in registers at once
 *      VECTORS_WITHIN              vectors that go through stages within lines at once: at least a line of halves as floats
 *
 * Sums of halves are computed as floats and rounded once: 24 bits are twice the 11 of a half and two more, so the result
 * is the correctly rounded half. Sums below the least normal half are exact, for all halves are multiples of 2^-24. The floats are
 * 2^112 times as large, so that what overflows a half overflows a float; but not those of NUMBERS_SMALL_HALVES, halves that are no -0
 * and whose sums stay below 2^16.
 */
#ifndef RIFFLE_BASE_SIMD_NUMBERS_H
#define RIFFLE_BASE_SIMD_NUMBERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/simd/unrolled.h"
#include "riffle/type.h"

/* Loops are copied for constants. With a sanitizer's checks, or without an optimizer, the copies would take a compiler minutes: there the
 * same functions are called. */
#if defined(__OPTIMIZE__) && !defined(RIFFLE_SANITIZED)
#define VECTOR_INLINE VECTOR_TARGET __attribute__((always_inline)) static inline
#else
#define VECTOR_INLINE VECTOR_TARGET static inline
#endif

typedef uint64_t vector __attribute__((vector_size(VECTOR_BYTES), may_alias));
typedef int8_t vector_i8 __attribute__((vector_size(VECTOR_BYTES), may_alias));
typedef int16_t vector_i16 __attribute__((vector_size(VECTOR_BYTES), may_alias));
typedef int32_t vector_i32 __attribute__((vector_size(VECTOR_BYTES), may_alias));
typedef int64_t vector_i64 __attribute__((vector_size(VECTOR_BYTES), may_alias));
typedef uint8_t vector_u8 __attribute__((vector_size(VECTOR_BYTES), may_alias));
typedef uint16_t vector_u16 __attribute__((vector_size(VECTOR_BYTES), may_alias));
typedef uint32_t vector_u32 __attribute__((vector_size(VECTOR_BYTES), may_alias));
typedef float vector_f32 __attribute__((vector_size(VECTOR_BYTES), may_alias));
typedef double vector_f64 __attribute__((vector_size(VECTOR_BYTES), may_alias));
typedef uint16_t vector_half_u16 __attribute__((vector_size(VECTOR_BYTES / 2), may_alias));
typedef int16_t vector_half_i16 __attribute__((vector_size(VECTOR_BYTES / 2), may_alias));
typedef float vector_half_f32 __attribute__((vector_size(VECTOR_BYTES / 2), may_alias));

/** Numbers of a riffle_type; or halves that are known to stay small, as floats of the same size; or halves as they lie in memory, which the
 *  set adds. */
typedef unsigned numbers;
enum { NUMBERS_SMALL_HALVES = RIFFLE_TYPE_C128 + 1, NUMBERS_HALVES };

typedef struct vector_pair {
    vector first, second;
} vector_pair;

/* Carries into the exponent, and from the largest into infinity, as they should. */
VECTOR_INLINE vector vector_rounded(vector_f32 v) {
    const vector_u32 bits = (vector_u32)v;
    return (vector)((bits + (bits >> 13 & 1) + 0xfff) & ~0x1fffU);
}

VECTOR_INLINE vector_f32 vector_less_product(vector_f32 c, vector_f32 a, float b);

/* The difference of x and 2^13 x is rounded to 11 bits of x, or to 12 just above a power of two, which is then what is nearest; and what is
 * taken away again is exact. Where x is a tie, 2^13 x is an even multiple of the difference's last place: ties go to even. The result has no
 * -0. (2^13 x + x would leave 10 bits just below a power of two.) */
VECTOR_INLINE vector vector_small_rounded(vector_f32 v) {
    return (vector)vector_less_product(v * -8191.0F, v, -8192.0F);
}

/* Signs do not matter to sums of integers. Halves are floats by now. */
VECTOR_INLINE vector vector_sum(numbers type, vector a, vector b) {
    switch (type) {
    case RIFFLE_TYPE_U8: return (vector)((vector_u8)a + (vector_u8)b);
    case RIFFLE_TYPE_U16: return (vector)((vector_u16)a + (vector_u16)b);
    case RIFFLE_TYPE_U32: return (vector)((vector_u32)a + (vector_u32)b);
    case RIFFLE_TYPE_F16: return vector_rounded((vector_f32)a + (vector_f32)b);
    case NUMBERS_SMALL_HALVES: return vector_small_rounded((vector_f32)a + (vector_f32)b);
#if defined(VECTOR_SUM_OF_HALVES)
    case NUMBERS_HALVES: return (vector)VECTOR_SUM_OF_HALVES(a, b);
#endif
    case RIFFLE_TYPE_F32: return (vector)((vector_f32)a + (vector_f32)b);
    case RIFFLE_TYPE_F64: return (vector)((vector_f64)a + (vector_f64)b);
    default: return a + b;
    }
}

VECTOR_INLINE vector vector_difference(numbers type, vector a, vector b) {
    switch (type) {
    case RIFFLE_TYPE_U8: return (vector)((vector_u8)a - (vector_u8)b);
    case RIFFLE_TYPE_U16: return (vector)((vector_u16)a - (vector_u16)b);
    case RIFFLE_TYPE_U32: return (vector)((vector_u32)a - (vector_u32)b);
    case RIFFLE_TYPE_F16: return vector_rounded((vector_f32)a - (vector_f32)b);
    case NUMBERS_SMALL_HALVES: return vector_small_rounded((vector_f32)a - (vector_f32)b);
#if defined(VECTOR_DIFFERENCE_OF_HALVES)
    case NUMBERS_HALVES: return (vector)VECTOR_DIFFERENCE_OF_HALVES(a, b);
#endif
    case RIFFLE_TYPE_F32: return (vector)((vector_f32)a - (vector_f32)b);
    case RIFFLE_TYPE_F64: return (vector)((vector_f64)a - (vector_f64)b);
    default: return a - b;
    }
}

/* A half lies in memory's form here: its sign is a bit. */
VECTOR_INLINE vector vector_negated(numbers type, vector v) {
    switch (type) {
    case RIFFLE_TYPE_U8: return (vector)(-(vector_u8)v);
    case RIFFLE_TYPE_U16: return (vector)(-(vector_u16)v);
    case RIFFLE_TYPE_U32: return (vector)(-(vector_u32)v);
    case RIFFLE_TYPE_F16: return (vector)((vector_u16)v ^ 0x8000);
    case RIFFLE_TYPE_F32: return (vector)(-(vector_f32)v);
    case RIFFLE_TYPE_F64: return (vector)(-(vector_f64)v);
    default: return -v;
    }
}

VECTOR_INLINE vector vector_scaled(numbers type, vector v, double factor) {
    return type == RIFFLE_TYPE_F64 ? (vector)((vector_f64)v * factor) : (vector)((vector_f32)v * (float)factor);
}

/* The sign bits of floats; halves are floats by now, or as they lie in memory. */
VECTOR_INLINE vector vector_signs(numbers type) {
    const uint64_t sign = (uint64_t)1 << 63;
    const vector none = {0};
    if (type == NUMBERS_HALVES) return none + 0x8000800080008000;
    return none + (type == RIFFLE_TYPE_F64 ? sign : sign | sign >> 32);
}

/* The two that a mask says to exchange. */
VECTOR_INLINE vector_pair vector_exchanged(vector mask, vector a, vector b) {
    const vector change = (a ^ b) & mask;
    return (vector_pair){a ^ change, b ^ change};
}

/* Ones where b is less than a. Halves are compared as integers, with what is negative counted down; zeros are equal, and what is no
 * number is not less. */
VECTOR_INLINE vector vector_half_less(vector b, vector a) {
    const vector_i16 x = (vector_i16)a, y = (vector_i16)b;
    const vector_i16 less = (y ^ (y >> 15 & 0x7fff)) < (x ^ (x >> 15 & 0x7fff));
    return (vector)(less & ((x & 0x7fff) <= 0x7c00) & ((y & 0x7fff) <= 0x7c00) & (((x | y) & 0x7fff) != 0));
}

VECTOR_INLINE vector vector_less(numbers type, vector b, vector a) {
    switch (type) {
    case RIFFLE_TYPE_I8: return (vector)((vector_i8)b < (vector_i8)a);
    case RIFFLE_TYPE_U8: return (vector)((vector_u8)b < (vector_u8)a);
    case RIFFLE_TYPE_I16: return (vector)((vector_i16)b < (vector_i16)a);
    case RIFFLE_TYPE_U16: return (vector)((vector_u16)b < (vector_u16)a);
    case RIFFLE_TYPE_I32: return (vector)((vector_i32)b < (vector_i32)a);
    case RIFFLE_TYPE_U32: return (vector)((vector_u32)b < (vector_u32)a);
    case RIFFLE_TYPE_I64: return (vector)((vector_i64)b < (vector_i64)a);
    case RIFFLE_TYPE_F16: return vector_half_less(b, a);
    case RIFFLE_TYPE_F32: return (vector)((vector_f32)b < (vector_f32)a);
    case RIFFLE_TYPE_F64: return (vector)((vector_f64)b < (vector_f64)a);
    default: return (vector)(b < a);
    }
}

#endif
