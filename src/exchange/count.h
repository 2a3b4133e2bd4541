/* SPDX-License-Identifier: Apache-2.0
 *
 * How many indices of one interval a permutation sends to another, in closed form for rotations and axes permutations: sums of
 *
 *     below(a, b) = how many i < a have P(i) < b
 */
#ifndef RIFFLE_EXCHANGE_COUNT_H
#define RIFFLE_EXCHANGE_COUNT_H

#include "perm/perm.h"

/** An interval of indices: first <= i < end. */
typedef struct interval {
    uint64_t first, end;
} interval;

/** True for permutations that have a closed form. */
bool count_is_closed(const riffle_perm *perm);

/** How many i of `from` have P(i) in `to`; both lie within 0..n. O(d^3) for axes permutations of d axes. */
uint64_t count_between(const riffle_perm *perm, interval from, interval to);

#endif
