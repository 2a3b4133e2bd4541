/* SPDX-License-Identifier: Apache-2.0
 *
 * Few entries, all of them one block's tile: counted, laid out and placed in one launch.
 *
 *     shared    | sums | starts | totals | ranks |
 *
 * a and b are NULL.
 */
#include "group/kernels/layout.h"
#include "group/kernels/tile.h"

template <class element>
__global__ void LAUNCH_BOUNDS(GROUP_THREADS, 1)
    group_one(element *, const element *, const GRID_CONSTANT group_table t) {
    extern __shared__ uint64_t shared_memory[];
    const uint32_t even = (t.columns + 3) / 4 * 4, at = group_tile_first<GROUP_ITEMS>(),
                   left = (uint32_t)t.entries;
    group_tile tile;
    tile.sums = (uint32_t *)(shared_memory + GROUP_WARPS);
    uint32_t *const start = tile.sums + GROUP_WARPS, *const total = start + even;
    tile.cells = total + even;
    uint32_t entry[GROUP_ITEMS];
    group_tile_pair pair;
    group_load<GROUP_ITEMS, WARP_LANES>(t, 0, at, left, entry);
    group_name<GROUP_ITEMS, WARP_LANES>(t, 0, at, left, entry);
    group_tile_rank(t, tile, entry);
    __syncthreads();
    const uint32_t all = group_tile_columns(t, tile, &pair);
    UNROLL
    for (uint32_t i = 0; i < 2; ++i) {
        if (2 * threadIdx.x + i >= t.columns) continue;
        start[2 * threadIdx.x + i] = pair.start[i];
        total[2 * threadIdx.x + i] = pair.total[i];
    }
    __syncthreads();
    group_tile_number(t, tile, entry);
    group_lay_out(t, total, t.entries - all, shared_memory);
    __syncthreads();
    UNROLL
    for (uint32_t i = 0; i < GROUP_ITEMS; ++i) {
        const uint32_t group = group_packed_group(entry[i]);
        if (at + i * WARP_LANES >= left) break;
        const uint64_t place = group < t.columns
                                   ? t.first[group] + (group_packed_number(entry[i]) - start[group])
                                   : GROUP_NO_PLACE;
        group_set_place(t, at + i * WARP_LANES,
                        group < t.columns && group_keeps(t, group, place) ? place : GROUP_NO_PLACE);
    }
}
