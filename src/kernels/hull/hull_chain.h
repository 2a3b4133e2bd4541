/* SPDX-License-Identifier: Apache-2.0
 *
 * The lower boundary of points in lexicographic order, by a team of threads. Each thread walks a portion of them; then the
 * boundaries of neighbours are joined, of pairs, of pairs of pairs, until one is left:
 *
 *      left  o        o      right     The common tangent has all of both above it. A thread takes a corner of the left one,
 *             o      o  o              finds the corner of the right one that is lowest as seen from there, by bisection, and sees
 *              o-o--o                  whether its own neighbours are above that line. It is one corner's.
 *
 * Ties in x are no special case: the order is that of x + e y for some tiny e, and no orientation changes by such a shear. The
 * upper boundary is the lower one of the points turned by half a turn.
 */
#ifndef RIFFLE_KERNELS_HULL_HULL_CHAIN_H
#define RIFFLE_KERNELS_HULL_HULL_CHAIN_H

#include "kernels/hull/hull_points.h"

/* Whether a lane of the warp has something left to do. All of its lanes come here at each turn of a loop, also those that have
 * nothing: none leaves before the others, so that they are together at the barrier behind it. A compiler may not see that by
 * itself where there are calls in the loop. */
static __device__ inline bool hull_any(bool mine) { return __ballot_sync(HULL_ALL_LANES, mine) != 0; }

/* Lanes that left a loop at different turns come to the barrier together. */
static __device__ inline void hull_meet() {
    __syncwarp();
    __syncthreads();
}

enum { HULL_PORTION = 4 }; /* of points, that a thread walks at least */

/** What a team works with. All teams of a block have as many threads, a power of two, and come together. */
template <class word> struct hull_team {
    uint32_t rank, size;
    word *list[2];     /* a word for each point; the boundary is in one of them at the end */
    uint32_t *lengths; /* a word for each thread */
    uint32_t *bridges; /* two for each thread */
    bool all;          /* points between corners stay */
};

/** Whether b is a corner between a and c. */
template <class kind>
static __device__ HULL_NO_INLINE bool hull_turns(typename kind::place a, typename kind::place b,
                                                 typename kind::place c, bool all) {
    const int turn = kind::orient(a, b, c);
    return turn > 0 || (all && turn == 0);
}

/* Of the points begin .. end - 1: at each turn a corner goes, or a point comes. */
template <class kind, class word, class access>
static __device__ inline uint32_t hull_walk(const access *at, const hull_team<word> *team, uint32_t begin,
                                            uint32_t end) {
    word *const list = team->list[0] + begin;
    uint32_t length = 0;
    for (uint32_t k = begin; hull_any(k < end);) {
        if (k == end) continue;
        if (length >= 2 && !hull_turns<kind>(at->place(list[length - 2]), at->place(list[length - 1]),
                                             at->place(k), team->all))
            --length;
        else
            list[length++] = (word)k++;
    }
    return length;
}

/* The corner of `right` that is lowest as seen from a point before all of it; 0 for a lane that does not look. All lanes come. */
template <class kind, class word, class access>
static __device__ inline uint32_t hull_lowest_from(const access *at, typename kind::place from,
                                                   const word *right, uint32_t right_length, bool looks,
                                                   bool all) {
    uint32_t low = 0, high = looks ? right_length - 1 : 0;
    while (hull_any(low < high)) {
        const uint32_t middle = (low + high) / 2;
        if (low == high) continue;
        if (hull_turns<kind>(from, at->place(right[middle]), at->place(right[middle + 1]), all))
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* Whether the line from corner i of `left`, which is `from`, to a corner of the right one has the neighbours of i above it. */
template <class kind, class word, class access>
static __device__ inline bool hull_is_bridge(const access *at, const word *left, uint32_t left_length,
                                             uint32_t i, typename kind::place from, typename kind::place to,
                                             bool all) {
    if (i > 0 && !hull_turns<kind>(at->place(left[i - 1]), from, to, all)) return false;
    return i + 1 == left_length || hull_turns<kind>(from, to, at->place(left[i + 1]), !all);
}

/* Joins the boundaries of 2 * width threads, in pairs of `width`, from list `from` to the other. */
template <class kind, class word, class access>
static __device__ inline void hull_join(const access *at, const hull_team<word> *team, uint32_t portion,
                                        uint32_t width, uint32_t from) {
    const uint32_t first = team->rank & ~(2 * width - 1), rank = team->rank - first;
    const uint32_t left_length = team->lengths[first], right_length = team->lengths[first + width];
    const word *const left = team->list[from] + first * portion, *const right = left + width * portion;
    for (uint32_t i = rank; hull_any(right_length > 0 && i < left_length); i += 2 * width) {
        const bool looks = right_length > 0 && i < left_length;
        typename kind::place corner = {0, 0};
        if (looks) corner = at->place(left[i]);
        const uint32_t end = hull_lowest_from<kind>(at, corner, right, right_length, looks, team->all);
        if (!looks || !hull_is_bridge<kind>(at, left, left_length, i, corner, at->place(right[end]), team->all))
            continue;
        team->bridges[first] = i + 1;
        team->bridges[first + 1] = end;
    }
    hull_meet();
    const uint32_t kept = right_length > 0 ? team->bridges[first] : left_length;
    const uint32_t skipped = right_length > 0 ? team->bridges[first + 1] : 0;
    const uint32_t length = kept + right_length - skipped;
    word *const to = team->list[1 - from] + first * portion;
    for (uint32_t k = rank; k < length; k += 2 * width)
        to[k] = k < kept ? left[k] : right[skipped + (k - kept)];
    if (rank == 0) team->lengths[first] = length;
    hull_meet();
}

/** The boundary of at->place(0 .. count - 1), which ascend. Returns the list that has it, as numbers of points, and
 *  team->lengths[0] its length. */
template <class kind, class word, class access>
static __device__ inline const word *hull_chain(const access *at, uint32_t count, const hull_team<word> *team) {
    const uint32_t even = (count + team->size - 1) / team->size;
    const uint32_t portion = even < HULL_PORTION ? (uint32_t)HULL_PORTION : even;
    const uint32_t begin = team->rank * portion < count ? team->rank * portion : count;
    const uint32_t end = count - begin < portion ? count : begin + portion;
    uint32_t from = 0;
    team->lengths[team->rank] = hull_walk<kind>(at, team, begin, end);
    hull_meet();
    for (uint32_t width = 1; width * portion < count; width *= 2, from = 1 - from)
        hull_join<kind>(at, team, portion, width, from);
    return team->list[from];
}

#endif
