/* SPDX-License-Identifier: Apache-2.0
 *
 * The order of a tile's entries by group, which keeps theirs. A warp has a stretch of the tile, and 32 entries of it at a time:
 *
 *     ranks      within the warp: its entries of the group so far, and the lanes before this one that have the group
 *     columns    the same of the warps before, and how many the tile has of each group
 *     starts     the tile's entries of the groups before
 *
 * The three add up to an entry's number in the tile.
 */
#ifndef RIFFLE_GROUP_KERNELS_TILE_H
#define RIFFLE_GROUP_KERNELS_TILE_H

#include "group/kernels/keys.h"

/** A tile's numbers in shared memory. */
struct group_tile {
    uint16_t *warps;         /**< entries of each group so far: groups numbers of each warp */
    uint32_t *total, *start; /**< entries of each group, and of the groups before */
    uint32_t *sums;          /**< a number for each warp */
};

/** An entry of a tile: its group, and its rank in the warp, then its number in the tile. */
static __device__ inline uint32_t group_pack(uint32_t group, uint32_t number) { return group << 16 | number; }
static __device__ inline uint32_t group_packed_group(uint32_t packed) { return packed >> 16; }
static __device__ inline uint32_t group_packed_number(uint32_t packed) { return packed & 0xffff; }

/** The number, from the tile's first, of the first entry that a thread has; the next are WARP_LANES behind each other. */
template <uint32_t items> static __device__ inline uint32_t group_tile_first() {
    return threadIdx.x / WARP_LANES * (items * WARP_LANES) + warp_lane();
}

static __device__ inline void group_tile_clear(const group_table &t, const group_tile &tile) {
    uint32_t *const words = (uint32_t *)tile.warps;
    const uint32_t count = t.rule.groups * (GROUP_WARPS / 2);
    for (uint32_t k = threadIdx.x; k < count; k += GROUP_THREADS) words[k] = 0;
}

template <uint32_t items>
static __device__ inline void group_tile_rank(const group_table &t, const group_tile &tile, uint64_t first,
                                              uint64_t end, uint32_t (&entry)[items]) {
    uint16_t *const mine = tile.warps + threadIdx.x / WARP_LANES * t.rule.groups;
    const uint64_t from = first + group_tile_first<items>();
    UNROLL
    for (uint32_t i = 0; i < items; ++i) entry[i] = group_of(t, from + i * WARP_LANES, end);
    UNROLL
    for (uint32_t i = 0; i < items; ++i) {
        const uint32_t group = entry[i], same = group_lanes(t, group), rank = group_lanes_before(same);
        const bool is_in = group < t.rule.groups;
        const uint32_t before = is_in ? mine[group] : 0;
        __syncwarp();
        if (is_in && rank == 0) mine[group] = (uint16_t)(before + (uint32_t)__popc(same));
        __syncwarp();
        entry[i] = group_pack(group, before + rank);
    }
}

static __device__ inline void group_tile_columns(const group_table &t, const group_tile &tile) {
    const uint32_t groups = t.rule.groups;
    for (uint32_t group = threadIdx.x; group < groups; group += GROUP_THREADS) {
        uint32_t sum = 0;
        for (uint32_t warp = 0; warp < GROUP_WARPS; ++warp) {
            const uint32_t count = tile.warps[warp * groups + group];
            tile.warps[warp * groups + group] = (uint16_t)sum;
            sum += count;
        }
        tile.total[group] = sum;
    }
}

/** Returns the tile's entries of all groups. */
static __device__ inline uint32_t group_tile_starts(const group_table &t, const group_tile &tile) {
    const uint32_t groups = t.rule.groups, each = (groups + GROUP_THREADS - 1) / GROUP_THREADS;
    const uint32_t from = threadIdx.x * each;
    uint32_t mine = 0, all;
    for (uint32_t k = from; k < from + each && k < groups; ++k) mine += tile.total[k];
    uint32_t before = group_sum_before(mine, tile.sums, &all);
    for (uint32_t k = from; k < from + each && k < groups; ++k) {
        tile.start[k] = before;
        before += tile.total[k];
    }
    return all;
}

/** Makes of the entries' ranks their numbers in the tile. Returns how many have a group. The block has met before it, and meets after it before
 *  tile.warps may be used for something else. */
template <uint32_t items>
static __device__ inline uint32_t group_tile_order(const group_table &t, const group_tile &tile,
                                                   uint32_t (&entry)[items]) {
    const uint16_t *const mine = tile.warps + threadIdx.x / WARP_LANES * t.rule.groups;
    group_tile_columns(t, tile);
    __syncthreads();
    const uint32_t all = group_tile_starts(t, tile);
    __syncthreads();
    UNROLL
    for (uint32_t i = 0; i < items; ++i) {
        const uint32_t group = group_packed_group(entry[i]);
        if (group < t.rule.groups)
            entry[i] = group_pack(group, tile.start[group] + mine[group] + group_packed_number(entry[i]));
    }
    return all;
}

#endif
