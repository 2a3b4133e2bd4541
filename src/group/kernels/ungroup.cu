/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows brought back, by units of up to 16 bytes: a thread makes one of the result. It loads AT_ONCE of its places' units before it adds
 * them up, in the places' order.
 */
#include "group/kernels/ungroup.h"

static __device__ inline uint64_t ungroup_place(const ungroup_table &t, uint64_t entry) {
    const uint64_t place = group_place(t.places, t.rows.entry_bytes, entry);
    return place < t.limit ? place : GROUP_NO_PLACE;
}

/** Copies rows; places that are none make zeros. */
template <class element>
__global__ void LAUNCH_BOUNDS(GROUP_ROW_THREADS, 1)
    ungroup_rows(element *__restrict__ b, const element *__restrict__ a, const GRID_CONSTANT ungroup_table t) {
    const uint64_t first = (uint64_t)blockIdx.x * (GROUP_ROW_THREADS * GROUP_ROW_MOVES) + threadIdx.x;
    element held[GROUP_ROW_MOVES];
    UNROLL
    for (uint32_t i = 0; i < GROUP_ROW_MOVES; ++i) {
        const uint64_t k = first + i * GROUP_ROW_THREADS;
        if (k >= t.rows.parts) break;
        const uint64_t row = rows_row(&t.rows, k), place = ungroup_place(t, row);
        held[i] = element{};
        if (place != GROUP_NO_PLACE) held[i] = a[place * t.rows.row_parts + (k - row * t.rows.row_parts)];
    }
    UNROLL
    for (uint32_t i = 0; i < GROUP_ROW_MOVES; ++i)
        if (first + i * GROUP_ROW_THREADS < t.rows.parts)
            STORE_STREAMED(b + first + i * GROUP_ROW_THREADS, held[i]);
}

/* The numbers of an element, and their sum. */
template <class number, class element> struct ungroup_numbers {
    enum { count = sizeof(element) / sizeof(typename number::single) };
    typename number::wide sum[count];

    __device__ inline void add(const element &unit, typename number::wide factor, bool is_weighted,
                               bool is_first) {
        union {
            element whole;
            typename number::single each[count];
        } from;
        from.whole = unit;
        UNROLL
        for (uint32_t k = 0; k < count; ++k) {
            typename number::wide term = number::widen(from.each[k]);
            if (is_weighted) term = ungroup_product(factor, term);
            sum[k] = is_first ? term : ungroup_sum(sum[k], term);
        }
    }

    __device__ inline element whole(bool is_empty) const {
        union {
            element whole;
            typename number::single each[count];
        } to;
        UNROLL
        for (uint32_t k = 0; k < count; ++k) to.each[k] = is_empty ? 0 : number::narrow(sum[k]);
        return to.whole;
    }
};

template <class number, class element>
__global__ void LAUNCH_BOUNDS(GROUP_ROW_THREADS, 1)
    ungroup_sums(element *__restrict__ b, const element *__restrict__ a, const GRID_CONSTANT ungroup_table t) {
    typedef typename number::wide wide;
    const uint64_t k = (uint64_t)blockIdx.x * GROUP_ROW_THREADS + threadIdx.x;
    if (k >= t.rows.parts) return;
    const uint64_t row = rows_row(&t.rows, k), part = k - row * t.rows.row_parts, first = row * t.keys_per_row;
    const wide *const weights = (const wide *)t.weights;
    ungroup_numbers<number, element> numbers;
    bool is_first = true;
    for (uint32_t key = 0; key < t.keys_per_row; key += AT_ONCE) {
        element unit[AT_ONCE];
        uint64_t place[AT_ONCE];
        UNROLL
        for (uint32_t i = 0; i < AT_ONCE; ++i) {
            place[i] = key + i < t.keys_per_row ? ungroup_place(t, first + key + i) : GROUP_NO_PLACE;
            if (place[i] != GROUP_NO_PLACE) unit[i] = LOAD_STREAMED(a + (place[i] * t.rows.row_parts + part));
        }
        UNROLL
        for (uint32_t i = 0; i < AT_ONCE; ++i) {
            if (place[i] == GROUP_NO_PLACE) continue;
            numbers.add(unit[i], weights != nullptr ? weights[first + key + i] : (wide)1, weights != nullptr,
                        is_first);
            is_first = false;
        }
    }
    STORE_STREAMED(b + k, numbers.whole(is_first));
}
