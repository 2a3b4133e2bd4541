/* SPDX-License-Identifier: Apache-2.0
 *
 * The exact predicates, compared with big integers: a coordinate is a whole number of 2^-1074, and the cross product is
 * formed as it is written. Each step of the ladder is tried alone too.
 */
#include "hull/predicates.h"
#include "hull_support.h"
#include "support.h"

/* ------------------------------------------------------------- big integers */

enum { LIMBS = 140 }; /* limbs of 32 bits: products of differences of 2^2099 */

/* Sign and size. */
typedef struct big {
    int sign;
    uint32_t limb[LIMBS];
} big;

static int compare_sizes(const big *a, const big *b) {
    for (int k = LIMBS - 1; k >= 0; k--)
        if (a->limb[k] != b->limb[k]) return a->limb[k] > b->limb[k] ? 1 : -1;
    return 0;
}

static big add_sizes(const big *a, const big *b) {
    big sum = {.sign = a->sign};
    uint64_t carry = 0;
    for (unsigned k = 0; k < LIMBS; k++) {
        carry += (uint64_t)a->limb[k] + b->limb[k];
        sum.limb[k] = (uint32_t)carry;
        carry >>= 32;
    }
    assert_true(carry == 0);
    return sum;
}

/* |a| - |b|, which is at least 0, with the sign of a. */
static big subtract_sizes(const big *a, const big *b) {
    big rest = {.sign = a->sign};
    int64_t borrow = 0;
    for (unsigned k = 0; k < LIMBS; k++) {
        borrow += (int64_t)a->limb[k] - b->limb[k];
        rest.limb[k] = (uint32_t)borrow;
        borrow >>= 32;
    }
    return rest;
}

static big subtract(const big *a, const big *b) {
    if (b->sign == 0) return *a;
    big negative = *b;
    negative.sign = -b->sign;
    if (a->sign == 0) return negative;
    if (a->sign == negative.sign) return add_sizes(a, b);
    const int order = compare_sizes(a, b);
    return order == 0 ? (big){0} : order > 0 ? subtract_sizes(a, b) : subtract_sizes(&negative, a);
}

static big multiply(const big *a, const big *b) {
    big product = {.sign = a->sign * b->sign};
    for (unsigned i = 0; i < LIMBS; i++) {
        uint64_t carry = 0;
        for (unsigned j = 0; a->limb[i] != 0 && i + j < LIMBS; j++) {
            carry += (uint64_t)a->limb[i] * b->limb[j] + product.limb[i + j];
            product.limb[i + j] = (uint32_t)carry;
            carry >>= 32;
        }
    }
    return product;
}

/* size * 2^exponent. */
static big big_of(int sign, uint64_t size, unsigned exponent) {
    big out = {.sign = size == 0 ? 0 : sign};
    for (unsigned k = 0; k < 64; k++)
        if ((size >> k & 1) != 0) out.limb[(exponent + k) / 32] |= UINT32_C(1) << (exponent + k) % 32;
    return out;
}

/* In units of 2^-1074. */
static big big_of_double(double x) {
    if (x == 0) return (big){0};
    int exponent;
    uint64_t size = (uint64_t)ldexp(frexp(fabs(x), &exponent), 53);
    for (exponent -= 53; exponent < -1074; exponent++) size >>= 1;
    return big_of(x > 0 ? 1 : -1, size, (unsigned)(exponent + 1074));
}

static big big_of_integer(int64_t x) { return big_of(x > 0 ? 1 : -1, x > 0 ? (uint64_t)x : -(uint64_t)x, 0); }

/* The sign of (b - a) x (d - c), coordinates x and then y. */
static int cross_of(const big a[2], const big b[2], const big c[2], const big d[2]) {
    const big p = subtract(&b[0], &a[0]), q = subtract(&d[1], &c[1]);
    const big r = subtract(&b[1], &a[1]), s = subtract(&d[0], &c[0]);
    const big left = multiply(&p, &q), right = multiply(&r, &s);
    return subtract(&left, &right).sign;
}

/* ----------------------------------------------------------------- doubles */

static int expected_f64(const hull_f64 p[4]) {
    big at[4][2];
    for (unsigned k = 0; k < 4; k++) at[k][0] = big_of_double(p[k].x), at[k][1] = big_of_double(p[k].y);
    return cross_of(at[0], at[1], at[2], at[3]);
}

static void check_f64(const hull_f64 p[4]) {
    const int expected = expected_f64(p);
    assert_int_equal(hull_cross_f64(p[0], p[1], p[2], p[3]), expected);
    assert_int_equal(hull_cross_exact(p[0], p[1], p[2], p[3]), expected);
    assert_int_equal(hull_cross_long(p[0], p[1], p[2], p[3]), expected);
}

/* Four points of a set of each kind, float32 and float64, and three with one twice. */
static void test_random_f64(void **state) {
    (void)state;
    rng r = {20261122};
    for (unsigned round = 0; round < test_rounds(150); round++)
        for (int kind = 0; kind < HULL_KINDS; kind++) {
            hull_f64 p[4];
            hull_fill(&r, (hull_kind)kind, RIFFLE_TYPE_F64, p, 4);
            float single[8];
            if (round % 2 != 0) hull_fill(&r, (hull_kind)kind, RIFFLE_TYPE_F32, single, 4);
            for (unsigned k = 0; round % 2 != 0 && k < 4; k++)
                p[k] = (hull_f64){(double)single[2 * k], (double)single[2 * k + 1]};
            check_f64(p);
            p[2] = p[0];
            check_f64(p);
        }
}

