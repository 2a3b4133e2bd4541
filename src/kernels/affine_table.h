/* SPDX-License-Identifier: Apache-2.0
 *
 * What the affine_tile kernels take by value. Places in memory are bytes from a run's start, places in shared memory
 * bytes from the tile's; each is a sum (XOR) of what the bits of the tile's number, the bits of the thread's number, and
 * the move choose. What is needed first stands first, so that it comes in few lines of the constant cache. Included for
 * places of 32 and of 64 bits, so without a guard.
 */
#include "kernels/place.h"

/** One side, reading or writing. */
typedef struct PLACE(affine_table_side) {
    place origin; /**< of tile 0 */
    place thread[AFFINE_THREADS_LOG2];
    place move[AFFINE_MOVES];
    place tile[PLACE(tiles_log2)];
    uint32_t thread_cell[AFFINE_THREADS_LOG2];
    uint32_t move_cell[AFFINE_MOVES];
    uint32_t unit_cell[1 << AFFINE_UNITS_LOG2]; /**< for each unit of a vector */
} PLACE(affine_table_side);

typedef struct PLACE(affine_table) {
    uint64_t stride;    /**< from one run to the next */
    uint32_t tile_bits; /**< a run has 2^tile_bits tiles */
    uint32_t moves;     /**< of a thread */
    PLACE(affine_table_side) read, write;
    /* In place (plan/involution.h): */
    uint32_t tile_bytes, orbits, coset_bits, moved_bits, direct, fixed;
    place unit_image[AFFINE_UNITS_LOG2]; /**< where the bits of a unit's number in its vector go */
} PLACE(affine_table);
