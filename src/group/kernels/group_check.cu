/* SPDX-License-Identifier: Apache-2.0
 *
 * A check of groups looks at more than the sums of rows (src/check), to which padding, zeros, adds nothing: group_check_places, whether each
 * key's place is in its group; group_check_offsets, the caller's offsets and counts, by a thread a group. One adds the places that keys have to
 * the record, the other takes from it those that are filled: a row of zeros adds nothing to the sums, and its place does.
 *
 * a and b are NULL.
 */
#include "check/kernels/sum_block.h"
#include "group/kernels/keys.h"

static __device__ inline bool group_is_wrong(const group_table &t, uint32_t group, uint64_t place) {
    if (place == GROUP_NO_PLACE) return group < t.rule.groups && t.capacity == GROUP_NO_PLACE;
    return group >= t.rule.groups || place < t.first[group] || place >= t.end[group];
}

/* Adds the lanes' faults and the block's sums to the record, or takes the sums from it. All threads come to it. */
static __device__ inline void group_end_check(check_record *record, bool is_wrong, check_sums sums, bool is_taken) {
    extern __shared__ uint64_t shared_memory[];
    const uint32_t wrong = (uint32_t)__popc(__ballot_sync(WARP_ALL_LANES, is_wrong));
    if (wrong > 0 && warp_lane() == 0)
        ATOMIC_ADD((unsigned long long *)&record->faults, (unsigned long long)wrong);
    check_end_block(record, (check_block *)shared_memory, sums, is_taken);
}

template <class element>
__global__ void LAUNCH_BOUNDS(GROUP_CHECK_THREADS, 1)
    group_check_places(element *, const element *, const GRID_CONSTANT group_table t, check_record *record) {
    const uint64_t first = (uint64_t)blockIdx.x * (GROUP_CHECK_THREADS * GROUP_CHECK_EACH) + threadIdx.x;
    check_sums sums = {0, 0};
    bool is_wrong = false;
    for (uint32_t i = 0; i < GROUP_CHECK_EACH; ++i) {
        const uint64_t entry = first + i * GROUP_CHECK_THREADS;
        if (entry >= t.entries) continue;
        const uint64_t place = group_place(t.places, t.index_bytes, entry);
        is_wrong |= group_is_wrong(t, group_of(t, entry, t.entries), place);
        if (place != GROUP_NO_PLACE) check_add_taken(&sums, place);
    }
    group_end_check(record, is_wrong, sums, false);
}

template <class element>
__global__ void LAUNCH_BOUNDS(GROUP_CHECK_THREADS, 1)
    group_check_offsets(element *, const element *, const GRID_CONSTANT group_table t, check_record *record) {
    const uint32_t group = blockIdx.x * GROUP_CHECK_THREADS + threadIdx.x;
    check_sums sums = {0, 0};
    bool is_wrong = false;
    if (group < t.rule.groups) {
        const uint64_t first = t.first[group], end = t.end[group];
        check_add_range(&sums, first, end);
        is_wrong = t.offsets != nullptr &&
                   (t.offsets[group] != first ||
                    (group + 1 == t.rule.groups && t.offsets[group + 1] != t.first[group + 1]));
        is_wrong |= t.kept != nullptr && t.kept[group] != end - first;
    }
    group_end_check(record, is_wrong, sums, true);
}
