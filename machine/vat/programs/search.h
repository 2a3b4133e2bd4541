/* SPDX-License-Identifier: Apache-2.0
 *
 * Searches for random keys (section 2.1; Lemma 2.28; van Emde Boas layout: section 2.5). The result of a search
 * is the number of smaller keys. Comparisons become numbers instead of branches: the processor would guess half
 * of them wrong, and fetch on a guess what the program does not ask for.
 *
 * Whoever includes this has defined cells, load and store (all.h).
 */
#ifndef RIFFLE_MACHINE_VAT_PROGRAMS_SEARCH_H
#define RIFFLE_MACHINE_VAT_PROGRAMS_SEARCH_H

#include "machine/vat/programs/random.h"
#include "machine/vat/programs/van_emde_boas.h"
#include "machine/vat/programs/weigh.h"

/* The search tree of the chapter: its root is at the middle of the range, with a subtree on either side. */
static inline uint64_t search_sorted(cells a, uint64_t n, uint64_t key) {
    uint64_t first = 0;
    while (n > 0) {
        const uint64_t middle = n / 2, less = load(a, first + middle) < key;
        first += (middle + 1) & (0 - less);
        n = (n - less) / 2; /* n / 2 keys are left of the middle, (n - 1) / 2 right of it */
    }
    return first;
}

/** n searches; log2(n + 1) accesses each if that is an integer, else that rounded up or down. */
static uint64_t binary_search(cells a, uint64_t n, uint64_t seed) {
    uint64_t sum = 0;
    for (uint64_t k = 0; k < n; k++) sum += weigh(search_sorted(a, n, random_key(&seed, n)), k);
    return sum;
}

static inline uint64_t search_layout(cells a, const van_emde_boas *layout, uint64_t key) {
    uint64_t place[VAN_EMDE_BOAS_MAX_HEIGHT];
    uint64_t node = 1;
    for (unsigned depth = 0; depth < layout->height; depth++) {
        place[depth] = depth == 0 ? 0 : van_emde_boas_place(layout, depth, node, place);
        node = 2 * node + (load(a, place[depth]) < key);
    }
    return node - ((uint64_t)1 << layout->height);
}

/** `searches` searches among 2^h - 1 keys; h accesses each. */
static uint64_t van_emde_boas_search(cells a, uint64_t keys, uint64_t searches, uint64_t seed) {
    van_emde_boas layout;
    van_emde_boas_create(64 - (unsigned)__builtin_clzll(keys + 1) - 1, &layout);
    uint64_t sum = 0;
    for (uint64_t k = 0; k < searches; k++) {
        sum += weigh(search_layout(a, &layout, random_key(&seed, keys)), k);
    }
    return sum;
}

#endif
