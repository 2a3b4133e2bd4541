/* SPDX-License-Identifier: Apache-2.0
 *
 * The order of a tile's entries by group, which keeps theirs. A warp has a stretch of the tile, and 32 entries of it at a time:
 *
 *     ranks      within the warp: its entries of the group so far, and the lanes before this one that have the group
 *     columns    the tile's entries of the groups before, and of the group those of the warps before
 *
 * The two add up to an entry's number in the tile. A warp has a cell of 2 bytes for each group, which is the one, then the other.
 */
#ifndef RIFFLE_GROUP_KERNELS_TILE_H
#define RIFFLE_GROUP_KERNELS_TILE_H

#include "group/kernels/keys.h"

/** A tile's numbers in shared memory. */
struct group_tile {
    uint32_t *cells; /**< a row of each warp: two groups a word, so that atomic additions reach them */
    uint32_t *sums;  /**< a number for each warp */
};

/** Words of a warp's row of cells; one is for entries outside. */
static __device__ inline uint32_t group_tile_pairs(const group_table &t) { return t.columns / 2 + 1; }

static __device__ inline uint32_t *group_tile_row(const group_table &t, const group_tile &tile) {
    return tile.cells + threadIdx.x / WARP_LANES * group_tile_pairs(t);
}

/** An entry of a tile: its group, and its rank in the warp, then its number in the tile. */
static __device__ inline uint32_t group_pack(uint32_t group, uint32_t number) { return group << 16 | number; }
static __device__ inline uint32_t group_packed_group(uint32_t packed) { return packed >> 16; }
static __device__ inline uint32_t group_packed_number(uint32_t packed) { return packed & 0xffff; }

/** The number, from the tile's first, of the first entry that a thread has; the next are WARP_LANES behind each other. */
template <uint32_t items> static __device__ inline uint32_t group_tile_first() {
    return threadIdx.x / WARP_LANES * (items * WARP_LANES) + warp_lane();
}

/** The rank of a lane whose group has `count` entries so far, these ones included. All lanes come to it. `before` is how many there were
 *  when the lane was counted: where lanes of one group were counted in another order than theirs, all but the one that was
 *  counted last see a difference, and the group's lanes are looked for. */
static __device__ inline uint32_t group_rank_in_order(uint32_t group, uint32_t before, uint32_t count) {
    uint32_t rank = before, left = __ballot_sync(WARP_ALL_LANES, before + 1 != count);
    while (left != 0) {
        const uint32_t one = warp_from_lane(group, (uint32_t)__ffs((int)left) - 1),
                       same = __ballot_sync(WARP_ALL_LANES, group == one);
        if (group == one) rank = count - (uint32_t)__popc(same) + group_lanes_before(same);
        left &= ~same;
    }
    return rank;
}

/** Ranks of groups that are many, so that lanes seldom have one in common. */
template <uint32_t items>
static __device__ inline void group_tile_rank_many(uint32_t *row, uint32_t (&entry)[items]) {
    const uint16_t *const counts = (const uint16_t *)row;
    UNROLL
    for (uint32_t i = 0; i < items; ++i) {
        const uint32_t group = entry[i], shift = group % 2 * 16;
        const uint32_t before = ATOMIC_ADD(&row[group / 2], (uint32_t)1 << shift) >> shift & 0xffff;
        __syncwarp();
        const uint32_t count = counts[group];
        __syncwarp();
        entry[i] = group_pack(group, group_rank_in_order(group, before, count));
    }
}

/** Ranks of groups that are few. */
template <uint32_t items>
static __device__ inline void group_tile_rank_few(const group_table &t, uint32_t *row,
                                                  uint32_t (&entry)[items]) {
    uint16_t *const counts = (uint16_t *)row;
    UNROLL
    for (uint32_t i = 0; i < items; ++i) {
        const uint32_t group = entry[i], same = group_lanes(t, group), rank = group_lanes_before(same);
        const bool is_in = group < t.columns;
        const uint32_t before = is_in ? counts[group] : 0;
        __syncwarp();
        if (is_in && rank == 0) counts[group] = (uint16_t)(before + (uint32_t)__popc(same));
        __syncwarp();
        entry[i] = group_pack(group, before + rank);
    }
}

/** Makes of groups ranks in the warp. A warp meets no other. */
template <uint32_t items>
static __device__ inline void group_tile_rank(const group_table &t, const group_tile &tile,
                                              uint32_t (&entry)[items]) {
    uint32_t *const row = group_tile_row(t, tile);
    for (uint32_t k = warp_lane(); k < group_tile_pairs(t); k += WARP_LANES) row[k] = 0;
    __syncwarp();
    if (t.bits < GROUP_MANY_BITS)
        group_tile_rank_few(t, row, entry);
    else
        group_tile_rank_many(row, entry);
}

/** Two groups of a tile, 2 threadIdx.x and the next: how many entries they have, and how many all before them. */
struct group_tile_pair {
    uint32_t total[2], start[2];
};

/** Makes of counts columns. Returns the tile's entries of all groups. The block has met before it, and meets after it. */
static __device__ inline uint32_t group_tile_columns(const group_table &t, const group_tile &tile,
                                                     group_tile_pair *out) {
    const uint32_t pairs = group_tile_pairs(t);
    const bool is_pair = 2 * threadIdx.x < t.columns, are_both = 2 * threadIdx.x + 1 < t.columns;
    uint32_t count[GROUP_WARPS], sum = 0, all;
    UNROLL
    for (uint32_t warp = 0; warp < GROUP_WARPS; ++warp) {
        count[warp] = is_pair ? tile.cells[warp * pairs + threadIdx.x] : 0;
        sum += count[warp];
    }
    out->total[0] = sum & 0xffff;
    out->total[1] = are_both ? sum >> 16 : 0;
    out->start[0] = group_sum_before(out->total[0] + out->total[1], tile.sums, &all);
    out->start[1] = out->start[0] + out->total[0];
    uint32_t next = out->start[0] | out->start[1] << 16;
    UNROLL
    for (uint32_t warp = 0; warp < GROUP_WARPS; ++warp) {
        if (is_pair) tile.cells[warp * pairs + threadIdx.x] = next;
        next += count[warp];
    }
    return all;
}

/** Makes of the entries' ranks their numbers in the tile. The block has met before it. */
template <uint32_t items>
static __device__ inline void group_tile_number(const group_table &t, const group_tile &tile,
                                                uint32_t (&entry)[items]) {
    const uint16_t *const column = (const uint16_t *)group_tile_row(t, tile);
    UNROLL
    for (uint32_t i = 0; i < items; ++i) {
        const uint32_t group = group_packed_group(entry[i]);
        if (group < t.columns) entry[i] += column[group];
    }
}

#endif
