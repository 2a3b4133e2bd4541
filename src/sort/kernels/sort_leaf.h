/* SPDX-License-Identifier: Apache-2.0
 *
 * Where leaves lie, and which are left to later launches.
 */
#ifndef RIFFLE_SORT_KERNELS_SORT_LEAF_H
#define RIFFLE_SORT_KERNELS_SORT_LEAF_H

#include "sort/kernels/sort_record.h"

/** How many leaves there are for a launch: all, or those of the list. */
static __device__ inline uint32_t sort_leaf_count(const sort_table &t) {
    return t.leaf_list != nullptr ? t.leaf_list[0] : t.segments * t.row;
}

/** The first place of a leaf, or of what follows the last. */
static __device__ inline uint32_t sort_leaf_begin(const sort_table &t, uint32_t leaf) {
    return t.bucket_begin != nullptr ? t.bucket_begin[leaf] : leaf * t.bucket;
}

/** Leaves are listed, those of the warp's lanes where `is`. */
static __device__ inline void sort_list_leaves(const sort_table &t, bool is, uint32_t leaf) {
    const uint32_t all = __ballot_sync(SORT_ALL_LANES, is);
    uint32_t before = 0;
    if (all == 0) return;
    if (sort_lane() == 0) before = ATOMIC_ADD(&t.rest[0], (uint32_t)__popc(all));
    before = __shfl_sync(SORT_ALL_LANES, before, 0);
    if (is) t.rest[SORT_REST + before + (uint32_t)__popc(all & ((1u << sort_lane()) - 1))] = leaf;
}

#endif
