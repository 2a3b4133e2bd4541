/* SPDX-License-Identifier: Apache-2.0 */
#include "bits/cpu/loops.h"

const bits_loops *const bits_loops_of[VECTOR_SETS] = {
    [VECTORS_PORTABLE] = &bits_loops_portable,
#if defined(__x86_64__)
    [VECTORS_AVX2] = &bits_loops_avx2,
    [VECTORS_AVX512] = &bits_loops_avx512,
#elif defined(__aarch64__)
    [VECTORS_NEON] = &bits_loops_neon,
#endif
};

const bits_loops *bits_loops_best(void) { return bits_loops_of[vectors_for(LOOPS_BITS)]; }
