/* SPDX-License-Identifier: Apache-2.0
 *
 * The cells of a translation cache that works while it is fed (LRU, ISLRU): found through a hash table of
 * chains, and in a list in the order in which the policy gives them up, the last one next.
 *
 * Cell 0 is the list's head and also stands for "none". Where a whole path fits (W > d), the current path's
 * nodes are at the list's front, and a translation begins below the nodes that it shares with the one before.
 */
#ifndef RIFFLE_MACHINE_VAT_CELLS_H
#define RIFFLE_MACHINE_VAT_CELLS_H

#include <stdbool.h>

#include "machine/vat/tree.h"
#include "riffle.h"

typedef struct vat_cell {
    uint64_t number;
    uint32_t layer;
    uint32_t chain;            /**< the next cell with the same hash */
    uint32_t before, after;    /**< neighbours in the list */
    uint32_t parent, children; /**< kept by policies with the initial segment property */
} vat_cell;

typedef struct vat_cells {
    vat_cell *cell;
    uint32_t *bucket;
    unsigned hash_bits;
    uint32_t capacity, used;
    bool whole_path;             /**< W > d */
    bool started;                /**< there is a current path */
    uint64_t page;               /**< the current path's */
    uint32_t path[VAT_MAX_PATH]; /**< the cell of each layer of the current path; valid if whole_path */
} vat_cells;

enum { VAT_MAX_CACHE_BITS = 31 };

/** Room for `capacity` nodes, 1 to 2^VAT_MAX_CACHE_BITS. */
riffle_status vat_cells_create(uint64_t capacity, unsigned height, vat_cells *out);
void vat_cells_free(vat_cells *cells);

/** How many nodes of the page's path must be looked at, from the leaf up; the others are the current path's. */
static inline unsigned vat_cells_differing(const vat_cells *cells, const vat_tree *tree, uint64_t page) {
    if (!cells->whole_path || !cells->started) return tree->height + 1;
    return vat_tree_differing(tree, page, cells->page);
}

static inline uint32_t vat_cells_find(const vat_cells *cells, uint64_t number, unsigned layer) {
    uint32_t at = cells->bucket[vat_tree_hash(number, layer, cells->hash_bits)];
    while (at != 0 && (cells->cell[at].number != number || cells->cell[at].layer != layer)) {
        at = cells->cell[at].chain;
    }
    return at;
}

static inline void vat_cells_unlink(vat_cells *cells, uint32_t at) {
    vat_cell *cell = cells->cell;
    cell[cell[at].before].after = cell[at].after;
    cell[cell[at].after].before = cell[at].before;
}

/** Puts a cell into the list after the cell `before`; 0: at the front. */
static inline void vat_cells_link(vat_cells *cells, uint32_t before, uint32_t at) {
    vat_cell *cell = cells->cell;
    const uint32_t after = cell[before].after;
    cell[at].before = before;
    cell[at].after = after;
    cell[before].after = at;
    cell[after].before = at;
}

/** The cell that the next insertion empties, 0 while there are free ones. */
static inline uint32_t vat_cells_victim(const vat_cells *cells) {
    return cells->used < cells->capacity ? 0 : cells->cell[0].before;
}

/** Puts a node that is not stored into the victim or a free cell, which is then in the table, but not in the
 *  list. */
static inline uint32_t vat_cells_insert(vat_cells *cells, uint64_t number, unsigned layer) {
    vat_cell *cell = cells->cell;
    uint32_t at = vat_cells_victim(cells);
    if (at != 0) {
        vat_cells_unlink(cells, at);
        uint32_t *link = &cells->bucket[vat_tree_hash(cell[at].number, cell[at].layer, cells->hash_bits)];
        while (*link != at) link = &cell[*link].chain;
        *link = cell[at].chain;
    } else {
        at = ++cells->used;
    }
    uint32_t *head = &cells->bucket[vat_tree_hash(number, layer, cells->hash_bits)];
    cell[at].number = number;
    cell[at].layer = layer;
    cell[at].chain = *head;
    *head = at;
    return at;
}

#endif
