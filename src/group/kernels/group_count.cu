/* SPDX-License-Identifier: Apache-2.0
 *
 * Counts entries. group_count has a chunk of whole tiles a block, counts each group's entries in shared memory, and leaves for each tile
 * how many the chunk's tiles before it have. group_count_wide counts in the chunk's row of counts, which is zero before; a warp adds up at once
 * what its lanes have in common with the first of them, so that many entries of one group do not wait for each other.
 *
 * a and b are NULL.
 */
#include "group/kernels/keys.h"

enum { COUNT_AT_ONCE = 8 };

static __device__ inline void group_add(uint32_t *counts, uint32_t group, bool is_entry) {
    const uint32_t first = warp_from_lane(group, 0);
    const uint32_t same = __ballot_sync(WARP_ALL_LANES, is_entry && group == first);
    if (!is_entry) return;
    if (group != first)
        ATOMIC_ADD(&counts[group], (uint32_t)1);
    else if (warp_lane() == 0)
        ATOMIC_ADD(&counts[group], (uint32_t)__popc(same));
}

/* All threads of a block count a tile, some entries of each at a time. Entries behind the last are counted as outside, and taken away again. */
static __device__ inline void group_count_tile(const group_table &t, uint64_t first, uint32_t *counts) {
    const uint32_t left = group_left(t, first, t.tile_entries);
    if (left == 0) return;
    for (uint32_t base = 0; base < t.tile_entries; base += GROUP_THREADS * COUNT_AT_ONCE) {
        uint32_t group[COUNT_AT_ONCE];
        group_load<COUNT_AT_ONCE, GROUP_THREADS>(t, first, base + threadIdx.x, left, group);
        group_name<COUNT_AT_ONCE, GROUP_THREADS>(t, first, base + threadIdx.x, left, group);
        UNROLL
        for (uint32_t i = 0; i < COUNT_AT_ONCE; ++i)
            ATOMIC_ADD(&counts[group[i] < t.rule.groups ? group[i] & t.column_mask : t.columns], (uint32_t)1);
    }
    if (threadIdx.x == 0) ATOMIC_ADD(&counts[t.columns], left - t.tile_entries);
}

template <class element>
__global__ void LAUNCH_BOUNDS(GROUP_THREADS, GROUP_COUNT_BLOCKS)
    group_count(element *, const element *, const GRID_CONSTANT group_table t) {
    extern __shared__ uint64_t shared_memory[];
    uint32_t *const counts = (uint32_t *)shared_memory;
    uint64_t first = blockIdx.x * t.chunk_entries;
    uint32_t *row = t.tiles + (uint64_t)blockIdx.x * t.chunk_tiles * t.stride;
    for (uint32_t k = threadIdx.x; k < t.stride; k += GROUP_THREADS) counts[k] = 0;
    __syncthreads();
    for (uint32_t tile = 0; tile < t.chunk_tiles && first < t.entries; ++tile) {
        for (uint32_t k = threadIdx.x; k < t.columns; k += GROUP_THREADS) row[k] = counts[k];
        __syncthreads();
        group_count_tile(t, first, counts);
        __syncthreads();
        first += t.tile_entries;
        row += t.stride;
    }
    row = t.counts + (uint64_t)blockIdx.x * t.stride;
    for (uint32_t k = threadIdx.x; k < t.stride; k += GROUP_THREADS) row[k] = counts[k];
}

template <class element>
__global__ void LAUNCH_BOUNDS(GROUP_FEW_THREADS, 1)
    group_count_wide(element *, const element *, const GRID_CONSTANT group_table t) {
    uint32_t *const counts = t.counts + (uint64_t)blockIdx.x * t.stride;
    const uint64_t first = blockIdx.x * t.chunk_entries,
                   end = first + t.chunk_entries < t.entries ? first + t.chunk_entries : t.entries;
    for (uint64_t base = first; base < end; base += GROUP_FEW_THREADS * AT_ONCE) {
        uint32_t group[AT_ONCE];
        UNROLL
        for (uint32_t i = 0; i < AT_ONCE; ++i)
            group[i] = group_of(t, base + i * GROUP_FEW_THREADS + threadIdx.x, end);
        UNROLL
        for (uint32_t i = 0; i < AT_ONCE; ++i)
            group_add(counts, group[i], base + i * GROUP_FEW_THREADS + threadIdx.x < end);
    }
}
