/* SPDX-License-Identifier: Apache-2.0
 *
 * LRU: the list is in the order of last use. A path is used from the root down, so its leaf comes first:
 *
 *     before     0' 1' | 2 3 4 | others          the last page's path, layers 0 to 4; 2 to 4 are shared
 *     shared            2 3 4 | 0' 1' | others   used again, so the front part moves behind
 *     after      0 1 | 2 3 4 | 0' 1' | others    the others are moved or inserted one by one
 */
#include "machine/vat/vat.h"

/* Using the shared nodes again, root first, puts them before the `differing` ones at the front: one splice. */
static void use_shared(vat_cells *cells, unsigned height, unsigned differing) {
    vat_cell *cell = cells->cell;
    const uint32_t first = cells->path[0], last = cells->path[differing - 1];
    const uint32_t shared = cells->path[differing], root = cells->path[height];
    const uint32_t others = cell[root].after;
    cell[0].after = shared;
    cell[shared].before = 0;
    cell[root].after = first;
    cell[first].before = root;
    cell[last].after = others;
    cell[others].before = last;
}

/* Uses one node; true for a fault. */
static bool use(vat_cells *cells, uint64_t number, unsigned layer) {
    uint32_t at = vat_cells_find(cells, number, layer);
    const bool fault = at == 0;
    if (fault) {
        at = vat_cells_insert(cells, number, layer);
    } else {
        vat_cells_unlink(cells, at);
    }
    vat_cells_link(cells, 0, at);
    cells->path[layer] = at;
    return fault;
}

riffle_status vat_lru_access(vat_cells *cells, const vat_tree *tree, const uint64_t *addresses, size_t count,
                             vat_tally *tally) {
    for (size_t i = 0; i < count; i++) {
        const uint64_t page = addresses[i] >> tree->page_bits;
        unsigned layer = vat_cells_differing(cells, tree, page);
        if (layer > 0 && layer <= tree->height) use_shared(cells, tree->height, layer);
        cells->page = page;
        cells->started = true;
        while (layer-- > 0) {
            const uint64_t number = vat_tree_number(tree, page, layer);
            if (use(cells, number, layer)) vat_tally_insertion(tally, number, layer);
        }
    }
    return RIFFLE_OK;
}
