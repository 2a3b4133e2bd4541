/* SPDX-License-Identifier: Apache-2.0
 *
 * How much an affine tile's tables hold.
 */
#ifndef RIFFLE_KERNELS_AFFINE_TILE_H
#define RIFFLE_KERNELS_AFFINE_TILE_H

enum {
    AFFINE_MOVES = 8, /* of a thread, where it moves vectors of 16 bytes; else at most */
    AFFINE_THREADS_LOG2 = 10,
    AFFINE_UNITS_LOG2 = 4,     /* of a vector */
    riffle_tiles_log2_32 = 20, /* of a run, where places have 32 bits */
    riffle_tiles_log2_64 = 32,
};

#define PLACE_BITS 32
#include "kernels/affine_table.h"
#undef PLACE_BITS
#define PLACE_BITS 64
#include "kernels/affine_table.h"
#undef PLACE_BITS

#endif
