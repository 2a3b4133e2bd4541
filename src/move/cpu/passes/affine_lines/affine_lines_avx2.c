/* SPDX-License-Identifier: Apache-2.0
 *
 * Tiles in pieces of 16 bytes with AVX2.
 */
#if defined(__x86_64__)
#include "base/simd/avx2.h"

#include "move/cpu/passes/affine_lines/affine_lines_pieces.inc"
#endif
