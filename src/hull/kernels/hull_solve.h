/* SPDX-License-Identifier: Apache-2.0
 *
 * The hull of sorted points by one block: without those that repeat others, its two boundaries by half of the threads each, and
 * these one behind the other. `word` is long enough for a number of a point.
 */
#ifndef RIFFLE_HULL_KERNELS_HULL_SOLVE_H
#define RIFFLE_HULL_KERNELS_HULL_SOLVE_H

#include "hull/kernels/hull_chain.h"

/** The memory that a block works with: points, lists, and four words a thread. */
template <class kind, class word, class access> struct hull_work {
    const access *from; /* from->place(k), from->index(k) */
    word *lists;        /* five, each of `room` */
    uint32_t room;
    uint32_t *words;
    __device__ inline word *list(uint32_t k) const { return lists + (uint64_t)k * room; }
};

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

/** The hull of from->place(0 .. count - 1), count at least 1, which `given` has in order; it is in none of the lists, or at the
 *  beginning of the first or of the last one. write(j, index of a point) for each of its results, whose number is returned. */
template <class kind, class word, class access, class writer>
static __device__ inline uint32_t hull_solve(const hull_work<kind, word, access> *w, const word *given,
                                             uint32_t count, bool all, const writer &write) {
    word *const order = w->list(2);
    const uint32_t places = hull_unique(w, given, count, order), size = blockDim.x / 2;
    const uint32_t is_upper = threadIdx.x >= size;
    uint32_t *const words = w->words + (is_upper ? 3 * size : 0);
    const hull_sorted<kind, word, access> sorted = {w->from, order, places, is_upper != 0};
    const hull_team<word> team = {threadIdx.x % size,
                                  size,
                                  is_upper,
                                  {w->list(is_upper ? 0 : 1), w->list(is_upper ? 4 : 3)},
                                  words,
                                  words + size,
                                  w->words + 6 * size,
                                  all};
    for (uint32_t k = team.rank; k < places; k += size) team.list[0][k] = (word)k;
    hull_meet();
    const word *const mine = hull_chain<kind>(&sorted, places, &team);
    const uint32_t below = w->words[0], above = w->words[3 * size];
    const bool is_line =
        below == places && above == places; /* with two points at least: both boundaries have all */
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
