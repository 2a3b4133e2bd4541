/* SPDX-License-Identifier: Apache-2.0
 *
 * Integers as long as decisions on hulls need: products of six differences of doubles, in units of a common power of two,
 * for where rounded arithmetic does not decide.
 */
#ifndef RIFFLE_HULL_BIG_H
#define RIFFLE_HULL_BIG_H

#include <stdbool.h>
#include <stdint.h>

/* Six times the 2099 bits of a difference, and one more for each of a few sums. */
enum { BIG_LIMBS = 200 };

/** sign * size; size has `count` limbs, the last of them not 0. */
typedef struct big {
    int sign; /**< -1, 0, 1 */
    unsigned count;
    uint64_t limb[BIG_LIMBS];
} big;

/** x as a multiple of 2^unit, which it is. */
void big_set_double(big *out, double x, int unit);
void big_set_integer(big *out, int64_t x);

/** The largest unit that a double is a multiple of: big ones are short then. For 0 it is `most`. */
int big_unit(double x, int most);

/** out may be a or b in sums, not in products. */
void big_add(big *out, const big *a, const big *b);
void big_subtract(big *out, const big *a, const big *b);
void big_multiply(big *out, const big *a, const big *b);

/** a is *exponent twos times the result, which is rounded, as frexp says: 0.5 up to 1, or 0. */
double big_fraction(const big *a, int *exponent);

/** The sign of a - b. */
int big_compare(const big *a, const big *b);

#endif
