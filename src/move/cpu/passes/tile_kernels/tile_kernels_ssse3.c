/* SPDX-License-Identifier: Apache-2.0
 *
 * The tile kernels with SSSE3.
 */
#if defined(__x86_64__)
#include "base/simd/ssse3.h"

#include "move/cpu/passes/tile_kernels/tile_kernels_pieces.inc"
#endif
