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
#include "sort/predict/subject.h"

/** Tiles of one segment, or of many, of which numbers are means. */
typedef struct tiles {
    double n, keys;   /**< keys: accesses of warps that read them all */
    double groups;    /**< address groups of such an access */
    double ways;      /**< buckets of a segment */
    double way_warps; /**< warps of a row of them */
    double levels;    /**< levels of bisection among its splitters */
    uint32_t row, cell_bits;
    uint32_t threads, each; /**< each: keys of a thread */
    double blocks, count;   /**< blocks that have keys; tiles */
    uint32_t turns;         /**< tiles of a block, at most */
    uint32_t rounds;        /**< rounds in which a block's threads have a key each, side by side */
    uint32_t grid, segments;
} tiles;

/** Tiles of so many keys, which blocks take in turn, or from pieces of their own. */
tiles tiles_of(const launch *work, const sort_tile_table *t, uint32_t tile, bool has_pieces,
               const sort_subject *subject);

static inline uint32_t tile_warps(uint32_t threads) { return ceil_div(threads, WARP_LANES); }

/** Accesses of a row of all tiles' places, those behind the last key too. */
static inline double tiles_reads(const tiles *s) { return s->count * s->each * tile_warps(s->threads); }

/** Address groups of a warp in rows one behind the other, which seldom begin where these do. */
static inline double tile_row_groups(uint32_t row, double rows) {
    return rows > 1 && row % WARP_LANES != 0 ? 2 : 1;
}

/** The fullest bank, where a warp's lanes take any of so many cells. */
double tile_conflicts(double cells, bool merges);

/** Each block of segments finds its piece: nothing where there is one segment. */
void tiles_add_piece(expectation *e, const tiles *s);

/** Where a segment begins and ends, and whether its keys are alike, as so many warps read it, once each. */
void tiles_add_segment(expectation *e, const sort_segments *of, double warps);

void tiles_add_guide(expectation *e, const tiles *s);

/** Keys are read, in so many rounds, and looked up. */
void tiles_add_search(expectation *e, const tiles *s, uint32_t rounds);

/** A word of each key's bucket is read; an item of each key is put into its place; all are read in order, and written. */
void tiles_add_buckets(expectation *e, const tiles *s);
void tiles_add_staged(expectation *e, const tiles *s, uint32_t rounds);
void tiles_add_writes(expectation *e, const tiles *s);

#endif
