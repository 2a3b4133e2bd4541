/* SPDX-License-Identifier: Apache-2.0
 *
 * 16 bytes of a gather at once. Element by element each costs three accesses, to its index, to itself and to dst, and a Zen 3 makes
 * three a cycle: so indices are read in pairs, and elements leave by four or by two. Where indices are short and dst is streamed, by lines.
 */
#ifndef RIFFLE_BASE_SIMD_GATHER_H
#define RIFFLE_BASE_SIMD_GATHER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/element_size.h"

enum { GATHER_BYTES = 16, GATHER_LINE = 64 };

#if defined(__x86_64__)
#include <emmintrin.h>

static inline __m128i gather_word_4(const char *src, uint64_t index) {
    int word;
    memcpy(&word, src + index * sizeof word, sizeof word);
    return _mm_cvtsi32_si128(word);
}

static inline __m128i gather_word_8(const char *src, uint64_t index) {
    long long word;
    memcpy(&word, src + index * sizeof word, sizeof word);
    return _mm_cvtsi64_si128(word);
}

/** dst's next 16 bytes: elements of 4 bytes that indices[0..3] number. */
static inline void gather_4_words(char *to, const char *src, const uint32_t *indices) {
    uint64_t two[2];
    __m128i pair[2];
    memcpy(two, indices, sizeof two);
    for (unsigned k = 0; k < 2; k++)
        pair[k] = _mm_unpacklo_epi32(gather_word_4(src, two[k] & UINT32_MAX), gather_word_4(src, two[k] >> 32));
    _mm_storeu_si128((__m128i *)(void *)to, _mm_unpacklo_epi64(pair[0], pair[1]));
}

/** The same of elements of 8 bytes that indices[0..1] number. */
static inline void gather_2_words(char *to, const char *src, const uint32_t *indices) {
    uint64_t two;
    memcpy(&two, indices, sizeof two);
    _mm_storeu_si128((__m128i *)(void *)to,
                     _mm_unpacklo_epi64(gather_word_8(src, two & UINT32_MAX), gather_word_8(src, two >> 32)));
}

/** True if lines of such elements are put together in registers, to be stored past the cache. */
ALWAYS_INLINE bool gather_streams(size_t elem_bytes) {
    return elem_bytes == 4 || elem_bytes == 8 || elem_bytes == 16;
}

/* 16 bytes of elements that indices of 16 bits number. */
ALWAYS_INLINE __m128i gather_short(const char *src, const uint16_t *indices, size_t elem_bytes) {
    uint64_t four = 0;
    memcpy(&four, indices, GATHER_BYTES / elem_bytes * sizeof *indices);
    if (elem_bytes == 16) return _mm_loadu_si128((const __m128i *)(const void *)(src + four * GATHER_BYTES));
    if (elem_bytes == 8)
        return _mm_unpacklo_epi64(gather_word_8(src, four & UINT16_MAX), gather_word_8(src, four >> 16));
    const __m128i low = _mm_unpacklo_epi32(gather_word_4(src, four & UINT16_MAX),
                                           gather_word_4(src, four >> 16 & UINT16_MAX)),
                  high = _mm_unpacklo_epi32(gather_word_4(src, four >> 32 & UINT16_MAX),
                                            gather_word_4(src, four >> 48));
    return _mm_unpacklo_epi64(low, high);
}

/** Stores the next GATHER_LINE bytes of dst, at a multiple of 16, past the cache, all of them once the last one is there. */
ALWAYS_INLINE void gather_stream(char *to, const char *src, const uint16_t *indices, size_t elem_bytes) {
    __m128i made[GATHER_LINE / GATHER_BYTES];
    for (size_t k = 0; k < GATHER_LINE / GATHER_BYTES; k++)
        made[k] = gather_short(src, indices + k * GATHER_BYTES / elem_bytes, elem_bytes);
    for (size_t k = 0; k < GATHER_LINE / GATHER_BYTES; k++)
        _mm_stream_si128((__m128i *)(void *)(to + k * GATHER_BYTES), made[k]);
}
#else
/* All are read before the first is stored, which might change the next index for all that a compiler knows: so AArch64's loads and stores
 * are of pairs. */
static inline void gather_4_words(char *to, const char *src, const uint32_t *indices) {
    const size_t a = indices[0], b = indices[1], c = indices[2], d = indices[3];
    uint32_t words[4];
    memcpy(&words[0], src + a * 4, 4);
    memcpy(&words[1], src + b * 4, 4);
    memcpy(&words[2], src + c * 4, 4);
    memcpy(&words[3], src + d * 4, 4);
    for (unsigned k = 0; k < 4; k++) memcpy(to + 4 * k, &words[k], 4);
}
static inline void gather_2_words(char *to, const char *src, const uint32_t *indices) {
    const size_t a = indices[0], b = indices[1];
    uint64_t words[2];
    memcpy(&words[0], src + a * 8, 8);
    memcpy(&words[1], src + b * 8, 8);
    for (unsigned k = 0; k < 2; k++) memcpy(to + 8 * k, &words[k], 8);
}
ALWAYS_INLINE bool gather_streams(size_t elem_bytes) {
    (void)elem_bytes;
    return false;
}
ALWAYS_INLINE void gather_stream(char *to, const char *src, const uint16_t *indices, size_t elem_bytes) {
    for (size_t k = 0; k < GATHER_LINE / elem_bytes; k++)
        memcpy(to + k * elem_bytes, src + indices[k] * elem_bytes, elem_bytes);
}
#endif

#endif
