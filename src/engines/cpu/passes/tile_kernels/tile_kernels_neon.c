/* SPDX-License-Identifier: Apache-2.0
 *
 * The tile kernels with NEON.
 */
#if defined(__aarch64__)
#include "engines/cpu/vectors/neon.h"

#include "engines/cpu/passes/tile_kernels/tile_kernels_pieces.inc"
#endif
