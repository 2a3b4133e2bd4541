/* SPDX-License-Identifier: Apache-2.0 */
#include "hull/big.h"

#include <math.h>
#include <string.h>

#include "hull/predicates.h"

enum { LIMB_BITS = 64 };

/* After an operation: leading limbs of 0 go. */
static void trim(big *a, int sign) {
    while (a->count > 0 && a->limb[a->count - 1] == 0) a->count--;
    a->sign = a->count == 0 ? 0 : sign;
}

static void set(big *out, int sign, uint64_t size, unsigned shift) {
    const unsigned at = shift / LIMB_BITS, bits = shift % LIMB_BITS;
    memset(out->limb, 0, at * sizeof out->limb[0]);
    out->limb[at] = size << bits;
    out->limb[at + 1] = bits == 0 ? 0 : size >> (LIMB_BITS - bits);
    out->count = at + 2;
    trim(out, sign);
}

int big_unit(double x, int most) {
    const hull_parts parts = hull_parts_of(x);
    return parts.mantissa == 0 ? most : parts.exponent + __builtin_ctzll(parts.mantissa);
}

void big_set_double(big *out, double x, int unit) {
    const hull_parts parts = hull_parts_of(x);
    const int shift = parts.exponent - unit;
    const uint64_t size = shift < 0 && parts.mantissa != 0 ? parts.mantissa >> -shift : parts.mantissa;
    set(out, x < 0 ? -1 : 1, size, shift < 0 || size == 0 ? 0 : (unsigned)shift);
}

void big_set_integer(big *out, int64_t x) { set(out, x < 0 ? -1 : 1, x < 0 ? -(uint64_t)x : (uint64_t)x, 0); }

static int compare_sizes(const big *a, const big *b) {
    if (a->count != b->count) return a->count > b->count ? 1 : -1;
    for (unsigned k = a->count; k-- > 0;)
        if (a->limb[k] != b->limb[k]) return a->limb[k] > b->limb[k] ? 1 : -1;
    return 0;
}

int big_compare(const big *a, const big *b) {
    if (a->sign != b->sign) return a->sign > b->sign ? 1 : -1;
    return a->sign * compare_sizes(a, b);
}

static uint64_t limb_of(const big *a, unsigned k) { return k < a->count ? a->limb[k] : 0; }

static void add_sizes(big *out, const big *a, const big *b, int sign) {
    const unsigned count = (a->count > b->count ? a->count : b->count) + 1;
    uint64_t carry = 0;
    for (unsigned k = 0; k < count; k++) {
        const hull_u128 sum = (hull_u128)limb_of(a, k) + limb_of(b, k) + carry;
        out->limb[k] = (uint64_t)sum;
        carry = (uint64_t)(sum >> LIMB_BITS);
    }
    out->count = count;
    trim(out, sign);
}

/* |a| - |b|, which is not below 0. */
static void subtract_sizes(big *out, const big *a, const big *b, int sign) {
    const unsigned count = a->count;
    uint64_t borrow = 0;
    for (unsigned k = 0; k < count; k++) {
        const hull_u128 rest = (hull_u128)a->limb[k] - limb_of(b, k) - borrow;
        out->limb[k] = (uint64_t)rest;
        borrow = (uint64_t)(rest >> LIMB_BITS) & 1;
    }
    out->count = count;
    trim(out, sign);
}

/* a + b, where b has this sign. */
static void add_signed(big *out, const big *a, const big *b, int b_sign) {
    if (a->sign == 0 || b_sign == 0 || a->sign == b_sign) {
        add_sizes(out, a, b, a->sign == 0 ? b_sign : a->sign);
    } else if (compare_sizes(a, b) >= 0) {
        subtract_sizes(out, a, b, a->sign);
    } else {
        subtract_sizes(out, b, a, b_sign);
    }
}

void big_add(big *out, const big *a, const big *b) { add_signed(out, a, b, b->sign); }
void big_subtract(big *out, const big *a, const big *b) { add_signed(out, a, b, -b->sign); }

void big_multiply(big *out, const big *a, const big *b) {
    memset(out->limb, 0, (a->count + b->count) * sizeof out->limb[0]);
    for (unsigned i = 0; i < a->count; i++) {
        uint64_t carry = 0;
        for (unsigned j = 0; j < b->count; j++) {
            const hull_u128 sum = (hull_u128)a->limb[i] * b->limb[j] + out->limb[i + j] + carry;
            out->limb[i + j] = (uint64_t)sum;
            carry = (uint64_t)(sum >> LIMB_BITS);
        }
        out->limb[i + b->count] = carry;
    }
    out->count = a->count + b->count;
    trim(out, a->sign * b->sign);
}

double big_fraction(const big *a, int *exponent) {
    double size = 0;
    const unsigned from = a->count > 3 ? a->count - 3 : 0;
    for (unsigned k = a->count; k-- > from;) size = size * 0x1p64 + (double)a->limb[k];
    const double fraction = a->sign * frexp(size, exponent);
    *exponent += (int)(LIMB_BITS * from);
    return fraction;
}
