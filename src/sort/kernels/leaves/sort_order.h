/* SPDX-License-Identifier: Apache-2.0
 *
 * A leaf sorted by its order: keys, and what goes along, lie in a team's shared memory, and what is sorted in registers is a record of 32
 * bits for each key,
 *
 *     digit: the uppermost bits in which the leaf's keys differ | the key's place, 8 to 12 bits
 *
 * Where all of them fit, that is the order of the keys, and equal keys are in order of their places. Where not, few keys tie, mostly:
 * neighbours with the same digit are looked at whole, and exchanged until they are in order. Where so many tie that this would take
 * long, the order is made by all digits, the last first.
 *
 *     keys | records that warps exchange | what goes along | order: by rank, with gaps | joined, a word a round
 */
#ifndef RIFFLE_SORT_KERNELS_LEAVES_SORT_ORDER_H
#define RIFFLE_SORT_KERNELS_LEAVES_SORT_ORDER_H

#include "sort/kernels/sort_block.h"
#include "sort/kernels/sort_summed.h"
#include "sort/kernels/tables/leaf.h"

/* The key's bits from `at` on, as many as fit. */
static __device__ inline uint32_t sort_digit(uint32_t k, uint32_t at) { return k >> at; }
static __device__ inline uint32_t sort_digit(uint64_t k, uint32_t at) { return (uint32_t)(k >> at); }
static __device__ inline uint32_t sort_digit(const sort_wide &k, uint32_t at) {
    return (uint32_t)(at >= 64 ? k.high >> (at - 64) : k.low >> at | (k.high << 1) << (63 - at));
}

/* How many of the last bits differ among a team's keys, where those of a lane differ from one of them in these. All of the
 * team find the same, and so take the same way. */
template <class team> static __device__ inline uint32_t sort_differing(uint32_t bits, uint32_t *joined) {
    return sort_bits(team::join(bits, joined));
}
template <class team> static __device__ inline uint32_t sort_differing(uint64_t bits, uint32_t *joined) {
    const uint32_t high = sort_differing<team>((uint32_t)(bits >> 32), joined);
    return high > 0 ? 32 + high : sort_differing<team>((uint32_t)bits, joined + 1);
}
template <class team>
static __device__ inline uint32_t sort_differing(const sort_wide &bits, uint32_t *joined) {
    const uint32_t high = sort_differing<team>(bits.high, joined);
    return high > 0 ? 64 + high : sort_differing<team>(bits.low, joined + 2);
}
template <class number> static __device__ inline void sort_differ(number &bits, number a, number b) {
    bits |= a ^ b;
}
static __device__ inline void sort_differ(sort_wide &bits, const sort_wide &a, const sort_wide &b) {
    bits.low |= a.low ^ b.low;
    bits.high |= a.high ^ b.high;
}

/* Bits of a place among so many. */
static __device__ constexpr uint32_t sort_place_bits(uint32_t most) {
    return most <= 256 ? 8 : 1 + sort_place_bits((most + 1) / 2);
}

/** A leaf in shared memory, and the order that it is to be in: order[cell of rank] is a place. */
template <class team, uint32_t each, bool carries, class element> struct sort_ordered {
    static constexpr uint32_t most = team::lanes * each, bits = sort_place_bits(most), room = 32 - bits;
    element *keys;
    uint32_t *exchanged, *carried, *order, *joined;
    uint32_t *own;    /* where the lane's first rank lies, of `each` side by side */
    uint32_t *across; /* and that of its first register where lanes are side by side */
    __device__ inline sort_ordered(element *shared) {
        keys = shared;
        exchanged = (uint32_t *)(keys + most);
        carried = exchanged + (team::is_block ? team::lanes * SORT_AT_ONCE : 0);
        order = carried + (carries ? most : 0);
        joined = order + most + most / WARP_LANES;
        own = order + cell(team::lane() * each);
        across = order + cell(team::lane());
    }
    static __device__ inline uint32_t cell(uint32_t rank) { return sort_cell<each, uint32_t>(rank); }
    static __device__ constexpr uint32_t row(uint32_t r) { return sort_row<team::lanes, each>(r); }
    static __device__ inline uint32_t place(uint32_t record) { return record & ((1u << bits) - 1); }
    /* The record of register r where lanes are side by side. */
    static __device__ inline uint32_t record(const element &e, uint32_t at, uint32_t r) {
        return sort_digit(sort_of<element>::get(e), at) << bits | r * team::lanes | team::lane();
    }
};

/** Registers have keys, and what goes along, lanes side by side as far as `left`: they lie in shared memory then. Returns how many bits of
 *  the keys differ. */
