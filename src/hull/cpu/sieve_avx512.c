/* SPDX-License-Identifier: Apache-2.0
 *
 * Sieving 8 points of doubles or 16 of floats at a time: x and y are taken apart, each lane gathers its cell's stretch, and the
 * numbers of the lanes that stay are pushed together.
 */
#if defined(__x86_64__)

#include <immintrin.h>

#include "hull/cpu/sieve.h"

#define AVX512 __attribute__((target("avx512f,avx512vl,avx512bw")))

enum { AHEAD = 4096, DOUBLES = 8, FLOATS = 16 };

/* Numbers first + lane of the lanes that stay; a whole register is written. */
AVX512 static inline unsigned keep(uint16_t *kept, unsigned first, __mmask16 stays) {
    if (stays == 0) return 0;
    const __m512i lanes = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    const __m512i numbers =
        _mm512_maskz_compress_epi32(stays, _mm512_add_epi32(lanes, _mm512_set1_epi32((int)first)));
    _mm256_storeu_si256((__m256i *)(void *)kept, _mm512_cvtepi32_epi16(numbers));
    return (unsigned)__builtin_popcount(stays);
}

/* A place below 0 or beyond all numbers is a large unsigned number: the cell behind the last, which has nothing. */
AVX512 static unsigned pass_f64(const hull_sieve *s, const void *points, unsigned count, uint16_t *kept) {
    const double *const from = points;
    const __m512d x0 = _mm512_set1_pd(s->from.f64.x), y0 = _mm512_set1_pd(s->from.f64.y);
    const __m512d u_scale = _mm512_set1_pd(s->u_scale), v_scale = _mm512_set1_pd(s->v_scale);
    const __m512d one = _mm512_set1_pd(1);
    const __m256i last = _mm256_set1_epi32((int)s->cells + 1);
    const __m512i even = _mm512_setr_epi64(0, 2, 4, 6, 8, 10, 12, 14);
    const __m512i odd = _mm512_setr_epi64(1, 3, 5, 7, 9, 11, 13, 15);
    unsigned stay = 0, k = 0;
    for (; k + DOUBLES <= count; k += DOUBLES) {
        _mm_prefetch((const char *)(from + 2 * k) + AHEAD, _MM_HINT_T0);
        _mm_prefetch((const char *)(from + 2 * k) + AHEAD + 64, _MM_HINT_T0);
        const __m512d a = _mm512_loadu_pd(from + 2 * k), b = _mm512_loadu_pd(from + 2 * k + DOUBLES);
        const __m512d x = _mm512_permutex2var_pd(a, even, b), y = _mm512_permutex2var_pd(a, odd, b);
        const __m512d place = _mm512_fmadd_pd(_mm512_sub_pd(x, x0), u_scale, one);
        const __m256 v = _mm512_cvtpd_ps(_mm512_mul_pd(_mm512_sub_pd(y, y0), v_scale));
        const __m256i cell = _mm256_min_epu32(_mm512_cvttpd_epi32(place), last);
        const __m512i range = _mm512_i32gather_epi64(cell, (const void *)s->range, 8);
        const __m256 least = _mm256_castsi256_ps(_mm512_cvtepi64_epi32(range));
        const __m256 most = _mm256_castsi256_ps(_mm512_cvtepi64_epi32(_mm512_srli_epi64(range, 32)));
        const __mmask8 is_low = _mm256_cmp_ps_mask(v, least, _CMP_NGE_UQ);
        const __mmask8 is_high = _mm256_cmp_ps_mask(v, most, _CMP_NLE_UQ);
        stay += keep(kept + stay, k, (__mmask16)(is_low | is_high));
    }
    for (; k < count; k++) kept[stay++] = (uint16_t)k;
    return stay;
}

AVX512 static unsigned pass_f32(const hull_sieve *s, const void *points, unsigned count, uint16_t *kept) {
    const float *const from = points;
    const __m512 x0 = _mm512_set1_ps((float)s->from.f64.x), y0 = _mm512_set1_ps((float)s->from.f64.y);
    const __m512 u_scale = _mm512_set1_ps((float)s->u_scale), v_scale = _mm512_set1_ps((float)s->v_scale);
    const __m512 one = _mm512_set1_ps(1);
    const __m512i last = _mm512_set1_epi32((int)s->cells + 1);
    const __m512i even = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
    const __m512i odd = _mm512_setr_epi32(1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31);
    unsigned stay = 0, k = 0;
    for (; k + FLOATS <= count; k += FLOATS) {
        const __m512 a = _mm512_loadu_ps(from + 2 * k), b = _mm512_loadu_ps(from + 2 * k + FLOATS);
        const __m512 x = _mm512_permutex2var_ps(a, even, b), y = _mm512_permutex2var_ps(a, odd, b);
        const __m512 place = _mm512_fmadd_ps(_mm512_sub_ps(x, x0), u_scale, one);
        const __m512 v = _mm512_mul_ps(_mm512_sub_ps(y, y0), v_scale);
        const __m512i cell = _mm512_min_epu32(_mm512_cvttps_epi32(place), last);
        const __m512i low = _mm512_i32gather_epi64(_mm512_castsi512_si256(cell), (const void *)s->range, 8);
        const __m512i high =
            _mm512_i32gather_epi64(_mm512_extracti64x4_epi64(cell, 1), (const void *)s->range, 8);
        const __m512 least = _mm512_castsi512_ps(_mm512_permutex2var_epi32(low, even, high));
        const __m512 most = _mm512_castsi512_ps(_mm512_permutex2var_epi32(low, odd, high));
        const __mmask16 is_low = _mm512_cmp_ps_mask(v, least, _CMP_NGE_UQ);
        const __mmask16 is_high = _mm512_cmp_ps_mask(v, most, _CMP_NLE_UQ);
        stay += keep(kept + stay, k, is_low | is_high);
    }
    for (; k < count; k++) kept[stay++] = (uint16_t)k;
    return stay;
}

hull_sieve_pass *hull_sieve_pass_avx512(riffle_type type) {
    return type == RIFFLE_TYPE_F64 ? pass_f64 : type == RIFFLE_TYPE_F32 ? pass_f32 : NULL;
}

#endif
