/* SPDX-License-Identifier: Apache-2.0
 *
 * The tile kernels with AVX2.
 */
#if defined(__x86_64__)
#include "base/simd/avx2.h"

#include "move/cpu/passes/tile_kernels/tile_kernels_pieces.inc"
#endif
