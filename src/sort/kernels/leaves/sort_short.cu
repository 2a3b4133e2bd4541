/* SPDX-License-Identifier: Apache-2.0
 *
 * Short leaves, as segments may be: a warp sorts several at a time, of any lengths, side by side in its registers.
 *
 *     memory    | leaf 0 | leaf 1                | leaf 2   |     a stretch, read once and written once
 *     rows      | leaf 1      |             | leaf 2    |__| leaf 0 |__|     a lane a row of `each` keys
 *
 * A leaf has 1, 2, 4, ... 32 rows, as few as hold it, and begins at a multiple of that: those with the most rows come
 * first. The rest of its last row is filled with the last of all keys. Lanes sort their rows, and merge until their leaf is in
 * order. Memory and rows meet in shared memory: place p of the rows lies in sort_cell(p). Where something goes along, a record
 * is a key with its place.
 */
#include "sort/kernels/leaves/sort_leaf.h"
#include "sort/kernels/sort_registers.h"
#include "sort/kernels/tables/shapes.h"

/** A warp's shared memory: keys and what goes along in their places, and for each leaf by how much its places are ahead of
 *  where it lies in the stretch. */
template <bool carries, uint32_t each, class element> struct sort_short_room {
    typedef sort_of<element> of;
    static constexpr uint32_t most = WARP_LANES * each, cells = most + WARP_LANES,
                              bytes = sort_short_bytes(sizeof(element), carries);
    element *keys;
    uint32_t *ahead, *carried;
    __device__ inline sort_short_room(uint64_t *shared) {
        keys = (element *)((char *)shared + threadIdx.x / WARP_LANES * bytes);
        ahead = (uint32_t *)(keys + cells);
        carried = ahead + WARP_LANES;
    }
    __device__ inline element &key(uint32_t place) const { return keys[sort_cell<each, element>(place)]; }
    __device__ inline uint32_t &beside(uint32_t place) const {
        return carried[sort_cell<each, uint32_t>(place)];
    }
    /** The lane's row, in which there is no gap. */
    __device__ inline element *own_keys() const { return &key(warp_lane() * each); }
    __device__ inline uint32_t *own_beside() const { return &beside(warp_lane() * each); }
};

/** A lane's leaf, in memory and in rows; an empty one has none. */
struct sort_short_leaf {
    uint32_t begin, length, rows;
};

/** The lane as a row: lanes of its leaf, and of the leaf that has the most. */
struct sort_row_groups {
    uint32_t own, most;
};

/* Leaves are given rows, those of the lanes where `is_in`; the stretch begins at `begin`. */
template <bool carries, uint32_t each, class element>
static __device__ inline sort_row_groups sort_give_rows(const sort_short_room<carries, each, element> &s,
                                                        const sort_short_leaf &leaf, uint32_t begin,
                                                        bool is_in) {
    const uint32_t before = (1u << warp_lane()) - 1;
    const uint32_t leaves = __ballot_sync(WARP_ALL_LANES, is_in && leaf.rows > 0);
    sort_row_groups groups = {1, 1};
    uint32_t given = 0, row = 0;
    UNROLL
    for (uint32_t rows = WARP_LANES; rows >= 1; rows /= 2) {
        const uint32_t same = __ballot_sync(WARP_ALL_LANES, is_in && leaf.rows == rows);
        if (leaf.rows == rows) row = given + (uint32_t)__popc(same & before) * rows;
        if (same != 0 && warp_lane() >= given) groups.own = rows;
        if (same != 0 && given == 0) groups.most = rows;
        given += (uint32_t)__popc(same) * rows;
    }
    if (is_in && leaf.rows > 0) s.ahead[__popc(leaves & before)] = row * each - (leaf.begin - begin);
    return groups;
}

/* The places of the stretch's keys, of key r * 32 + lane: leaves that begin before it and at it are counted. */
template <bool carries, uint32_t each, class element>
static __device__ inline void sort_find_places(const sort_short_room<carries, each, element> &s,
                                               const sort_short_leaf &leaf, uint32_t begin, bool is_in,
                                               uint32_t (&place)[each]) {
    const uint32_t up_to_lane = (2u << warp_lane()) - 1, at = leaf.begin - begin;
    const uint32_t here = is_in && leaf.rows > 0 ? 1u << at % WARP_LANES : 0;
    uint32_t before = 0;
    UNROLL
    for (uint32_t r = 0; r < each; ++r) {
        const uint32_t begun = __reduce_or_sync(WARP_ALL_LANES, at / WARP_LANES == r ? here : 0);
        const uint32_t rank = before + (uint32_t)__popc(begun & up_to_lane) - 1;
        place[r] = r * WARP_LANES + warp_lane() + s.ahead[rank];
        before += (uint32_t)__popc(begun);
    }
}

/* A stretch of `length` keys becomes rows. */
template <bool carries, uint32_t each, class element>
static __device__ inline void sort_read_rows(const sort_short_table &t,
                                             const sort_short_room<carries, each, element> &s, const element *a,
                                             uint32_t begin, uint32_t length, const uint32_t (&place)[each]) {
    typedef sort_of<element> of;
    const uint32_t from = begin + warp_lane(), left = sort_left(length, warp_lane());
    element e[each];
    uint32_t carried[each];
    UNROLL
    for (uint32_t r = 0; r < each; ++r) {
        const uint32_t i = r * WARP_LANES;
        e[r] = i < left ? (a + from)[i] : of::put(of::last());
        if (carries) carried[r] = i < left && t.carried.from != nullptr ? (t.carried.from + from)[i] : from + i;
    }
    if (length < s.most) { /* else no place is empty */
        UNROLL
        for (uint32_t r = 0; r < each; ++r) {
            s.own_keys()[r] = of::put(of::last());
            if (carries) s.own_beside()[r] = 0;
        }
    }
    sort_get_all<WARP_LANES>(t.coder, e, left);
    __syncwarp();
    UNROLL
    for (uint32_t r = 0; r < each; ++r) {
        if (r * WARP_LANES >= left) continue;
        s.key(place[r]) = e[r];
        if (carries) s.beside(place[r]) = carried[r];
    }
    __syncwarp();
}

