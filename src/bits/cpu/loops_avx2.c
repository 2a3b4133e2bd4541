/* SPDX-License-Identifier: Apache-2.0
 *
 * The loops with AVX2.
 */
#if defined(__x86_64__)
#include <immintrin.h>

#define VECTOR_BYTES 32
#define VECTOR_TARGET __attribute__((target("avx2")))
#define VECTOR_LOOPS_NAME bits_loops_avx2

#include "bits/cpu/vector.h"

INLINE_LOOP vector load_turned(const uint8_t *line, size_t at, unsigned turn) {
    enum { PIECE = 16 };
    if (turn == 0) return load(line + at);
    const size_t piece = turn & ~(PIECE - 1U);
    const __m128i *const low = (const void *)(line + (at ^ piece)), *const high =
                                                                        (const void *)(line +
                                                                                       ((at + PIECE) ^ piece));
    const __m256i pieces =
        _mm256_inserti128_si256(_mm256_castsi128_si256(_mm_loadu_si128(low)), _mm_loadu_si128(high), 1);
    const __m256i in_order =
        _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
    const __m256i order = _mm256_xor_si256(in_order, _mm256_set1_epi8((char)(turn % PIECE)));
    return (vector)_mm256_shuffle_epi8(pieces, order);
}

#include "bits/cpu/loops.inc"
#endif
