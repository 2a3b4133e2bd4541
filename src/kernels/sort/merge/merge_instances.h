/* SPDX-License-Identifier: Apache-2.0
 *
 * From the number of a kernel that merges and the size of keys to the template's instance: merge_entry_of<made>() is what
 * made::of<instance>() makes of it, and nullptr where there is none.
 */
#ifndef RIFFLE_KERNELS_SORT_MERGE_MERGE_INSTANCES_H
#define RIFFLE_KERNELS_SORT_MERGE_MERGE_INSTANCES_H

#include "kernels/sort/merge/merge_pairs.cu"
#include "kernels/sort/merge/merge_parts.cu"
#include "kernels/sort/merge/merge_runs.cu"
#include "kernels/sort/merge/merge_split.cu"

template <class made, class element, void (*kernel)(element *, const element *, merge_table)>
static typename made::entry merge_made() {
    return made::template of<kernel>();
}

template <class made, class element> static typename made::entry merge_entry_for(merge_kernel kernel) {
    switch (kernel) {
    case MERGE_KERNEL_RUNS: return merge_made<made, element, merge_runs<merge_alone<element>>>();
    case MERGE_KERNEL_RUNS_PLACED: return merge_made<made, element, merge_runs<merge_placed<element>>>();
    case MERGE_KERNEL_SPLIT: return merge_made<made, element, merge_split>();
    case MERGE_KERNEL_PARTS: return merge_made<made, element, merge_parts<merge_alone<element>>>();
    case MERGE_KERNEL_PARTS_PLACED: return merge_made<made, element, merge_parts<merge_placed<element>>>();
    case MERGE_KERNEL_PAIRS:
        if constexpr (sizeof(element) < 16) return merge_made<made, element, merge_pairs>();
        break;
    case MERGE_KERNELS: break;
    }
    return nullptr;
}

template <class made> static typename made::entry merge_entry_of(merge_kernel kernel, unsigned long key_bytes) {
    switch (key_bytes) {
    case 4: return merge_entry_for<made, uint32_t>(kernel);
    case 8: return merge_entry_for<made, uint64_t>(kernel);
    case 16: return merge_entry_for<made, vector16>(kernel);
    default: return nullptr;
    }
}

#endif