/* Rows become those of leaves in order: their keys, or those with their places, by which they get what goes along. */
template <bool carries, uint32_t each, class element>
static __device__ inline void sort_leaves_of_rows(const sort_coder &by,
                                                  const sort_short_room<carries, each, element> &s,
                                                  const sort_row_groups &groups) {
    typedef sort_of<element> of;
    element e[each];
    uint32_t beside[each];
    UNROLL
    for (uint32_t r = 0; r < each; ++r) e[r] = s.own_keys()[r];
    if constexpr (carries) {
        typename of::tagged k[each];
        UNROLL
        for (uint32_t r = 0; r < each; ++r) k[r] = of::tag(of::get(e[r]), warp_lane() * each + r);
        sort_thread(k);
        sort_lanes(k, groups.own, groups.most);
        UNROLL
        for (uint32_t r = 0; r < each; ++r) {
            e[r] = of::put(of::key_of(k[r]));
            beside[r] = s.beside(of::tag_of(k[r]));
        }
        __syncwarp();
    } else {
        typename of::key k[each];
        UNROLL
        for (uint32_t r = 0; r < each; ++r) k[r] = of::get(e[r]);
        sort_thread(k);
        sort_lanes(k, groups.own, groups.most);
        UNROLL
        for (uint32_t r = 0; r < each; ++r) e[r] = of::put(k[r]);
    }
    sort_put_all(by, e);
    UNROLL
    for (uint32_t r = 0; r < each; ++r) {
        s.own_keys()[r] = e[r];
        if (carries) s.own_beside()[r] = beside[r];
    }
    __syncwarp();
}

/* The leaves of lanes first to end - 1, which the warp's rows hold. */
template <bool carries, uint32_t each, class element>
static __device__ inline void sort_short_stretch(const sort_short_table &t, element *b, const element *a,
                                                 const sort_short_room<carries, each, element> &s,
                                                 const sort_short_leaf &leaf, uint32_t first, uint32_t end) {
    const uint32_t begin = __shfl_sync(WARP_ALL_LANES, leaf.begin, first),
                   length = __shfl_sync(WARP_ALL_LANES, leaf.begin + leaf.length, end - 1) - begin;
    const bool is_in = warp_lane() >= first && warp_lane() < end;
    uint32_t place[each];
    if (length == 0) return;
    const sort_row_groups groups = sort_give_rows(s, leaf, begin, is_in);
    __syncwarp();
    sort_find_places(s, leaf, begin, is_in, place);
    sort_read_rows(t, s, a, begin, length, place);
    sort_leaves_of_rows(t.coder, s, groups);
    const uint32_t to = begin + warp_lane(), left = sort_left(length, warp_lane());
    UNROLL
    for (uint32_t r = 0; r < each; ++r) {
        const uint32_t i = r * WARP_LANES;
        if (i >= left) continue;
        (b + to)[i] = s.key(place[r]);
        if (carries) (t.carried.to + to)[i] = s.beside(place[r]);
    }
    __syncwarp(); /* the next stretch takes the same shared memory */
}

/** Leaves of up to 32 * `each` keys, from a to b, and what is carried; they may be the same. A warp has t.turn leaves. */
template <bool carries, class element>
__global__ void LAUNCH_BOUNDS(SORT_LEAF_THREADS, sort_short_each(sizeof(element), carries) > 8 ? 7 : 5)
    sort_short(element *b, const element *a, const GRID_CONSTANT sort_short_table t) {
    constexpr uint32_t each = sort_short_each(sizeof(element), carries);
    extern __shared__ uint64_t shared_memory[];
    const sort_short_room<carries, each, element> s(shared_memory);
    const uint32_t warp = blockIdx.x * (SORT_LEAF_THREADS / WARP_LANES) + threadIdx.x / WARP_LANES,
                   before = warp * t.turn;
    if (before >= t.leaves.count) return;
    const uint32_t count = t.leaves.count - before < t.turn ? t.leaves.count - before : t.turn;
    const uint32_t which = before + (warp_lane() < count ? warp_lane() : count);
    sort_short_leaf leaf = {};
    leaf.begin = sort_leaf_begin(t.leaves, which);
    leaf.length = warp_lane() < count ? sort_leaf_begin(t.leaves, which + 1) - leaf.begin : 0;
    const bool is_long = leaf.length > s.most;
    if (t.rest != nullptr) sort_list_leaves(t.rest, is_long, which);
    if (leaf.length > 0 && !is_long) leaf.rows = 1u << (32 - __clz((int)((leaf.length - 1) / each)));
    const uint32_t rows = warp_sum_up(leaf.rows);
    for (uint32_t first = 0, end; first < WARP_LANES; first = end) {
        const uint32_t done = __shfl_sync(WARP_ALL_LANES, rows - leaf.rows, first);
        const uint32_t past =
            __ballot_sync(WARP_ALL_LANES, warp_lane() >= first && (is_long || rows - done > WARP_LANES));
        end = past != 0 ? (uint32_t)__ffs((int)past) - 1 : (uint32_t)WARP_LANES;
        if (end > first) {
            sort_short_stretch(t, b, a, s, leaf, first, end);
        } else {
            end = first + 1;
        }
    }
}
