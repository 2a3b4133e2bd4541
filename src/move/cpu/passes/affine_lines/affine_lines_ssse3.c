/* SPDX-License-Identifier: Apache-2.0
 *
 * Tiles in pieces of 16 bytes with SSSE3.
 */
#if defined(__x86_64__)
#include "base/simd/ssse3.h"

#include "move/cpu/passes/affine_lines/affine_lines_pieces.inc"
#endif
