/* SPDX-License-Identifier: Apache-2.0 */
#include "f2/loops.h"

const f2_loops *const f2_loops_of[VECTOR_SETS] = {
    [VECTORS_PORTABLE] = &f2_loops_portable,
#if defined(__x86_64__)
    [VECTORS_AVX2] = &f2_loops_avx2,
    [VECTORS_AVX512] = &f2_loops_avx512,
#elif defined(__aarch64__)
    [VECTORS_NEON] = &f2_loops_neon,
#endif
};

const f2_loops *f2_loops_best(void) { return f2_loops_of[vectors_for(LOOPS_F2)]; }
