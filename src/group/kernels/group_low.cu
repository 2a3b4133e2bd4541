/* SPDX-License-Identifier: Apache-2.0
 *
 * Short rows and many groups, in two passes: group_low moves rows to columns by the lowest bytes of their groups' numbers, and the numbers go
 * along; group_move then moves them by the other byte, and keeps their order. group_begin, between the two, says where groups begin:
 * a group is what one column of the second pass has of one of the first, and so begins with what tiles before that have. A block has a
 * column of the first. group_tell hands that on.
 *
 * a and b of the last two are NULL.
 */
#include "group/kernels/mover.h"

/* Keeps the upper bytes of four groups' numbers in each word, and makes columns of the numbers. */
template <uint32_t items>
static __device__ inline void group_split(const group_table &t, uint32_t (&entry)[items],
                                          uint32_t (&high)[items / 4]) {
    UNROLL
    for (uint32_t i = 0; i < items; ++i) {
        high[i / 4] |= (entry[i] / GROUP_LOW & 0xff) << i % 4 * 8;
        entry[i] = entry[i] < t.rule.groups ? entry[i] & t.column_mask : t.columns;
    }
}

/* is_summed: what is written is added to the record. */
template <bool is_summed, class element>
__global__ void LAUNCH_BOUNDS(GROUP_THREADS, GROUP_BLOCKS)
    group_low(element *__restrict__ b, const element *__restrict__ a, const GRID_CONSTANT group_table t,
              uint16_t *__restrict__ names) {
    extern __shared__ uint64_t shared_memory[];
    constexpr uint32_t items = sizeof(element) == 16 ? GROUP_ITEMS / 2 : GROUP_ITEMS;
    const group_mover<element> m = group_mover_in<element, items * GROUP_THREADS>(shared_memory, t);
    const uint32_t at = group_tile_first<items>();
    uint32_t entry[items], high[items / 4] = {};
    group_load<items, WARP_LANES>(t, m.first, at, m.left, entry);
    group_fetch<element, items>(t, m, a);
    group_span to[2] = {group_span_of(t, 2 * threadIdx.x), group_span_of(t, 2 * threadIdx.x + 1)};
    group_name<items, WARP_LANES>(t, m.first, at, m.left, entry);
    group_split(t, entry, high);
    const uint32_t count = group_find_order(t, m, to, entry);
    __syncthreads();
    UNROLL
    for (uint32_t i = 0; i < items; ++i) {
        const uint32_t column = group_packed_group(entry[i]),
                       group = (high[i / 4] >> i % 4 * 8 & 0xff) * GROUP_LOW + column;
        if (column < t.columns) m.order[group_packed_number(entry[i])] = group_pack(group, at + i * WARP_LANES);
    }
    fetch_wait();
    __syncthreads();
    check_sums sums = {0, 0};
    group_send<is_summed>(m, b, names, count, &sums);
    if (is_summed) group_end_sums(t, shared_memory, sums, false);
}

/* The table is the second pass's. */
template <class element>
__global__ void LAUNCH_BOUNDS(GROUP_LOW, 1)
    group_begin(element *, const element *, const GRID_CONSTANT group_table t,
                const uint64_t *__restrict__ low_first, uint64_t *__restrict__ begins, uint32_t groups) {
    extern __shared__ uint64_t shared_memory[];
    uint32_t *const counts = (uint32_t *)shared_memory;
    const uint16_t *const names = (const uint16_t *)t.keys;
    const uint32_t column = threadIdx.x, group = column * GROUP_LOW + blockIdx.x;
    const uint64_t at = low_first[blockIdx.x], all = *t.count, tile = at / t.tile_entries;
    counts[column] = 0;
    __syncthreads();
    for (uint64_t k = tile * t.tile_entries + threadIdx.x; k < at; k += GROUP_LOW)
        ATOMIC_ADD(&counts[names[k] / GROUP_LOW], (uint32_t)1);
    __syncthreads();
    if (group == 0) begins[groups] = all;
    if (group >= groups) return;
    begins[group] = at == all ? t.end[column]
                              : t.first[column] + t.counts[tile / t.chunk_tiles * t.stride + column] +
                                    t.tiles[tile * t.stride + column] + counts[column];
}

template <class element>
__global__ void LAUNCH_BOUNDS(GROUP_FEW_THREADS, 1)
    group_tell(element *, const element *, const GRID_CONSTANT group_table t) {
    const uint32_t group = blockIdx.x * GROUP_FEW_THREADS + threadIdx.x;
    if (group > t.rule.groups) return;
    if (t.offsets != nullptr) t.offsets[group] = t.first[group];
    if (t.kept != nullptr && group < t.rule.groups) t.kept[group] = t.first[group + 1] - t.first[group];
}
