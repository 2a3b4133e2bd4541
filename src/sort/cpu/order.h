/* SPDX-License-Identifier: Apache-2.0
 *
 * The stable order of elements by keys of any length, by sorts of 64-bit numbers only. Each element becomes an ITEM
 *
 *      | W bits of its key | which element it is, b bits |        W = 64 - b, b as many bits as the number of elements has
 *
 * Items differ, and their order is stable. The W bits begin where the keys begin to differ: what all have in common is left
 * out. Items whose W bits are equal are a TIE: where keys go on, their elements are sorted by the bits that follow, in
 * the same way; few are sorted by insertion.
 */
#ifndef RIFFLE_SORT_CPU_ORDER_H
#define RIFFLE_SORT_CPU_ORDER_H

#include "sort/cpu/key_bits.h"
#include "sort/cpu/result.h"

struct ordered;

typedef struct ordering {
    const key_pieces *key;
    const unsigned char *elements;
    size_t elem_bytes;
    sort_order order;         /**< receives the order of all elements */
    uint64_t *items, *room;   /**< as many as there are elements each */
    void *merging;            /**< two_phase_room(8, threads, runs) bytes */
    struct ordered *compared; /**< a check of passes (ordered.h); NULL: there is none */
} ordering;

/** Puts elements first .. end - 1 in order: their places in the order are the same. */
void order_find(const ordering *all, uint64_t first, uint64_t end, unsigned threads);

/** The same by one thread as far as the plan's task needs it, where sort_is_selected: of TOP the first `count` places of the order, of
 *  PARTITION place `count`, and what belongs before it before it. */
void order_select(const ordering *all, const riffle_sort_plan *plan, uint64_t first, uint64_t end);

/** The same for elements that are sorted in k runs, up to WORDS_MOST_RUNS: run r has those from first[r] up to first[r + 1].
 *  Their items are sorted too, so that only merging is left; if they turn out not to be, they are sorted. */
void order_merge(const ordering *all, const uint64_t *first, unsigned k, unsigned threads);

#endif
