/* SPDX-License-Identifier: Apache-2.0
 *
 * A leaf sorted by its order: keys, and what goes along, lie in a team's shared memory, and what is sorted in registers is a number of 64
 * bits for each key,
 *
 *     uppermost bits in which the leaf's keys differ | the key's place, 8 to 12 bits
 *
 * Mostly that is the order of the keys; and where equal keys tie, it is by their places. Where more bits differ than fit and two tie, the
 * order is made by all bits, so many at a time, the last first.
 *
 *     keys | records that warps exchange | what goes along | order: by rank, with gaps | joined, 4 words
 */
#ifndef RIFFLE_KERNELS_SORT_SORT_ORDER_H
#define RIFFLE_KERNELS_SORT_SORT_ORDER_H

#include "kernels/sort/sort_block.h"

/* The key's bits from `at` on, at the top of a number with room for `bits` more. */
static __device__ inline uint64_t sort_digit(uint64_t k, uint32_t at, uint32_t bits) { return k >> at << bits; }
static __device__ inline uint64_t sort_digit(const sort_wide &k, uint32_t at, uint32_t bits) {
    const uint64_t from = at >= 64 ? k.high >> (at - 64) : k.low >> at | (k.high << 1) << (63 - at);
    return from << bits;
}

/* How many of the last bits differ among a team's keys, where those of a lane differ from one of them in these. */
template <class team> static __device__ inline uint32_t sort_differing(uint64_t bits, uint32_t *joined) {
    const uint32_t low = team::join((uint32_t)bits, joined),
                   high = team::join((uint32_t)(bits >> 32), joined + 1);
    return sort_bits((uint64_t)high << 32 | low);
}
template <class team>
static __device__ inline uint32_t sort_differing(const sort_wide &bits, uint32_t *joined) {
    const uint32_t low = sort_differing<team>(bits.low, joined),
                   high = sort_differing<team>(bits.high, joined + 2);
    return high > 0 ? 64 + high : low;
}
static __device__ inline void sort_differ(uint64_t &bits, uint64_t a, uint64_t b) { bits |= a ^ b; }
static __device__ inline void sort_differ(sort_wide &bits, const sort_wide &a, const sort_wide &b) {
    bits.low |= a.low ^ b.low;
    bits.high |= a.high ^ b.high;
}

/** A leaf in shared memory, and the order that it is to be in: order[cell of rank] is a place. */
template <class team, uint32_t each, bool carries, class element> struct sort_ordered {
    static constexpr uint32_t most = team::lanes * each;
    static constexpr uint32_t bits = most <= 256    ? 8
                                     : most <= 512  ? 9
                                     : most <= 1024 ? 10
                                     : most <= 2048 ? 11
                                                    : 12,
                              room = 64 - bits;
    element *keys;
    uint32_t *carried, *order, *joined;
    uint64_t *exchanged;
    __device__ inline sort_ordered(element *shared) {
        keys = shared;
        exchanged = (uint64_t *)(keys + most);
        carried = (uint32_t *)(exchanged + (team::is_block ? team::lanes * SORT_AT_ONCE : 0));
        order = carried + (carries ? most : 0);
        joined = order + most + most / SORT_LANES;
    }
    static __device__ inline uint32_t cell(uint32_t rank) { return sort_cell<each, uint32_t>(rank); }
    __device__ inline uint64_t digit(uint32_t place, uint32_t at) const {
        typedef sort_of<element> of;
        if constexpr (sizeof(element) > 4)
            return sort_digit(of::get(keys[place]), at, bits);
        else
            return (uint64_t)keys[place] << bits;
    }
};

