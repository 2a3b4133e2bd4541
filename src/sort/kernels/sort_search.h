/* SPDX-License-Identifier: Apache-2.0
 *
 * Searches by halving: which of stretches one behind the other has a place, and where a part of a merge of two runs begins.
 */
#ifndef RIFFLE_SORT_KERNELS_SORT_SEARCH_H
#define RIFFLE_SORT_KERNELS_SORT_SEARCH_H

#include "device/kernels/device.h"

/** The last of `count` stretches that begins at or before `place`, as the first one does. */
template <class function>
static __device__ inline uint32_t sort_last_begun(const function &begin, uint32_t count, uint32_t place) {
    uint32_t low = 0, high = count;
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        if (begin(middle) <= place) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

/** How many of the first `at` results of merging two runs are of the first, where takes(j, i) says whether the second run's
 *  j-th comes before the first one's i-th. */
template <class function>
static __device__ inline uint32_t sort_merge_split(const function &takes, uint32_t first, uint32_t second,
                                                   uint32_t at) {
    uint32_t low = at > second ? at - second : 0, high = at < first ? at : first;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (takes(at - 1 - middle, middle)) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low;
}

#endif
