/* SPDX-License-Identifier: Apache-2.0
 *
 * The bits of one type as another of the same size.
 */
#ifndef RIFFLE_HULL_KERNELS_BITS_H
#define RIFFLE_HULL_KERNELS_BITS_H

#include "device/kernels/device.h"

template <class to, class from> static __device__ inline to hull_bits_as(from value) {
    union {
        from given;
        to wanted;
    } bits;
    bits.given = value;
    return bits.wanted;
}

#endif
