/* SPDX-License-Identifier: Apache-2.0
 *
 * The tables that the affine_tile kernels take by value. Places in memory are bytes from a run's start, places in shared memory
 * bytes from the tile's; each is a sum (XOR) of what the bits of the tile's number, the bits of the thread's number, and the
 * move choose. Numbers that are needed first stand first, so that they come in few lines of the constant cache. There is a
 * table for places of 32 bits, and one for places of 64.
 */
#ifndef RIFFLE_MOVE_KERNELS_AFFINE_AFFINE_TILE_H
#define RIFFLE_MOVE_KERNELS_AFFINE_AFFINE_TILE_H

#include <stdint.h>

enum {
    AFFINE_MOVES = 8, /* moves of a thread with vectors of 16 bytes; with others at most */
    AFFINE_THREADS_LOG2 = 10,
    AFFINE_UNITS_LOG2 = 4,     /* log2 of a vector's units, at most */
    AFFINE_TILES_LOG2_32 = 20, /* log2 of a run's tiles, where places have 32 bits */
    AFFINE_TILES_LOG2_64 = 32,
    AFFINE_PARTS = 16, /* parts of an array, at most */
};

/* One side, reading or writing; and both, with how many tiles there are. */
#define AFFINE_TABLE(bits)                                                                                     \
    typedef struct affine_side_##bits {                                                                        \
        uint##bits##_t origin; /* place of tile 0 */                                                           \
        uint32_t lanes;        /* bits of a thread's number by which vectors lie side by side */               \
        uint##bits##_t thread[AFFINE_THREADS_LOG2];                                                            \
        uint##bits##_t move[AFFINE_MOVES];                                                                     \
        uint##bits##_t tile[AFFINE_TILES_LOG2_##bits];                                                         \
        uint32_t thread_cell[AFFINE_THREADS_LOG2];                                                             \
        uint32_t move_cell[AFFINE_MOVES];                                                                      \
        uint32_t unit_cell[1 << AFFINE_UNITS_LOG2]; /* for each unit of a vector */                            \
    } affine_side_##bits;                                                                                      \
                                                                                                               \
    typedef struct affine_table_##bits {                                                                       \
        uint64_t stride;    /* from one run to the next */                                                     \
        uint32_t tile_bits; /* a run has 2^tile_bits tiles */                                                  \
        uint32_t moves;     /* moves of a thread */                                                            \
        affine_side_##bits read, write;                                                                        \
        /* In place (plan/affine/involution.h): */                                                             \
        uint32_t tile_bytes, blocks, coset_bits, moved_bits, plain_bits, fixed, far;                           \
    } affine_table_##bits;

AFFINE_TABLE(32)
AFFINE_TABLE(64)

/* Where the parts of an array begin: places below 2^bits are in the first, and so on. */
typedef struct affine_parts {
    uint32_t bits;
    char *part[AFFINE_PARTS];
} affine_parts;

/* Some of one part's tiles. Places are read from its start, and written all over the array. */
typedef struct affine_parts_table {
    affine_table_64 tiles;
    uint32_t first, end; /* numbers of the tiles: first, first + 1, ..., end - 1 */
    affine_parts to;
} affine_parts_table;

#endif