template <class team, uint32_t each, bool carries, class element>
static __device__ inline uint32_t sort_order_keep(const sort_ordered<team, each, carries, element> &s,
                                                  const element (&e)[each], const uint32_t (&c)[each],
                                                  uint32_t left) {
    typedef sort_of<element> of;
    typename of::difference differ = {};
    if (team::lane() < SORT_JOINED) s.joined[team::lane()] = 0;
    UNROLL
    for (uint32_t r = 0; r < each; ++r) {
        if (r * team::lanes >= left) continue;
        s.keys[r * team::lanes + team::lane()] = e[r];
        if (carries) s.carried[r * team::lanes + team::lane()] = c[r];
        sort_differ(differ, of::get(e[r]), of::get(e[0]));
    }
    team::meet();
    if (left > 0) sort_differ(differ, of::get(e[0]), of::get(s.keys[0]));
    return sort_differing<team>(differ, s.joined);
}

/* The leaf as it lies, in registers too; how many bits of its keys differ. */
template <bool is_summed, class team, uint32_t each, bool carries, class element>
static __device__ inline uint32_t
sort_order_read(const sort_leaves_table &t, const sort_ordered<team, each, carries, element> &s,
                element (&e)[each], const element *a, uint32_t begin, uint32_t length, check_sums *sums) {
    const uint32_t first = begin + team::lane(), left = sort_left(length, team::lane());
    const element *const from = a + first;
    const uint32_t *const carried = t.carried.from != nullptr ? t.carried.from + first : nullptr;
    uint32_t c[each];
    UNROLL
    for (uint32_t r = 0; r < each; ++r) {
        const bool is = r * team::lanes < left; /* without zeros a register would be kept from leaf to leaf */
        e[r] = is ? from[r * team::lanes] : element{};
        if (carries) c[r] = is && carried != nullptr ? carried[r * team::lanes] : first + r * team::lanes;
    }
    sort_get_all<team::lanes>(t.coder, e, left);
    if constexpr (is_summed && carries) sort_sum_pairs<team::lanes>(sums, e, c, left);
    if constexpr (is_summed && !carries) sort_sum_keys<team::lanes>(sums, e, left);
    return sort_order_keep(s, e, c, left);
}

/* A bit for each of a lane's ranks whose key has the digit of the next one's; where the next is another warp's, it may have. */
template <class team, uint32_t each, bool carries, class element>
static __device__ inline uint32_t sort_order_ties(const sort_ordered<team, each, carries, element> &s,
                                                  const uint32_t (&k)[each], uint32_t length) {
    const uint32_t left = sort_left(length, team::lane() * each);
    const uint32_t behind = __shfl_sync(WARP_ALL_LANES, k[0], (warp_lane() + 1) % WARP_LANES);
    uint32_t ties = 0;
    UNROLL
    for (uint32_t r = 0; r < each; ++r) {
        const uint32_t next = r + 1 < each ? k[r + 1] : behind;
        if (r + 1 < left && (k[r] ^ next) >> s.bits == 0) ties |= 1u << r;
    }
    if (team::is_block && warp_lane() == WARP_LANES - 1 && each < left) ties |= 1u << (each - 1);
    return ties;
}

/* The order by sorted records: in the first round they have places, in later ones ranks of the order so far. */
template <class team, uint32_t each, bool carries, class element>
static __device__ inline void sort_order_put(const sort_ordered<team, each, carries, element> &s,
                                             uint32_t (&k)[each], uint32_t length, bool is_first) {
    UNROLL
    for (uint32_t r = 0; r < each; ++r) k[r] = s.place(k[r]);
    if (!is_first) {
        UNROLL
        for (uint32_t r = 0; r < each; ++r)
            if (r < sort_left(length, team::lane() * each)) k[r] = s.order[s.cell(k[r])];
        team::meet();
    }
    UNROLL
    for (uint32_t r = 0; r < each; ++r) s.own[r] = k[r];
    team::meet();
}

/* Neighbours of the lane's ranks `which` in order, from the first on; whether any were exchanged. */
template <class team, uint32_t each, bool carries, class element>
static __device__ inline bool sort_order_exchange(const sort_ordered<team, each, carries, element> &s,
                                                  uint32_t which) {
    typedef sort_of<element> of;
    bool exchanged = false;
    ROLL for (; which != 0; which &= which - 1) {
        const uint32_t rank = team::lane() * each + (uint32_t)__ffs((int)which) - 1;
        const uint32_t first = s.order[s.cell(rank)], next = s.order[s.cell(rank + 1)];
        if (!sort_before(of::get(s.keys[next]), of::get(s.keys[first]))) continue;
        s.order[s.cell(rank)] = next;
        s.order[s.cell(rank + 1)] = first;
        exchanged = true;
    }
    return exchanged;
}

