/* SPDX-License-Identifier: Apache-2.0
 *
 * A level's tiles of random keys, as blocks count and move them: the guide to splitters, the search in it, what is staged and written. Lanes go
 * to any bucket alike.
 */
#ifndef RIFFLE_SORT_PREDICT_TILES_H
#define RIFFLE_SORT_PREDICT_TILES_H

#include "base/arithmetic.h"
#include "device/predict/expect.h"
#include "sort/kernels/kernel.h"

typedef struct tiles {
    uint32_t n, ways, row, levels, cell_bits;
    uint32_t threads, each, blocks, count; /**< each: keys of a thread; count: tiles */
    uint32_t turns;                        /**< tiles of a block, at most */
    uint32_t rounds; /**< rounds in which a block's threads have a key each, side by side */
} tiles;

/** Tiles of so many keys, which blocks take in turn, or from pieces of their own. */
tiles tiles_of(const launch *work, const sort_tile_table *t, uint32_t tile, bool has_pieces);

static inline uint32_t tile_warps(uint32_t threads) { return ceil_div(threads, WARP_LANES); }

/** Accesses of a row of all tiles' places, those behind the last key too. */
static inline double tiles_reads(const tiles *s) { return (double)s->count * s->each * tile_warps(s->threads); }

/** Address groups of a warp in rows one behind the other, which seldom begin where these do. */
static inline double tile_row_groups(uint32_t row, uint32_t rows) {
    return rows > 1 && row % WARP_LANES != 0 ? 2 : 1;
}

/** The fullest bank, where a warp's lanes take any of so many cells. */
double tile_conflicts(uint64_t cells, bool merges);

void tiles_add_guide(expectation *e, const tiles *s);

/** Keys are read, in so many rounds, and looked up. */
void tiles_add_search(expectation *e, const tiles *s, uint32_t rounds);

/** A word of each key's bucket is read; an item of each key is put into its place; all are read in order, and written. */
void tiles_add_buckets(expectation *e, const tiles *s);
void tiles_add_staged(expectation *e, const tiles *s);
void tiles_add_writes(expectation *e, const tiles *s);

#endif
