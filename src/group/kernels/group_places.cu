/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds places: a warp has a chunk, and the chunk's row of counts says where the next entry of each group goes. Lanes of one group have
 * places side by side, in their order.
 *
 * a and b are NULL.
 */
#include "group/kernels/keys.h"

template <class element>
__global__ void LAUNCH_BOUNDS(GROUP_PLACE_WARPS *WARP_LANES, 1)
    group_places(element *, const element *, const GRID_CONSTANT group_table t) {
    const uint32_t chunk = blockIdx.x * GROUP_PLACE_WARPS + threadIdx.x / WARP_LANES;
    if (chunk >= t.chunks) return;
    uint32_t *const row = t.counts + (uint64_t)chunk * t.stride;
    const uint64_t first = chunk * t.chunk_entries,
                   end = first + t.chunk_entries < t.entries ? first + t.chunk_entries : t.entries;
    uint32_t next = group_of(t, first + warp_lane(), end);
    for (uint64_t base = first; base < end; base += WARP_LANES) {
        const uint64_t entry = base + warp_lane();
        const uint32_t group = next, same = group_lanes(t, group), rank = group_lanes_before(same);
        const bool is_in = group < t.rule.groups;
        next = group_of(t, entry + WARP_LANES, end);
        const uint32_t before = is_in ? row[group] : 0;
        __syncwarp();
        if (is_in && rank == 0) row[group] = before + (uint32_t)__popc(same);
        __syncwarp();
        const uint64_t place = is_in ? t.first[group] + before + rank : GROUP_NO_PLACE;
        if (entry < end)
            group_set_place(t, entry, is_in && group_keeps(t, group, place) ? place : GROUP_NO_PLACE);
    }
}
