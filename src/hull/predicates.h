/* SPDX-License-Identifier: Apache-2.0
 *
 * Exact predicates on points, for C and for kernels. Whatever is asked is the sign of a cross product of two differences,
 *
 *      cross(a, b, c, d) = (b - a) x (d - c) = (bx - ax)(dy - cy) - (by - ay)(dx - cx)
 *
 * orientation of three points is cross(a, b, a, c); which of two points is farther to the left of a line p q is
 * cross(p, q, a, b). There are two kinds of coordinates: double, which holds float32 and integers of up to 4 bytes as they
 * are, and int64; uint64 becomes int64 by its top bit turned over, which is a translation.
 *
 * Doubles go up a ladder:
 *   1. Rounded arithmetic, where the result exceeds the bound of its error. The bound is Shewchuk's (1997), (3 + 16 e) e times
 *      the sum of the two products' sizes, e = 2^-53; it holds whether or not a compiler contracts a product and a sum into
 *      one operation, and the comparison fails of itself where something overflows.
 *   2. The differences have no rounding error, which two sums tell (no product: nothing to contract). Then two products of
 *      doubles are compared, as integers of 106 bits and exponents.
 *   3. The eight products of coordinates are added up in one long integer, whose unit is the smallest product of two doubles.
 * No step needs a rounding mode, a flag of the compiler or a range of the exponents. Steps 2 and 3 are integer arithmetic.
 *
 * Coordinates are finite.
 */
#ifndef RIFFLE_HULL_PREDICATES_H
#define RIFFLE_HULL_PREDICATES_H

#include <stdbool.h>
#include <stdint.h>

/* The sums of step 2 must round to double. */
#if defined(__FLT_EVAL_METHOD__) && __FLT_EVAL_METHOD__ == 2
#error "hull/predicates.h wants double arithmetic, not the extended one of the x87"
#endif

#ifdef __CUDACC__
#define HULL_FUNCTION static __host__ __device__ inline
#define HULL_RARE static __host__ __device__ __noinline__
#else
#define HULL_FUNCTION static inline
#define HULL_RARE __attribute__((noinline, unused)) static
#endif

/* Loops that a GPU's compiler is not to write out: what runs seldom, or once, waits for its instructions. */
#ifdef __CUDA_ARCH__
#define HULL_ROLLED _Pragma("unroll 1")
#else
#define HULL_ROLLED
#endif

__extension__ typedef unsigned __int128 hull_u128;

typedef struct hull_f64 {
    double x, y;
} hull_f64;

typedef struct hull_i64 {
    int64_t x, y;
} hull_i64;

/* ------------------------------------------------------------------- parts */

/** |x| = mantissa * 2^exponent. */
typedef struct hull_parts {
    uint64_t mantissa;
    int exponent;
} hull_parts;

HULL_FUNCTION uint64_t hull_bits(double x) {
    union {
        double real;
        uint64_t bits;
    } value;
    value.real = x;
    return value.bits;
}

HULL_FUNCTION bool hull_is_finite(double x) { return (hull_bits(x) >> 52 & 0x7ff) != 0x7ff; }

HULL_FUNCTION hull_parts hull_parts_of(double x) {
    const uint64_t fraction = hull_bits(x) & ((UINT64_C(1) << 52) - 1);
    const int field = (int)(hull_bits(x) >> 52 & 0x7ff);
    hull_parts parts;
    parts.mantissa = field == 0 ? fraction : fraction | UINT64_C(1) << 52;
    parts.exponent = field == 0 ? -1074 : field - 1075;
    return parts;
}

HULL_FUNCTION int hull_sign(double x) { return (x > 0) - (x < 0); }

HULL_FUNCTION int hull_leading_zeros(hull_u128 x) {
    const uint64_t high = (uint64_t)(x >> 64), low = (uint64_t)x;
#ifdef __CUDA_ARCH__
    return high != 0 ? __clzll((long long)high) : 64 + __clzll((long long)low);
#else
    return high != 0 ? __builtin_clzll(high) : 64 + __builtin_clzll(low);
#endif
}