/* Neighbours that tie are exchanged by whole keys, until no more are; whether that came to an end. A lane's own first, then its last
 * with the first of the next lane. Equal keys stay as they are, in order of places. */
template <class team, uint32_t each, bool carries, class element>
static __device__ inline bool sort_order_mend(const sort_ordered<team, each, carries, element> &s,
                                              uint32_t ties) {
    constexpr uint32_t last = 1u << (each - 1);
    ROLL for (uint32_t round = 0; round < SORT_MENDS; ++round) {
        bool exchanged = sort_order_exchange(s, ties & (last - 1));
        team::meet();
        exchanged |= sort_order_exchange(s, ties & last);
        team::meet();
        if (team::join(exchanged ? 1 : 0, s.joined + SORT_JOINED - SORT_MENDS + round) == 0) return true;
    }
    return false;
}

/* The order of the whole keys, from records by the uppermost digit of those that differ, the bits from `at` on. An order left
 * unfinished by that has equal keys in order of places, as later rounds require. */
template <class team, uint32_t each, bool carries, class element>
static __device__ inline void sort_order(const sort_ordered<team, each, carries, element> &s,
                                         uint32_t (&k)[each], uint32_t length, uint32_t differing,
                                         uint32_t at) {
    const uint32_t left = sort_left(length, team::lane());
    bool is_first = true, is_mended = at > 0;
    ROLL for (;;) {
        team::sort(k, s.exchanged);
        const uint32_t ties = is_mended ? sort_order_ties(s, k, length) : 0;
        sort_order_put(s, k, length, is_first);
        if (is_mended && sort_order_mend(s, ties)) return;
        at = is_mended ? 0 : at + s.room;
        if (at >= differing) return;
        is_first = is_mended = false;
        UNROLL
        for (uint32_t r = 0; r < each; ++r)
            k[r] = r * team::lanes < left ? s.record(s.keys[s.across[s.row(r)]], at, r) : ~0u;
    }
}

/* The leaf as its order says: what stands in shared memory goes to the places from `begin` on. */
template <class team, uint32_t each, bool carries, class element>
static __device__ inline void sort_order_write(const sort_coder &by, const sort_carried &along,
                                               const sort_ordered<team, each, carries, element> &s, element *b,
                                               uint32_t begin, uint32_t length) {
    const uint32_t first = begin + team::lane(), left = sort_left(length, team::lane());
    element e[each];
    uint32_t c[each];
    UNROLL
    for (uint32_t r = 0; r < each; ++r) {
        const bool is = r * team::lanes < left;
        const uint32_t from = is ? s.across[s.row(r)] : 0;
        e[r] = is ? s.keys[from] : element{};
        if (carries) c[r] = is ? s.carried[from] : 0;
    }
    sort_put_all(by, e);
    UNROLL
    for (uint32_t r = 0; r < each; ++r) {
        if (r * team::lanes >= left) continue;
        (b + first)[r * team::lanes] = e[r];
        if (carries) (along.to + first)[r * team::lanes] = c[r];
    }
}

/** All that sort_order_keep has kept is written in order, from `begin` on. */
template <class team, uint32_t each, bool carries, class element>
static __device__ inline void sort_order_all(const sort_coder &by, const sort_carried &along,
                                             const sort_ordered<team, each, carries, element> &s,
                                             const element (&e)[each], element *b, uint32_t begin,
                                             uint32_t length, uint32_t differing) {
    const uint32_t left = sort_left(length, team::lane());
    const uint32_t at = differing > s.room ? differing - s.room : 0;
    uint32_t k[each];
    UNROLL
    for (uint32_t r = 0; r < each; ++r) k[r] = r * team::lanes < left ? s.record(e[r], at, r) : ~0u;
    sort_order(s, k, length, differing, at);
    sort_order_write(by, along, s, b, begin, length);
}

template <class team, bool carries, bool is_summed, uint32_t each, class element>
static __device__ inline void sort_leaf_by_order(const sort_leaves_table &t, element *b, const element *a,
                                                 uint32_t begin, uint32_t length, element *shared,
                                                 check_sums *sums) {
    const sort_ordered<team, each, carries, element> s(shared);
    element e[each];
    const uint32_t differing = sort_order_read<is_summed>(t, s, e, a, begin, length, sums);
    sort_order_all(t.coder, t.carried, s, e, b, begin, length, differing);
}

#endif
