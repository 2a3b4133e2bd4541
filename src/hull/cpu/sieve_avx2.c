/* SPDX-License-Identifier: Apache-2.0
 *
 * The words of sieve_pieces.inc with AVX2. Pieces of 16 bytes are loaded where unpacking within pieces leaves points in order.
 */
#if defined(__x86_64__)
#include <immintrin.h>
#include <string.h>

#include "hull/cpu/sieve.h"

#define VECTOR_BYTES 32
#define VECTOR_TARGET __attribute__((target("avx2,fma")))
#define VECTOR_INLINE VECTOR_TARGET __attribute__((always_inline)) static inline
#define VECTOR_NAME(name) name##_avx2

typedef float floats __attribute__((vector_size(VECTOR_BYTES)));
typedef double doubles __attribute__((vector_size(VECTOR_BYTES)));

VECTOR_INLINE void coordinates_of_floats(const float *points, floats *x, floats *y) {
    const __m256 even = _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(points)),
                                             _mm_loadu_ps(points + 8), 1),
                 odd = _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(points + 4)),
                                            _mm_loadu_ps(points + 12), 1);
    *x = (floats)_mm256_shuffle_ps(even, odd, 0x88);
    *y = (floats)_mm256_shuffle_ps(even, odd, 0xdd);
}

VECTOR_INLINE void coordinates_of_doubles(const double *points, doubles *x, doubles *y) {
    const __m256d even = _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadu_pd(points)),
                                              _mm_loadu_pd(points + 4), 1),
                  odd = _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadu_pd(points + 2)),
                                             _mm_loadu_pd(points + 6), 1);
    *x = (doubles)_mm256_unpacklo_pd(even, odd);
    *y = (doubles)_mm256_unpackhi_pd(even, odd);
}

/* Two cells' stretches, which lie at any multiple of a float: a load of a double would have to be aligned. */
VECTOR_INLINE __m128 two(const float *ranges, int32_t low, int32_t high) {
    const __m128 one = _mm_castsi128_ps(_mm_loadl_epi64((const __m128i *)(const void *)(ranges + 2 * low)));
    return _mm_loadh_pi(one, (const __m64 *)(const void *)(ranges + 2 * high));
}

VECTOR_INLINE void stretches(const float *ranges, const int32_t *cells, floats *least, floats *most) {
    const __m256 even = _mm256_set_m128(two(ranges, cells[4], cells[5]), two(ranges, cells[0], cells[1])),
                 odd = _mm256_set_m128(two(ranges, cells[6], cells[7]), two(ranges, cells[2], cells[3]));
    *least = (floats)_mm256_shuffle_ps(even, odd, 0x88);
    *most = (floats)_mm256_shuffle_ps(even, odd, 0xdd);
}

/* A maximum is the second operand where the first is no number. */
VECTOR_INLINE floats clamped_floats(floats v, float most) {
    return (floats)_mm256_min_ps(_mm256_max_ps((__m256)v, _mm256_setzero_ps()), _mm256_set1_ps(most));
}

VECTOR_INLINE doubles clamped_doubles(doubles v, double most) {
    return (doubles)_mm256_min_pd(_mm256_max_pd((__m256d)v, _mm256_setzero_pd()), _mm256_set1_pd(most));
}

VECTOR_INLINE floats narrowed(doubles low, doubles high) {
    return (floats)_mm256_set_m128(_mm256_cvtpd_ps((__m256d)high), _mm256_cvtpd_ps((__m256d)low));
}

#define lanes_of(mask) ((unsigned)_mm256_movemask_ps((__m256)(mask)))

#include "hull/cpu/sieve_pieces.inc"
#endif
