/* SPDX-License-Identifier: Apache-2.0
 *
 * The hull of a few points by one block: sorted, without points that repeat others, its two boundaries by half of the threads
 * each, and these one behind the other. `word` is long enough for a number of a point.
 */
#ifndef RIFFLE_KERNELS_HULL_HULL_SOLVE_H
#define RIFFLE_KERNELS_HULL_HULL_SOLVE_H

#include "kernels/hull/hull_block.h"
#include "kernels/hull/hull_chain.h"

/** What a block works with: points, lists, and four words a thread. */
template <class kind, class word, class access> struct hull_work {
    const access *from; /* from->place(k), from->index(k) */
    word *lists;        /* five, each of `room` */
    uint32_t room;
    uint32_t *words;
    __device__ inline word *list(uint32_t k) const { return lists + (uint64_t)k * room; }
};

/* How many of the words begin .. end - 1, which are in order, stand for points before that of `of`: lexicographic, and of equal
 * places by index. */
template <class kind, class word, class access>
static __device__ inline uint32_t hull_rank(const access *from, const word *order, uint32_t begin, uint32_t end,
                                            word of) {
    const typename kind::place mine = from->place(of);
    uint32_t low = begin, high = end;
    while (low < high) {
        const uint32_t middle = (low + high) / 2;
        const word other = order[middle];
        const typename kind::place at = from->place(other);
        if (hull_is_same(at, mine) ? from->index(other) < from->index(of) : kind::before(at, mine))
            low = middle + 1;
        else
            high = middle;
    }
    return low - begin;
}

/* Sorts words 0 .. count - 1 for what they stand for: runs are merged in pairs, from one list to the other, each word to behind
 * those of its own run and those of the other that are before it. Returns the list that has them in order. */
template <class kind, class word, class access>
static __device__ inline const word *hull_sort(const access *from, word *lists[2], uint32_t count) {
    uint32_t at = 0;
    for (uint32_t k = threadIdx.x; k < count; k += blockDim.x) lists[0][k] = (word)k;
    hull_meet();
    for (uint32_t run = 1; run < count; run *= 2, at = 1 - at) {
        const word *const order = lists[at];
        for (uint32_t k = threadIdx.x; k < count; k += blockDim.x) {
            const uint32_t other = k & run ? (k & ~(run - 1)) - run : (k & ~(run - 1)) + run;
            const uint32_t begin = other < count ? other : count;
            const uint32_t end = count - begin < run ? count : begin + run;
            const uint32_t mine = k & ~(2 * run - 1), place = k & (run - 1);
            lists[1 - at][mine + place + hull_rank<kind>(from, order, begin, end, order[k])] = order[k];
        }
        hull_meet();
    }
    return lists[at];
}

/* The points in order, each place once. Returns how many. */
template <class kind, class word, class access>
static __device__ inline uint32_t hull_unique(const hull_work<kind, word, access> *w, const word *order,
                                              uint32_t count, word *unique) {
    const uint32_t share = (count + blockDim.x - 1) / blockDim.x, begin = threadIdx.x * share;
    uint32_t mine = 0, all = 0;
    for (uint32_t k = begin; k < begin + share && k < count; ++k)
        mine += k == 0 || !hull_is_same(w->from->place(order[k - 1]), w->from->place(order[k]));
    uint32_t at = hull_sum_before(mine, w->words, &all);
    for (uint32_t k = begin; k < begin + share && k < count; ++k)
        if (k == 0 || !hull_is_same(w->from->place(order[k - 1]), w->from->place(order[k])))
            unique[at++] = order[k];
    hull_meet();
    return all;
}

/* Points in order, as a boundary sees them. */
template <class kind, class word, class access> struct hull_sorted {
    const access *from;
    const word *order;
    uint32_t count;
    bool is_upper;
    __device__ inline typename kind::place place(uint32_t k) const {
        return hull_turned<kind>(from->place(order[is_upper ? count - 1 - k : k]), is_upper);
    }
};

/** The hull of from->place(0 .. count - 1), count at least 1: write(j, index of a point) for each of its results, whose number
 *  is returned. */
template <class kind, class word, class access, class writer>
static __device__ inline uint32_t hull_solve(const hull_work<kind, word, access> *w, uint32_t count, bool all,
                                             const writer &write) {
    word *lists[2] = {w->list(0), w->list(1)}, *const order = w->list(2);
    const word *const given = hull_sort<kind>(w->from, lists, count);
    const uint32_t places = hull_unique(w, given, count, order), size = blockDim.x / 2;
    const bool is_upper = threadIdx.x >= size;
    uint32_t *const words = w->words + (is_upper ? 3 * size : 0);
    const hull_sorted<kind, word, access> sorted = {w->from, order, places, is_upper};
    const hull_team<word> team = {
        threadIdx.x % size, size, {w->list(is_upper ? 0 : 1), w->list(is_upper ? 4 : 3)}, words,
        words + size,       all};
    const word *const mine = hull_chain<kind>(&sorted, places, &team);
    const uint32_t below = w->words[0], above = w->words[3 * size];
    const bool is_line =
        below == places && above == places; /* of two points at least: both boundaries have all */
    if (is_upper) {
        for (uint32_t k = team.rank + 1; !is_line && k + 1 < above; k += size)
            write(below + k - 1, w->from->index(order[places - 1 - mine[k]]));
    } else {
        for (uint32_t k = team.rank; k < below; k += size) write(k, w->from->index(order[mine[k]]));
    }
    hull_meet();
    return is_line ? below : below + above - 2;
}

#endif
