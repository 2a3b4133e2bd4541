/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows with AVX-512: both neighbours of 16 words are loaded, which costs no more than one of each, and a permutation of the two vectors that they
 * fill takes one or the other.
 */
#if defined(__x86_64__)
#include <immintrin.h>

#include "move/cpu/passes/bucket_rows/bucket_rows.h"

#define VECTOR_TARGET __attribute__((target("avx512f")))
#define VECTOR_INLINE VECTOR_TARGET __attribute__((always_inline)) static inline
#define VECTOR_NAME(name) name##_avx512

enum { PAIR_BYTES = 8 };

VECTOR_INLINE __m128i two_pairs(const char *in, uint64_t a, uint64_t b) {
    const __m128i low = _mm_loadl_epi64((const __m128i *)(const void *)(in + a * PAIR_BYTES));
    return _mm_castps_si128(
        _mm_loadh_pi(_mm_castsi128_ps(low), (const __m64 *)(const void *)(in + b * PAIR_BYTES)));
}

VECTOR_INLINE __m256i four_pairs(const char *in, const uint16_t *order) {
    uint64_t four;
    memcpy(&four, order, sizeof four);
    return _mm256_inserti128_si256(
        _mm256_castsi128_si256(two_pairs(in, four & UINT16_MAX, four >> 16 & UINT16_MAX)),
        two_pairs(in, four >> 32 & UINT16_MAX, four >> 48), 1);
}

VECTOR_INLINE __m512i eight_pairs(const char *in, const uint16_t *order) {
    return _mm512_inserti64x4(_mm512_castsi256_si512(four_pairs(in, order)), four_pairs(in, order + 4), 1);
}

VECTOR_INLINE void line_of_odd(char *to, const char *in, const uint16_t *order, uint16_t odd) {
    const __m512i even = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
    const __m512i chosen = _mm512_mask_add_epi32(even, odd, even, _mm512_set1_epi32(1));
    const __m512i line = _mm512_permutex2var_epi32(eight_pairs(in, order), chosen, eight_pairs(in, order + 8));
    if ((uintptr_t)to % ROWS_LINE_BYTES == 0) {
        _mm512_stream_si512((void *)to, line);
        return;
    }
    _mm_stream_si128((__m128i *)(void *)to, _mm512_castsi512_si128(line));
    _mm_stream_si128((__m128i *)(void *)(to + 16), _mm512_extracti32x4_epi32(line, 1));
    _mm_stream_si128((__m128i *)(void *)(to + 32), _mm512_extracti32x4_epi32(line, 2));
    _mm_stream_si128((__m128i *)(void *)(to + 48), _mm512_extracti32x4_epi32(line, 3));
}

#include "move/cpu/passes/bucket_rows/bucket_rows_pieces.inc"
#endif
