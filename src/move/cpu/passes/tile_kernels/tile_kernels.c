/* SPDX-License-Identifier: Apache-2.0 */
#include "move/cpu/passes/tile_kernels/tile_kernels.h"

const tile_kernels *const tile_kernels_of[VECTOR_SETS] = {
    [VECTORS_PORTABLE] = &tile_kernels_portable,
#if defined(__x86_64__)
    [VECTORS_SSSE3] = &tile_kernels_ssse3,       [VECTORS_AVX2] = &tile_kernels_avx2,
    [VECTORS_AVX512] = &tile_kernels_avx512,     [VECTORS_AVX512_VBMI] = &tile_kernels_avx512vbmi,
#elif defined(__aarch64__)
    [VECTORS_NEON] = &tile_kernels_neon,
#endif
};

const tile_kernels *tile_kernels_best(void) { return tile_kernels_of[vectors_for(LOOPS_AXES)]; }
