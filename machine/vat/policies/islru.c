/* SPDX-License-Identifier: Apache-2.0
 *
 * ISLRU (Definition 2.9): the lowest stored descendant of the least recently used node leaves.
 *
 * The stored descendants of the least recently used node were last used in the same translation as it was: they
 * are on one path. So the list is in the order of the last translation, newest first, and within a translation
 * from the root down; the lowest descendant is the list's end. The nodes that a path shares with the one before
 * are at the front and stay there; the others are put behind them.
 *
 *     before     4 3 2 | 1' 0' | others
 *     after      4 3 2 | 1 0 | 1' 0' | others
 *
 * If the cache holds a path (W > d), it holds an initial segment of the tree: a node comes below a stored
 * parent and leaves without stored children, which is checked each time.
 */
#include "base/status.h"
#include "machine/vat/vat.h"

static bool is_parent(const vat_cells *cells, const vat_tree *tree, uint32_t at, uint64_t page,
                      unsigned layer) {
    return cells->cell[at].layer == layer + 1 &&
           cells->cell[at].number == vat_tree_number(tree, page, layer + 1);
}

/* Inserts a node below the stored one of the layer above; 0 if that breaks the initial segment property. */
static uint32_t insert_in_segment(vat_cells *cells, const vat_tree *tree, uint64_t page, unsigned layer) {
    vat_cell *cell = cells->cell;
    const uint32_t victim = vat_cells_victim(cells);
    if (victim != 0) {
        if (cell[victim].children != 0) return 0;
        cell[cell[victim].parent].children--;
    }
    const uint32_t parent = layer < tree->height ? cells->path[layer + 1] : 0;
    const uint32_t at = vat_cells_insert(cells, vat_tree_number(tree, page, layer), layer);
    if (parent != 0 && !is_parent(cells, tree, parent, page, layer)) return 0;
    cell[at].parent = parent;
    cell[at].children = 0;
    cell[parent].children++;
    return at;
}

/* Translates the lower `layers` of a page's path; the others are the current path's. */
static riffle_status translate(vat_cells *cells, const vat_tree *tree, uint64_t page, unsigned layers,
                               vat_tally *tally) {
    uint32_t above = layers <= tree->height ? cells->path[layers] : 0;
    while (layers-- > 0) {
        const uint64_t number = vat_tree_number(tree, page, layers);
        uint32_t at = vat_cells_find(cells, number, layers);
        if (at != 0) {
            vat_cells_unlink(cells, at);
        } else {
            vat_tally_insertion(tally, number, layers);
            /* Where a path does not fit, the node just used may have to leave. */
            if (above != 0 && vat_cells_victim(cells) == above) above = cells->cell[above].before;
            at = cells->whole_path ? insert_in_segment(cells, tree, page, layers)
                                   : vat_cells_insert(cells, number, layers);
            if (at == 0) return fail(RIFFLE_ERROR_INTERNAL, "islru: the cache is no initial segment any more");
        }
        vat_cells_link(cells, above, at);
        cells->path[layers] = above = at;
    }
    return RIFFLE_OK;
}

riffle_status vat_islru_access(vat_cells *cells, const vat_tree *tree, const uint64_t *addresses, size_t count,
                               vat_tally *tally) {
    for (size_t i = 0; i < count; i++) {
        const uint64_t page = addresses[i] >> tree->page_bits;
        const unsigned layers = vat_cells_differing(cells, tree, page);
        cells->page = page;
        cells->started = true;
        const riffle_status status = translate(cells, tree, page, layers, tally);
        if (status != RIFFLE_OK) return status;
    }
    return RIFFLE_OK;
}
