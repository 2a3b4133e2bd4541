/* SPDX-License-Identifier: Apache-2.0
 *
 * Moves short rows to their groups: a block has a chunk, and of it tile after tile, which is put in order in shared memory, so that rows
 * of one group go out as a run:
 *
 *     shared    | next place of each group | starts | totals | sums | groups of the tile's rows | rows in order; before them ranks |
 *
 * Runs of a group from one tile to the next lie side by side: the second-level cache has a sector's other half still.
 */
#include "group/kernels/tile.h"

enum { STAGE_AT_ONCE = 8 };

/* A chunk on its way. */
template <class element> struct group_mover {
    group_tile tile;
    uint64_t *next; /* the place of the tile's first row of each group */
    uint16_t *names;
    element *rows;
};

template <class element, uint32_t entries>
static __device__ inline group_mover<element> group_mover_in(uint64_t *shared, uint32_t groups) {
    group_mover<element> out;
    const uint32_t even = (groups + 3) / 4 * 4;
    out.next = shared;
    out.tile.start = (uint32_t *)(shared + even);
    out.tile.total = out.tile.start + even;
    out.tile.sums = out.tile.total + even;
    out.names = (uint16_t *)(out.tile.sums + GROUP_WARPS);
    out.rows = (element *)(out.names + entries);
    out.tile.warps = (uint16_t *)out.rows;
    return out;
}

template <class element, uint32_t items>
static __device__ inline void group_take_places(const group_table &t, const group_mover<element> &m,
                                                uint64_t first, uint64_t end, const uint32_t (&entry)[items]) {
    if (t.index_bytes == 0) return;
    const uint64_t from = first + group_tile_first<items>();
    UNROLL
    for (uint32_t i = 0; i < items; ++i) {
        const uint32_t group = group_packed_group(entry[i]);
        uint64_t place = GROUP_NO_PLACE;
        if (group < t.rule.groups) {
            place = m.next[group] + (group_packed_number(entry[i]) - m.tile.start[group]);
            if (!group_keeps(t, group, place)) place = GROUP_NO_PLACE;
        }
        if (from + i * WARP_LANES < end) group_set_place(t, from + i * WARP_LANES, place);
    }
}

/* Some of a thread's entries at a time, so that their rows stay in registers. */
template <class element, uint32_t items>
static __device__ inline void group_stage(const group_table &t, const group_mover<element> &m, const element *a,
                                          uint64_t first, const uint32_t (&entry)[items]) {
    const uint64_t from = first + group_tile_first<items>();
    UNROLL
    for (uint32_t some = 0; some < items; some += STAGE_AT_ONCE) {
        element held[STAGE_AT_ONCE];
        UNROLL
        for (uint32_t i = 0; i < STAGE_AT_ONCE; ++i)
            if (group_packed_group(entry[some + i]) < t.rule.groups)
                held[i] = LOAD_STREAMED(a + group_row(t, from + (some + i) * WARP_LANES));
        UNROLL
        for (uint32_t i = 0; i < STAGE_AT_ONCE; ++i) {
            const uint32_t group = group_packed_group(entry[some + i]);
            if (group >= t.rule.groups) continue;
            m.rows[group_packed_number(entry[some + i])] = held[i];
            m.names[group_packed_number(entry[some + i])] = (uint16_t)group;
        }
    }
}

template <class element>
static __device__ inline void group_send(const group_table &t, const group_mover<element> &m, element *b,
                                         uint32_t count) {
    for (uint32_t k = threadIdx.x; k < count; k += GROUP_THREADS) {
        const uint32_t group = m.names[k];
        const uint64_t place = m.next[group] + (k - m.tile.start[group]);
        if (group_keeps(t, group, place)) b[place] = m.rows[k];
    }
}

template <class element>
__global__ void LAUNCH_BOUNDS(GROUP_THREADS, GROUP_BLOCKS)
    group_move(element *__restrict__ b, const element *__restrict__ a, const GRID_CONSTANT group_table t) {
    extern __shared__ uint64_t shared_memory[];
    constexpr uint32_t items = sizeof(element) == 16 ? GROUP_ITEMS / 2 : GROUP_ITEMS;
    const group_mover<element> m = group_mover_in<element, items * GROUP_THREADS>(shared_memory, t.rule.groups);
    const uint64_t from = blockIdx.x * t.chunk_entries,
                   end = from + t.chunk_entries < t.entries ? from + t.chunk_entries : t.entries;
    const uint32_t *const before = t.counts + (uint64_t)blockIdx.x * t.stride;
    for (uint32_t k = threadIdx.x; k < t.rule.groups; k += GROUP_THREADS) m.next[k] = t.first[k] + before[k];
    for (uint64_t first = from; first < end; first += items * GROUP_THREADS) {
        uint32_t entry[items];
        group_tile_clear(t, m.tile);
        __syncthreads();
        group_tile_rank(t, m.tile, first, end, entry);
        __syncthreads();
        const uint32_t count = group_tile_order(t, m.tile, entry);
        group_take_places(t, m, first, end, entry);
        __syncthreads();
        group_stage(t, m, a, first, entry);
        __syncthreads();
        group_send(t, m, b, count);
        __syncthreads();
        for (uint32_t k = threadIdx.x; k < t.rule.groups; k += GROUP_THREADS) m.next[k] += m.tile.total[k];
    }
}
