/* SPDX-License-Identifier: Apache-2.0
 *
 * The words of numbers.h for AVX-512 with FP16, which adds halves as they are: each sum is rounded once, as it is defined.
 */
#ifndef RIFFLE_BASE_SIMD_NUMBERS_AVX512FP16_H
#define RIFFLE_BASE_SIMD_NUMBERS_AVX512FP16_H

#include <immintrin.h>

#define VECTOR_TARGET __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512fp16")))
#define VECTOR_NAME(name) name##_avx512fp16
#define VECTOR_SUM_OF_HALVES(a, b) _mm512_add_ph((__m512h)(a), (__m512h)(b))
#define VECTOR_DIFFERENCE_OF_HALVES(a, b) _mm512_sub_ph((__m512h)(a), (__m512h)(b))

#include "base/simd/numbers_avx512.h"

#endif
