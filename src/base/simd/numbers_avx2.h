/* SPDX-License-Identifier: Apache-2.0
 *
 * The words of numbers.h for AVX2 with F16C and FMA.
 */
#ifndef RIFFLE_BASE_SIMD_NUMBERS_AVX2_H
#define RIFFLE_BASE_SIMD_NUMBERS_AVX2_H

#include <immintrin.h>

#define VECTOR_TARGET __attribute__((target("avx2,f16c,fma")))
#define VECTOR_NAME(name) name##_avx2

enum { VECTOR_BYTES = 32, VECTORS_CROSS = 3, VECTORS_WITHIN = 8 };

#include "base/simd/numbers.h"

VECTOR_INLINE vector vector_choose(vector mask, vector yes, vector no) {
    return (vector)_mm256_blendv_epi8((__m256i)no, (__m256i)yes, (__m256i)mask);
}

/* Minima and maxima of floats give their second operand where neither is less, zeros and what is no number too. */
VECTOR_INLINE vector_pair vector_ordered(numbers type, vector first, vector second) {
    const __m256i a = (__m256i)first, b = (__m256i)second;
    switch (type) {
    case RIFFLE_TYPE_I8: return (vector_pair){(vector)_mm256_min_epi8(a, b), (vector)_mm256_max_epi8(a, b)};
    case RIFFLE_TYPE_U8: return (vector_pair){(vector)_mm256_min_epu8(a, b), (vector)_mm256_max_epu8(a, b)};
    case RIFFLE_TYPE_I16: return (vector_pair){(vector)_mm256_min_epi16(a, b), (vector)_mm256_max_epi16(a, b)};
    case RIFFLE_TYPE_U16: return (vector_pair){(vector)_mm256_min_epu16(a, b), (vector)_mm256_max_epu16(a, b)};
    case RIFFLE_TYPE_I32: return (vector_pair){(vector)_mm256_min_epi32(a, b), (vector)_mm256_max_epi32(a, b)};
    case RIFFLE_TYPE_U32: return (vector_pair){(vector)_mm256_min_epu32(a, b), (vector)_mm256_max_epu32(a, b)};
    case RIFFLE_TYPE_F32:
        return (vector_pair){(vector)_mm256_min_ps((__m256)second, (__m256)first),
                             (vector)_mm256_max_ps((__m256)first, (__m256)second)};
    case RIFFLE_TYPE_F64:
        return (vector_pair){(vector)_mm256_min_pd((__m256d)second, (__m256d)first),
                             (vector)_mm256_max_pd((__m256d)first, (__m256d)second)};
    default: return vector_exchanged(vector_less(type, second, first), first, second);
    }
}

VECTOR_INLINE bool vector_is_zero(vector v) { return _mm256_testz_si256((__m256i)v, (__m256i)v) != 0; }

VECTOR_INLINE vector vector_order_of(unsigned bytes) {
    const __m256i here = _mm256_setr_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4,
                                          5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    return (vector)_mm256_xor_si256(here, _mm256_set1_epi8((char)(bytes & 15)));
}

/* Within halves of the vector by order; the halves are exchanged where that is asked for. */
VECTOR_INLINE vector vector_shuffled(vector v, vector order, unsigned bytes) {
    const __m256i within = _mm256_shuffle_epi8((__m256i)v, (__m256i)order);
    return (vector)((bytes & 16) != 0 ? _mm256_permute4x64_epi64(within, 0x4e) : within);
}

VECTOR_INLINE vector vector_widened(const void *halves) {
    return (vector)_mm256_cvtph_ps(_mm_loadu_si128(halves));
}

VECTOR_INLINE void vector_narrowed(void *halves, vector floats) {
    _mm_storeu_si128(halves, _mm256_cvtps_ph((__m256)floats, _MM_FROUND_TO_NEAREST_INT));
}

VECTOR_INLINE vector vector_singles(vector_f64 low, vector_f64 high) {
    return (vector)_mm256_set_m128(_mm256_cvtpd_ps((__m256d)high), _mm256_cvtpd_ps((__m256d)low));
}

VECTOR_INLINE vector_f32 vector_less_product(vector_f32 c, vector_f32 a, float b) {
    return (vector_f32)_mm256_fnmadd_ps((__m256)a, _mm256_set1_ps(b), (__m256)c);
}

#endif
