/* SPDX-License-Identifier: Apache-2.0
 *
 * Tiles in pieces of 16 bytes with NEON.
 */
#if defined(__aarch64__)
#include "engines/cpu/vectors/neon.h"

#include "engines/cpu/passes/affine_lines/affine_lines_pieces.inc"
#endif
