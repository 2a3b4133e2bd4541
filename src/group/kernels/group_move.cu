/* SPDX-License-Identifier: Apache-2.0
 *
 * Moves short rows to their groups, a tile a block. Runs of a group from one tile to the next lie side by side: the second-level cache has a
 * sector's other half still.
 */
#include "group/kernels/mover.h"

template <class element, uint32_t items>
static __device__ inline void group_give_places(const group_table &t, const group_mover<element> &m,
                                                const uint32_t (&entry)[items]) {
    const uint32_t at = group_tile_first<items>();
    if (t.index_bytes == 0) return;
    UNROLL
    for (uint32_t i = 0; i < items; ++i) {
        const uint32_t group = group_packed_group(entry[i]);
        uint64_t place = GROUP_NO_PLACE;
        if (group < t.columns) {
            const group_span to = m.to[group];
            const uint32_t found = to.place + group_packed_number(entry[i]);
            if (found < to.end) place = found;
        }
        if (at + i * WARP_LANES < m.left) group_set_place(t, m.first + at + i * WARP_LANES, place);
    }
}

template <class element, uint32_t items>
static __device__ inline void group_put_in_order(const group_table &t, const group_mover<element> &m,
                                                 const uint32_t (&entry)[items]) {
    const uint32_t at = group_tile_first<items>();
    UNROLL
    for (uint32_t i = 0; i < items; ++i) {
        const uint32_t group = group_packed_group(entry[i]);
        if (group < t.columns) m.order[group_packed_number(entry[i])] = group_pack(group, at + i * WARP_LANES);
    }
}

/* Keeps the lower bytes of four groups' numbers in each word: keys of the second pass of two. */
template <uint32_t items>
static __device__ inline void group_keep_low(const uint32_t (&entry)[items], uint32_t (&low)[items / 4]) {
    UNROLL
    for (uint32_t i = 0; i < items; ++i) low[i / 4] |= (entry[i] % GROUP_LOW) << i % 4 * 8;
}

/* Adds up the rows that the thread has fetched, which are there, with the numbers of their groups. */
template <class element, uint32_t items>
static __device__ inline check_sums group_sum_fetched(const group_mover<element> &m,
                                                      const uint32_t (&entry)[items],
                                                      const uint32_t (&low)[items / 4]) {
    const uint32_t at = group_tile_first<items>();
    check_sums sums = {0, 0};
    UNROLL
    for (uint32_t i = 0; i < items; ++i) {
        const uint32_t number = at + i * WARP_LANES,
                       group = group_packed_group(entry[i]) * GROUP_LOW + (low[i / 4] >> i % 4 * 8) % GROUP_LOW;
        if (number < m.left) group_sum_row(&sums, (uint32_t)m.first + number, group, m.rows[number]);
    }
    return sums;
}

/* is_summed: what is read is taken from the record. */
template <bool is_summed, class element>
__global__ void LAUNCH_BOUNDS(GROUP_THREADS, GROUP_BLOCKS)
    group_move(element *__restrict__ b, const element *__restrict__ a, const GRID_CONSTANT group_table t) {
    extern __shared__ uint64_t shared_memory[];
    constexpr uint32_t items = sizeof(element) == 16 ? GROUP_ITEMS / 2 : GROUP_ITEMS;
    const group_mover<element> m = group_mover_in<element, items * GROUP_THREADS>(shared_memory, t);
    const uint32_t at = group_tile_first<items>();
    uint32_t entry[items], low[items / 4] = {};
    check_sums sums = {0, 0};
    group_load<items, WARP_LANES>(t, m.first, at, m.left, entry);
    group_fetch<element, items>(t, m, a);
    group_span to[2] = {group_span_of(t, 2 * threadIdx.x), group_span_of(t, 2 * threadIdx.x + 1)};
    if (is_summed) group_keep_low(entry, low);
    group_name<items, WARP_LANES>(t, m.first, at, m.left, entry);
    const uint32_t count = group_find_order(t, m, to, entry);
    group_give_places(t, m, entry);
    __syncthreads();
    group_put_in_order(t, m, entry);
    fetch_wait();
    if (is_summed) sums = group_sum_fetched(m, entry, low);
    __syncthreads();
    group_send<false>(m, b, nullptr, count, &sums);
    if (is_summed) group_end_sums(t, shared_memory, sums, true);
}
