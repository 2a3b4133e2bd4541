/* SPDX-License-Identifier: Apache-2.0
 *
 * The tile kernels with SSSE3.
 */
#if defined(__x86_64__)
#include "engines/cpu/vectors/ssse3.h"

#include "engines/cpu/passes/tile_kernels/tile_kernels_pieces.inc"
#endif