/** The sign of |pq| - |rs|, none of which is 0. */
HULL_FUNCTION int hull_compare_sizes(double p, double q, double r, double s) {
    const hull_parts a = hull_parts_of(p), b = hull_parts_of(q), c = hull_parts_of(r), d = hull_parts_of(s);
    hull_u128 left = (hull_u128)a.mantissa * b.mantissa, right = (hull_u128)c.mantissa * d.mantissa;
    const int left_zeros = hull_leading_zeros(left), right_zeros = hull_leading_zeros(right);
    const int left_top = a.exponent + b.exponent - left_zeros;
    const int right_top = c.exponent + d.exponent - right_zeros;
    if (left_top != right_top) return left_top > right_top ? 1 : -1;
    left <<= left_zeros;
    right <<= right_zeros;
    return (left > right) - (left < right);
}

/* --------------------------------------------------- step 3: a long integer */

/* From 2^-2148 up to the sum of eight products below 2^2048 each, and a sign: two's complement. */
enum { HULL_LIMBS = 66, HULL_UNIT = -2148 };

typedef struct hull_long {
    uint64_t limb[HULL_LIMBS];
} hull_long;

/** Adds the product xy, or takes it away. */
HULL_RARE void hull_long_add(hull_long *sum, double x, double y, bool is_taken) {
    const hull_parts a = hull_parts_of(x), b = hull_parts_of(y);
    const hull_u128 product = (hull_u128)a.mantissa * b.mantissa;
    if (product == 0) return;
    const unsigned place = (unsigned)(a.exponent + b.exponent - HULL_UNIT), shift = place % 64;
    const hull_u128 above = shift == 0 ? 0 : product >> (128 - shift), here = product << shift;
    const uint64_t words[3] = {(uint64_t)here, (uint64_t)(here >> 64), (uint64_t)above};
    const uint64_t mask = ((x < 0) != (y < 0)) != is_taken ? ~UINT64_C(0) : 0;
    uint64_t carry = mask & 1; /* -v is ~v + 1 */
    HULL_ROLLED
    for (unsigned k = place / 64, j = 0; k < HULL_LIMBS; k++, j++) {
        if (j >= 3 && carry == (mask & 1)) break; /* ~0 + 1 and 0 + 0 change nothing any more */
        const hull_u128 added = (hull_u128)sum->limb[k] + ((j < 3 ? words[j] : 0) ^ mask) + carry;
        sum->limb[k] = (uint64_t)added;
        carry = (uint64_t)(added >> 64);
    }
}

HULL_FUNCTION int hull_long_sign(const hull_long *sum) {
    if (sum->limb[HULL_LIMBS - 1] >> 63 != 0) return -1;
    uint64_t any = 0;
    HULL_ROLLED
    for (unsigned k = 0; k < HULL_LIMBS; k++) any |= sum->limb[k];
    return any != 0;
}

HULL_RARE int hull_cross_long(hull_f64 a, hull_f64 b, hull_f64 c, hull_f64 d) {
    hull_long sum;
    HULL_ROLLED
    for (unsigned k = 0; k < HULL_LIMBS; k++) sum.limb[k] = 0;
    hull_long_add(&sum, b.x, d.y, false);
    hull_long_add(&sum, b.x, c.y, true);
    hull_long_add(&sum, a.x, d.y, true);
    hull_long_add(&sum, a.x, c.y, false);
    hull_long_add(&sum, b.y, d.x, true);
    hull_long_add(&sum, b.y, c.x, false);
    hull_long_add(&sum, a.y, d.x, false);
    hull_long_add(&sum, a.y, c.x, true);
    return hull_long_sign(&sum);
}

/* --------------------------------------------- step 2: differences are exact */

