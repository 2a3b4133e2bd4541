/* SPDX-License-Identifier: Apache-2.0
 *
 * Formats of numbers of 8 and 16 bits, and how floats become them: rounded to nearest even.
 */
#ifndef RIFFLE_MACHINE_DEVICE_CUDA_NUMBERS_SHORT_FLOAT_H
#define RIFFLE_MACHINE_DEVICE_CUDA_NUMBERS_SHORT_FLOAT_H

namespace riffle_lint {
#define RIFFLE_PURE RIFFLE_INLINE __attribute__((no_sanitize_thread))

/* A sign, an exponent, a fraction. The largest code is no number; of formats that are INFINITE the largest exponent is infinity. */
template <int BITS, int FRACTION, bool INFINITE> struct short_float {
    typedef typename std::conditional<BITS == 8, unsigned char, unsigned short>::type code;
    static constexpr int bits = BITS, exponents = 1 << (BITS - 1 - FRACTION), bias = exponents / 2 - 1;
    static constexpr unsigned none = (1u << (BITS - 1)) - 1, most = INFINITE ? ((exponents - 1u) << FRACTION) - 1 : none - 1;

    /* What is too large is the code behind `most`: infinity, or no number where there is none. */
    RIFFLE_PURE static code from(float number) {
        const unsigned x = same_bits<unsigned>(number), sign = x >> 31 << (BITS - 1);
        if ((x & 0x7fffffff) > 0x7f800000) return (code)(sign | none);
        const bool is_normal = (x >> 23 & 0xff) != 0;
        const int exponent = (int)(x >> 23 & 0xff) - 127 + bias;
        if (exponent >= exponents) return (code)(sign | (most + 1));
        unsigned long long fraction = x & 0x7fffff;
        int drop = 23 - FRACTION;
        unsigned head = 0;
        if (exponent > 0) {
            head = (unsigned)exponent << FRACTION;
        } else {
            if (is_normal) fraction |= 0x800000;
            drop += is_normal ? 1 - exponent : -exponent;
            if (drop > 40) drop = 40;
        }
        const unsigned long long kept = fraction >> drop, rest = fraction & ((1ull << drop) - 1), half = 1ull << (drop - 1);
        const unsigned rounded = head + (unsigned)kept + (rest > half || (rest == half && (kept & 1)));
        return (code)(sign | (rounded > most ? most + 1 : rounded));
    }
    /* What is too large, infinity too, is the largest number; what is no number has no sign. */
    RIFFLE_PURE static code saturated(float number) {
        if (number != number) return (code)none;
        const code rounded = from(number);
        return (rounded & none) > most ? (code)((rounded & ~none) | most) : rounded;
    }
    RIFFLE_PURE static float to(unsigned number) {
        const unsigned sign = number >> (BITS - 1) << 31, fraction = number & ((1u << FRACTION) - 1);
        const int exponent = (int)(number >> FRACTION) & (exponents - 1);
        const unsigned shifted = fraction << (23 - FRACTION);
        if ((number & none) > most) return same_bits<float>(sign | 0x7f800000 | (INFINITE ? shifted : 0x400000));
        if (exponent > 0) return same_bits<float>(sign | (unsigned)(exponent - bias + 127) << 23 | shifted);
        if (bias == 127) return same_bits<float>(sign | shifted);
        const float tiny = (float)fraction * same_bits<float>((unsigned)(128 - bias - FRACTION) << 23);
        return sign ? -tiny : tiny;
    }
};
/* A double as a float that becomes the same short number: what is cut off makes its last bit odd. */
RIFFLE_PURE float short_of(double number) {
    const float near = (float)number;
    const unsigned x = same_bits<unsigned>(near);
    if ((double)near == number || number != number || (x & 1) != 0) return near;
    if ((x & 0x7fffffff) == 0x7f800000) return number < 0 ? -std::numeric_limits<float>::max() : std::numeric_limits<float>::max();
    const bool is_far = fabs((double)near) > fabs(number);
    return same_bits<float>(is_far ? x - 1 : x + 1);
}

/* a * b + c of numbers of 16 bits as a float that becomes the same short number: the product is exact, and the sum rounded to odd. */
RIFFLE_PURE float short_fma(float a, float b, float c) {
    const double product = (double)a * b, sum = product + c, of_c = sum - product, rest = (product - (sum - of_c)) + (c - of_c);
    const unsigned long long x = same_bits<unsigned long long>(sum);
    if ((rest < 0 || rest > 0) && (x & 1) == 0) return short_of(same_bits<double>((rest > 0) == (sum > 0) ? x + 1 : x - 1));
    return short_of(sum);
}
/* The short number next to one that is exact as a double, in the direction. */
template <class Rounding, class Format> RIFFLE_PURE unsigned short short_towards(double value) {
    const unsigned short near = Format::from(short_of(value));
    const double is = (double)Format::to(near);
    const bool up = std::is_same<Rounding, upwards>::value || (std::is_same<Rounding, to_zero>::value && value < 0);
    const bool down = std::is_same<Rounding, downwards>::value || (std::is_same<Rounding, to_zero>::value && value > 0);
    if (!(up && is < value) && !(down && is > value)) return near;
    return (unsigned short)(near == 0 || near == 0x8000 ? (up ? 1 : 0x8001) : near + ((near >> 15) == up ? -1 : 1));
}

typedef short_float<16, 10, true> half_format;
typedef short_float<16, 7, true> bfloat16_format;
typedef short_float<8, 3, false> e4m3_format;
typedef short_float<8, 2, true> e5m2_format;
} // namespace riffle_lint

#endif
