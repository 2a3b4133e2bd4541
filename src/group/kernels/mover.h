/* SPDX-License-Identifier: Apache-2.0
 *
 * A tile of short rows on its way: its rows come to shared memory as they are, while the block finds their order; then rows of one column go
 * out as a run:
 *
 *     shared    | rows | sums | where columns go | the tile's entries in order; before them ranks |
 */
#ifndef RIFFLE_GROUP_KERNELS_MOVER_H
#define RIFFLE_GROUP_KERNELS_MOVER_H

#include "check/kernels/sum_block.h"
#include "group/kernels/tile.h"

enum { FETCH_AT_ONCE = 8, SEND_AT_ONCE = 4 };

/** A tile on its way. */
template <class element> struct group_mover {
    element *rows;
    group_tile tile;
    group_span *to;
    uint32_t *order; /* the group and entry of each number */
    uint64_t first;
    uint32_t left; /* entries of the tile */
};

template <class element, uint32_t entries>
static __device__ inline group_mover<element> group_mover_in(uint64_t *shared, const group_table &t) {
    group_mover<element> out;
    out.rows = (element *)shared;
    out.tile.sums = (uint32_t *)(out.rows + entries);
    out.to = (group_span *)(out.tile.sums + GROUP_WARPS);
    out.order = (uint32_t *)(out.to + t.columns);
    out.tile.cells = out.order;
    out.first = (uint64_t)blockIdx.x * entries;
    out.left = group_left(t, out.first, entries);
    return out;
}

/** Rows that lie side by side and have 4 bytes and more come by themselves; fetch_wait waits for them. */
template <class element, uint32_t items, uint32_t i = 0>
static __device__ inline void group_fetch_stretch(const group_mover<element> &m, uint32_t at,
                                                  const element *from) {
    constexpr uint32_t ahead = i * WARP_LANES * (uint32_t)sizeof(element);
    fetch_if<ahead, element>(at + i * WARP_LANES < m.left, (char *)m.rows, at * (uint32_t)sizeof(element),
                             (const char *)from);
    if constexpr (i + 1 < items) group_fetch_stretch<element, items, i + 1>(m, at, from);
}

template <class element, uint32_t items>
static __device__ inline void group_fetch(const group_table &t, const group_mover<element> &m,
                                          const element *a) {
    const uint32_t at = group_tile_first<items>();
    if (sizeof(element) >= 4 && t.keys_per_row == 1) {
        group_fetch_stretch<element, items>(m, at, a + m.first + at);
        return;
    }
    UNROLL
    for (uint32_t some = 0; some < items; some += FETCH_AT_ONCE) {
        element held[FETCH_AT_ONCE];
        UNROLL
        for (uint32_t i = 0; i < FETCH_AT_ONCE; ++i) {
            const uint32_t entry = at + (some + i) * WARP_LANES;
            if (entry < m.left) held[i] = LOAD_STREAMED(a + group_row(t, m.first + entry));
        }
        UNROLL
        for (uint32_t i = 0; i < FETCH_AT_ONCE; ++i) {
            const uint32_t entry = at + (some + i) * WARP_LANES;
            if (entry < m.left) m.rows[entry] = held[i];
        }
    }
}

/** Where the tile's first entry of a group goes, and the end of what the group keeps. */
static __device__ inline group_span group_span_of(const group_table &t, uint32_t group) {
    group_span out = {0, 0};
    if (group >= t.columns) return out;
    const uint64_t chunk = blockIdx.x / t.chunk_tiles;
    out.place = (uint32_t)t.first[group] + t.counts[chunk * t.stride + group] +
                t.tiles[(uint64_t)blockIdx.x * t.stride + group];
    out.end = (uint32_t)t.end[group];
    return out;
}

/** Makes of the entries' columns their numbers in the tile, and says where columns go: before it, what group_span_of says of the thread's two. Returns
 * how many have a column. The block meets before tile.cells may be used for something else. */
template <class element, uint32_t items>
static __device__ inline uint32_t group_find_order(const group_table &t, const group_mover<element> &m,
                                                   group_span (&to)[2], uint32_t (&entry)[items]) {
    group_tile_pair pair;
    group_tile_rank(t, m.tile, entry);
    __syncthreads();
    const uint32_t count = group_tile_columns(t, m.tile, &pair);
    UNROLL
    for (uint32_t i = 0; i < 2; ++i) {
        to[i].place -= pair.start[i];
        if (2 * threadIdx.x + i < t.columns) m.to[2 * threadIdx.x + i] = to[i];
    }
    __syncthreads();
    group_tile_number(t, m.tile, entry);
    return count;
}

/** Adds a row that lies between two passes, with its place there and its group. */
template <class element>
static __device__ inline void group_sum_row(check_sums *sums, uint32_t place, uint32_t group,
                                            const element &row) {
    const check_pair keys = check_mix(place, group);
    check_part<element> part;
    check_part_of(row, part);
    check_element_end(sums, keys); /* rows of zeros have a group, too */
    UNROLL
    for (uint32_t k = 0; k < check_part<element>::WORDS; ++k)
        check_add_word(sums, check_keys_in(keys, k), part.of.word[k]);
}

/** Sends some rows, a block's threads apart, and with them their groups, where these are wanted: then columns are their lowest bytes. Where
 * is_summed they are added up. */
template <uint32_t some, bool is_summed, class element>
static __device__ inline void group_send_some(const group_mover<element> &m, element *b, uint16_t *names,
                                              uint32_t first, check_sums *sums) {
    element row[some];
    uint32_t place[some], end[some], group[some];
    UNROLL
    for (uint32_t i = 0; i < some; ++i) {
        const uint32_t entry = m.order[first + i * GROUP_THREADS];
        group[i] = group_packed_group(entry);
        const group_span to = m.to[names != nullptr ? group[i] % GROUP_LOW : group[i]];
        row[i] = m.rows[group_packed_number(entry)];
        place[i] = to.place + first + i * GROUP_THREADS;
        end[i] = to.end;
    }
    UNROLL
    for (uint32_t i = 0; i < some; ++i) {
        if (place[i] >= end[i]) continue;
        b[place[i]] = row[i];
        if (names != nullptr) names[place[i]] = (uint16_t)group[i];
        if (is_summed) group_sum_row(sums, place[i], group[i], row[i]);
    }
}

template <bool is_summed, class element>
static __device__ inline void group_send(const group_mover<element> &m, element *b, uint16_t *names,
                                         uint32_t count, check_sums *sums) {
    uint32_t k = threadIdx.x;
    for (; k + (SEND_AT_ONCE - 1) * GROUP_THREADS < count; k += SEND_AT_ONCE * GROUP_THREADS)
        group_send_some<SEND_AT_ONCE, is_summed>(m, b, names, k, sums);
    for (; k < count; k += GROUP_THREADS) group_send_some<1, is_summed>(m, b, names, k, sums);
}

/** Adds the block's sums to the record, or takes them from it, by its shared memory, which has nothing else then. All threads come to it. */
static __device__ inline void group_end_sums(const group_table &t, uint64_t *shared, check_sums sums,
                                             bool is_taken) {
    __syncthreads();
    check_end_block(t.compared, (check_block *)shared, sums, is_taken);
}

#endif
