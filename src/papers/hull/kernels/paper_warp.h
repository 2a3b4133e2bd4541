/* SPDX-License-Identifier: Apache-2.0
 *
 * The dissertation's hull: what a processor, a warp, does with records in registers (paper.h). A lane has a whole point, in the place of
 * Algorithm 6's two companion threads.
 */
#ifndef RIFFLE_PAPERS_HULL_KERNELS_PAPER_WARP_H
#define RIFFLE_PAPERS_HULL_KERNELS_PAPER_WARP_H

#include "hull/kernels/block.h"
#include "papers/hull/kernels/paper.h"

enum { HULL_LEFT, HULL_RIGHT, HULL_DISCARD };

template <class record> struct hull_halves { uint32_t word[sizeof(record) / 4]; };

/* The record of another lane. All lanes come. */
template <class record> HULL_DEVICE record warp_from_lane(const record &own, uint32_t lane) {
    hull_halves<record> words = hull_bits_as<hull_halves<record>>(own);
    UNROLL
    for (uint32_t k = 0; k < sizeof(record) / 4; ++k) words.word[k] = warp_from_lane(words.word[k], lane);
    return hull_bits_as<record>(words);
}

HULL_DEVICE uint32_t hull_processor() { return blockIdx.x * hull_warps() + hull_warp(); }

/* Lanes below this one that vote. */
HULL_DEVICE uint32_t hull_votes_before(uint32_t votes) {
    return (uint32_t)__popc(votes & ((1u << warp_lane()) - 1));
}

/* The number of the lowest bit; of the highest. */
HULL_DEVICE uint32_t hull_lowest(uint32_t bits) { return (uint32_t)__popc((bits & (0 - bits)) - 1); }
HULL_DEVICE uint32_t hull_highest(uint32_t bits) {
    for (uint32_t by = 1; by < WARP_LANES; by *= 2) bits |= bits >> by;
    return (uint32_t)__popc(bits) - 1;
}

/* The lane that this one is paired with among the voters, the first with the second and so on; its own without one. */
HULL_DEVICE uint32_t hull_partner(uint32_t votes) {
    const uint32_t lane = warp_lane();
    if ((votes >> lane & 1) == 0) return lane;
    const bool is_second = hull_votes_before(votes) % 2 != 0;
    const uint32_t others = is_second ? votes & ((1u << lane) - 1) : votes & ~((2u << lane) - 1);
    if (others == 0) return lane;
    return is_second ? hull_highest(others) : hull_lowest(others);
}

/* A line's points, and what it is the highest in the direction normal to. */
template <class record> struct hull_direction { record a, b; };

/* True if c is to be taken rather than the highest so far: of equal heights the lexicographically smallest, a corner too. */
template <class record>
HULL_DEVICE bool hull_is_higher(const hull_direction<record> &way, const record &best, const record &c) {
    const int side = hull_cross(way.a, way.b, best, c);
    return side != 0 ? side > 0 : hull_before(c, best);
}

/* The highest of the lanes' records, in all lanes. */
template <class record> HULL_DEVICE record hull_warp_highest(const hull_direction<record> &way, record best) {
    for (uint32_t by = WARP_LANES / 2; by > 0; by /= 2) {
        const record other = warp_from_lane(best, warp_lane() ^ by);
        if (hull_is_higher(way, best, other)) best = other;
    }
    return best;
}

/* The highest of records begin .. end - 1 and `best`. */
template <class record>
HULL_DEVICE record hull_highest_of(const hull_direction<record> &way, record best, const record *cells,
                                   uint32_t begin, uint32_t end) {
    for (uint32_t k = begin + warp_lane(); k < end; k += WARP_LANES) {
        const record own = cells[k];
        if (hull_is_higher(way, best, own)) best = own;
    }
    return hull_warp_highest(way, best);
}

/* The pair (p, q), or (l, r) where it has no direction that a corner between them is highest in. */
template <class record>
HULL_DEVICE hull_direction<record> hull_upwards(const record &l, const record &r, const record &p,
                                                const record &q) {
    record from = l, to = r; /* to - from is r - l turned to the left */
    from.x = r.y, from.y = l.x;
    to.x = l.y, to.y = r.x;
    const int ahead = hull_cross(p, q, from, to); /* the sign of (q - p) . (r - l) */
    if (ahead == 0) return hull_direction<record>{l, r};
    return ahead > 0 ? hull_direction<record>{p, q} : hull_direction<record>{q, p};
}

HULL_DEVICE uint32_t hull_chance(uint32_t a, uint32_t b) {
    uint32_t k = a * 0x9e3779b9u + b;
    k = (k ^ k >> 16) * 0x7feb352du;
    k = (k ^ k >> 15) * 0x846ca68bu;
    return k ^ k >> 16;
}

/* A random pair of a problem's points, the same for all who ask. */
template <class record>
HULL_DEVICE hull_direction<record> hull_random_pair(const record &l, const record &r, const record *cells,
                                                    uint32_t begin, uint32_t end, bool is_stuck,
                                                    uint32_t chance) {
    const uint32_t size = end - begin;
    if (size < 2 || is_stuck) return hull_direction<record>{l, r};
    const uint32_t p = hull_chance(chance, begin) % size, other = hull_chance(end, chance) % (size - 1);
    return hull_upwards(l, r, cells[begin + p], cells[begin + (other >= p ? other + 1 : other)]);
}

/* The subproblem of a point that is left of l r. */
template <class record>
HULL_DEVICE uint32_t hull_classify(const record &l, const record &m, const record &r, const record &own) {
    if (hull_side(l, m, own) > 0) return HULL_LEFT;
    return hull_side(m, r, own) > 0 ? HULL_RIGHT : HULL_DISCARD;
}

/* True if p is in the triangle l q r; both are left of l r. If both are in one place, the one with the greater index is. */
template <class record>
HULL_DEVICE bool hull_is_covered(const record &l, const record &r, const record &p, const record &q) {
    if (hull_same_place(p, q)) return p.index > q.index;
    return hull_side(l, q, p) <= 0 && hull_side(q, r, p) <= 0;
}

/* True if the lane's record is covered by that of its partner among the lanes of its subproblem. All lanes come. */
template <class record>
HULL_DEVICE bool hull_is_pruned(const record &l, const record &r, const record &own, bool is_of_it) {
    const uint32_t partner = hull_partner(__ballot_sync(WARP_ALL_LANES, is_of_it));
    const record other = warp_from_lane(own, partner);
    return is_of_it && partner != warp_lane() && hull_is_covered(l, r, own, other);
}

template <class record> HULL_DEVICE record hull_empty_cell(const record &any) {
    record out = any;
    out.index = HULL_PAPER_NONE;
    return out;
}

#endif
