/* SPDX-License-Identifier: Apache-2.0
 *
 * Where leaves lie, and which are left to later launches.
 */
#ifndef RIFFLE_SORT_KERNELS_LEAVES_SORT_LEAF_H
#define RIFFLE_SORT_KERNELS_LEAVES_SORT_LEAF_H

#include "sort/kernels/sort_record.h"
#include "sort/kernels/tables/leaf.h"

/** The first place of a leaf, or of what follows the last. */
static __device__ inline uint32_t sort_leaf_begin(const sort_leaf_places &leaves, uint32_t leaf) {
    return leaves.begin != nullptr ? leaves.begin[leaf] : leaf * leaves.length;
}

/** Leaves are listed in `rest`, those of the warp's lanes where `is`. */
static __device__ inline void sort_list_leaves(uint32_t *rest, bool is, uint32_t leaf) {
    const uint32_t all = __ballot_sync(WARP_ALL_LANES, is);
    uint32_t before = 0;
    if (all == 0) return;
    if (warp_lane() == 0) before = ATOMIC_ADD(&rest[0], (uint32_t)__popc(all));
    before = __shfl_sync(WARP_ALL_LANES, before, 0);
    if (is) rest[SORT_REST + before + (uint32_t)__popc(all & ((1u << warp_lane()) - 1))] = leaf;
}

#endif
