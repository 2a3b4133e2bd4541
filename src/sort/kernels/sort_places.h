/* SPDX-License-Identifier: Apache-2.0
 *
 * Where samples are drawn from. The places are the same in each run.
 */
#ifndef RIFFLE_SORT_KERNELS_SORT_PLACES_H
#define RIFFLE_SORT_KERNELS_SORT_PLACES_H

#include "device/kernels/device.h"

/** Where sample i of `samples` is drawn from: a place in the i-th of as many stretches of all `length` elements. */
static __device__ inline uint32_t sort_sample_place(uint32_t i, uint32_t samples, uint32_t length) {
    const uint32_t stretch = length / samples, longer = length % samples;
    const uint32_t first = i * stretch + (i < longer ? i : longer), own = stretch + (i < longer ? 1 : 0);
    uint32_t mixed = (i + 1) * 0x9e3779b9u + length * 0x85ebca6bu;
    mixed = (mixed ^ mixed >> 16) * 0x7feb352du;
    mixed = (mixed ^ mixed >> 15) * 0x846ca68bu;
    mixed ^= mixed >> 16;
    return first + (uint32_t)((uint64_t)mixed * own >> 32);
}

#endif
