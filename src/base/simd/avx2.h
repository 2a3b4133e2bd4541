/* SPDX-License-Identifier: Apache-2.0
 *
 * The words that loops in pieces of 16 bytes are written in, for AVX2: two pieces a vector. A loop is a file of its own, an .inc, that
 * a file a set includes behind one of these headers; all of them have the same words:
 *
 *      VECTOR_TARGET, VECTOR_INLINE       before functions that use them
 *      VECTOR_NAME(name)                  name_avx2, name_ssse3, ...
 *      vector_load, _store, _stream       VECTOR_BYTES side by side; _stream goes past the caches, to an aligned place
 *      vector_load_pieces, _store_pieces, _stream_pieces
 *                                         a piece at either place; where a vector is one piece, the first place alone
 *      vector_each_piece, _fill           the same piece in each; one byte in all of the low piece, one in all of the high one
 *      vector_xor
 *      vector_permute                     byte b of each piece becomes the one that byte b of the order names, 0 to 15; 0 where it is 0x80
 *      vector_zip_low, _high              words of `word` bytes (1, 2, 4 or 8) of a and b in turn, from the low half of each piece, or
 *                                         the high one
 */
#ifndef RIFFLE_BASE_SIMD_AVX2_H
#define RIFFLE_BASE_SIMD_AVX2_H

#include <immintrin.h>
#include <stddef.h>

#define VECTOR_TARGET __attribute__((target("avx2")))
#define VECTOR_INLINE VECTOR_TARGET __attribute__((always_inline)) static inline
#define VECTOR_NAME(name) name##_avx2

enum { VECTOR_BYTES = 32 };
typedef __m256i vector;

VECTOR_INLINE vector vector_load(const void *from) { return _mm256_loadu_si256(from); }
VECTOR_INLINE void vector_store(void *to, vector v) { _mm256_storeu_si256(to, v); }
VECTOR_INLINE void vector_stream(void *to, vector v) { _mm256_stream_si256(to, v); }
VECTOR_INLINE vector vector_load_pieces(const void *low, const void *high) {
    return _mm256_inserti128_si256(_mm256_castsi128_si256(_mm_loadu_si128(low)), _mm_loadu_si128(high), 1);
}
VECTOR_INLINE void vector_store_pieces(void *low, void *high, vector v) {
    _mm_storeu_si128(low, _mm256_castsi256_si128(v));
    _mm_storeu_si128(high, _mm256_extracti128_si256(v, 1));
}
VECTOR_INLINE void vector_stream_pieces(void *low, void *high, vector v) {
    _mm_stream_si128(low, _mm256_castsi256_si128(v));
    _mm_stream_si128(high, _mm256_extracti128_si256(v, 1));
}
VECTOR_INLINE vector vector_each_piece(const void *piece) {
    return _mm256_broadcastsi128_si256(_mm_loadu_si128(piece));
}
VECTOR_INLINE vector vector_fill(unsigned char low, unsigned char high) {
    return _mm256_set_m128i(_mm_set1_epi8((char)high), _mm_set1_epi8((char)low));
}
VECTOR_INLINE vector vector_xor(vector a, vector b) { return _mm256_xor_si256(a, b); }
VECTOR_INLINE vector vector_permute(vector v, vector order) { return _mm256_shuffle_epi8(v, order); }
VECTOR_INLINE vector vector_zip_low(vector a, vector b, size_t word) {
    switch (word) {
    case 1: return _mm256_unpacklo_epi8(a, b);
    case 2: return _mm256_unpacklo_epi16(a, b);
    case 4: return _mm256_unpacklo_epi32(a, b);
    default: return _mm256_unpacklo_epi64(a, b);
    }
}
VECTOR_INLINE vector vector_zip_high(vector a, vector b, size_t word) {
    switch (word) {
    case 1: return _mm256_unpackhi_epi8(a, b);
    case 2: return _mm256_unpackhi_epi16(a, b);
    case 4: return _mm256_unpackhi_epi32(a, b);
    default: return _mm256_unpackhi_epi64(a, b);
    }
}

#endif
