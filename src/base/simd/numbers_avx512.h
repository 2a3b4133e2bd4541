/* SPDX-License-Identifier: Apache-2.0
 *
 * The words of numbers.h for AVX-512 with VBMI, whose permutation by bytes shuffles a whole vector.
 */
#ifndef RIFFLE_BASE_SIMD_NUMBERS_AVX512_H
#define RIFFLE_BASE_SIMD_NUMBERS_AVX512_H

#include <immintrin.h>

#if !defined(VECTOR_TARGET)
#define VECTOR_TARGET __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi")))
#define VECTOR_NAME(name) name##_avx512
#endif

enum { VECTOR_BYTES = 64, VECTORS_CROSS = 4, VECTORS_WITHIN = 4 };

#include "base/simd/numbers.h"

VECTOR_INLINE vector vector_choose(vector mask, vector yes, vector no) { return (yes & mask) | (no & ~mask); }

/* Minima and maxima of floats give their second operand where neither is less, zeros and what is no number too. */
VECTOR_INLINE vector_pair vector_ordered(numbers type, vector first, vector second) {
    const __m512i a = (__m512i)first, b = (__m512i)second;
    switch (type) {
    case RIFFLE_TYPE_I8: return (vector_pair){(vector)_mm512_min_epi8(a, b), (vector)_mm512_max_epi8(a, b)};
    case RIFFLE_TYPE_U8: return (vector_pair){(vector)_mm512_min_epu8(a, b), (vector)_mm512_max_epu8(a, b)};
    case RIFFLE_TYPE_I16: return (vector_pair){(vector)_mm512_min_epi16(a, b), (vector)_mm512_max_epi16(a, b)};
    case RIFFLE_TYPE_U16: return (vector_pair){(vector)_mm512_min_epu16(a, b), (vector)_mm512_max_epu16(a, b)};
    case RIFFLE_TYPE_I32: return (vector_pair){(vector)_mm512_min_epi32(a, b), (vector)_mm512_max_epi32(a, b)};
    case RIFFLE_TYPE_U32: return (vector_pair){(vector)_mm512_min_epu32(a, b), (vector)_mm512_max_epu32(a, b)};
    case RIFFLE_TYPE_I64: return (vector_pair){(vector)_mm512_min_epi64(a, b), (vector)_mm512_max_epi64(a, b)};
    case RIFFLE_TYPE_U64: return (vector_pair){(vector)_mm512_min_epu64(a, b), (vector)_mm512_max_epu64(a, b)};
    case RIFFLE_TYPE_F32:
        return (vector_pair){(vector)_mm512_min_ps((__m512)second, (__m512)first),
                             (vector)_mm512_max_ps((__m512)first, (__m512)second)};
    case RIFFLE_TYPE_F64:
        return (vector_pair){(vector)_mm512_min_pd((__m512d)second, (__m512d)first),
                             (vector)_mm512_max_pd((__m512d)first, (__m512d)second)};
    default: return vector_exchanged(vector_less(type, second, first), first, second);
    }
}

VECTOR_INLINE bool vector_is_zero(vector v) { return _mm512_test_epi64_mask((__m512i)v, (__m512i)v) == 0; }

VECTOR_INLINE vector vector_order_of(unsigned bytes) {
    _Alignas(VECTOR_BYTES) uint8_t order[VECTOR_BYTES];
    for (unsigned b = 0; b < VECTOR_BYTES; b++) order[b] = (uint8_t)(b ^ bytes);
    return *(const vector *)(const void *)order;
}

VECTOR_INLINE vector vector_shuffled(vector v, vector order, unsigned bytes) {
    (void)bytes;
    return (vector)_mm512_permutexvar_epi8((__m512i)order, (__m512i)v);
}

VECTOR_INLINE vector vector_widened(const void *halves) {
    return (vector)_mm512_cvtph_ps(_mm256_loadu_si256(halves));
}

/* With a mask of all: without one gcc 12 warns at -O0 of its own header. */
VECTOR_INLINE void vector_narrowed(void *halves, vector floats) {
    _mm256_storeu_si256(halves, _mm512_maskz_cvtps_ph(0xffff, (__m512)floats, _MM_FROUND_TO_NEAREST_INT));
}

VECTOR_INLINE vector vector_singles(vector_f64 low, vector_f64 high) {
    return (vector)_mm512_insertf32x8(_mm512_castps256_ps512(_mm512_cvtpd_ps((__m512d)low)),
                                      _mm512_cvtpd_ps((__m512d)high), 1);
}

VECTOR_INLINE vector_f32 vector_less_product(vector_f32 c, vector_f32 a, float b) {
    return (vector_f32)_mm512_fnmadd_ps((__m512)a, _mm512_set1_ps(b), (__m512)c);
}

#endif
