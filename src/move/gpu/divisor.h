/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RIFFLE_MOVE_GPU_DIVISOR_H
#define RIFFLE_MOVE_GPU_DIVISOR_H

#include "move/kernels/axes/axes_box.h"

/** The numbers by which kernels divide by `length`, 1 to 2^31 (move/kernels/axes/axes_box.h says why they do). */
static inline axes_divisor divisor_of(uint64_t length) {
    axes_divisor out = {.length = (uint32_t)length};
    while ((uint64_t)1 << out.shift < length) out.shift++;
    out.reciprocal = (uint32_t)((((uint64_t)1 << (31 + out.shift)) + length - 1) / length);
    return out;
}

#endif
