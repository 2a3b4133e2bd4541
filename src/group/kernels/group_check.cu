/* SPDX-License-Identifier: Apache-2.0
 *
 * A check of groups looks at more than the sums of rows (src/check), to which padding, zeros, adds nothing: group_check_places, whether each
 * key's place is in its group; group_check_offsets, the caller's offsets and counts, by a thread a group.
 *
 * a and b are NULL.
 */
#include "group/kernels/keys.h"

static __device__ inline bool group_is_wrong(const group_table &t, uint32_t group, uint64_t place) {
    if (place == GROUP_NO_PLACE) return group < t.rule.groups && t.capacity == GROUP_NO_PLACE;
    return group >= t.rule.groups || place < t.first[group] || place >= t.end[group];
}

/* Adds the lanes' faults to the record. All lanes come to it. */
static __device__ inline void group_add_faults(uint64_t *to, bool is_wrong) {
    const uint32_t wrong = (uint32_t)__popc(__ballot_sync(WARP_ALL_LANES, is_wrong));
    if (wrong > 0 && warp_lane() == 0) ATOMIC_ADD((unsigned long long *)to, (unsigned long long)wrong);
}

template <class element>
__global__ void LAUNCH_BOUNDS(GROUP_CHECK_THREADS, 1)
    group_check_places(element *, const element *, const GRID_CONSTANT group_table t, uint64_t *faults) {
    const uint64_t first = (uint64_t)blockIdx.x * (GROUP_CHECK_THREADS * GROUP_CHECK_EACH) + threadIdx.x;
    bool is_wrong = false;
    for (uint32_t i = 0; i < GROUP_CHECK_EACH; ++i) {
        const uint64_t entry = first + i * GROUP_CHECK_THREADS;
        if (entry < t.entries)
            is_wrong |=
                group_is_wrong(t, group_of(t, entry, t.entries), group_place(t.places, t.index_bytes, entry));
    }
    group_add_faults(faults, is_wrong);
}

template <class element>
__global__ void LAUNCH_BOUNDS(GROUP_CHECK_THREADS, 1)
    group_check_offsets(element *, const element *, const GRID_CONSTANT group_table t, uint64_t *faults) {
    const uint32_t group = blockIdx.x * GROUP_CHECK_THREADS + threadIdx.x;
    bool is_wrong = false;
    if (group < t.rule.groups) {
        const uint64_t first = t.first[group], end = t.end[group];
        is_wrong = t.offsets != nullptr &&
                   (t.offsets[group] != first ||
                    (group + 1 == t.rule.groups && t.offsets[group + 1] != t.first[group + 1]));
        is_wrong |= t.kept != nullptr && t.kept[group] != end - first;
    }
    group_add_faults(faults, is_wrong);
}
