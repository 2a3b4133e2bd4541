/* SPDX-License-Identifier: Apache-2.0
 *
 * Code that the kernels that merge share: the part that a warp or a block is to merge, and what is merged: keys alone, or keys
 * with the places that they came from.
 */
#ifndef RIFFLE_SORT_KERNELS_MERGE_MERGE_DEVICE_H
#define RIFFLE_SORT_KERNELS_MERGE_MERGE_DEVICE_H

#include "sort/kernels/merge/merge.h"
#include "sort/kernels/sort_registers.h"

/* ------------------------------------------------------------------- records */

/** Keys alone. Equal keys are the same. */
template <class element> struct merge_alone {
    typedef sort_of<element> of;
    typedef typename of::key record;
    static constexpr uint32_t block = merge_block_keys(sizeof(element));
    static constexpr bool has_places = false;
    static __device__ inline record make(typename of::key key, uint32_t) { return key; }
    static __device__ inline typename of::key key_of(const record &r) { return r; }
    static __device__ inline uint32_t place_of(const record &) { return 0; }
};

/** Keys and places, by which equal ones are told apart. */
template <class element> struct merge_placed {
    typedef sort_of<element> of;
    typedef typename of::tagged record;
    static constexpr uint32_t block = merge_block_keys(sizeof(element));
    static constexpr bool has_places = true;
    static __device__ inline record make(typename of::key key, uint32_t place) { return of::tag(key, place); }
    static __device__ inline typename of::key key_of(const record &r) { return of::key_of(r); }
    static __device__ inline uint32_t place_of(const record &r) { return of::tag_of(r); }
};

/* --------------------------------------------------------------------- lanes */

static __device__ inline sort_wide warp_from_lane(const sort_wide &value, uint32_t lane) {
    return sort_wide{warp_from_lane(value.low, lane), warp_from_lane(value.high, lane)};
}

static __device__ inline uint32_t merge_sum(uint32_t value) {
    return warp_from_lane(warp_sum_up(value), WARP_LANES - 1);
}

/* --------------------------------------------------------------------- parts */

/** Where stream s of the level begins; beyond the last one, where that ends. */
static __device__ inline uint32_t merge_first(const merge_table *t, uint64_t s) {
    const uint64_t of_first = s * t->step, k = of_first < t->streams ? of_first : t->streams;
    if (t->first != nullptr) return (uint32_t)t->first[k];
    return k * t->run < t->n ? (uint32_t)k * t->run : t->n;
}

/** A part of a group. */
typedef struct merge_part {
    uint32_t group, number, parts; /* which, and how many the group has */
    uint32_t begin, end;           /* the keys that it becomes, of all */
    bool is_none;
} merge_part;

/** Part p of all groups' parts. All lanes of a warp ask for the same. */
static __device__ inline merge_part merge_part_of(const merge_table *t, uint32_t p) {
    const uint64_t of_first = (uint64_t)t->step * t->ways;
    const uint32_t groups = (uint32_t)((t->streams + of_first - 1) / of_first);
    uint32_t before = 0;
    for (uint32_t g = 0; g < groups; g += WARP_LANES) {
        const uint64_t s = (uint64_t)(g + warp_lane()) * t->ways;
        const uint32_t begin = merge_first(t, s), end = merge_first(t, s + t->ways);
        const uint32_t parts = (end - begin + t->part - 1) / t->part, up = before + warp_sum_up(parts);
        const uint32_t all = warp_from_lane(up, WARP_LANES - 1);
        if (p < all) {
            const uint32_t lane = (uint32_t)__popc(__ballot_sync(WARP_ALL_LANES, up <= p));
            merge_part found = {g + lane, 0, warp_from_lane(parts, lane), 0, 0, false};
            found.number = p - (warp_from_lane(up, lane) - found.parts);
            found.begin = warp_from_lane(begin, lane) + found.number * t->part;
            const uint32_t last = warp_from_lane(end, lane);
            found.end = last - found.begin < t->part ? last : found.begin + t->part;
            return found;
        }
        before = all;
    }
    return merge_part{0, 0, 0, 0, 0, true};
}

/** Where the lane's stream of a group begins; lanes that have none are where the last one ends. */
static __device__ inline uint32_t merge_stream_first(const merge_table *t, uint32_t group, uint32_t lane) {
    return merge_first(t, (uint64_t)group * t->ways + (lane < t->ways ? lane : t->ways));
}

/** Where part p, found above, and the one behind it begin in the lane's stream. */
static __device__ inline void merge_ends(const merge_table *t, const merge_part &part, uint32_t p,
                                         uint32_t *low, uint32_t *high) {
    const uint32_t *const row = t->at + (uint64_t)p * MERGE_WAYS + warp_lane();
    *low = row[0];
    *high = part.number + 1 < part.parts ? row[MERGE_WAYS] : merge_stream_first(t, part.group, warp_lane() + 1);
}

#endif
