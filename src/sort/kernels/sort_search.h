/* SPDX-License-Identifier: Apache-2.0
 *
 * Which of stretches one behind the other has a place.
 */
#ifndef RIFFLE_SORT_KERNELS_SORT_SEARCH_H
#define RIFFLE_SORT_KERNELS_SORT_SEARCH_H

#include "device/kernels/device.h"

/** The last of `count` stretches that begins at or before `place`, as the first
 * one does. */
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

#endif
