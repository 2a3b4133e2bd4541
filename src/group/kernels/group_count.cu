/* SPDX-License-Identifier: Apache-2.0
 *
 * Counts entries: a block has a chunk, and counts each group's entries in shared memory, or where groups are many in the chunk's row of
 * counts, which is zero before. A warp adds up at once what its lanes have in common with the first of them, so that many entries of one
 * group do not wait for each other.
 *
 * a and b are NULL.
 */
#include "group/kernels/keys.h"

static __device__ inline void group_add(uint32_t *counts, uint32_t group, bool is_entry) {
    const uint32_t first = warp_from_lane(group, 0);
    const uint32_t same = __ballot_sync(WARP_ALL_LANES, is_entry && group == first);
    if (!is_entry) return;
    if (group != first)
        ATOMIC_ADD(&counts[group], (uint32_t)1);
    else if (warp_lane() == 0)
        ATOMIC_ADD(&counts[group], (uint32_t)__popc(same));
}

template <uint32_t threads>
static __device__ inline void group_count_chunk(const group_table &t, uint32_t *counts) {
    const uint64_t first = blockIdx.x * t.chunk_entries,
                   end = first + t.chunk_entries < t.entries ? first + t.chunk_entries : t.entries;
    for (uint64_t base = first; base < end; base += threads * AT_ONCE) {
        uint32_t group[AT_ONCE];
        UNROLL
        for (uint32_t i = 0; i < AT_ONCE; ++i) group[i] = group_of(t, base + i * threads + threadIdx.x, end);
        UNROLL
        for (uint32_t i = 0; i < AT_ONCE; ++i)
            group_add(counts, group[i], base + i * threads + threadIdx.x < end);
    }
}

template <class element>
__global__ void LAUNCH_BOUNDS(GROUP_THREADS, GROUP_BLOCKS)
    group_count(element *, const element *, const GRID_CONSTANT group_table t) {
    extern __shared__ uint64_t shared_memory[];
    uint32_t *const counts = (uint32_t *)shared_memory;
    for (uint32_t k = threadIdx.x; k < t.stride; k += GROUP_THREADS) counts[k] = 0;
    __syncthreads();
    group_count_chunk<GROUP_THREADS>(t, counts);
    __syncthreads();
    uint32_t *const row = t.counts + (uint64_t)blockIdx.x * t.stride;
    for (uint32_t k = threadIdx.x; k < t.stride; k += GROUP_THREADS) row[k] = counts[k];
}

template <class element>
__global__ void LAUNCH_BOUNDS(GROUP_FEW_THREADS, 1)
    group_count_wide(element *, const element *, const GRID_CONSTANT group_table t) {
    group_count_chunk<GROUP_FEW_THREADS>(t, t.counts + (uint64_t)blockIdx.x * t.stride);
}
