/* SPDX-License-Identifier: Apache-2.0
 *
 * The words of avx2.h for SSSE3: one piece a vector.
 */
#ifndef RIFFLE_BASE_SIMD_SSSE3_H
#define RIFFLE_BASE_SIMD_SSSE3_H

#include <immintrin.h>
#include <stddef.h>

#define VECTOR_TARGET __attribute__((target("ssse3")))
#define VECTOR_INLINE VECTOR_TARGET __attribute__((always_inline)) static inline
#define VECTOR_NAME(name) name##_ssse3

enum { VECTOR_BYTES = 16 };
typedef __m128i vector;

VECTOR_INLINE vector vector_load(const void *from) { return _mm_loadu_si128(from); }
VECTOR_INLINE void vector_store(void *to, vector v) { _mm_storeu_si128(to, v); }
VECTOR_INLINE void vector_stream(void *to, vector v) { _mm_stream_si128(to, v); }
VECTOR_INLINE vector vector_load_pieces(const void *low, const void *high) {
    (void)high;
    return _mm_loadu_si128(low);
}
VECTOR_INLINE void vector_store_pieces(void *low, void *high, vector v) {
    (void)high;
    _mm_storeu_si128(low, v);
}
VECTOR_INLINE void vector_stream_pieces(void *low, void *high, vector v) {
    (void)high;
    _mm_stream_si128(low, v);
}
VECTOR_INLINE vector vector_each_piece(const void *piece) { return _mm_loadu_si128(piece); }
VECTOR_INLINE vector vector_fill(unsigned char low, unsigned char high) {
    (void)high;
    return _mm_set1_epi8((char)low);
}
VECTOR_INLINE vector vector_xor(vector a, vector b) { return _mm_xor_si128(a, b); }
VECTOR_INLINE vector vector_permute(vector v, vector order) { return _mm_shuffle_epi8(v, order); }
VECTOR_INLINE vector vector_zip_low(vector a, vector b, size_t word) {
    switch (word) {
    case 1: return _mm_unpacklo_epi8(a, b);
    case 2: return _mm_unpacklo_epi16(a, b);
    case 4: return _mm_unpacklo_epi32(a, b);
    default: return _mm_unpacklo_epi64(a, b);
    }
}
VECTOR_INLINE vector vector_zip_high(vector a, vector b, size_t word) {
    switch (word) {
    case 1: return _mm_unpackhi_epi8(a, b);
    case 2: return _mm_unpackhi_epi16(a, b);
    case 4: return _mm_unpackhi_epi32(a, b);
    default: return _mm_unpackhi_epi64(a, b);
    }
}

#endif
