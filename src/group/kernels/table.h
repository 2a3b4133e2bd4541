/* SPDX-License-Identifier: Apache-2.0
 *
 * The table that kernels of groups take by value, and the shapes of their launches. Entries (group/plan.h) are cut into chunks, and
 * counts have a row for each:
 *
 *     counts    | chunk 0: groups, entries outside, rest of a line | chunk 1: ... |
 *
 * At first these are how many entries of the chunk each group gets; the scan makes of them how many came before the chunk. Where rows are
 * moved in tiles a chunk is a number of them, and each has a row, too: how many of the chunk came before the tile. A row has a column for each group;
 * in two passes for each lowest byte of a group's number, then for each other byte.
 */
#ifndef RIFFLE_GROUP_KERNELS_TABLE_H
#define RIFFLE_GROUP_KERNELS_TABLE_H

#include "check/kernels/table.h"
#include "device/kernels/rows.h"
#include "group/number.h"

enum {
    GROUP_THREADS = 512, /* blocks that have a tile, or count in shared memory */
    GROUP_WARPS = GROUP_THREADS / 32,
    GROUP_BLOCKS = 2,           /* that a multiprocessor has at a time */
    GROUP_STAGED_GROUPS = 1024, /* most groups of a tile */
    GROUP_ITEMS = 16,           /* entries of a thread in a tile, but for the longest rows */
    GROUP_LOW = 256,            /* columns of either pass of two */
    GROUP_MANY_BITS = 8,        /* bits of group numbers from which a warp's lanes seldom have one in common */
    GROUP_COUNT_BLOCKS = 3,     /* that count in shared memory, and a multiprocessor has at a time */
    GROUP_MOST_BITS = 16,       /* bits of group numbers */
    GROUP_LINE = 32,            /* numbers of a line, of which a chunk's row of counts is a multiple */
    GROUP_FEW_THREADS = 256,    /* blocks that count in memory */
    GROUP_PLACE_WARPS = 4,      /* chunks that a block places */
    GROUP_SCAN_THREADS = 1024,
    GROUP_SCAN_WARPS = GROUP_SCAN_THREADS / 32,
    GROUP_ROW_THREADS = 128,
    GROUP_ROW_MOVES = 2, /* units of a thread that moves rows */
    GROUP_CHECK_THREADS = 256,
    GROUP_CHECK_EACH = 16, /* entries of a thread that looks at their places */
};

typedef struct group_table {
    group_rule rule;
    uint32_t key_bytes, keys_are_signed;
    uint32_t columns;     /**< groups that are counted and moved apart: all, or those of a pass */
    uint32_t column_mask; /**< the bits of a group's number that are its column */
    uint32_t bits;        /**< bits of columns */
    uint32_t stride;      /**< numbers of a chunk's row of counts */
    uint32_t chunks;
    uint32_t tile_entries,
        chunk_tiles;      /**< entries of a tile, and tiles of a chunk, where rows are moved in tiles */
    uint32_t index_bytes; /**< bytes of places; 0: none are written */
    uint32_t keys_per_row;
    uint32_t row_shift; /**< with the next: an entry's row (device/kernels/rows.h) */
    uint64_t row_reciprocal;
    uint64_t entries, chunk_entries;
    const uint64_t *count; /**< the entries that there are, `entries` at most; NULL: as many */
    uint64_t multiple, capacity;
    const void *keys;
    uint32_t *counts;
    uint32_t *tiles;
    uint32_t *totals;      /**< entries of each group, and behind them those outside */
    uint64_t *first, *end; /**< where each group begins, and where what it keeps ends; groups + 1, and groups */
    void *places;
    uint64_t *offsets, *kept, *left_out; /**< the caller's results, or NULL */
    check_record *
        compared; /**< to which the first of two passes adds what it writes, and from which the second takes what it reads */
} group_table;

/** Where a tile's entries of a group go, in shared memory: their places less their numbers in the tile, mod 2^32, and the end of what the
 *  group keeps. */
typedef struct group_span {
    uint32_t place, end;
} group_span;

/** The table of rows that are brought back; a unit is an element of the kernel's. */
typedef struct ungroup_table {
    rows_table rows; /**< the result's */
    uint64_t limit;  /**< places are below it, or are none */
    const void *places, *weights;
    uint32_t keys_per_row;
} ungroup_table;

/** Entries of a tile whose rows have so many bytes. */
static inline uint32_t group_tile_entries(uint32_t row_bytes) {
    return (uint32_t)GROUP_THREADS * (row_bytes == 16 ? GROUP_ITEMS / 2 : GROUP_ITEMS);
}

#endif