/* A point next to the middle of two others, in every direction of 1 ulp. */
static void test_one_ulp(void **state) {
    (void)state;
    rng r = {7};
    unsigned zeros = 0;
    for (unsigned round = 0; round < test_rounds(300); round++) {
        const hull_f64 a = {hull_uniform(&r), hull_uniform(&r)}, b = {a.x * 3, a.y * 3};
        for (int way = 0; way < 9; way++) {
            const double x = 2 * a.x, y = 2 * a.y;
            const hull_f64 c = {way % 3 == 0 ? x : nextafter(x, way % 3 == 1 ? 9 : -9),
                                way / 3 == 0 ? y : nextafter(y, way / 3 == 1 ? 9 : -9)};
            check_f64((hull_f64[]){a, b, a, c});
            zeros += hull_orient_f64(a, b, c) == 0;
        }
    }
    assert_true(zeros > 0);
}

/* Coordinates that overflow, that underflow, and that do both. */
static void test_extremes(void **state) {
    (void)state;
    const double most = 0x1.fffffffffffffp1023, tiny = 0x1p-1074;
    const double values[] = {0,         -0.0,     tiny,   -tiny, 1, -1, most, -most, nextafter(most, 0),
                             0x1p-1022, 0x1p-537, 0x1p512};
    enum { VALUES = sizeof values / sizeof *values };
    rng r = {11};
    for (unsigned round = 0; round < test_rounds(3000); round++) {
        hull_f64 p[4];
        for (unsigned k = 0; k < 4; k++)
            p[k] = (hull_f64){values[rng_below(&r, VALUES)], values[rng_below(&r, VALUES)]};
        check_f64(p);
    }
}

/* Where rounded arithmetic is sure it is right, and it is sure nearly always. */
static void test_sure(void **state) {
    (void)state;
    rng r = {13};
    unsigned sure = 0;
    for (unsigned round = 0; round < 1000; round++) {
        hull_f64 p[4];
        hull_fill(&r, HULL_KIND_SQUARE, RIFFLE_TYPE_F64, p, 4);
        const int said =
            hull_sure_sign((p[1].x - p[0].x) * (p[3].y - p[2].y), (p[1].y - p[0].y) * (p[3].x - p[2].x));
        if (said != 0) assert_int_equal(said, expected_f64(p));
        sure += said != 0;
    }
    assert_true(sure > 990);
}

static void test_lexicographic(void **state) {
    (void)state;
    assert_true(hull_before_f64((hull_f64){0, 5}, (hull_f64){1, 0}));
    assert_true(hull_before_f64((hull_f64){-0.0, 1}, (hull_f64){0, 2}));
    assert_false(hull_before_f64((hull_f64){-0.0, 1}, (hull_f64){0, 1}));
    assert_false(hull_before_f64((hull_f64){0, -0.0}, (hull_f64){0, 0}));
    assert_true(hull_before_i64((hull_i64){INT64_MIN, 5}, (hull_i64){INT64_MAX, 0}));
    assert_false(hull_before_i64((hull_i64){3, 5}, (hull_i64){3, 5}));
    assert_true(hull_centred(0) == INT64_MIN && hull_centred(UINT64_MAX) == INT64_MAX);
}

/* ---------------------------------------------------------------- integers */

static void check_i64(const hull_i64 p[4]) {
    big at[4][2];
    for (unsigned k = 0; k < 4; k++) at[k][0] = big_of_integer(p[k].x), at[k][1] = big_of_integer(p[k].y);
    assert_int_equal(hull_cross_i64(p[0], p[1], p[2], p[3]), cross_of(at[0], at[1], at[2], at[3]));
}

static void test_random_i64(void **state) {
    (void)state;
    rng r = {17};
    for (unsigned round = 0; round < test_rounds(200); round++)
        for (int kind = 0; kind < HULL_KINDS; kind++) {
            hull_i64 p[4];
            hull_fill(&r, (hull_kind)kind, RIFFLE_TYPE_I64, p, 4);
            check_i64(p);
            p[2] = p[0];
            check_i64(p);
        }
    check_i64((hull_i64[]){
        {INT64_MIN, INT64_MIN}, {INT64_MAX, INT64_MAX}, {INT64_MIN, INT64_MIN}, {INT64_MAX, INT64_MAX - 1}});
    check_i64((hull_i64[]){
        {INT64_MIN, INT64_MAX}, {INT64_MAX, INT64_MIN}, {INT64_MIN, INT64_MAX}, {INT64_MAX, INT64_MIN + 1}});
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_f64),    cmocka_unit_test(test_one_ulp),
        cmocka_unit_test(test_extremes),      cmocka_unit_test(test_sure),
        cmocka_unit_test(test_lexicographic), cmocka_unit_test(test_random_i64),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
