/* SPDX-License-Identifier: Apache-2.0
 *
 * IEEE half precision in software: compilers that do not know _Float16 are served too. An operation on halves is
 * done on floats and rounded: of sums, differences and products that is the correctly rounded half.
 */
#ifndef RIFFLE_BASE_HALF_H
#define RIFFLE_BASE_HALF_H

#include <stdint.h>
#include <string.h>

static inline float half_to_float(uint16_t half) {
    const uint32_t sign = (uint32_t)(half & 0x8000U) << 16, rest = half & 0x7fffU;
    uint32_t bits;
    float value;
    if (rest >= 0x7c00U) { /* infinite, or no number */
        bits = sign | 0x7f800000U | (rest & 0x3ffU) << 13;
    } else if (rest >= 0x400U) {
        bits = sign | ((rest << 13) + ((127U - 15U) << 23));
    } else { /* subnormal: rest times 2^-24 */
        value = (float)rest * 0x1p-24F;
        memcpy(&bits, &value, sizeof bits);
        bits |= sign;
    }
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline uint16_t half_from_float(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    const uint16_t sign = (uint16_t)(bits >> 16 & 0x8000U);
    bits &= 0x7fffffffU;
    if (bits > 0x7f800000U) return (uint16_t)(sign | 0x7e00U);
    if (bits >= 0x477ff000U) return (uint16_t)(sign | 0x7c00U); /* from 65520 on */
    if (bits >= 0x38800000U) {                                  /* normal: to nearest, ties to even */
        const uint32_t rounded = bits - ((127U - 15U) << 23) + 0xfffU + (bits >> 13 & 1U);
        return (uint16_t)(sign | rounded >> 13);
    }
    float magnitude;
    memcpy(&magnitude, &bits, sizeof magnitude);
    magnitude += 0.5F; /* a unit in its last place is 2^-24: the addition rounds */
    memcpy(&bits, &magnitude, sizeof bits);
    return (uint16_t)(sign | (bits - 0x3f000000U));
}

#endif
