/* SPDX-License-Identifier: Apache-2.0
 *
 * Both functions follow the definition: cut at half the height, do the top tree, then the bottom trees.
 */
#include "machine/vat/programs/van_emde_boas.h"

#include "machine/vat/programs/random.h"

static void cut_at_half(van_emde_boas *layout, unsigned root, unsigned height) {
    if (height <= 1) return;
    const unsigned top = height / 2, bottom = height - top;
    layout->cut[root + top] = (van_emde_boas_cut){
        .bottom = ((uint64_t)1 << bottom) - 1, .top = ((uint64_t)1 << top) - 1, .root = root};
    cut_at_half(layout, root, top);
    cut_at_half(layout, root + top, bottom);
}

void van_emde_boas_create(unsigned height, van_emde_boas *out) {
    *out = (van_emde_boas){.height = height};
    cut_at_half(out, 0, height);
}

/* The node's rank among all keys of a tree of `whole` levels: an odd multiple in the last level's grid. */
static uint64_t rank_of(unsigned whole, unsigned depth, uint64_t node) {
    const uint64_t in_level = node - ((uint64_t)1 << depth);
    return ((2 * in_level + 1) << (whole - 1 - depth)) - 1;
}

/* Writes the tree of `height` levels below `node`, which has `depth`; returns where its place ends. */
static uint64_t *fill_part(unsigned whole, unsigned height, unsigned depth, uint64_t node, uint64_t *to) {
    if (height == 1) {
        *to = key_of_rank(rank_of(whole, depth, node));
        return to + 1;
    }
    const unsigned top = height / 2;
    to = fill_part(whole, top, depth, node, to);
    const uint64_t bottoms = (uint64_t)1 << top;
    for (uint64_t k = 0; k < bottoms; k++) {
        to = fill_part(whole, height - top, depth + top, (node << top) + k, to);
    }
    return to;
}

void van_emde_boas_fill(unsigned height, uint64_t *array) {
    if (height > 0) fill_part(height, height, 0, 1, array);
}
