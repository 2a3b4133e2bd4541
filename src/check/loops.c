/* SPDX-License-Identifier: Apache-2.0 */
#include "check/loops.h"

check_loop *const check_loop_of[VECTOR_SETS] = {
    [VECTORS_PORTABLE] = check_loop_portable,
#if defined(__x86_64__)
    [VECTORS_AVX2] = check_loop_avx2,
#endif
};

check_loop *check_loop_best(void) { return check_loop_of[vectors_for(LOOPS_CHECKS)]; }
