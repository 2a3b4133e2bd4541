/* SPDX-License-Identifier: Apache-2.0
 *
 * Where parts begin in each stream, exactly: of a group's keys merged, those before its part j are j * t.part. A warp
 * has a part, a lane a stream, in which the place is between `low` and `high`. A key of the longest such range is looked
 * for in all; then the ranges are cut there, on the side where the part's rank is not.
 *
 * If ranges were alike the key of rank r would be at r / keys of each. The first key is taken there, the next ones a
 * little beyond, on the side that was not cut last: so ranges shrink from both sides, to about the root of what they
 * were. Where that does not help they are halved.
 */
#include "sort/kernels/merge/merge_device.h"

enum { MERGE_GUESSES = 12 }; /* before halving */

typedef struct merge_range {
    uint32_t low, high;
} merge_range;

/* How many keys of a range come before one of another stream. */
template <class element>
static __device__ inline uint32_t merge_count_before(const element *a, merge_range range,
                                                     const typename sort_of<element>::key &key,
                                                     bool and_equal) {
    uint32_t low = range.low, high = range.high;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        const typename sort_of<element>::key other = sort_of<element>::get(a[middle]);
        if (and_equal ? !sort_before(key, other) : sort_before(other, key)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low - range.low;
}

/* The lane whose range is the longest. */
static __device__ inline uint32_t merge_longest(merge_range range) {
    uint64_t most = (uint64_t)(range.high - range.low) << 32 | warp_lane();
    for (uint32_t by = 1; by < WARP_LANES; by *= 2) {
        const uint64_t other = warp_across(most, by);
        most = other > most ? other : most;
    }
    return (uint32_t)most;
}

typedef enum merge_cut { MERGE_CUT_NONE, MERGE_CUT_LOW, MERGE_CUT_HIGH } merge_cut;

/* The rank of the next key, of `keys`, if the place is behind `rank` of them. */
static __device__ inline uint32_t merge_aim(uint32_t rank, uint32_t keys, merge_cut last) {
    uint32_t root = 4;
    while ((uint64_t)root * root < keys) root *= 2;
    const uint32_t margin = root / 4;
    if (last == MERGE_CUT_LOW) return keys - 1 - rank < margin ? keys - 1 : rank + margin;
    if (last == MERGE_CUT_HIGH) return rank < margin ? 0 : rank - margin;
    return rank;
}

/* Returns the places before which the first `rank` of the ranges' keys lie, merged. */
template <class element>
static __device__ inline uint32_t merge_select(const element *a, merge_range range, uint32_t rank) {
    typedef sort_of<element> of;
    const uint32_t lane = warp_lane();
    uint32_t keys = merge_sum(range.high - range.low);
    merge_cut last = MERGE_CUT_NONE;
    for (uint32_t turn = 0; rank > 0 && rank < keys; ++turn) {
        const uint32_t longest = merge_longest(range), length = range.high - range.low;
        const uint32_t share = (uint32_t)((uint64_t)length * merge_aim(rank, keys, last) / keys);
        const uint32_t middle = range.low + (turn < MERGE_GUESSES ? share : length / 2);
        typename of::key key = {};
        if (lane == longest) key = of::get(a[middle]);
        key = warp_from_lane(key, longest);
        const uint32_t less =
            lane == longest ? middle - range.low : merge_count_before(a, range, key, lane < longest);
        const uint32_t before = merge_sum(less);
        if (before < rank) { /* the key is before the place too */
            const uint32_t taken = less + (lane == longest ? 1 : 0);
            range.low += taken;
            rank -= before + 1;
            keys -= before + 1;
            last = MERGE_CUT_LOW;
        } else {
            range.high = range.low + less;
            keys = before;
            last = MERGE_CUT_HIGH;
        }
    }
    return rank == 0 ? range.low : range.high;
}

/** b is not used. */
template <class element>
__global__ void LAUNCH_BOUNDS(128, 1)
    merge_split(element *, const element *__restrict__ a, const GRID_CONSTANT merge_table t) {
    const uint32_t p = blockIdx.x * (blockDim.x / WARP_LANES) + threadIdx.x / WARP_LANES, lane = warp_lane();
    const merge_part part = merge_part_of(&t, p);
    if (part.is_none) return;
    uint32_t *const row = t.at + (uint64_t)p * MERGE_WAYS + lane;
    const uint32_t begin = merge_stream_first(&t, part.group, lane);
    merge_range range = {begin, merge_stream_first(&t, part.group, lane + 1)};
    if (t.every == 0) { /* between two that are known */
        const uint32_t behind = part.number % t.between;
        if (behind == 0) return;
        range.low = *(row - behind * MERGE_WAYS);
        if (part.number - behind + t.between < part.parts) range.high = row[(t.between - behind) * MERGE_WAYS];
    } else if (part.number % t.every != 0) {
        return;
    }
    if (range.high < range.low) range.high = range.low; /* streams in no order: wrong, but within them */
    const uint32_t taken = merge_sum(range.low - begin);
    *row = merge_select(a, range, part.number * t.part - taken);
}
