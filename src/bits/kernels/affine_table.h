/* SPDX-License-Identifier: Apache-2.0
 *
 * The table that bits_affine takes by value. Places in memory are bytes, in shared memory bytes from the tile's begin; each is a sum (XOR) of what
 * bits of a tile's number, of a thread's and the move choose.
 */
#ifndef RIFFLE_BITS_KERNELS_AFFINE_TABLE_H
#define RIFFLE_BITS_KERNELS_AFFINE_TABLE_H

#include <stdint.h>

enum {
    BITS_AFFINE_LANES_LOG2 = 5,
    BITS_AFFINE_THREADS_LOG2 = 9, /* at most */
    BITS_AFFINE_WORDS = 16,       /* a thread's, at most */
    BITS_AFFINE_VECTOR = 4,       /* words that are side by side on both sides */
    BITS_AFFINE_VECTORS = BITS_AFFINE_WORDS / BITS_AFFINE_VECTOR,
    BITS_AFFINE_TILES_LOG2 = 22, /* the longest array's */
    BITS_AFFINE_LINE_LOG2 = 9,   /* bits of a line */
    BITS_AFFINE_STEPS = 15,      /* at most */
};

/* Words of memory: a thread has vectors of them. */
typedef struct bits_memory_side {
    uint64_t tile[BITS_AFFINE_TILES_LOG2]; /* bits */
    uint64_t thread[BITS_AFFINE_THREADS_LOG2];
    uint64_t move[BITS_AFFINE_VECTORS];
    uint32_t thread_cell[BITS_AFFINE_THREADS_LOG2];
    uint32_t move_cell[BITS_AFFINE_VECTORS];
    uint32_t word_cell[BITS_AFFINE_VECTOR];
} bits_memory_side;

/* Words of a warp, whose bits change places: a lane has one in each move. */
typedef struct bits_warp_side {
    uint32_t thread_cell[BITS_AFFINE_THREADS_LOG2];
    uint32_t move_cell[BITS_AFFINE_WORDS];
} bits_warp_side;

/* A bit in place p of lane r goes to place p ^ place of lane r ^ lane where f is 1: the sum of p's bit in `places`, of those of r in `lanes`, of
 * those of the constant in `constant`, and the move's in `moves`. */
typedef struct bits_warp_step {
    uint32_t lane, place;
    uint32_t lanes, places, constant, moves;
} bits_warp_step;

typedef struct bits_affine_table {
    uint64_t all;         /* tiles of all arrays */
    uint64_t array_bytes; /* from an array to the next one */
    uint64_t complement;  /* c, bits */
    uint32_t tile_bits;   /* an array has 2^tile_bits tiles */
    uint32_t words;       /* a thread's: 4, 8 or 16 */
    uint32_t steps;
    bits_memory_side read, write;
    bits_warp_side in, out;
    uint32_t thread_constant[BITS_AFFINE_THREADS_LOG2]; /* places that are added to those of a thread's words */
    uint32_t line_cell[BITS_AFFINE_LINE_LOG2];          /* where words go for the bits of y0 in its line */
    bits_warp_step step[BITS_AFFINE_STEPS];
} bits_affine_table;

#endif