/** True if `difference`, which is a - b rounded, is a - b. */
HULL_FUNCTION bool hull_is_exact(double a, double b, double difference) {
    const double b_back = a - difference, a_back = difference + b_back;
    return (a - a_back) + (b_back - b) == 0; /* false also where something overflowed: then it is NaN */
}

HULL_RARE int hull_cross_exact(hull_f64 a, hull_f64 b, hull_f64 c, hull_f64 d) {
    const double p = b.x - a.x, q = d.y - c.y, r = b.y - a.y, s = d.x - c.x;
    if (!hull_is_exact(b.x, a.x, p) || !hull_is_exact(d.y, c.y, q) || !hull_is_exact(b.y, a.y, r) ||
        !hull_is_exact(d.x, c.x, s))
        return hull_cross_long(a, b, c, d);
    const int left = hull_sign(p) * hull_sign(q), right = hull_sign(r) * hull_sign(s);
    if (left != right || left == 0) return (left > right) - (left < right);
    return left * hull_compare_sizes(p, q, r, s);
}

/* -------------------------------------------------------------- predicates */

/** The sign of a cross product, whose products are `left` and `right`, by rounded arithmetic: 0 if it is not sure. */
HULL_FUNCTION int hull_sure_sign(double left, double right) {
    const double size = (left < 0 ? -left : left) + (right < 0 ? -right : right);
    const double result = left - right, bound = 3.3306690738754716e-16 * size;
    if (!(size > 1e-280)) return 0; /* products below 2^-1022 lose more than the bound says */
    return (result > bound) - (-result > bound);
}

/** The sign of (b - a) x (d - c). */
HULL_FUNCTION int hull_cross_f64(hull_f64 a, hull_f64 b, hull_f64 c, hull_f64 d) {
    const int sure = hull_sure_sign((b.x - a.x) * (d.y - c.y), (b.y - a.y) * (d.x - c.x));
    return sure != 0 ? sure : hull_cross_exact(a, b, c, d);
}

/** 1 if c is to the left of the line from a to b, -1 if to the right, 0 if on it. */
HULL_FUNCTION int hull_orient_f64(hull_f64 a, hull_f64 b, hull_f64 c) { return hull_cross_f64(a, b, a, c); }

/** Lexicographic: less x, or as much and less y. */
HULL_FUNCTION bool hull_before_f64(hull_f64 a, hull_f64 b) { return a.x < b.x || (a.x == b.x && a.y < b.y); }

HULL_FUNCTION uint64_t hull_distance(int64_t a, int64_t b) {
    return a > b ? (uint64_t)a - (uint64_t)b : (uint64_t)b - (uint64_t)a;
}

/** The same of integers: two products of 128 bits are compared, and their signs. */
HULL_FUNCTION int hull_cross_i64(hull_i64 a, hull_i64 b, hull_i64 c, hull_i64 d) {
    const int left = ((b.x > a.x) - (b.x < a.x)) * ((d.y > c.y) - (d.y < c.y));
    const int right = ((b.y > a.y) - (b.y < a.y)) * ((d.x > c.x) - (d.x < c.x));
    if (left != right || left == 0) return (left > right) - (left < right);
    const hull_u128 p = (hull_u128)hull_distance(a.x, b.x) * hull_distance(c.y, d.y);
    const hull_u128 q = (hull_u128)hull_distance(a.y, b.y) * hull_distance(c.x, d.x);
    return left * ((p > q) - (p < q));
}

HULL_FUNCTION int hull_orient_i64(hull_i64 a, hull_i64 b, hull_i64 c) { return hull_cross_i64(a, b, a, c); }

HULL_FUNCTION bool hull_before_i64(hull_i64 a, hull_i64 b) { return a.x < b.x || (a.x == b.x && a.y < b.y); }

/** A uint64 coordinate as an int64 one. */
HULL_FUNCTION int64_t hull_centred(uint64_t x) { return (int64_t)(x ^ UINT64_C(1) << 63); }

#endif
