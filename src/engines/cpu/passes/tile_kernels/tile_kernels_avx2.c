/* SPDX-License-Identifier: Apache-2.0
 *
 * The tile kernels with AVX2.
 */
#if defined(__x86_64__)
#include "engines/cpu/vectors/avx2.h"

#include "engines/cpu/passes/tile_kernels/tile_kernels_pieces.inc"
#endif
