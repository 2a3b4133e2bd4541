/* SPDX-License-Identifier: Apache-2.0
 *
 * The loops with AVX-512.
 */
#if defined(__x86_64__)
#include <immintrin.h>

#define VECTOR_BYTES 64
#define VECTOR_TARGET __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl")))
#define VECTOR_LOOPS_NAME bits_loops_avx512

#include "bits/cpu/vector.h"

/* Words of 8 bytes by the upper bits, bytes in them by the lower. */
INLINE_LOOP vector load_turned(const uint8_t *line, size_t at, unsigned turn) {
    if (turn == 0) return load(line + at);
    const __m512i words =
        _mm512_xor_si512(_mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7), _mm512_set1_epi64(turn / 8));
    const __m512i in_order =
        _mm512_broadcast_i32x4(_mm_setr_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
    const __m512i order = _mm512_xor_si512(in_order, _mm512_set1_epi8((char)(turn % 8)));
    const __m512i bytes = _mm512_permutexvar_epi64(words, _mm512_loadu_si512(line + at));
    return (vector)_mm512_shuffle_epi8(bytes, order);
}

#include "bits/cpu/loops.inc"
#endif
