/* SPDX-License-Identifier: Apache-2.0
 *
 * A sort of numbers that is read once more, by vectors of 16 bytes: the sums of their codes, as the first level of a sort has them, and each number
 * against the one before it. A block has rounds, of CHECK_AT_ONCE vectors a thread.
 *
 * b is NULL, a the numbers.
 */
#include "check/kernels/sum_block.h"
#include "device/kernels/vectors.h"
#include "sort/kernels/codes/sort_key_bits.h"
#include "sort/kernels/sort_summed.h"
#include "sort/kernels/tables/check.h"

/* Lanes exchange words of 4 or 8 bytes. */
template <class element> struct sort_check_word { typedef uint32_t of; };
template <> struct sort_check_word<uint64_t> { typedef uint64_t of; };

/* Numbers whose codes are not in order may still equal each other. */
static __device__ inline bool sort_check_is_before(const key_piece &number, uint64_t a, uint64_t b) {
    return key_piece_code(&number, a) < key_piece_code(&number, b);
}

/* The element before a warp's first vector; those before other vectors are other lanes' last. */
template <class element>
static __device__ inline element sort_check_ahead(const sort_check_numbers_table &t, const element *a,
                                                  const vector_of<element> &held) {
    const bool is_there = t.has_order != 0 && warp_lane() == 0 && held.first > 0 && (uint64_t)held.first <= t.n;
    return is_there ? a[held.first - 1] : (element)0;
}

/* Adds the numbers that are there, all of which are their codes but for those that the coding changes; returns how many are before the one before
 * them. */
template <bool is_whole, class element>
static __device__ inline uint32_t sort_check_vector(const sort_check_numbers_table &t, check_sums *sums,
                                                    const vector_of<element> &held, element ahead) {
    constexpr uint32_t each = vector_of<element>::ELEMENTS;
    element code[each], before = ahead;
    uint32_t faults = 0;
    UNROLL
    for (uint32_t j = 0; j < each; ++j) code[j] = held.of.part[j];
    if (t.is_coded != 0) {
        before = sort_encode(t.coding, before);
        UNROLL
        for (uint32_t j = 0; j < each; ++j) code[j] = sort_encode(t.coding, code[j]);
    }
    UNROLL
    for (uint32_t j = 0; j < each; ++j) {
        const bool is = is_whole || (held.valid >> j & 1) != 0;
        if (is) sort_sum_key(sums, (typename sort_check_word<element>::of)code[j]);
        if (t.has_order != 0 && code[j] < before && is && held.first + j > 0)
            faults += sort_check_is_before(t.number, held.of.part[j], j > 0 ? held.of.part[j - 1] : ahead);
        before = code[j];
    }
    return faults;
}

/* All lanes come to it. */
template <class element>
static __device__ inline uint32_t sort_check_held(const sort_check_numbers_table &t, check_sums *sums,
                                                  const vector_of<element> &held, element ahead) {
    constexpr uint32_t each = vector_of<element>::ELEMENTS;
    typedef typename sort_check_word<element>::of word;
    const word last = held.of.part[each - 1];
    const element other = (element)warp_from_lane(last, (warp_lane() + WARP_LANES - 1) % WARP_LANES);
    if (warp_lane() != 0) ahead = other;
    return held.valid == (1u << each) - 1 ? sort_check_vector<true>(t, sums, held, ahead)
                                          : sort_check_vector<false>(t, sums, held, ahead);
}

template <class element>
__global__ void LAUNCH_BOUNDS(CHECK_THREADS, 4)
    sort_check_numbers(element *, const element *__restrict__ a,
                       const GRID_CONSTANT sort_check_numbers_table t) {
    uint64_t first = (uint64_t)blockIdx.x * t.rounds * CHECK_ROUND + threadIdx.x;
    extern __shared__ uint64_t shared_memory[];
    check_sums sums = {0, 0};
    uint32_t faults = 0;
    for (uint32_t round = 0; round < t.rounds; ++round, first += CHECK_ROUND) {
        vector_of<element> held[CHECK_AT_ONCE];
        element ahead[CHECK_AT_ONCE];
        UNROLL
        for (uint32_t i = 0; i < CHECK_AT_ONCE; ++i) {
            vector_read(a, t.n, first + i * CHECK_THREADS, true, held[i]);
            ahead[i] = sort_check_ahead(t, a, held[i]);
        }
        UNROLL
        for (uint32_t i = 0; i < CHECK_AT_ONCE; ++i) faults += sort_check_held(t, &sums, held[i], ahead[i]);
    }
    check_end_block(t.record, (check_block *)shared_memory, sums, t.is_taken != 0);
    if (faults > 0) ATOMIC_ADD((unsigned long long *)&t.record->faults, (unsigned long long)faults);
}
