/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RIFFLE_ENGINES_LAUNCH_DIVISOR_H
#define RIFFLE_ENGINES_LAUNCH_DIVISOR_H

#include "kernels/axes/axes_box.h"

/** The numbers by which kernels divide by `length`, 1 to 2^31 (kernels/axes/axes_box.h says why they do). */
static inline axes_divisor divisor_of(uint64_t length) {
    axes_divisor out = {.length = (uint32_t)length};
    while ((uint64_t)1 << out.shift < length) out.shift++;
    out.reciprocal = (uint32_t)((((uint64_t)1 << (31 + out.shift)) + length - 1) / length);
    return out;
}

/** The numbers by which kernels divide numbers below 2^63 by `length`, at least 1 (kernels/direct/rows.h). */
static inline uint64_t reciprocal_of(uint64_t length, uint32_t *shift) {
    *shift = 0;
    while ((uint64_t)1 << *shift < length) ++*shift;
    const unsigned __int128 power = (unsigned __int128)1 << (63 + *shift);
    return (uint64_t)((power + length - 1) / length);
}

#endif
