/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RIFFLE_MOVE_KERNELS_AXES_AXES_DIVIDE_H
#define RIFFLE_MOVE_KERNELS_AXES_AXES_DIVIDE_H

#include "device/kernels/device.h"
#include "move/kernels/axes/axes_box.h"

/* n / length, as move/kernels/axes/axes_box.h says, for n < 2^31. */
static __device__ inline uint32_t axes_divide(uint32_t n, const axes_divisor *by) {
    return (uint32_t)((uint64_t)n * by->reciprocal >> 31) >> by->shift;
}

#endif
