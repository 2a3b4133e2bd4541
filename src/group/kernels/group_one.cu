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
    const uint32_t even = (t.rule.groups + 3) / 4 * 4;
    group_tile tile;
    tile.sums = (uint32_t *)(shared_memory + GROUP_WARPS);
    tile.start = tile.sums + GROUP_WARPS;
    tile.total = tile.start + even;
    tile.warps = (uint16_t *)(tile.total + even);
    uint32_t entry[GROUP_ITEMS];
    group_tile_clear(t, tile);
    __syncthreads();
    group_tile_rank(t, tile, 0, t.entries, entry);
    __syncthreads();
    const uint32_t all = group_tile_order(t, tile, entry);
    group_lay_out(t, tile.total, t.entries - all, shared_memory);
    __syncthreads();
    UNROLL
    for (uint32_t i = 0; i < GROUP_ITEMS; ++i) {
        const uint64_t at = group_tile_first<GROUP_ITEMS>() + i * WARP_LANES;
        const uint32_t group = group_packed_group(entry[i]);
        if (at >= t.entries) break;
        const uint64_t place = group < t.rule.groups
                                   ? t.first[group] + (group_packed_number(entry[i]) - tile.start[group])
                                   : GROUP_NO_PLACE;
        group_set_place(t, at, group < t.rule.groups && group_keeps(t, group, place) ? place : GROUP_NO_PLACE);
    }
}
