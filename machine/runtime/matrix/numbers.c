/* SPDX-License-Identifier: Apache-2.0 */
#include "machine/runtime/matrix/numbers.h"

#include <math.h>
#include <string.h>

unsigned number_bytes(machine_number format) {
    static const unsigned char bytes[] = {[MACHINE_F16] = 2, [MACHINE_BF16] = 2, [MACHINE_TF32] = 4,
                                          [MACHINE_E4M3] = 1, [MACHINE_E5M2] = 1, [MACHINE_S8] = 1,
                                          [MACHINE_U8] = 1, [MACHINE_F32] = 4, [MACHINE_S32] = 4};
    return bytes[format];
}

static double single(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* A sign, an exponent and a fraction of so many bits; the largest exponent is no number, or infinity. A float with the same bits differs by a power of two. */
static double short_float(uint32_t bits, unsigned exponents, unsigned fractions) {
    const uint32_t magnitude = bits & ((1u << (exponents + fractions)) - 1), last = (1u << exponents) - 1;
    const uint32_t scale = (127 + 127 - (last >> 1)) << 23; /* 2 to 127 less the bias */
    double value = single(magnitude << (23 - fractions)) * single(scale);
    if (magnitude >> fractions == last) value = (magnitude & ((1u << fractions) - 1)) == 0 ? INFINITY : NAN;
    return bits >> (exponents + fractions) & 1 ? -value : value;
}

/* As short_float of 4 and 3 bits, but for the largest exponent, which has numbers, and one that is none. */
static double e4m3(uint32_t bits) {
    const double value = (bits & 0x78) == 0x78 ? ldexp((double)(8 | (bits & 7)), 5) : short_float(bits & 0x7f, 4, 3);
    if ((bits & 0x7f) == 0x7f) return NAN;
    return bits & 0x80 ? -value : value;
}

double number_value(machine_number format, uint32_t bits) {
    switch (format) {
        case MACHINE_F16: return short_float(bits, 5, 10);
        case MACHINE_BF16: return single(bits << 16);
        case MACHINE_TF32: return single(bits & 0xffffe000);
        case MACHINE_E4M3: return e4m3(bits);
        case MACHINE_E5M2: return short_float(bits, 5, 2);
        case MACHINE_S8: return (int8_t)bits;
        case MACHINE_U8: return (uint8_t)bits;
        case MACHINE_S32: return (int32_t)bits;
        case MACHINE_F32: break;
    }
    return single(bits);
}

uint32_t number_half(float value) {
    const uint32_t sign = signbit(value) ? 0x8000 : 0;
    if (isnan(value)) return 0x7fff;
    const double magnitude = fabs((double)value);
    if (magnitude >= 65520) return sign | 0x7c00;
    int exponent;
    (void)frexp(magnitude, &exponent);
    if (exponent < -13) exponent = -13; /* below the least normal one, 2^-14, steps stay as they are */
    const uint32_t steps = (uint32_t)nearbyint(ldexp(magnitude, 11 - exponent));
    return sign | (((uint32_t)(exponent + 13) << 10) + steps); /* its leading bit makes the exponent one more */
}
