/* SPDX-License-Identifier: Apache-2.0
 *
 * A tile put in order (group/kernels/tile.h), followed.
 */
#ifndef RIFFLE_GROUP_PREDICT_TILE_H
#define RIFFLE_GROUP_PREDICT_TILE_H

#include "group/predict/layout.h"

enum {
    GROUP_TILE_SITES = 8 + GROUP_LOAD_SITES + GROUP_SUM_SITES,
    GROUP_TILE_MOST = GROUP_THREADS * GROUP_ITEMS
};

/** A tile: where its numbers lie in shared memory, and the order that its entries get. */
typedef struct group_tile_order {
    uint64_t cells, sums;
    uint32_t items;                    /**< entries of a thread */
    uint32_t count;                    /**< entries in groups */
    uint64_t left;                     /**< entries that there are */
    uint16_t number[GROUP_TILE_MOST];  /**< each entry's, of those in a group */
    uint16_t ordered[GROUP_TILE_MOST]; /**< the entry of each number */
} group_tile_order;

/** Where a lane's entry of number i stands in the tile. */
static inline uint64_t group_tile_entry(const group_tile_order *tile, unsigned warp, unsigned lane,
                                        uint32_t i) {
    return ((uint64_t)warp * tile->items + i) * WARP_LANES + lane;
}

void group_tile_declare(group_view *v, unsigned site);

/** Follows all entries: the tile's. */
void group_note_tile(group_view *v, unsigned site, const group_entries *e, group_tile_order *tile);

#endif
