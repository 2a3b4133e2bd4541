/* SPDX-License-Identifier: Apache-2.0
 *
 * Tiles in pieces of 16 bytes with AVX2.
 */
#if defined(__x86_64__)
#include "engines/cpu/vectors/avx2.h"

#include "engines/cpu/passes/affine_lines/affine_lines_pieces.inc"
#endif
