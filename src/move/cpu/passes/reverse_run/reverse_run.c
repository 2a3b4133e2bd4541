/* SPDX-License-Identifier: Apache-2.0 */
#include "move/cpu/passes/reverse_run/reverse_run.h"

reverse_run *const reverse_runs[VECTOR_SETS] = {
    [VECTORS_PORTABLE] = reverse_run_portable,
#if defined(__x86_64__)
    [VECTORS_SSSE3] = reverse_run_ssse3,
    [VECTORS_AVX2] = reverse_run_avx2,
#elif defined(__aarch64__)
    [VECTORS_NEON] = reverse_run_neon,
#endif
};
