/* SPDX-License-Identifier: Apache-2.0
 *
 * The tile kernels with NEON.
 */
#if defined(__aarch64__)
#include "base/simd/neon.h"

#include "move/cpu/passes/tile_kernels/tile_kernels_pieces.inc"
#endif
