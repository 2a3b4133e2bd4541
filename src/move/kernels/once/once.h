/* SPDX-License-Identifier: Apache-2.0
 *
 * The table that the kernels that move along indices used once take by value (plan/once/once.h has the words and the picture).
 * Indices are cut into pieces of `piece`, what they point into, n elements, into tiles of `tile`. An index is the number of a
 * tile and a low part of 16 bits, its place in the tile. The runs of one tile in one piece have an even length: the last pair
 * of an odd one has a pad in it. So runs are moved by pairs.
 */
#ifndef RIFFLE_MOVE_KERNELS_ONCE_ONCE_H
#define RIFFLE_MOVE_KERNELS_ONCE_ONCE_H

#include <stdint.h>

#include "base/feistel.h"
#include "device/kernels/lanes.h"

enum {
    ONCE_QUADS = 12,      /* quads of neighbouring indices that a thread sorts, at most */
    ONCE_SPAN = 32,       /* pieces whose runs are added up together */
    ONCE_LONG_RUN = 1024, /* from so many pairs on a run is moved by the whole block */
    ONCE_LONG_RUNS = 64,  /* that a block remembers for that */
    ONCE_COUNT_THREADS = 256,
    ONCE_GATHERED = 2,         /* elements that a thread gathers where nothing is sorted */
    ONCE_CACHED_THREADS = 512, /* most threads of a block that sorts by tiles of the second-level cache; */
    ONCE_CACHED_QUADS = 6,     /* a thread's */
    ONCE_PAD = 0xffff,         /* pad of a put: a low part that no element has */
};

/** Errors in the indices; UINT64_MAX where there is none. */
typedef struct once_record {
    uint64_t out_of_range; /**< where the first index is that is not below n */
    uint64_t clash;        /**< the first element of dst that two indices name */
} once_record;

/** A part of a tile's answers, for a block. */
typedef struct once_item {
    uint32_t tile;
    uint16_t part, parts;
} once_item;

typedef struct once_table {
    uint64_t n, m;
    const void *indices;
    uint32_t piece, pieces;
    uint32_t tile, tiles;
    uint32_t tile_shift, tile_factor; /**< the tile of an index is (index >> shift) * factor / 2^32 */
    uint32_t room;                /**< from a piece's order to the next one's, even: the longest is no longer */
    uint32_t row;                 /**< from a piece's starts to the next one's, at least tiles + 1 */
    uint32_t column;              /**< from a tile's runs to the next one's: whole spans of pieces */
    uint32_t slots;               /**< words of shared memory before a sort's counts */
    uint32_t items, item_answers; /**< at most so many items; each has about so many answers */
    uint32_t ahead; /**< blocks that run at a time: what the one behind them reads is fetched early */
    uint32_t swap_before, swap_after; /**< swaps of a random permutation (perm/random.c) */
    uint16_t *starts;                 /**< [piece][tile]: where the tile's run begins in the piece's order */
    uint16_t *lows;   /**< low parts, each piece in its order; in a cache's tiles whole indices */
    uint16_t *places; /**< where in the piece's order each index is */
    uint32_t *runs;   /**< [tile][piece]: the run's first pair in the piece's order, and pairs << 16 */
    uint32_t *before; /**< [piece][tile]: where the run's answers begin among all */
    uint32_t *sums;   /**< [span][tile]: answers of the tile in the spans before */
    uint32_t *totals; /**< each tile's answers, then where they begin; behind them how many items there are */
    once_item *list;
    once_record *record;
    feistel net;
} once_table;

#endif
