/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RIFFLE_BASE_RECIPROCAL_H
#define RIFFLE_BASE_RECIPROCAL_H

#include <stdint.h>

/** The numbers by which kernels divide numbers below 2^63 by `length`, at least 1 (device/kernels/rows.h). */
static inline uint64_t reciprocal_of(uint64_t length, uint32_t *shift) {
    *shift = 0;
    while ((uint64_t)1 << *shift < length) ++*shift;
    const unsigned __int128 power = (unsigned __int128)1 << (63 + *shift);
    return (uint64_t)((power + length - 1) / length);
}

#endif
