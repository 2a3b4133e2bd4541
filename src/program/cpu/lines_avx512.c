/* SPDX-License-Identifier: Apache-2.0
 *
 * Stages on lines with AVX-512: a line is a register, and a permutation by bytes shuffles it.
 */
#if defined(__x86_64__)

#include <immintrin.h>
#include <string.h>

#include "program/cpu/lines.h"

#define LINE_TARGET __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi")))
#define LINE_NAME(name) name##_avx512

LINE_TARGET __attribute__((always_inline)) static inline void shuffle_avx512(void *to, const void *from,
                                                                             const line_stage *s) {
    _mm512_storeu_si512(to, _mm512_permutexvar_epi8(_mm512_load_si512(s->order), _mm512_loadu_si512(from)));
}

LINE_TARGET __attribute__((always_inline)) static inline void widen_avx512(void *floats, const void *halves) {
    _mm512_storeu_ps(floats, _mm512_cvtph_ps(_mm256_loadu_si256(halves)));
    _mm512_storeu_ps((float *)floats + 16, _mm512_cvtph_ps(_mm256_loadu_si256((const __m256i *)halves + 1)));
}

LINE_TARGET __attribute__((always_inline)) static inline void narrow_avx512(void *halves, const void *floats) {
    const __m512 low = _mm512_loadu_ps(floats), high = _mm512_loadu_ps((const float *)floats + 16);
    _mm256_storeu_si256(halves, _mm512_cvtps_ph(low, _MM_FROUND_TO_NEAREST_INT));
    _mm256_storeu_si256((__m256i *)halves + 1, _mm512_cvtps_ph(high, _MM_FROUND_TO_NEAREST_INT));
}

LINE_TARGET __attribute__((always_inline)) static inline void swap_f32_avx512(void *to, const void *from) {
    _mm512_store_ps(to, _mm512_permute_ps(_mm512_load_ps(from), 0xb1));
}

LINE_TARGET __attribute__((always_inline)) static inline void swap_f64_avx512(void *to, const void *from) {
    _mm512_store_pd(to, _mm512_permute_pd(_mm512_load_pd(from), 0x55));
}

LINE_TARGET __attribute__((always_inline)) static inline void single_avx512(void *to, const void *from) {
    const __m256 low = _mm512_cvtpd_ps(_mm512_load_pd(from)),
                 high = _mm512_cvtpd_ps(_mm512_load_pd((const double *)from + 8));
    _mm512_store_ps(to, _mm512_insertf32x8(_mm512_castps256_ps512(low), high, 1));
}

#include "program/cpu/lines.inc"

#endif
