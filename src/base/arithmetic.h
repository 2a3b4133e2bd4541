/* SPDX-License-Identifier: Apache-2.0
 *
 * The smaller and the larger of two numbers, and quotients rounded up: of int, or of unsigned numbers of 32 or 64 bits, as
 * the sum of both is one. The greatest common divisor; and where a number falls among ascending ones.
 */
#ifndef RIFFLE_BASE_ARITHMETIC_H
#define RIFFLE_BASE_ARITHMETIC_H

#include <stddef.h>
#include <stdint.h>

#define OF_EACH_TYPE(OF) OF(int, int) OF(unsigned, unsigned) OF(u64, uint64_t)
#define OF(name, type)                                                                                         \
    static inline type min_##name(type a, type b) { return a < b ? a : b; }                                    \
    static inline type max_##name(type a, type b) { return a > b ? a : b; }                                    \
    static inline type ceil_div_##name(type a, type b) { return a / b + (a % b > 0 ? 1 : 0); }                 \
    static inline type round_up_##name(type a, type unit) { return ceil_div_##name(a, unit) * unit; }
OF_EACH_TYPE(OF)
#undef OF
#undef OF_EACH_TYPE

#define BY_TYPE(name, a, b)                                                                                    \
    _Generic((a) + (b), int : name##_int, unsigned : name##_unsigned, uint64_t : name##_u64)(a, b)

#define min(a, b) BY_TYPE(min, a, b)
#define max(a, b) BY_TYPE(max, a, b)

/** a / b, rounded up; a is at least 0. */
#define ceil_div(a, b) BY_TYPE(ceil_div, a, b)

/** The first multiple of `unit` that is not less than a. */
#define round_up(a, unit) BY_TYPE(round_up, a, unit)

/** The greatest common divisor; of 0 and a number that number. */
static inline uint64_t common_divisor(uint64_t a, uint64_t b) {
    while (b != 0) {
        const uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/** The last of `count` ascending numbers that is at most x; numbers[0] is. */
static inline uint64_t last_not_above(const uint64_t *numbers, uint64_t count, uint64_t x) {
    uint64_t low = 0;
    for (uint64_t high = count; high - low > 1;) {
        const uint64_t middle = low + (high - low) / 2;
        if (numbers[middle] <= x)
            low = middle;
        else
            high = middle;
    }
    return low;
}

#endif
