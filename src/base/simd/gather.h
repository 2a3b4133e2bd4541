/* SPDX-License-Identifier: Apache-2.0
 *
 * 16 bytes of a gather at once. Element by element each costs three accesses, to its index, to itself and to dst, and a Zen 3 makes
 * three a cycle: so indices are read in pairs, and elements leave by four or by two.
 */
#ifndef RIFFLE_BASE_SIMD_GATHER_H
#define RIFFLE_BASE_SIMD_GATHER_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { GATHER_BYTES = 16 };

#if defined(__x86_64__)
#include <emmintrin.h>

/** dst's next 16 bytes: elements of 4 bytes that indices[0..3] number. */
static inline void gather_4_words(char *to, const char *src, const uint32_t *indices) {
    uint64_t two[2];
    uint32_t word[4];
    memcpy(two, indices, sizeof two);
    for (unsigned k = 0; k < 2; k++) {
        memcpy(&word[2 * k], src + (two[k] & UINT32_MAX) * sizeof *word, sizeof *word);
        memcpy(&word[2 * k + 1], src + (two[k] >> 32) * sizeof *word, sizeof *word);
    }
    const __m128i low = _mm_unpacklo_epi32(_mm_cvtsi32_si128((int)word[0]), _mm_cvtsi32_si128((int)word[1])),
                  high = _mm_unpacklo_epi32(_mm_cvtsi32_si128((int)word[2]), _mm_cvtsi32_si128((int)word[3]));
    _mm_storeu_si128((__m128i *)(void *)to, _mm_unpacklo_epi64(low, high));
}

/** The same of elements of 8 bytes that indices[0..1] number. */
static inline void gather_2_words(char *to, const char *src, const uint32_t *indices) {
    uint64_t two, word[2];
    memcpy(&two, indices, sizeof two);
    memcpy(&word[0], src + (two & UINT32_MAX) * sizeof *word, sizeof *word);
    memcpy(&word[1], src + (two >> 32) * sizeof *word, sizeof *word);
    _mm_storeu_si128((__m128i *)(void *)to, _mm_unpacklo_epi64(_mm_cvtsi64_si128((long long)word[0]),
                                                               _mm_cvtsi64_si128((long long)word[1])));
}
#else
static inline void gather_4_words(char *to, const char *src, const uint32_t *indices) {
    for (unsigned k = 0; k < 4; k++) memcpy(to + 4 * k, src + (size_t)indices[k] * 4, 4);
}
static inline void gather_2_words(char *to, const char *src, const uint32_t *indices) {
    for (unsigned k = 0; k < 2; k++) memcpy(to + 8 * k, src + (size_t)indices[k] * 8, 8);
}
#endif

#endif
