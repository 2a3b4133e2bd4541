/* SPDX-License-Identifier: Apache-2.0
 *
 * Stages on lines with AVX-512: a line is a register, and a permutation by bytes shuffles it.
 */
#if defined(__x86_64__)

#include <immintrin.h>
#include <string.h>

#include "engines/cpu/program/lines.h"

#define LINE_TARGET __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi")))
#define LINE_NAME(name) name##_avx512

LINE_TARGET __attribute__((always_inline)) static inline void shuffle_avx512(void *to, const void *from,
                                                                             const line_stage *s) {
    _mm512_storeu_si512(to, _mm512_permutexvar_epi8(_mm512_load_si512(s->order), _mm512_loadu_si512(from)));
}

#include "engines/cpu/program/lines.inc"

#endif
