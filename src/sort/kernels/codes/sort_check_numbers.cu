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
#include "sort/kernels/sort_record.h"
#include "sort/kernels/tables/check.h"

/* Lanes exchange words of 4 or 8 bytes. */
template <class element> struct sort_check_word { typedef uint32_t of; };
template <> struct sort_check_word<uint64_t> { typedef uint64_t of; };

/* Codes that are in order where those of sort/key.h are, of an element's width: times (x ^ (turned by x's sign | top)) + plus. */
template <class element> struct sort_check_coder { element turned, top, times, plus; };

template <class element>
static __device__ inline sort_check_coder<element> sort_check_coder_of(const key_piece &number) {
    constexpr uint32_t bytes = sizeof(element);
    const bool is_float = number.kind == RIFFLE_SORT_KEY_FLOAT;
    const uint64_t top = sort_mask(bytes) / 2 + 1, less = is_float ? top - 1 - sort_infinity(bytes) : 0;
    sort_check_coder<element> out;
    out.turned = is_float ? (element)~0 : (element)0;
    out.top = number.kind == RIFFLE_SORT_KEY_UNSIGNED ? (element)0 : (element)top;
    out.times = number.descending != 0 ? (element)~0 : (element)1;
    out.plus = (element)(number.descending != 0 ? sort_numbers(number.kind, bytes) - 1 + less : 0 - less);
    return out;
}

template <class element>
static __device__ inline element sort_check_code(const sort_check_coder<element> &by, element x) {
    const element sign = (element)(0 - (x >> (8 * sizeof(element) - 1)));
    return (element)((element)(x ^ (element)((sign & by.turned) | by.top)) * by.times + by.plus);
}

static __device__ inline uint64_t sort_check_added(const sort_coding &c, uint64_t x) {
    return sort_encode(c, x);
}
static __device__ inline uint64_t sort_check_added(const sort_coding &c, uint32_t x) {
    return sort_encode(c, x);
}
static __device__ inline uint64_t sort_check_added(const sort_coding &, uint16_t x) { return x; }
static __device__ inline uint64_t sort_check_added(const sort_coding &, uint8_t x) { return x; }

/* Numbers whose codes are not in order may still equal each other. */
static __device__ inline bool sort_check_is_before(const key_piece &number, uint64_t a, uint64_t b) {
    return key_piece_code(&number, a) < key_piece_code(&number, b);
}

/* The element before a warp's first vector; those before other vectors are other lanes' last. */
template <class element>
static __device__ inline element sort_check_ahead(const element *a, uint64_t n,
                                                  const vector_of<element> &held) {
    const bool is_there = warp_lane() == 0 && held.first > 0 && (uint64_t)held.first <= n;
    return is_there ? a[held.first - 1] : (element)0;
}

/* All lanes come to it. */
template <class element>
static __device__ inline uint32_t sort_check_order(const sort_check_numbers_table &t,
                                                   const sort_check_coder<element> &by,
                                                   const vector_of<element> &held, element ahead) {
    typedef typename sort_check_word<element>::of word;
    const word last = held.of.part[vector_of<element>::ELEMENTS - 1];
    const element other = (element)warp_from_lane(last, (warp_lane() + WARP_LANES - 1) % WARP_LANES);
    uint32_t faults = 0;
    if (warp_lane() != 0) ahead = other;
    element code = sort_check_code(by, ahead);
    UNROLL
    for (uint32_t j = 0; j < vector_of<element>::ELEMENTS; ++j) {
        const element now = held.of.part[j], next = sort_check_code(by, now);
        if (next < code && (held.valid >> j & 1) != 0 && held.first + j > 0)
            faults += sort_check_is_before(t.number, now, ahead);
        ahead = now;
        code = next;
    }
    return faults;
}

template <class element>
__global__ void LAUNCH_BOUNDS(CHECK_THREADS, 1)
    sort_check_numbers(element *, const element *__restrict__ a,
                       const GRID_CONSTANT sort_check_numbers_table t) {
    const sort_check_coder<element> by = sort_check_coder_of<element>(t.number);
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
            ahead[i] = t.has_order != 0 ? sort_check_ahead(a, t.n, held[i]) : (element)0;
        }
        UNROLL
        for (uint32_t i = 0; i < CHECK_AT_ONCE; ++i) {
            UNROLL
            for (uint32_t j = 0; j < vector_of<element>::ELEMENTS; ++j)
                if ((held[i].valid >> j & 1) != 0)
                    check_add_code(&sums, sort_check_added(t.coding, held[i].of.part[j]));
            if (t.has_order != 0) faults += sort_check_order(t, by, held[i], ahead[i]);
        }
    }
    check_end_block(t.record, (check_block *)shared_memory, sums, t.is_taken != 0);
    if (faults > 0) ATOMIC_ADD((unsigned long long *)&t.record->faults, (unsigned long long)faults);
}
