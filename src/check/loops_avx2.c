/* SPDX-License-Identifier: Apache-2.0
 *
 * The loop with AVX2: keys of eight places at a time; products of even words, and of odd ones that are moved down.
 */
#if defined(__x86_64__)
#include <immintrin.h>

#include "check/loops.h"

#define TARGET __attribute__((target("avx2")))
#define INLINE TARGET __attribute__((always_inline)) static inline

enum { LANES = 8 };

/* The upper halves' part of both keys. */
typedef struct upper_half {
    __m256i first, second;
} upper_half;

INLINE __m256i every(uint32_t word) { return _mm256_set1_epi32((int)word); }

INLINE __m256i fold(__m256i x, int by) { return _mm256_xor_si256(x, _mm256_srli_epi32(x, by)); }

INLINE __m256i times(__m256i x, uint32_t by) { return _mm256_mullo_epi32(x, every(by)); }

INLINE __m256i first_keys(__m256i places, const upper_half *upper) {
    const __m256i x = _mm256_add_epi32(times(fold(times(places, CHECK_LOWER), 16), CHECK_FIRST), upper->first);
    return fold(times(fold(x, 15), CHECK_SECOND), 16);
}

INLINE __m256i second_keys(__m256i first, const upper_half *upper) {
    return fold(times(fold(_mm256_xor_si256(first, upper->second), 13), CHECK_FOURTH), 15);
}

/* The sums of 64 bits with eight products more. */
INLINE __m256i with_products(__m256i sums, __m256i keys, __m256i words, __m256i odd_words) {
    const __m256i even = _mm256_mul_epu32(keys, words),
                  odd = _mm256_mul_epu32(_mm256_srli_epi64(keys, 32), odd_words);
    return _mm256_add_epi64(sums, _mm256_add_epi64(even, odd));
}

INLINE uint64_t total(__m256i sums) {
    uint64_t lane[LANES / 2];
    _mm256_storeu_si256((__m256i *)(void *)lane, sums);
    return lane[0] + lane[1] + lane[2] + lane[3];
}

TARGET void check_loop_avx2(check_sums *sums, const check_words *of) {
    const upper_half upper = {every((of->upper + 1) * CHECK_UPPER), every((of->upper + 1) * CHECK_THIRD)};
    const __m256i lanes = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    __m256i first = _mm256_setzero_si256(), second = first;
    size_t k = 0;
    for (; k + LANES <= of->count; k += LANES) {
        const __m256i words =
                          _mm256_loadu_si256((const __m256i *)(const void *)(of->words + k * sizeof(uint32_t))),
                      odd_words = _mm256_srli_epi64(words, 32),
                      places = of->places != NULL
                                   ? _mm256_loadu_si256((const __m256i *)(const void *)(of->places + k))
                                   : _mm256_add_epi32(every(of->place + (uint32_t)k), lanes),
                      keys = first_keys(places, &upper);
        first = with_products(first, keys, words, odd_words);
        second = with_products(second, second_keys(keys, &upper), words, odd_words);
    }
    check_add_sums(sums, (check_sums){total(first), total(second)});
    const check_words rest = {.words = of->words + k * sizeof(uint32_t),
                              .places = of->places != NULL ? of->places + k : NULL,
                              .place = of->place + (uint32_t)k,
                              .upper = of->upper,
                              .count = of->count - k};
    check_loop_portable(sums, &rest);
}
#endif
