/* SPDX-License-Identifier: Apache-2.0
 *
 * Numbers of 4 or 8 bytes: values that go along, and indices.
 */
#ifndef RIFFLE_SORT_KERNELS_SELECT_SELECT_PUT_H
#define RIFFLE_SORT_KERNELS_SELECT_SELECT_PUT_H

#include "device/kernels/device.h"

static __device__ inline uint64_t select_get(const void *from, uint64_t k, uint32_t bytes) {
    return bytes == 8 ? ((const uint64_t *)from)[k] : ((const uint32_t *)from)[k];
}

static __device__ inline void select_put(void *to, uint64_t k, uint32_t bytes, uint64_t value) {
    if (bytes == 8) {
        ((uint64_t *)to)[k] = value;
    } else {
        ((uint32_t *)to)[k] = (uint32_t)value;
    }
}

#endif
