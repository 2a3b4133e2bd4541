/* SPDX-License-Identifier: Apache-2.0
 *
 * An axes permutation has the same digits in its indices and in its values, in another order. All numbers below a are, for each digit
 * of a, those with the same higher digits, this digit less and the lower ones free: a box. So i < a and P(i) < b is a sum over pairs
 * of boxes, and of each pair the digits have intervals to meet.
 */
#include "exchange/count.h"

#include "base/arithmetic.h"

bool count_is_closed(const riffle_perm *perm) { return perm->kind == PERM_ROTATION || perm->kind == PERM_AXES; }

/* The numbers first <= x < end of both. */
static uint64_t common(interval a, interval b) {
    const uint64_t first = max(a.first, b.first), end = min(a.end, b.end);
    return end > first ? end - first : 0;
}

/* i -> offset + i, or offset - i: the image of an interval is one or two. */
static uint64_t rotation_between(const riffle_perm *perm, interval from, interval to) {
    const uint64_t n = perm->n, length = from.end - from.first, offset = perm->rotation.offset;
    if (length == 0) return 0;
    uint64_t first = (offset + from.first) % n;
    if (perm->rotation.reflected) first = (offset + n - (from.end - 1)) % n;
    if (first + length <= n) return common((interval){first, first + length}, to);
    return common((interval){first, n}, to) + common((interval){0, first + length - n}, to);
}

enum { DIGITS = RIFFLE_MAX_RANK };

/* The digits of a number in one order of the axes: `order` has their places by weight, the least first. */
typedef struct digits {
    unsigned count;
    unsigned order[DIGITS];
    uint64_t value[DIGITS]; /* by axis */
} digits;

static void split(const perm_axes *axes, uint64_t x, digits *of) {
    for (unsigned k = 0; k < of->count; k++) {
        const uint64_t extent = axes->digit[of->order[k]].extent;
        of->value[of->order[k]] = x % extent;
        x /= extent;
    }
}

/* Box number k of the numbers below x: digits at a place above k are x's, that at k is less, the others are free. */
static void box_of(const perm_axes *axes, const digits *x, unsigned k, interval out[DIGITS]) {
    for (unsigned j = 0; j < x->count; j++) {
        const unsigned axis = x->order[j];
        const uint64_t value = x->value[axis];
        out[axis] = j < k    ? (interval){0, axes->digit[axis].extent}
                    : j == k ? (interval){0, value}
                             : (interval){value, value + 1};
    }
}

static uint64_t meet(const interval *a, const interval *b, unsigned count) {
    uint64_t product = 1;
    for (unsigned axis = 0; axis < count && product > 0; axis++) product *= common(a[axis], b[axis]);
    return product;
}

/* How many i < a have P(i) < b, for a and b that are less than n. */
static uint64_t below_digits(const perm_axes *axes, digits *in, digits *out, uint64_t a, uint64_t b) {
    interval of_a[DIGITS], of_b[DIGITS];
    uint64_t sum = 0;
    split(axes, a, in);
    split(axes, b, out);
    for (unsigned k = 0; k < in->count; k++) {
        box_of(axes, in, k, of_a);
        for (unsigned j = 0; j < in->count; j++) {
            box_of(axes, out, j, of_b);
            sum += meet(of_a, of_b, in->count);
        }
    }
    return sum;
}

static uint64_t axes_below(const riffle_perm *perm, digits *in, digits *out, uint64_t a, uint64_t b) {
    if (a >= perm->n) return b;
    if (b >= perm->n) return a;
    return below_digits(&perm->axes, in, out, a, b);
}

/* The axes by their strides in P(i), the least first; `in` stays as the digits stand. */
static void order_digits(const perm_axes *axes, digits *in, digits *out) {
    in->count = out->count = axes->digits;
    for (unsigned k = 0; k < axes->digits; k++) {
        in->order[k] = k;
        unsigned place = 0;
        for (unsigned j = 0; j < axes->digits; j++) place += axes->digit[j].stride < axes->digit[k].stride;
        out->order[place] = k;
    }
}

uint64_t count_between(const riffle_perm *perm, interval from, interval to) {
    if (perm->kind == PERM_ROTATION) return rotation_between(perm, from, to);
    digits in, out;
    order_digits(&perm->axes, &in, &out);
    return axes_below(perm, &in, &out, from.end, to.end) - axes_below(perm, &in, &out, from.first, to.end) -
           axes_below(perm, &in, &out, from.end, to.first) + axes_below(perm, &in, &out, from.first, to.first);
}
