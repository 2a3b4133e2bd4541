/* SPDX-License-Identifier: Apache-2.0
 *
 * Tables of the kernels that part elements around the one of some rank, which take them by value.
 */
#ifndef RIFFLE_SORT_KERNELS_TABLES_PART_H
#define RIFFLE_SORT_KERNELS_TABLES_PART_H

#include "sort/kernels/tables/select.h"

enum {
    PART_VECTORS = 2,                          /* vectors of 16 bytes that a thread moves at a time */
    PART_TILE = PART_VECTORS * SELECT_THREADS, /* and a block */
    PART_ROOM =
        PART_TILE + 3, /* vectors of shared memory for a tile: each of its two runs begins anywhere in one */
    PART_SHARES = SELECT_THREADS / WARP_LANES, /* shares of a block: each warp counts one, and one moves it */
    PART_MOVE_THREADS = 256,                   /* threads of a block whose warps move shares */
    PART_LISTED_TILE = 4 * SELECT_THREADS,     /* listed elements that a block looks at, at a time */
    PART_SHARE_VECTORS = 4,                    /* vectors of a share that a lane has at a time */
    PART_RING = 8 * WARP_LANES, /* vectors of a warp's ring for one side: a stretch and a tile, and more */
    PART_LEAD = 64,         /* words of shared memory before a tile's elements, and before counts of blocks */
    PART_MOST_GROUPS = 256, /* blocks of samples */
    PART_SIDES = 2,         /* a sample bounds the pivot from below and from above */
    PART_CLASSES = 4,       /* less than the lower bound, up to it, less than the upper one, up to it */
    PART_DIGIT_BITS = 12,   /* the pivot is counted by digits of so many: shared memory has a count of each */
    PART_DIGITS = 1 << PART_DIGIT_BITS,
    PART_HELD_THREADS = 256, /* threads of a block whose warps have rows in registers, ... */
    PART_HELD_FEW = 4,       /* ... up to so many vectors a lane, */
    PART_HELD_TIMES = 4,     /* and so many rows one after the other */
    PART_HELD_VECTORS = 8,   /* vectors of a thread, at most, where a block has a row, ... */
    PART_HELD_MOST = 768,    /* ... of so many threads: shared memory of any GPU has the row; */
    PART_HELD_BOUND = 1024,  /* registers are those of so many */
};

/** Words at `listed.counts`: where the pivot is, and whether the sample has some bound more than once. */
enum { PART_WHERE, PART_BEFORE, PART_ALIKE };
enum { PART_NOWHERE, PART_LOW, PART_BETWEEN, PART_HIGH };

/** Words at `of.counts`: how many are listed. */
enum { PART_LISTED = 1 };

/** Arrays that go along with elements. */
typedef struct part_along {
    const void *from_values;
    void *values, *indices; /**< NULL: there are none */
    uint32_t value_bytes, index_bytes;
    uint32_t first; /**< the place of the array's first element among values and indices */
} part_along;

typedef struct part_table {
    select_table of; /**< the first `count` of them end at the pivot; its list has what is between the bounds */
    select_table listed;          /**< the pivot's digits among what is listed */
    uint32_t rank[PART_SIDES];    /**< the bounds, among what goes on of the sample */
    uint32_t is_open[PART_SIDES]; /**< true if nothing bounds that side */
    uint32_t lead, elements;      /**< before the first in its vector; that a share has */
    uint32_t shares;              /**< warps that count a share of all each */
    uint32_t *classes;            /**< [class][share]: elements of that class and those before it */
    uint32_t *fronts;             /**< [share]: elements before the pivot, without those that equal it */
    uint32_t *equals;             /**< [share]: elements that equal it */
    part_along along;
} part_table;

/** part_rows */
typedef struct part_rows_table {
    select_coder coder;
    const uint32_t *begin; /**< where segments begin, and where the last ends; NULL: they are of one length */
    uint32_t length;
    uint32_t place;  /**< the pivot's in its segment; those that are no longer stay as they are */
    uint32_t rounds; /**< digits of a code */
    part_along along;
} part_rows_table;

/** part_warps, part_blocks */
typedef struct part_held_table {
    select_coder coder;
    uint32_t rows, length;
    uint32_t place; /**< the pivot's in its row */
    uint32_t teams; /**< part_warps: rows of a warp at a time, a power of two, ... */
    uint32_t times; /**< ... and one after the other */
    uint32_t used;  /**< vectors of a thread */
    part_along along;
} part_held_table;

#endif
