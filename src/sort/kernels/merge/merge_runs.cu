/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs, which merging begins with: a warp reads 64 blocks of keys, sorts them in registers and writes them.
 */
#include "sort/kernels/merge/merge_device.h"

/** Writes one unit of each record of a run: from lanes to neighbours by neighbours. */
template <uint32_t each, class unit>
static __device__ inline void merge_write_run(unit *b, uint32_t count, unit *shared, const unit (&own)[each]) {
    __syncwarp();
    UNROLL
    for (uint32_t r = 0; r < each; ++r) shared[sort_cell<each, unit>(warp_lane() * each + r)] = own[r];
    __syncwarp();
    UNROLL
    for (uint32_t r = 0; r < each; ++r) {
        const uint32_t i = r * WARP_LANES + warp_lane();
        if (i < count) b[i] = shared[sort_cell<each, unit>(i)];
    }
}

/** Reads only n and to_places of t. */
template <class kind, class element>
__global__ void LAUNCH_BOUNDS(MERGE_THREADS, 1)
    merge_runs(element *__restrict__ b, const element *__restrict__ a, const GRID_CONSTANT merge_table t) {
    constexpr uint32_t each = 2 * kind::block, run = WARP_LANES * each;
    extern __shared__ uint64_t shared_memory[];
    const uint32_t warp = threadIdx.x / WARP_LANES;
    const uint64_t begin = ((uint64_t)blockIdx.x * (MERGE_THREADS / WARP_LANES) + warp) * run;
    if (begin >= t.n) return;
    const uint32_t count = t.n - begin < run ? (uint32_t)(t.n - begin) : run;
    element *const shared = (element *)shared_memory + warp * sort_cell<each, element>(run);
    typename kind::record k[each];
    UNROLL
    for (uint32_t r = 0; r < each; ++r) {
        const uint32_t i = r * WARP_LANES + warp_lane();
        k[r] = kind::make(kind::of::last(), ~0u);
        if (i < count) k[r] = kind::make(kind::of::get(a[begin + i]), (uint32_t)begin + i);
    }
    sort_warp(k);
    element key[each];
    UNROLL
    for (uint32_t r = 0; r < each; ++r) key[r] = kind::of::put(kind::key_of(k[r]));
    merge_write_run(b + begin, count, shared, key);
    if constexpr (kind::has_places) {
        uint32_t place[each];
        UNROLL
        for (uint32_t r = 0; r < each; ++r) place[r] = kind::place_of(k[r]);
        merge_write_run(t.to_places + begin, count, (uint32_t *)shared, place);
    }
}
