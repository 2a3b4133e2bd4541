/* SPDX-License-Identifier: Apache-2.0
 *
 * Places that are linear in the bits of a number.
 */
#ifndef RIFFLE_DEVICE_KERNELS_SUM_OF_BITS_H
#define RIFFLE_DEVICE_KERNELS_SUM_OF_BITS_H

#include "device/kernels/device.h"

/* The sum (XOR) of the vectors that the bits of a number choose. */
template <class place, uint32_t bits>
static __device__ inline place sum_of_bits(const place (&vectors)[bits], uint32_t number) {
    place sum = 0;
    UNROLL
    for (uint32_t k = 0; k < bits; ++k) sum ^= vectors[k] & (0 - (place)(number >> k & 1));
    return sum;
}

#endif
