/* SPDX-License-Identifier: Apache-2.0
 *
 * 2D sorting in registers (dissertation, section 4.2.1): a warp's records are an array of `each` registers by 32
 * lanes, in the order of lanes and within a lane of registers. First each lane sorts its own by a network over
 * register names; then groups of 2, 4, ... 32 lanes merge: the lanes exchange by shuffles, then each merges its own.
 *
 *     Sorting lanes and registers in turn, as Scherson and Sen do, takes log2 of the lanes rounds of both; merging
 *     takes 15 exchanges in all, and no register is sorted twice.
 */
#ifndef RIFFLE_SORT_KERNELS_SORT_REGISTERS_H
#define RIFFLE_SORT_KERNELS_SORT_REGISTERS_H

#include "sort/kernels/sort_record.h"

/** How many of `length` there are from `from` on. */
static __device__ inline uint32_t sort_left(uint32_t length, uint32_t from) {
    return length > from ? length - from : 0;
}

/** Batcher's merge exchange, of any number of registers. */
template <uint32_t each, class record> static __device__ inline void sort_thread(record (&k)[each]) {
    UNROLL
    for (uint32_t p = 1; p < each; p *= 2) {
        UNROLL
        for (uint32_t q = p; q >= 1; q /= 2) {
            UNROLL
            for (uint32_t i = 0; i + q < each; ++i) {
                const uint32_t j = q % p;
                if (i >= j && (i - j) / q % 2 == 0 && i / (2 * p) == (i + q) / (2 * p))
                    sort_two(k[i], k[i + q]);
            }
        }
    }
}

/** A bitonic sequence of 2^i or 3 * 2^i registers becomes an ordered one. */
template <uint32_t each, class record> static __device__ inline void sort_merge_thread(record (&k)[each]) {
    UNROLL
    for (uint32_t two = each; two % 2 == 0; two /= 2) {
        UNROLL
        for (uint32_t i = 0; i < each; ++i)
            if (i % two < two / 2) sort_two(k[i], k[i + two / 2]);
    }
    if constexpr (each % 3 == 0) {
        UNROLL
        for (uint32_t i = 0; i < each; i += 3) {
            sort_two(k[i], k[i + 1]);
            sort_two(k[i + 1], k[i + 2]);
            sort_two(k[i], k[i + 1]);
        }
    }
}

/* Lanes `by` apart exchange: those with a 0 in that bit keep what comes first. */
template <uint32_t each, class record>
static __device__ inline void sort_exchange_lanes(record (&k)[each], uint32_t by) {
    const bool later = (warp_lane() & by) != 0;
    UNROLL
    for (uint32_t r = 0; r < each; ++r) k[r] = sort_keep(k[r], warp_across(k[r], by), later);
}

/** Bitonic sequences of groups of 2 `by` lanes become ordered ones, of lanes that are in it; all others have ordered ones. */
template <uint32_t each, class record>
static __device__ inline void sort_merge_lanes(record (&k)[each], uint32_t by, bool is_in = true) {
    ROLL for (; by >= 1; by /= 2) sort_exchange_lanes(k, is_in ? by : 0);
    sort_merge_thread(k);
}

/** From records of each lane in order, those of a group of `own` lanes: of a warp, or of fewer, which may differ in groups that
 *  have no more than `most`. A lane whose group is in order exchanges with itself. */
template <uint32_t each, class record>
static __device__ inline void sort_lanes(record (&k)[each], uint32_t own = WARP_LANES,
                                         uint32_t most = WARP_LANES) {
    ROLL for (uint32_t group = 2; group <= most; group *= 2) {
        const bool is_in = group <= own, later = (warp_lane() & group / 2) != 0;
        const uint32_t by = is_in ? group - 1 : 0;
        UNROLL
        for (uint32_t r = 0; r < each / 2; ++r) { /* the second half of a group in reverse */
            const record a = warp_across(k[each - 1 - r], by), b = warp_across(k[r], by);
            k[r] = sort_keep(k[r], a, is_in && later);
            k[each - 1 - r] = sort_keep(k[each - 1 - r], b, !is_in || later);
        }
        sort_merge_lanes(k, group / 4, is_in);
    }
}

/** A warp's records in order. */
template <uint32_t each, class record> static __device__ inline void sort_warp(record (&k)[each]) {
    sort_thread(k);
    sort_lanes(k);
}

/** Where in shared memory the record of rank p lies, so that neither lanes with `each` ranks nor 32 ranks side by
 *  side meet in a bank: a gap after each `each` * i words that are whole rows of banks. */
template <uint32_t each, class record> static __device__ constexpr uint32_t sort_cell(uint32_t p) {
    constexpr uint32_t row = sizeof(record) > 4 ? 128 / sizeof(record) : 32;
    constexpr uint32_t third = each % 3 == 0 ? each / 3 : each;
    constexpr uint32_t whole = (each % 3 == 0 ? 3 : 1) * (third > row ? third : row);
    return p + p / whole;
}

/** For ranks side by side: from where that of register 0 lies to that of register r, the same for all lanes. */
template <uint32_t lanes, uint32_t each> static __device__ constexpr uint32_t sort_row(uint32_t r) {
    static_assert(lanes == WARP_LANES || each % 3 != 0, "rows of lanes are cut by gaps");
    return sort_cell<each, uint32_t>(r * lanes);
}

#endif
