/* SPDX-License-Identifier: Apache-2.0
 *
 * The shapes of launches over matrices, for kernels and for who launches them.
 */
#ifndef RIFFLE_F2_KERNELS_SHAPE_H
#define RIFFLE_F2_KERNELS_SHAPE_H

#include <stdint.h>

enum {
    F2_THREADS = 1024,
    F2_PANEL = 32, /* words of 32 bits of the result's rows that a block has */
    F2_LANES = 8,  /* threads of a row, 4 words each */
    F2_ROWS = F2_THREADS / F2_LANES,
    F2_MOVES = 8,  /* rows of a thread, at most */
    F2_FIELD = 8,  /* rows of the right factor whose sums are a table */
    F2_TABLES = 4, /* tables at a time: a word of the left factor's row names an entry of each */
    F2_ENTRIES = 1 << F2_FIELD,
    F2_TABLE_BYTES = F2_ENTRIES * F2_PANEL * 4,
    F2_SHARED_BYTES = F2_TABLES * F2_TABLE_BYTES,
    F2_TILE = 256, /* rows and columns that a block transposes */
};

/* A product, by value. */
typedef struct f2_product_table {
    const uint32_t *right;         /* the right factor */
    uint32_t rows, inner, columns; /* rows of the left factor, its columns, columns of the right one */
    uint32_t panels, moves;        /* blocks for the columns; rows of a thread */
    uint64_t to_stride, left_stride, right_stride; /* words of 32 bits from a row to the next */
} f2_product_table;

#endif
