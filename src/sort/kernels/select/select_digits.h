/* SPDX-License-Identifier: Apache-2.0
 *
 * The exact bound, digit by digit, where a sample's bound failed: how many codes that begin as the bound does have each
 * next digit is counted, and what is counted says the digit in which the rank lies. A code's digits have as many bits as the caller says.
 */
#ifndef RIFFLE_SORT_KERNELS_SELECT_SELECT_DIGITS_H
#define RIFFLE_SORT_KERNELS_SELECT_SELECT_DIGITS_H

#include "sort/kernels/select/select_code.h"
#include "sort/kernels/sort_sum.h"

/** Digit `round` of a code, from above: the last may have bits that are none, which are 0. */
template <uint32_t bits> static __device__ inline uint32_t select_digit(uint32_t code, uint32_t round) {
    return code << (bits * round) >> (32 - bits);
}
template <uint32_t bits> static __device__ inline uint32_t select_digit(uint64_t code, uint32_t round) {
    return (uint32_t)(code << (bits * round) >> (64 - bits));
}
/* Each half has digits of its own. */
template <uint32_t bits> static __device__ inline uint32_t select_digit(const sort_wide &code, uint32_t round) {
    constexpr uint32_t half = (64 + bits - 1) / bits;
    return select_digit<bits>(round < half ? code.high : code.low, round % half);
}

template <uint32_t bits>
static __device__ inline uint32_t select_with(uint32_t code, uint32_t round, uint32_t digit) {
    return code | digit << (32 - bits) >> (bits * round);
}
template <uint32_t bits>
static __device__ inline uint64_t select_with(uint64_t code, uint32_t round, uint32_t digit) {
    return code | (uint64_t)digit << (64 - bits) >> (bits * round);
}
template <uint32_t bits>
static __device__ inline sort_wide select_with(const sort_wide &code, uint32_t round, uint32_t digit) {
    constexpr uint32_t half = (64 + bits - 1) / bits;
    return round < half ? sort_wide{code.low, select_with<bits>(code.high, round, digit)}
                        : sort_wide{select_with<bits>(code.low, round % half, digit), code.high};
}

/* True if a code begins as another does, by so many digits. */
template <uint32_t bits> static __device__ inline bool select_begins(uint32_t a, uint32_t b, uint32_t digits) {
    return digits == 0 || (a ^ b) >> (32 - bits * digits) == 0;
}
template <uint32_t bits> static __device__ inline bool select_begins(uint64_t a, uint64_t b, uint32_t digits) {
    return digits == 0 || (a ^ b) >> (64 - bits * digits) == 0;
}
template <uint32_t bits>
static __device__ inline bool select_begins(const sort_wide &a, const sort_wide &b, uint32_t digits) {
    constexpr uint32_t half = (64 + bits - 1) / bits;
    if (digits < half) return select_begins<bits>(a.high, b.high, digits);
    return a.high == b.high && select_begins<bits>(a.low, b.low, digits - half);
}

/** The lanes' digits are counted: those that have the first lane's at once. */
static __device__ inline void select_count(uint32_t *counts, bool is, uint32_t digit) {
    const uint32_t all = __ballot_sync(WARP_ALL_LANES, is);
    if (all == 0) return;
    const uint32_t leader = (uint32_t)__popc((all & (0 - all)) - 1), first = warp_from_lane(digit, leader);
    const uint32_t same = __ballot_sync(WARP_ALL_LANES, is && digit == first);
    if (warp_lane() == leader) ATOMIC_ADD(&counts[first], (uint32_t)__popc(same));
    if (is && digit != first) ATOMIC_ADD(&counts[digit], 1u);
}

/** All that is known before a round: the code's digits so far, and the rank among codes that have them. */
template <class key> struct select_state {
    key code;
    uint32_t rank;
};

template <class word>
static __device__ inline select_state<typename sort_of<word>::key> select_known(const select_table &t,
                                                                                uint32_t round) {
    typedef typename sort_of<word>::key key;
    if (round == 0) return select_state<key>{key{}, t.count - 1 - (t.before != nullptr ? *t.before : 0)};
    return select_state<key>{sort_of<word>::get(((const word *)t.bounds)[SELECT_STATES + round]),
                             t.counts[SELECT_RANKS + round]};
}

/** A digit, and the rank among the codes that have it. */
struct select_place {
    uint32_t digit, rank;
};

/** The digit of the code of some rank, by how many codes have each: a warp a stretch of the counts, in which one of them looks further. `shared`
 *  has a word a warp, and two. */
template <uint32_t bits>
static __device__ inline select_place select_find(const uint32_t *counts, uint32_t rank, uint32_t *shared) {
    constexpr uint32_t each = (1u << bits) / SELECT_THREADS;
    const uint32_t begin = threadIdx.x / WARP_LANES * (WARP_LANES * each) + warp_lane();
    uint32_t sum = 0, all;
    ROLL for (uint32_t i = 0; i < each; ++i) sum += counts[begin + i * WARP_LANES];
    const uint32_t own = sort_sum_before(sum, shared + 2, &all),
                   end = warp_from_lane(own + sum, WARP_LANES - 1);
    uint32_t before = warp_from_lane(own, 0);
    bool is_here = rank >= before && rank < end;
    ROLL for (uint32_t i = 0; i < each && is_here; ++i) {
        const uint32_t count = counts[begin + i * WARP_LANES], up = before + warp_sum_up(count);
        if (rank >= up - count && rank < up) {
            shared[0] = begin + i * WARP_LANES;
            shared[1] = rank - (up - count);
        }
        before = warp_from_lane(up, WARP_LANES - 1);
        is_here = rank >= before;
    }
    __syncthreads();
    const select_place place = {shared[0], shared[1]};
    __syncthreads();
    return place;
}

/** All that is known before `round` from what the round before it has counted, by a whole block; the first one writes it down. `shared` is
 *  select_find's. */
template <uint32_t bits, class word>
static __device__ inline select_state<typename sort_of<word>::key>
select_step(const select_table &t, uint32_t round, uint32_t *shared) {
    if (round == 0) return select_known<word>(t, 0);
    select_state<typename sort_of<word>::key> s = select_known<word>(t, round - 1);
    const select_place place = select_find<bits>(t.digits + ((uint64_t)(round - 1) << bits), s.rank, shared);
    s.code = select_with<bits>(s.code, round - 1, place.digit);
    s.rank = place.rank;
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        ((word *)t.bounds)[SELECT_STATES + round] = sort_of<word>::put(s.code);
        if (round == t.rounds) ((word *)t.bounds)[SELECT_EXACT] = sort_of<word>::put(s.code);
        t.counts[SELECT_RANKS + round] = s.rank;
    }
    return s;
}

#endif
