/* SPDX-License-Identifier: Apache-2.0
 *
 * A list that grows by what warps hold back in shared memory: each takes room for many at once, and the list's order says nothing.
 */
#ifndef RIFFLE_SORT_KERNELS_SELECT_SELECT_STAGED_H
#define RIFFLE_SORT_KERNELS_SELECT_SELECT_STAGED_H

#include "sort/kernels/select/select_code.h"

/** A list that grows, and what a warp holds back of it. */
template <class listed> struct select_staged {
    listed *list, *own;
    uint32_t *count;
    uint32_t capacity, held;
};

/** The warp's candidates are written from `base` on. */
template <class listed> static __device__ inline void select_flush(select_staged<listed> &s, uint32_t base) {
    __syncwarp();
    for (uint32_t i = warp_lane(); i < s.held; i += WARP_LANES)
        if (base + i < s.capacity) s.list[base + i] = s.own[i];
    __syncwarp();
    s.held = 0;
}

/** Room for so many: where it begins, the same for all lanes. */
static __device__ inline uint32_t select_room(uint32_t *count, uint32_t wanted) {
    uint32_t base = 0;
    if (warp_lane() == 0 && wanted > 0) base = ATOMIC_ADD(count, wanted);
    return warp_from_lane(base, 0);
}

#endif
