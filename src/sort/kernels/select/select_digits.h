/* SPDX-License-Identifier: Apache-2.0
 *
 * The exact bound, digit by digit, where a sample's bound failed: how many codes that begin as the bound does have each
 * next digit is counted, and what is counted says the digit in which the rank lies. A code's digits have 16 bits.
 */
#ifndef RIFFLE_SORT_KERNELS_SELECT_SELECT_DIGITS_H
#define RIFFLE_SORT_KERNELS_SELECT_SELECT_DIGITS_H

#include "sort/kernels/select/select_code.h"
#include "sort/kernels/sort_sum.h"

static __device__ inline uint32_t select_digit(uint32_t code, uint32_t round) {
    return code >> (16 - 16 * round) & 0xffff;
}
static __device__ inline uint32_t select_digit(uint64_t code, uint32_t round) {
    return (uint32_t)(code >> (48 - 16 * round)) & 0xffff;
}
static __device__ inline uint32_t select_digit(const sort_wide &code, uint32_t round) {
    return select_digit(round < 4 ? code.high : code.low, round % 4);
}

static __device__ inline uint32_t select_with(uint32_t code, uint32_t round, uint32_t digit) {
    return code | digit << (16 - 16 * round);
}
static __device__ inline uint64_t select_with(uint64_t code, uint32_t round, uint32_t digit) {
    return code | (uint64_t)digit << (48 - 16 * round);
}
static __device__ inline sort_wide select_with(const sort_wide &code, uint32_t round, uint32_t digit) {
    return round < 4 ? sort_wide{code.low, select_with(code.high, round, digit)}
                     : sort_wide{select_with(code.low, round % 4, digit), code.high};
}

/* True if a code begins as another does, by so many digits. */
static __device__ inline bool select_begins(uint32_t a, uint32_t b, uint32_t digits) {
    return digits == 0 || (a ^ b) >> (32 - 16 * digits) == 0;
}
static __device__ inline bool select_begins(uint64_t a, uint64_t b, uint32_t digits) {
    return digits == 0 || (a ^ b) >> (64 - 16 * digits) == 0;
}
static __device__ inline bool select_begins(const sort_wide &a, const sort_wide &b, uint32_t digits) {
    if (digits <= 4) return select_begins(a.high, b.high, digits);
    return a.high == b.high && select_begins(a.low, b.low, digits - 4);
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

/** All that is known before `round` from what the round before it has counted, by a whole block; the first one writes it down. `shared` has
 *  a word a warp, and two. */
template <class word>
static __device__ inline select_state<typename sort_of<word>::key>
select_step(const select_table &t, uint32_t round, uint32_t *shared) {
    if (round == 0) return select_known<word>(t, 0);
    constexpr uint32_t each = SELECT_DIGITS / SELECT_THREADS;
    select_state<typename sort_of<word>::key> s = select_known<word>(t, round - 1);
    const uint32_t *const counts = t.digits + (uint64_t)(round - 1) * SELECT_DIGITS + threadIdx.x * each;
    uint32_t sum = 0, all;
    ROLL for (uint32_t i = 0; i < each; ++i) sum += counts[i];
    uint32_t before = sort_sum_before(sum, shared + 2, &all);
    if (s.rank >= before && s.rank - before < sum) {
        uint32_t i = 0;
        while (s.rank - before >= counts[i]) before += counts[i++];
        shared[0] = threadIdx.x * each + i;
        shared[1] = s.rank - before;
    }
    __syncthreads();
    s.code = select_with(s.code, round - 1, shared[0]);
    s.rank = shared[1];
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        ((word *)t.bounds)[SELECT_STATES + round] = sort_of<word>::put(s.code);
        if (round == t.rounds) ((word *)t.bounds)[SELECT_EXACT] = sort_of<word>::put(s.code);
        t.counts[SELECT_RANKS + round] = s.rank;
    }
    __syncthreads();
    return s;
}

#endif
