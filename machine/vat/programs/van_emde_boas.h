/* SPDX-License-Identifier: Apache-2.0
 *
 * The van Emde Boas layout of a complete binary search tree with 2^h - 1 keys (Frigo, Leiserson, Prokop,
 * Ramachandran: Cache-oblivious algorithms, 2012; without pointers: Brodal, Fagerberg, Jacob: Cache oblivious
 * search trees via binary trees of small height, 2002, section 2.2). The tree is cut at half its height:
 *
 *     | top tree, 2^t - 1 | bottom tree 0, 2^b - 1 | bottom tree 1 | ... | bottom tree 2^t - 1 |     t + b = h
 *
 * and each part is laid out the same way. Each depth but the first is where the bottom trees of exactly one cut
 * have their roots, so three numbers a depth say where every node lies.
 */
#ifndef RIFFLE_MACHINE_VAT_PROGRAMS_VAN_EMDE_BOAS_H
#define RIFFLE_MACHINE_VAT_PROGRAMS_VAN_EMDE_BOAS_H

#include <stdint.h>

enum { VAN_EMDE_BOAS_MAX_HEIGHT = 64 };

/** The cut whose bottom trees have their roots at some depth. */
typedef struct van_emde_boas_cut {
    uint64_t bottom; /**< nodes of one bottom tree */
    uint64_t top;    /**< nodes of the top tree */
    unsigned root;   /**< depth of the top tree's root */
} van_emde_boas_cut;

typedef struct van_emde_boas {
    unsigned height;
    van_emde_boas_cut cut[VAN_EMDE_BOAS_MAX_HEIGHT]; /**< by depth; that of depth 0 is not used */
} van_emde_boas;

/** The layout of 2^height - 1 keys, height < VAN_EMDE_BOAS_MAX_HEIGHT. */
void van_emde_boas_create(unsigned height, van_emde_boas *out);

/** Where a node lies: `node` is its number in order of breadth, the root's being 1, and place[] holds where its
 *  ancestors lie, by depth; depth > 0. */
static inline uint64_t van_emde_boas_place(const van_emde_boas *layout, unsigned depth, uint64_t node,
                                           const uint64_t *place) {
    const van_emde_boas_cut cut = layout->cut[depth];
    return place[cut.root] + cut.top + (node & cut.top) * cut.bottom; /* cut.top is also the mask 2^t - 1 */
}

/** Writes the keys of ranks 0 to 2^height - 2 into `array`, in order of place. */
void van_emde_boas_fill(unsigned height, uint64_t *array);

#endif
