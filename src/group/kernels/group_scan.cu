/* SPDX-License-Identifier: Apache-2.0
 *
 * From counts of chunks to places: group_scan has a line of columns a block, of which each warp adds up a stretch of chunks, and then
 * goes over it again; group_offsets is one block, which lays out the groups one behind the other.
 *
 * a and b are NULL.
 */
#include "group/kernels/layout.h"

enum { SCAN_AT_ONCE = 8 };

/* Adds up a warp's stretch of a column, from chunk to chunk; where it writes, counts become sums of those before. */
template <bool is_writing>
static __device__ inline uint32_t group_walk(const group_table &t, uint32_t column, uint32_t from, uint32_t end,
                                             uint32_t sum) {
    for (uint32_t chunk = from; chunk < end; chunk += SCAN_AT_ONCE) {
        uint32_t count[SCAN_AT_ONCE];
        UNROLL
        for (uint32_t i = 0; i < SCAN_AT_ONCE; ++i)
            count[i] = chunk + i < end ? t.counts[(uint64_t)(chunk + i) * t.stride + column] : 0;
        UNROLL
        for (uint32_t i = 0; i < SCAN_AT_ONCE; ++i) {
            if (is_writing && chunk + i < end) t.counts[(uint64_t)(chunk + i) * t.stride + column] = sum;
            sum += count[i];
        }
    }
    return sum;
}

template <class element>
__global__ void LAUNCH_BOUNDS(GROUP_SCAN_THREADS, 1)
    group_scan(element *, const element *, const GRID_CONSTANT group_table t) {
    extern __shared__ uint64_t shared_memory[];
    uint32_t *const sums = (uint32_t *)shared_memory; /* a number for each thread */
    const uint32_t warp = threadIdx.x / WARP_LANES, column = blockIdx.x * WARP_LANES + warp_lane();
    const uint32_t each = (t.chunks + GROUP_SCAN_WARPS - 1) / GROUP_SCAN_WARPS;
    const uint32_t from = warp * each < t.chunks ? warp * each : t.chunks,
                   end = from + each < t.chunks ? from + each : t.chunks;
    const uint32_t sum = group_walk<false>(t, column, from, end, 0);
    sums[threadIdx.x] = sum;
    __syncthreads();
    uint32_t before = 0;
    for (uint32_t w = 0; w < warp; ++w) before += sums[w * WARP_LANES + warp_lane()];
    if (warp == GROUP_SCAN_WARPS - 1) t.totals[column] = before + sum;
    group_walk<true>(t, column, from, end, before);
}

template <class element>
__global__ void LAUNCH_BOUNDS(GROUP_SCAN_THREADS, 1)
    group_offsets(element *, const element *, const GRID_CONSTANT group_table t) {
    extern __shared__ uint64_t shared_memory[];
    group_lay_out(t, t.totals, t.totals[t.columns], shared_memory);
}