/* The leaf as it lies; how many bits of its keys differ. */
template <class team, uint32_t each, bool carries, class element>
static __device__ inline uint32_t sort_order_read(const sort_table &t,
                                                  const sort_ordered<team, each, carries, element> &s,
                                                  const element *a, uint32_t begin, uint32_t length) {
    typedef sort_of<element> of;
    typename sort_of<element>::difference differ = {};
    const typename of::key first = sort_get(t, a[begin]);
    if (team::lane() < 4) s.joined[team::lane()] = 0;
    UNROLL
    for (uint32_t r = 0; r < each; ++r) {
        const uint32_t i = r * team::lanes + team::lane();
        if (i >= length) continue;
        const typename of::key k = sort_get(t, a[begin + i]);
        s.keys[i] = of::put(k);
        if (carries) s.carried[i] = t.carried_from != nullptr ? t.carried_from[begin + i] : begin + i;
        sort_differ(differ, k, first);
    }
    team::meet();
    return sort_differing<team>(differ, s.joined);
}

/* The order by the digit from `at` on, of what is in order by the digits before; in the first round, of what lies there. */
template <class team, uint32_t each, bool carries, class element>
static __device__ inline void sort_order_by(const sort_ordered<team, each, carries, element> &s,
                                            uint32_t length, uint32_t at, bool is_first) {
    uint64_t k[each];
    uint32_t place[each];
    UNROLL
    for (uint32_t r = 0; r < each; ++r) {
        const uint32_t i = r * team::lanes + team::lane();
        k[r] = ~(uint64_t)0;
        if (i < length) k[r] = s.digit(is_first ? i : s.order[s.cell(i)], at) | i;
    }
    team::sort(k, s.exchanged);
    UNROLL
    for (uint32_t r = 0; r < each; ++r) {
        const uint32_t i = (uint32_t)k[r] & ((1u << s.bits) - 1);
        place[r] = is_first || team::lane() * each + r >= length ? i : s.order[s.cell(i)];
    }
    team::meet();
    UNROLL
    for (uint32_t r = 0; r < each; ++r) s.order[s.cell(team::lane() * each + r)] = place[r];
    team::meet();
}

/* Whether keys of neighbouring ranks have the same digit. */
template <class team, uint32_t each, bool carries, class element>
static __device__ inline bool sort_order_ties(const sort_ordered<team, each, carries, element> &s,
                                              uint32_t length, uint32_t at) {
    bool ties = false;
    UNROLL
    for (uint32_t r = 0; r < each; ++r) {
        const uint32_t i = r * team::lanes + team::lane();
        if (i + 1 < length) ties |= s.digit(s.order[s.cell(i)], at) == s.digit(s.order[s.cell(i + 1)], at);
    }
    if (ties) ATOMIC_OR(s.joined, 1u);
    team::meet();
    ties = s.joined[0] != 0;
    team::meet();
    return ties;
}

/* The order of the whole keys: by the uppermost digit of those that differ, and where that does not tell all apart, by all digits,
 * the last first. */
template <class team, uint32_t each, bool carries, class element>
static __device__ inline void sort_order(const sort_ordered<team, each, carries, element> &s, uint32_t length,
                                         uint32_t differing) {
    constexpr uint32_t room = sort_ordered<team, each, carries, element>::room;
    uint32_t at = differing > room ? differing - room : 0;
    bool is_tried = at == 0, is_first = true;
    if (team::lane() == 0) s.joined[0] = 0;
    ROLL for (;;) {
        sort_order_by(s, length, at, is_first);
        if (is_tried) {
            at += room;
            is_first = false;
            if (at >= differing) return;
        } else {
            if (!sort_order_ties(s, length, at)) return;
            is_tried = true;
            at = 0;
        }
    }
}

template <class team, bool carries, uint32_t each, class element>
static __device__ inline void sort_leaf_by_order(const sort_table &t, element *b, const element *a,
                                                 uint32_t begin, uint32_t length, element *shared) {
    typedef sort_of<element> of;
    const sort_ordered<team, each, carries, element> s(shared);
    const uint32_t differing = sort_order_read(t, s, a, begin, length);
    team::meet();
    sort_order(s, length, differing);
    UNROLL
    for (uint32_t r = 0; r < each; ++r) {
        const uint32_t i = r * team::lanes + team::lane();
        if (i >= length) continue;
        const uint32_t from = s.order[s.cell(i)];
        b[begin + i] = sort_put<element>(t, of::get(s.keys[from]));
        if (carries) t.carried_to[begin + i] = s.carried[from];
    }
}

#endif
