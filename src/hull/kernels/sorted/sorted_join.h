/* SPDX-License-Identifier: Apache-2.0
 *
 * Hulls by sorting: hulls of neighbouring runs joined (sorted.h). A hull is a chain of corners from the left to the right that
 * turns away from its side all along. The bridge of chains a and b, all of a before all of b, is the edge from a to b that has
 * both on its inner side; a is kept up to it, and b from it on:
 *
 *     a: corner i is before the bridge's if a's next is beyond the line from it to what it touches of b
 *     b: corner j is before what is touched from p if b's next is beyond the line from p to it
 *
 * Both are true up to a place and false from there on, which is found by probes of several at a time. A corner on the line
 * of its neighbours stays where points between corners are asked for.
 */
#ifndef RIFFLE_HULL_KERNELS_SORTED_SORTED_JOIN_H
#define RIFFLE_HULL_KERNELS_SORTED_SORTED_JOIN_H

#include "hull/kernels/sorted/sorted_sort.h"

template <class record> struct hull_chain {
    const record *corner;
    uint32_t length;
};

/* Which way is beyond, and from what sign on. */
typedef struct hull_turn {
    int sign;           /* 1 on the upper side */
    int least, least_b; /* the least sign at a's next corner, and at b's */
} hull_turn;

HULL_DEVICE hull_turn hull_turn_of(const hull_sorted_table *t, uint32_t side) {
    const int sign = side == HULL_UPPER ? 1 : -1;
    return t->all ? hull_turn{sign, 0, 1} : hull_turn{sign, 1, 0};
}

/* The k-th of `parts` places of low .. high - 1, the first of which is low; high or more where there are fewer. */
HULL_DEVICE uint32_t hull_probe(uint32_t low, uint32_t high, uint32_t parts, uint32_t k) {
    const uint32_t span = high - low;
    return low + (span <= parts ? k : (uint32_t)((uint64_t)span * k / parts));
}

/* Narrows low .. high to what is left where the first `trues` probes are before the place. high where the first `trues` probes
 * are before the place. */
HULL_DEVICE void hull_narrow(uint32_t *low, uint32_t *high, uint32_t parts, uint32_t trues) {
    const uint32_t next = hull_probe(*low, *high, parts, trues);
    const uint32_t begin = trues > 0 ? hull_probe(*low, *high, parts, trues - 1) + 1 : *low;
    if (trues < parts && next < *high) *high = next;
    *low = begin;
}

template <class record>
HULL_DEVICE bool hull_is_before_touch(const record &from, const hull_chain<record> &b, uint32_t j,
                                      const hull_turn &turn) {
    return turn.sign * hull_side(from, b.corner[j], b.corner[j + 1]) >= turn.least_b;
}

