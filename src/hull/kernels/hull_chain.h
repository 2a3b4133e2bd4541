/* SPDX-License-Identifier: Apache-2.0
 *
 * The lower boundary of points in lexicographic order, by a team of threads. First it is worn: a point that does not turn between
 * two others, one before it and one behind it, is no corner, whether these stay themselves or not; so all look at their
 * neighbours at once, and go together. When nobody goes the boundary is there, which takes few rounds, but for points that lie so
 * that each must wait for the next. Then each thread walks a portion of what is left, and the boundaries of neighbours are
 * joined, of pairs, of pairs of pairs, until one is left:
 *
 *      left  o        o      right     The common tangent has all of both above it. A thread takes a corner of the left one,
 *             o      o  o              finds the corner of the right one that is lowest as seen from there, by bisection, and sees
 *              o-o--o                  whether its own neighbours are above that line. It is one corner's.
 *
 * Ties in x are no special case: the order is that of x + e y for some tiny e, and no orientation changes by such a shear. The
 * upper boundary is the lower one of the points turned by half a turn.
 */
#ifndef RIFFLE_HULL_KERNELS_HULL_CHAIN_H
#define RIFFLE_HULL_KERNELS_HULL_CHAIN_H

#include "hull/kernels/hull_block.h"

/* True if a lane of the warp has something left to do. All of its lanes come here at each turn of a loop, also those that have
 * nothing, so that none is far behind the others. */
static __device__ inline bool hull_any(bool mine) { return __ballot_sync(WARP_ALL_LANES, mine) != 0; }

enum {
    HULL_PORTION = 4, /* points that a thread walks at least */
    HULL_ROUNDS = 16, /* in which points are worn */
    HULL_HALF = 16,   /* bits of a word that is two teams', where points are few enough to be counted in it */
};

/** A team's lists and sums. A block has one, or two that have as many threads, a power of two, and as many points, and come
 *  together. */
template <class word> struct hull_team {
    uint32_t rank, size;
    uint32_t number; /* 0 or 1 */
    word *list
        [2]; /* a word for each point: the points, in order, are in the first; the boundary is in one at the end */
    uint32_t *lengths; /* a word for each thread */
    uint32_t *bridges; /* two for each thread */
    uint32_t *sums;    /* a word for each warp of the block, the same for both teams */
    bool all;          /* points between corners stay */
};

/** True if b is a corner between a and c. */
template <class kind>
static __device__ HULL_NO_INLINE bool hull_turns(typename kind::place a, typename kind::place b,
                                                 typename kind::place c, bool all) {
    const int turn = kind::orient(a, b, c);
    return turn > 0 || (all && turn == 0);
}

/* How many of a word that both teams have are a team's. */
static __device__ inline uint32_t hull_of_team(uint32_t both, uint32_t number) {
    return both >> number * HULL_HALF & ((1u << HULL_HALF) - 1);
}

/* Keeps those of the `length` words of list 0 that turn between a neighbour behind them and one before them that stays too, or
 * is another thread's. Returns how many are left, of both teams in a word. */
template <class kind, class word, class access>
static __device__ inline uint32_t hull_wear(const access *at, const hull_team<word> *team, uint32_t length) {
    const uint32_t share = (length + team->size - 1) / team->size;
    const uint32_t begin = team->rank * share < length ? team->rank * share : length;
    const uint32_t end = length - begin < share ? length : begin + share;
    const word *const from = team->list[0];
    word *const to = team->list[1] + begin;
    typename kind::place before = {0, 0}, mine = {0, 0};
    const int least = team->all ? 0 : 1;
    uint32_t stay = 0, both = 0;
    if (begin < end) mine = at->place(from[begin]);
    if (begin < end && begin > 0) before = at->place(from[begin - 1]);
    for (uint32_t k = begin; k < end; ++k) {
        const typename kind::place behind = k + 1 < length ? at->place(from[k + 1]) : mine;
        if (k == 0 || k + 1 == length || kind::orient(before, mine, behind) >= least) {
            to[stay++] = from[k];
            before = mine;
        }
        mine = behind;
    }
    const uint32_t first =
        hull_of_team(hull_sum_before(stay << team->number * HULL_HALF, team->sums, &both), team->number);
    for (uint32_t k = 0; k < stay; ++k) team->list[0][first + k] = to[k];
    hull_meet();
    return both;
}

/* Walks the words begin .. end - 1 of list 0, in their place: at each turn a corner goes, or a point comes. */
template <class kind, class word, class access>
static __device__ inline uint32_t hull_walk(const access *at, const hull_team<word> *team, uint32_t begin,
                                            uint32_t end) {
    word *const list = team->list[0] + begin;
    uint32_t length = 0;
    for (uint32_t k = 0; hull_any(begin + k < end);) {
        if (begin + k >= end) continue;
        if (length >= 2 && !hull_turns<kind>(at->place(list[length - 2]), at->place(list[length - 1]),
                                             at->place(list[k]), team->all))
            --length;
        else
            list[length++] = list[k++];
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

/* True if the line from corner i of `left`, which is `from`, to a corner of the right one has the neighbours of i above it. */
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

/* The boundary of the words of list 0, of which this team has `length` and one of the teams `longest`, by portions. */
template <class kind, class word, class access>
static __device__ inline const word *hull_join_portions(const access *at, const hull_team<word> *team,
                                                        uint32_t length, uint32_t longest) {
    const uint32_t even = (longest + team->size - 1) / team->size;
    const uint32_t portion = even < HULL_PORTION ? (uint32_t)HULL_PORTION : even;
    const uint32_t begin = team->rank * portion < length ? team->rank * portion : length;
    const uint32_t end = length - begin < portion ? length : begin + portion;
    uint32_t from = 0;
    team->lengths[team->rank] = hull_walk<kind>(at, team, begin, end);
    hull_meet();
    for (uint32_t width = 1; width * portion < longest; width *= 2, from = 1 - from)
        hull_join<kind>(at, team, portion, width, from);
    return team->list[from];
}

/** The boundary of the points that the `count` words of list 0 stand for, which ascend. Returns the list that has it, and
 *  team->lengths[0] its length. */
template <class kind, class word, class access>
static __device__ inline const word *hull_chain(const access *at, uint32_t count, const hull_team<word> *team) {
    const uint32_t teams = blockDim.x / team->size;
    if (count >> HULL_HALF != 0) return hull_join_portions<kind>(at, team, count, count);
    uint32_t both = teams > 1 ? count << HULL_HALF | count : count, last = UINT32_MAX;
    for (uint32_t round = 0; round < HULL_ROUNDS && both != last; ++round) {
        last = both;
        both = hull_wear<kind>(at, team, hull_of_team(both, team->number));
    }
    const uint32_t length = hull_of_team(both, team->number), other = hull_of_team(both, 1 - team->number);
    if (both != last) return hull_join_portions<kind>(at, team, length, length > other ? length : other);
    if (team->rank == 0) team->lengths[0] = length;
    hull_meet();
    return team->list[0];
}

#endif
