/* SPDX-License-Identifier: Apache-2.0
 *
 * Weaving up to eight planes into one array and back with AVX-512; words of 1 byte want VBMI as well. The
 * kernels are those of tile_kernels.h's interleave and separate, and exist on x86-64 only.
 */
#ifndef RIFFLE_MOVE_CPU_PASSES_TILE_KERNELS_TILE_PLANES_AVX512_H
#define RIFFLE_MOVE_CPU_PASSES_TILE_KERNELS_TILE_PLANES_AVX512_H

#include "move/cpu/passes/tile_kernels/tile_kernels.h"

tile_block_kernel tile_interleave_1, tile_interleave_2, tile_interleave_4, tile_interleave_8;
tile_block_kernel tile_separate_1, tile_separate_2, tile_separate_4, tile_separate_8;

#endif
