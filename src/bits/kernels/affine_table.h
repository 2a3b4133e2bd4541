/* SPDX-License-Identifier: Apache-2.0
 *
 * The table that bits_affine takes by value. Places in memory are lines of 64 bytes, in shared memory bytes from the tile's begin; each is a sum (XOR) of
 * what bits of a tile's number, of a thread's and the move choose.
 */
#ifndef RIFFLE_BITS_KERNELS_AFFINE_TABLE_H
#define RIFFLE_BITS_KERNELS_AFFINE_TABLE_H

#include <stdint.h>

enum {
    BITS_AFFINE_LANES_LOG2 = 5,
    BITS_AFFINE_LANES = 1 << BITS_AFFINE_LANES_LOG2,
    BITS_AFFINE_THREADS_LOG2 = 9, /* at most */
    BITS_AFFINE_WORDS_LOG2 = 4,   /* a thread's */
    BITS_AFFINE_WORDS = 1 << BITS_AFFINE_WORDS_LOG2,
    BITS_AFFINE_VECTOR = 4, /* words that are side by side on both sides */
    BITS_AFFINE_VECTORS = BITS_AFFINE_WORDS / BITS_AFFINE_VECTOR,
    BITS_AFFINE_LINE = 4 * BITS_AFFINE_VECTOR * (int)sizeof(uint32_t), /* bytes: four threads' vectors */
    BITS_AFFINE_STEPS = 15,                                            /* at most */
    BITS_AFFINE_BLOCKS = 4096,  /* at most: a thread's sums serve several tiles where there are more */
    BITS_AFFINE_CELL_SHIFT = 8, /* where the cell begins in what the bits of y0 in its line choose */
};

/* Words of memory: a thread has vectors of them. */
typedef struct bits_memory_side {
    uint32_t thread_line[BITS_AFFINE_THREADS_LOG2];
    uint32_t move_line[BITS_AFFINE_VECTORS];
    uint32_t thread_cell[BITS_AFFINE_THREADS_LOG2];
    uint32_t move_cell[BITS_AFFINE_VECTORS];
    uint32_t word_cell[BITS_AFFINE_VECTOR];
} bits_memory_side;

/* Words of a warp, whose bits change places: a lane has one in each move. */
typedef struct bits_warp_side {
    uint32_t thread_cell[BITS_AFFINE_THREADS_LOG2];
    uint32_t move_cell[BITS_AFFINE_WORDS];
} bits_warp_side;

/* A tile's numbers, by the bits of its own, a lane each: lines of memory, and, for the bits of y0 in its line, places that are added to those of all words, with
 * cells above them. */
typedef struct bits_tile_sums {
    uint32_t read[BITS_AFFINE_LANES], write[BITS_AFFINE_LANES], turned[BITS_AFFINE_LANES];
} bits_tile_sums;

/* A bit in place p of lane r goes to place p ^ place of lane r ^ lane where f is 1: the sum of p's bit in `places`, of those of r in `lanes` and of
 * those of the constant in `constant`. */
typedef struct bits_warp_step {
    uint32_t lane, place;
    uint32_t lanes, places, constant;
} bits_warp_step;

typedef struct bits_affine_table {
    uint64_t all;         /* tiles of all arrays */
    uint64_t array_bytes; /* from an array to the next one */
    uint32_t tile_bits;   /* an array has 2^tile_bits tiles */
    uint32_t vectors;     /* a thread's that are in memory; the shortest arrays have no others */
    uint32_t steps;
    uint32_t write, turned; /* added by the map's constant to all tiles' sums */
    bits_tile_sums tile;
    bits_memory_side to_read, to_write;
    bits_warp_side in, out;
    uint32_t thread_constant[BITS_AFFINE_THREADS_LOG2]; /* places that are added to those of a thread's words */
    uint32_t move_constant[BITS_AFFINE_WORDS_LOG2];     /* and of those of a bit of the move's number */
    bits_warp_step step[BITS_AFFINE_STEPS];
} bits_affine_table;

#endif
