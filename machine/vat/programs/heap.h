/* SPDX-License-Identifier: Apache-2.0
 *
 * The binary heap (section 2.4, before Proposition 2.31): heapify by sifting down from the middle of the array
 * to its front (Floyd), and heapsort, which takes the largest element from the root again and again (Williams),
 * sifting from the top down as textbooks do, not from the bottom up. The largest is at the root, so that
 * heapsort sorts in ascending order; the chapter's heap has its smallest there. The children of i are 2 i + 1
 * and 2 i + 2.
 *
 * Whoever includes this has defined cells, load and store (all.h).
 */
#ifndef RIFFLE_MACHINE_VAT_PROGRAMS_HEAP_H
#define RIFFLE_MACHINE_VAT_PROGRAMS_HEAP_H

#include "machine/vat/programs/weigh.h"

/* Sifts `value` down from `hole` in the heap of n elements at `base`. The larger child moves up as long as it
 * is larger than the value, which is stored once, where it stays. */
static inline uint64_t sift(cells a, uint64_t base, uint64_t n, uint64_t hole, uint64_t value) {
    uint64_t child;
    while ((child = 2 * hole + 1) < n) {
        uint64_t larger = load(a, base + child);
        if (child + 1 < n) {
            const uint64_t right = load(a, base + child + 1);
            child += right > larger;
            larger = right > larger ? right : larger;
        }
        if (larger <= value) break;
        store(a, base + hole, larger);
        hole = child;
    }
    store(a, base + hole, value);
    return weigh(value, hole);
}

static uint64_t heapify(cells a, uint64_t base, uint64_t n) {
    uint64_t sum = 0;
    for (uint64_t i = n / 2; i-- > 0;) sum += sift(a, base, n, i, load(a, base + i));
    return sum;
}

static uint64_t heapsort(cells a, uint64_t base, uint64_t n) {
    uint64_t sum = heapify(a, base, n);
    for (uint64_t end = n; end-- > 1;) {
        const uint64_t largest = load(a, base), last = load(a, base + end);
        store(a, base + end, largest);
        sum += weigh(largest, end) + sift(a, base, end, 0, last);
    }
    return sum;
}

#endif
