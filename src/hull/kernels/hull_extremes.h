/* SPDX-License-Identifier: Apache-2.0
 *
 * Noting points in a round's extremes. Few points are lower than all that were noted before, so an entry is read before it is
 * changed.
 */
#ifndef RIFFLE_HULL_KERNELS_HULL_EXTREMES_H
#define RIFFLE_HULL_KERNELS_HULL_EXTREMES_H

#include "hull/kernels/hull_points.h"

static __device__ inline void hull_lower(uint64_t *entry, float height, uint32_t index) {
    const uint64_t key = (uint64_t)hull_order_of_float(height) << 32 | index;
    if (key < ATOMIC_READ(entry)) ATOMIC_MIN((unsigned long long *)entry, (unsigned long long)key);
}

/* The same of an entry that all lanes want lower: an atomic for all of them. */
static __device__ inline void hull_lower_together(uint64_t *entry, float height, uint32_t index,
                                                  bool is_point) {
    uint64_t key = is_point ? (uint64_t)hull_order_of_float(height) << 32 | index : UINT64_MAX;
    if (__ballot_sync(WARP_ALL_LANES, key < ATOMIC_READ(entry)) == 0) return;
    key = warp_min(key);
    if (warp_lane() == 0) ATOMIC_MIN((unsigned long long *)entry, (unsigned long long)key);
}

/* Notes a lane's point, if it has one, as a quarter sees it; all lanes come here. Entries are the first of all, the lowest of each cell and the last
 * of all; of the upper ones the last of all, the highest of each cell from the last on, and the first of all. */
template <class kind>
static __device__ inline void hull_note_quarter(hull_extremes *to, const hull_scale<kind> *scale,
                                                typename kind::place at, uint32_t index, bool is_point) {
    const uint32_t cell = hull_cell(scale, at.x);
    const float u = (float)(kind::distance(scale->from.x, at.x) * scale->u);
    const float v = (float)(kind::distance(scale->from.y, at.y) * scale->v);
    if (is_point) hull_lower(&to->lower[1 + cell], v, index);
    if (is_point) hull_lower(&to->upper[HULL_CELLS - cell], -v, index);
    hull_lower_together(&to->lower[0], u, index, is_point);
    hull_lower_together(&to->lower[HULL_ENTRIES - 1], -u, index, is_point);
}

/** Notes a lane's point, if it has one, in both quarters. */
template <class kind>
static __device__ inline void hull_note(hull_extremes to[HULL_QUARTERS],
                                        const hull_scale<kind> scale[HULL_QUARTERS], typename kind::place at,
                                        uint32_t index, bool is_point) {
    UNROLL
    for (uint32_t quarter = 0; quarter < HULL_QUARTERS; ++quarter)
        hull_note_quarter<kind>(&to[quarter], &scale[quarter], hull_quartered<kind>(at, quarter), index,
                                is_point);
}

#endif
