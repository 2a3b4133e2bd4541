/* SPDX-License-Identifier: Apache-2.0
 *
 * A check of passes looks at leaves once they are sorted: the first key of each against the one before it, since each is in order by itself. Keys
 * that are all equal and were in their place have been read by no leaf: they are added up here, by the first of them.
 */
#include "check/kernels/sum_block.h"
#include "sort/kernels/sort_summed.h"
#include "sort/kernels/tables/leaf.h"

/** a has the sorted leaves; a thread each. */
template <class element>
__global__ void LAUNCH_BOUNDS(CHECK_THREADS, 1)
    sort_borders(element *, const element *a, const GRID_CONSTANT sort_borders_table t) {
    typedef sort_of<element> of;
    extern __shared__ uint64_t shared_memory[];
    const uint64_t leaf = (uint64_t)blockIdx.x * CHECK_THREADS + threadIdx.x;
    const uint32_t first = leaf < t.leaves ? t.begin[leaf] : 0, last = leaf < t.leaves ? t.begin[leaf + 1] : 0;
    const uint32_t segment = sort_summed_segment(t.summed, (uint32_t)leaf);
    check_sums sums = {0, 0};
    if (first < last) {
        const typename of::key here = sort_encode(t.coding, of::get(a[first]));
        if (first > t.begin[segment * t.summed.each] &&
            sort_before(here, sort_encode(t.coding, of::get(a[first - 1]))))
            ATOMIC_ADD((unsigned long long *)&t.summed.record->faults, 1ull);
        if (t.are_alike != nullptr && t.are_alike[leaf]) {
            sort_sum_key(&sums, here);
            sums = check_times(sums, last - first);
        }
    }
    sums = check_times(sums, sort_summed_times(t.summed, segment));
    check_end_block(t.summed.record, (check_block *)shared_memory, sums, false);
}
