/* SPDX-License-Identifier: Apache-2.0
 *
 * The shapes of launches, and a table that kernels take by value, for kernels and for who launches them.
 */
#ifndef RIFFLE_BITS_KERNELS_SHAPE_H
#define RIFFLE_BITS_KERNELS_SHAPE_H

#include <stdint.h>

enum {
    BITS_WARPS = 8,
    BITS_THREADS = 32 * BITS_WARPS,
    BITS_RUN = 1024,           /* elements that a warp has in hand: 32 a lane */
    BITS_VECTOR = 16,          /* bytes */
    BITS_GATHER_THREADS = 256, /* a byte each */
    BITS_EXCHANGE_THREADS = 256,
    BITS_SHIFT_THREADS = 256,
    BITS_SHIFT_UNITS = 8, /* a thread's */
    BITS_SHIFT_BLOCK = BITS_SHIFT_THREADS * BITS_SHIFT_UNITS,
};

/* The table of bit transpositions. */
typedef struct bits_table {
    uint64_t n, bytes;   /* elements of an array, and bytes of one */
    uint64_t tiles, all; /* tiles of an array, and of all */
    uint32_t is_big;     /* bytes of planes begin with their highest bit */
    uint32_t by_words;   /* planes begin at words */
    uint32_t by_vectors; /* elements follow each other, and begin at vectors */
} bits_table;

/* The table of rotations and reversals (bits/shift.h), in bits. Units are bytes or words of dst; some of one array, or all of all. */
typedef struct bits_shift_table {
    uint64_t bits, bytes;  /* an array has */
    uint64_t cut;          /* where its second run begins */
    uint64_t first, units; /* the first unit in each array, and how many there */
    uint64_t all;          /* units, in all arrays */
    uint32_t elem_bits, is_big, is_reversed;
} bits_shift_table;

/* Runs of a tile, for columns of so many bytes: a warp for each four bytes of each run. */
#define BITS_RUNS(column_bytes) ((column_bytes) < 8 ? BITS_WARPS : BITS_WARPS / 2)

#endif
