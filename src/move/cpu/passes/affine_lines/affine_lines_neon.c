/* SPDX-License-Identifier: Apache-2.0
 *
 * Tiles in pieces of 16 bytes with NEON.
 */
#if defined(__aarch64__)
#include "base/simd/neon.h"

#include "move/cpu/passes/affine_lines/affine_lines_pieces.inc"
#endif
