/* SPDX-License-Identifier: Apache-2.0
 *
 * The translation tree: nodes are pairs of a layer and a number (dissertation, section 2.3), leaves are pages.
 *
 *     layer d      (d, 0)                       the root
 *     layer l      (l, page >> l k)             K = 2^k children each
 *     layer 0      (0, page)                    the leaf, page = address >> p
 *
 * A translation path holds one node of each layer, and two paths share their upper ends: all nodes above the
 * layer that holds the highest bit in which their pages differ.
 */
#ifndef RIFFLE_MACHINE_VAT_TREE_H
#define RIFFLE_MACHINE_VAT_TREE_H

#include <stdint.h>

enum {
    VAT_MAX_HEIGHT = 64,
    VAT_MAX_PATH = VAT_MAX_HEIGHT + 1, /**< nodes of a translation path */
};

/** The shape of a tree: K = 2^fanout_bits, P = 2^page_bits, d = height; d k + p <= 64. */
typedef struct vat_tree {
    unsigned fanout_bits, page_bits, height;
    unsigned char layer_of_bit[64]; /**< the layer that a bit of the page is a child's number on */
} vat_tree;

static inline vat_tree vat_tree_of(unsigned fanout_bits, unsigned page_bits, unsigned height) {
    vat_tree tree = {.fanout_bits = fanout_bits, .page_bits = page_bits, .height = height};
    for (unsigned bit = 0; bit < 64; bit++) tree.layer_of_bit[bit] = (unsigned char)(bit / fanout_bits);
    return tree;
}

/** The number of the node on `layer` of a page's path. */
static inline uint64_t vat_tree_number(const vat_tree *tree, uint64_t page, unsigned layer) {
    return layer < tree->height ? page >> (layer * tree->fanout_bits) : 0;
}

/** How many nodes of two pages' paths differ, from the leaf up: 0 for the same page, never the root. */
static inline unsigned vat_tree_differing(const vat_tree *tree, uint64_t page, uint64_t other) {
    if (page == other) return 0;
    return tree->layer_of_bit[63 - __builtin_clzll(page ^ other)] + 1U;
}

/** A place for the node in a hash table of 2^bits places, 1 <= bits <= 63. */
static inline uint64_t vat_tree_hash(uint64_t number, unsigned layer, unsigned bits) {
    return (number + layer * 0xd6e8feb86659fd93ULL) * 0x9e3779b97f4a7c15ULL >> (64 - bits);
}

#endif
