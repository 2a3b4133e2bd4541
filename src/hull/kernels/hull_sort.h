/* SPDX-License-Identifier: Apache-2.0
 *
 * Points sorted by one block: lexicographic, and of equal places by index. Numbers are compared faster than places, so points
 * have one each, which tells nearly all of them apart, and its last bits say whose it is:
 *
 *     | 52 bits of x            | 12 bits: which point |        if that is not the order,
 *     | 12 bits: the how many-th of different x | 40 bits of y | 12 bits: which point |        and if that is not,
 *
 * places are compared themselves. Which order is right is looked up, not guessed: x may differ in its last bits only, and equal
 * places want their indices in order.
 */
#ifndef RIFFLE_HULL_KERNELS_HULL_SORT_H
#define RIFFLE_HULL_KERNELS_HULL_SORT_H

#include "hull/kernels/hull_chain.h"

enum { HULL_NAME_BITS = 12 }; /* bits of a number, with HULL_FEW points at most */

/* How many of the items begin .. end - 1, which are in order, are before `mine`. */
template <class item, class order>
static __device__ inline uint32_t hull_rank(const item *items, uint32_t begin, uint32_t end, item mine,
                                            const order &by) {
    uint32_t low = begin, high = end;
    while (low < high) {
        const uint32_t middle = (low + high) / 2;
        if (by.is_before(items[middle], mine))
            low = middle + 1;
        else
            high = middle;
    }
    return low - begin;
}

/* Sorts the items of lists[0]: runs are merged in pairs, from one list to the other, each item to behind those of its own run and
 * those of the other that are before it. Returns which of the lists has them in order. */
template <class item, class order>
static __device__ inline uint32_t hull_merge_sort(item *const lists[2], uint32_t count, const order &by) {
    uint32_t at = 0;
    for (uint32_t run = 1; run < count; run *= 2, at = 1 - at) {
        const item *const from = lists[at];
        for (uint32_t k = threadIdx.x; k < count; k += blockDim.x) {
            const uint32_t other = k & run ? (k & ~(run - 1)) - run : (k & ~(run - 1)) + run;
            const uint32_t begin = other < count ? other : count;
            const uint32_t end = count - begin < run ? count : begin + run;
            const uint32_t mine = k & ~(2 * run - 1), place = k & (run - 1);
            lists[1 - at][mine + place + hull_rank(from, begin, end, from[k], by)] = from[k];
        }
        hull_meet();
    }
    return at;
}

struct hull_by_number {
    static __device__ inline bool is_before(uint64_t a, uint64_t b) { return a < b; }
};

/* The exact order of the points that words stand for. */
template <class kind, class access> struct hull_by_place {
    const access *from;
    __device__ inline bool is_before(uint32_t a, uint32_t b) const {
        const typename kind::place p = from->place(a), q = from->place(b);
        return hull_is_same(p, q) ? from->index(a) < from->index(b) : kind::before(p, q);
    }
};

/** Sorts words 0 .. count - 1 for what they stand for, by comparing that. Returns the list that has them in order. */
template <class kind, class word, class access>
static __device__ inline const word *hull_sort_words(const access *from, word *const lists[2], uint32_t count) {
    const hull_by_place<kind, access> by = {from};
    for (uint32_t k = threadIdx.x; k < count; k += blockDim.x) lists[0][k] = (word)k;
    hull_meet();
    return lists[hull_merge_sort(lists, count, by)];
}

static __device__ inline uint32_t hull_name(uint64_t number) {
    return (uint32_t)number & ((1u << HULL_NAME_BITS) - 1);
}

/* True if points are in the order of their numbers. */
template <class kind, class access>
static __device__ inline bool hull_is_order(const access *from, const uint64_t *numbers, uint32_t count,
                                            uint32_t *sums) {
    const hull_by_place<kind, access> by = {from};
    uint32_t wrong = 0, all = 0;
    for (uint32_t k = threadIdx.x + 1; k < count; k += blockDim.x)
        wrong += !by.is_before(hull_name(numbers[k - 1]), hull_name(numbers[k]));
    hull_sum_before(wrong, sums, &all);
    return all == 0;
}

/* Numbers by y for those whose number by x is the same but for the name. */
template <class kind, class access>
static __device__ inline void hull_number_again(const access *from, const uint64_t *by_x, uint64_t *by_y,
                                                uint32_t count, uint32_t *sums) {
    const uint32_t share = (count + blockDim.x - 1) / blockDim.x, begin = threadIdx.x * share;
    uint32_t mine = 0, all;
    for (uint32_t k = begin; k < begin + share && k < count; ++k)
        mine += k > 0 && (by_x[k] ^ by_x[k - 1]) >> HULL_NAME_BITS != 0;
    uint32_t different = hull_sum_before(mine, sums, &all);
    for (uint32_t k = begin; k < begin + share && k < count; ++k) {
        const uint32_t name = hull_name(by_x[k]);
        different += k > 0 && (by_x[k] ^ by_x[k - 1]) >> HULL_NAME_BITS != 0;
        by_y[k] = (uint64_t)different << (64 - HULL_NAME_BITS) |
                  kind::order(from->place(name).y) >> 2 * HULL_NAME_BITS << HULL_NAME_BITS | name;
    }
    hull_meet();
}

/** The same for HULL_FEW points at most. `room` is an even number, of points at least; `memory` has two numbers for each. */
template <class kind, class access>
static __device__ inline const uint16_t *hull_sort_numbers(const access *from, uint64_t *memory, uint32_t room,
                                                           uint32_t count, uint32_t *sums) {
    uint64_t *numbers[2] = {memory, memory + room};
    uint16_t *const words[2] = {(uint16_t *)memory, (uint16_t *)(memory + room)};
    for (uint32_t k = threadIdx.x; k < count; k += blockDim.x)
        numbers[0][k] = kind::order(from->place(k).x) >> HULL_NAME_BITS << HULL_NAME_BITS | k;
    hull_meet();
    uint32_t at = hull_merge_sort(numbers, count, hull_by_number());
    if (!hull_is_order<kind>(from, numbers[at], count, sums)) {
        uint64_t *const again[2] = {numbers[1 - at], numbers[at]};
        hull_number_again<kind>(from, numbers[at], numbers[1 - at], count, sums);
        at = (1 - at) ^ hull_merge_sort(again, count, hull_by_number());
        if (!hull_is_order<kind>(from, numbers[at], count, sums))
            return hull_sort_words<kind, uint16_t>(from, words, count);
    }
    for (uint32_t k = threadIdx.x; k < count; k += blockDim.x)
        words[1 - at][k] = (uint16_t)hull_name(numbers[at][k]);
    hull_meet();
    return words[1 - at];
}

#endif
