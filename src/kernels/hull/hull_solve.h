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

/* Lexicographic, and of equal places by index. */
template <class kind, class access>
static __device__ inline bool hull_is_sorted(const access *from, uint32_t a, uint32_t b) {
    const typename kind::place p = from->place(a), q = from->place(b);
    return kind::before(p, q) || (!kind::before(q, p) && from->index(a) < from->index(b));
}

/* One step of the network: compares words 2^half apart, or, in the first step of a merge, reflected. */
template <class kind, class word, class access>
static __device__ inline void hull_compare(const access *from, word *order, uint32_t count, uint32_t half,
                                           bool is_first) {
    const uint32_t apart = 1u << half;
    for (uint32_t k = threadIdx.x; (k >> half) * 2 * apart < count; k += blockDim.x) {
        const uint32_t first = (k >> half) * 2 * apart, place = k & (apart - 1);
        const uint32_t a = first + place, b = is_first ? first + 2 * apart - 1 - place : a + apart;
        if (b >= count) continue;
        const word x = order[a], y = order[b];
        if (hull_is_sorted<kind>(from, x, y)) continue;
        order[a] = y;
        order[b] = x;
    }
}

/* Sorts by a network whose comparisons all have the lesser one first: bitonic, each merge beginning with a reflection. Words
 * beyond the count need not be there. While words are less than 64 apart, a warp's are its own. */
template <class kind, class word, class access>
static __device__ inline void hull_sort(const access *from, word *order, uint32_t count) {
    const uint32_t own = 5;
    for (uint32_t run = 0; 1u << run < count; ++run)
        for (uint32_t step = 0; step <= run; ++step) {
            const uint32_t half = run - step, next = half > 0 ? half - 1 : run + 1;
            hull_compare<kind>(from, order, count, half, step == 0);
            if (half <= own && next <= own)
                __syncwarp();
            else
                __syncthreads();
        }
    __syncthreads();
}

/* The points in order, each place once. Returns how many. */
template <class kind, class word, class access>
static __device__ inline uint32_t hull_unique(const hull_work<kind, word, access> *w, uint32_t count) {
    const word *const order = w->list(0);
    const uint32_t share = (count + blockDim.x - 1) / blockDim.x, begin = threadIdx.x * share;
    uint32_t mine = 0, all = 0;
    for (uint32_t k = begin; k < begin + share && k < count; ++k)
        mine += k == 0 || !hull_is_same(w->from->place(order[k - 1]), w->from->place(order[k]));
    uint32_t at = hull_sum_before(mine, w->words, &all);
    for (uint32_t k = begin; k < begin + share && k < count; ++k)
        if (k == 0 || !hull_is_same(w->from->place(order[k - 1]), w->from->place(order[k])))
            w->list(1)[at++] = order[k];
    __syncthreads();
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
    for (uint32_t k = threadIdx.x; k < count; k += blockDim.x) w->list(0)[k] = (word)k;
    __syncthreads();
    hull_sort<kind>(w->from, w->list(0), count);
    const uint32_t places = hull_unique(w, count), size = blockDim.x / 2;
    const bool is_upper = threadIdx.x >= size;
    const word *const order = w->list(1);
    uint32_t *const words = w->words + (is_upper ? 3 * size : 0);
    const hull_sorted<kind, word, access> sorted = {w->from, order, places, is_upper};
    const hull_team<word> team = {
        threadIdx.x % size, size, {w->list(is_upper ? 0 : 2), w->list(is_upper ? 4 : 3)}, words,
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
    __syncthreads();
    return is_line ? below : below + above - 2;
}

#endif