/* The corner of b that is touched from a point before all of b. */
template <class record>
HULL_DEVICE uint32_t hull_touch(const record &from, const hull_chain<record> &b, const hull_turn &turn) {
    uint32_t low = 0, high = b.length - 1;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (hull_is_before_touch(from, b, middle, turn)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* The same by a warp, for a point that all of it has. */
template <class record>
HULL_DEVICE uint32_t hull_touch_by_warp(const record &from, const hull_chain<record> &b,
                                        const hull_turn &turn) {
    uint32_t low = 0, high = b.length - 1;
    while (low < high) {
        const uint32_t j = hull_probe(low, high, WARP_LANES, warp_lane());
        const bool is_before = j < high && hull_is_before_touch(from, b, j, turn);
        hull_narrow(&low, &high, WARP_LANES, (uint32_t)__popc(__ballot_sync(WARP_ALL_LANES, is_before)));
    }
    return low;
}

/* True if corner i of a is before the bridge, which touches b at j from there. */
template <class record>
HULL_DEVICE bool hull_is_before_bridge(const hull_chain<record> &a, uint32_t i, const hull_chain<record> &b,
                                       uint32_t j, const hull_turn &turn) {
    return turn.sign * hull_side(a.corner[i], b.corner[j], a.corner[i + 1]) >= turn.least;
}

/* The parts of two chains that are kept: so many of a, and b from `from` on. */
typedef struct hull_cut {
    uint32_t kept, from;
} hull_cut;

template <class record>
HULL_DEVICE bool hull_is_trivial(const hull_chain<record> &a, const hull_chain<record> &b) {
    return a.length == 0 || b.length == 0;
}

/* The bridge by one thread. */
template <class record>
HULL_DEVICE hull_cut hull_bridge(const hull_chain<record> &a, const hull_chain<record> &b,
                                 const hull_turn &turn) {
    uint32_t low = 0, high = a.length - 1;
    if (hull_is_trivial(a, b)) return hull_cut{a.length, 0};
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (hull_is_before_bridge(a, middle, b, hull_touch(a.corner[middle], b, turn), turn)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return hull_cut{low + 1, hull_touch(a.corner[low], b, turn)};
}

/* By a warp: a lane a corner of a. */
template <class record>
HULL_DEVICE hull_cut hull_bridge_by_warp(const hull_chain<record> &a, const hull_chain<record> &b,
                                         const hull_turn &turn) {
    uint32_t low = 0, high = a.length - 1;
    if (hull_is_trivial(a, b)) return hull_cut{a.length, 0};
    while (low < high) {
        const uint32_t i = hull_probe(low, high, WARP_LANES, warp_lane());
        const bool is_before =
            i < high && hull_is_before_bridge(a, i, b, hull_touch(a.corner[i], b, turn), turn);
        hull_narrow(&low, &high, WARP_LANES, (uint32_t)__popc(__ballot_sync(WARP_ALL_LANES, is_before)));
    }
    return hull_cut{low + 1, hull_touch_by_warp(a.corner[low], b, turn)};
}

/* By a block: a warp a corner of a, a lane one of b. `votes` has a word a warp. */
template <class record>
HULL_DEVICE hull_cut hull_bridge_by_block(const hull_chain<record> &a, const hull_chain<record> &b,
                                          const hull_turn &turn, uint32_t *votes) {
    uint32_t low = 0, high = a.length - 1;
    if (hull_is_trivial(a, b)) return hull_cut{a.length, 0};
    while (low < high) {
        const uint32_t i = hull_probe(low, high, hull_warps(), hull_warp());
        bool is_before = false;
        if (i < high)
            is_before = hull_is_before_bridge(a, i, b, hull_touch_by_warp(a.corner[i], b, turn), turn);
        uint32_t total;
        hull_block_sums(warp_lane() == 0 && is_before, &total, votes);
        hull_narrow(&low, &high, hull_warps(), total);
    }
    return hull_cut{low + 1, hull_touch_by_warp(a.corner[low], b, turn)};
}

/* ------------------------------------------------------------------ leaves */

/* A tile's hulls in shared memory: of runs of `width`, each at the beginning of its run. */
template <class record> struct hull_leaf {
    record *from, *to;
    uint16_t *lengths, *joined; /* for each run; for each two */
    uint16_t *kept, *begin;     /* cuts of each two */
    uint32_t length;            /* records of the tile */
};

template <class record> HULL_DEVICE hull_leaf<record> hull_leaf_in(uint64_t *shared, uint32_t tile) {
    hull_leaf<record> out;
    out.from = (record *)shared;
    out.to = out.from + tile;
    out.lengths = (uint16_t *)(out.to + tile);
    out.joined = out.lengths + tile;
    out.kept = out.joined + tile;
    out.begin = out.kept + tile / 2;
    out.length = 0;
    return out;
}

/* A leaf is a run of one record, or of none where it is in the place of the one before. */
template <class record>
HULL_DEVICE void hull_leaf_load(hull_leaf<record> *leaf, const record *side, uint32_t first, uint32_t tile) {
    for (uint32_t k = threadIdx.x; k < tile; k += blockDim.x) {
        bool is_new = k < leaf->length;
        if (is_new) leaf->from[k] = side[first + k];
        if (is_new && first + k > 0) is_new = !hull_same_place(side[first + k - 1], side[first + k]);
        leaf->lengths[k] = is_new;
    }
    __syncthreads();
}

template <class record>
HULL_DEVICE void hull_leaf_cut(const hull_leaf<record> &leaf, uint32_t pair, uint32_t width,
                               const hull_turn &turn, bool by_warp) {
    const uint32_t at = 2 * pair * width;
    const hull_chain<record> a = {leaf.from + at, leaf.lengths[2 * pair]},
                             b = {leaf.from + at + width, leaf.lengths[2 * pair + 1]};
    const hull_cut cut = by_warp ? hull_bridge_by_warp(a, b, turn) : hull_bridge(a, b, turn);
    if (by_warp && warp_lane() > 0) return;
    leaf.kept[pair] = (uint16_t)cut.kept;
    leaf.begin[pair] = (uint16_t)cut.from;
    leaf.joined[pair] = (uint16_t)(cut.kept + b.length - cut.from);
}

/* Cuts of short runs by a thread each, of long ones by a warp. */
template <class record>
HULL_DEVICE void hull_leaf_cuts(const hull_leaf<record> &leaf, uint32_t pairs, uint32_t width,
                                const hull_turn &turn) {
    if (width < WARP_LANES) {
        for (uint32_t pair = threadIdx.x; pair < pairs; pair += blockDim.x)
            hull_leaf_cut(leaf, pair, width, turn, false);
    } else {
        for (uint32_t pair = hull_warp(); pair < pairs; pair += hull_warps())
            hull_leaf_cut(leaf, pair, width, turn, true);
    }
    __syncthreads();
}

template <class record> HULL_DEVICE void hull_leaf_move(hull_leaf<record> *leaf, uint32_t width) {
    for (uint32_t k = threadIdx.x; k < leaf->length; k += blockDim.x) {
        const uint32_t pair = k / (2 * width), own = k % (2 * width), kept = leaf->kept[pair];
        if (own >= leaf->joined[pair]) continue;
        leaf->to[k] = leaf->from[own < kept ? k : k - kept + width + leaf->begin[pair]];
    }
    __syncthreads();
    record *const from = leaf->from;
    uint16_t *const lengths = leaf->lengths;
    leaf->from = leaf->to, leaf->to = from;
    leaf->lengths = leaf->joined, leaf->joined = lengths;
}

template <class record>
HULL_DEVICE void hull_step_leaves(const hull_sorted_table *t, const hull_cursor *c, uint64_t *shared) {
    for (uint32_t number = blockIdx.x; number < hull_all_tiles(t, c); number += gridDim.x) {
        const hull_tile tile = hull_tile_at(t, c, number);
        const hull_turn turn = hull_turn_of(t, tile.side);
        hull_leaf<record> leaf = hull_leaf_in<record>(shared, t->tile);
        leaf.length = tile.length;
        hull_leaf_load(&leaf, hull_buffer<record>(t, c->arena, c->at) + tile.base, tile.first, t->tile);
        for (uint32_t width = 1; width < t->tile; width *= 2) {
            hull_leaf_cuts(leaf, t->tile / (2 * width), width, turn);
            hull_leaf_move(&leaf, width);
        }
        record *const to = hull_buffer<record>(t, c->arena, 1 - c->at) + tile.base + tile.first;
        for (uint32_t k = threadIdx.x; k < leaf.lengths[0]; k += blockDim.x) to[k] = leaf.from[k];
        if (threadIdx.x == 0) t->lengths[0][number] = leaf.lengths[0];
        __syncthreads();
    }
}

/* ------------------------------------------------------------------- joins */

/* Groups of 2^level tiles of a side. */
HULL_DEVICE uint32_t hull_groups(const hull_sorted_table *t, const hull_cursor *c, uint32_t side,
                                 uint32_t level) {
    return (uint32_t)((hull_side_tiles(t, c, side) + ((uint64_t)1 << level) - 1) >> level);
}

/* Where the words of a side's groups begin. */
HULL_DEVICE uint32_t hull_first_group(const hull_sorted_table *t, const hull_cursor *c, uint32_t side) {
    return side == HULL_UPPER ? 0 : hull_side_tiles(t, c, HULL_UPPER);
}

/* Joins groups 2 pair and 2 pair + 1, if there is that. */
template <class record>
HULL_DEVICE void hull_join(const hull_sorted_table *t, const hull_cursor *c, uint32_t side, uint32_t pair,
                           uint32_t *votes) {
    const uint32_t first = hull_first_group(t, c, side);
    const uint32_t *const lengths = t->lengths[c->level & 1] + first;
    const uint64_t width = (uint64_t)t->tile << c->level;
    const record *const corner =
        hull_buffer<record>(t, c->arena, c->at) + hull_side_base(t, c, side) + 2 * pair * width;
    const bool is_alone = 2 * pair + 1 >= hull_groups(t, c, side, c->level);
    const hull_chain<record> a = {corner, lengths[2 * pair]},
                             b = {corner + width, is_alone ? 0 : lengths[2 * pair + 1]};
    const hull_cut cut = hull_bridge_by_block(a, b, hull_turn_of(t, side), votes);
    if (threadIdx.x > 0) return;
    t->cuts[2 * (first + pair)] = cut.kept;
    t->cuts[2 * (first + pair) + 1] = cut.from;
    t->lengths[1 - (c->level & 1)][first + pair] = cut.kept + b.length - cut.from;
}

template <class record>
HULL_DEVICE void hull_step_join(const hull_sorted_table *t, const hull_cursor *c, uint64_t *shared) {
    const uint32_t upper = hull_groups(t, c, HULL_UPPER, c->level + 1),
                   lower = hull_groups(t, c, HULL_LOWER, c->level + 1);
    for (uint32_t k = blockIdx.x; k < upper + lower; k += gridDim.x)
        hull_join<record>(t, c, k < upper ? HULL_UPPER : HULL_LOWER, k < upper ? k : k - upper,
                          (uint32_t *)shared);
}

template <class record> HULL_DEVICE void hull_step_move(const hull_sorted_table *t, const hull_cursor *c) {
    const uint64_t width = (uint64_t)t->tile << c->level;
    for (uint32_t side = 0; side < HULL_SIDES; ++side) {
        const uint32_t length = hull_side_length(t, c, side), base = hull_side_base(t, c, side);
        const uint32_t first = hull_first_group(t, c, side);
        const record *const from = hull_buffer<record>(t, c->arena, c->at) + base;
        record *const to = hull_buffer<record>(t, c->arena, 1 - c->at) + base;
        for (uint64_t k = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; k < length;
             k += (uint64_t)gridDim.x * blockDim.x) {
            const uint64_t pair = k / (2 * width), own = k % (2 * width);
            const uint32_t kept = t->cuts[2 * (first + pair)];
            if (own >= t->lengths[1 - (c->level & 1)][first + pair]) continue;
            to[k] = from[own < kept ? k : k - kept + width + t->cuts[2 * (first + pair) + 1]];
        }
    }
}

/* The lower side from the left to the right, then the upper one back. */
template <class record> HULL_DEVICE void hull_step_write(const hull_sorted_table *t, const hull_cursor *c) {
    const uint32_t *const lengths = t->lengths[c->level & 1];
    const uint32_t upper = lengths[0], lower = lengths[hull_first_group(t, c, HULL_LOWER)];
    const record *const above = hull_buffer<record>(t, c->arena, c->at);
    const record *const below = above + hull_side_base(t, c, HULL_LOWER);
    const uint64_t total = (uint64_t)upper + lower - 2;
    for (uint64_t k = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; k < total;
         k += (uint64_t)gridDim.x * blockDim.x)
        t->hull[k] = k < lower ? below[k].index : above[upper - 2 - (k - lower)].index;
    if (blockIdx.x == 0 && threadIdx.x == 0) *t->length = total;
}

#endif
