/* SPDX-License-Identifier: Apache-2.0
 *
 * Integers of any length keep the laws of a ring: sums and products of random ones, of several limbs, and of those whose limbs
 * are all ones, through which a carry runs.
 */
#include "hull/big.h"
#include "support.h"

enum { UNIT = -200, MOST_BITS = 400, LIMB_BITS = 64 };

static double power_of_two(unsigned exponent) {
    double out = 1;
    for (unsigned k = 0; k < exponent; k++) out *= 2;
    return out;
}

/* A sum of two doubles that lie far apart, so that its limbs are of every kind. */
static big random_big(rng *r) {
    big out, low;
    const double high = (double)(int64_t)rng_next(r) * power_of_two((unsigned)rng_below(r, MOST_BITS));
    big_set_double(&out, high, UNIT);
    big_set_double(&low, (double)(int64_t)rng_next(r), UNIT);
    big_add(&out, &out, &low);
    return out;
}

/* 2^bits - 1 */
static big all_ones(unsigned bits) {
    big out, one;
    big_set_double(&out, power_of_two(bits), 0);
    big_set_integer(&one, 1);
    big_subtract(&out, &out, &one);
    return out;
}

static void expect_laws(const big *a, const big *b, const big *c, uint64_t seed) {
    big sum, back, left, right, of_b;
    big_add(&sum, a, b);
    big_subtract(&back, &sum, b);
    if (big_compare(&back, a) != 0) fail_msg("a + b - b is not a, seed %llu", (unsigned long long)seed);
    if (big_compare(&sum, a) != b->sign) fail_msg("a + b against a, seed %llu", (unsigned long long)seed);
    big_multiply(&left, &sum, c);
    big_multiply(&right, a, c);
    big_multiply(&of_b, b, c);
    big_add(&right, &right, &of_b);
    if (big_compare(&left, &right) != 0)
        fail_msg("(a + b) c is not a c + b c, seed %llu", (unsigned long long)seed);
}

static void test_random(void **state) {
    (void)state;
    const uint64_t seed = test_seed();
    rng r = {seed};
    for (unsigned k = 0; k < 5000; k++) {
        const big a = random_big(&r), b = random_big(&r), c = random_big(&r);
        expect_laws(&a, &b, &c, seed);
    }
}

static void test_carries(void **state) {
    (void)state;
    big one, power, sum;
    big_set_integer(&one, 1);
    for (unsigned bits = 1; bits <= MOST_BITS; bits++) {
        const big ones = all_ones(bits);
        assert_int_equal(ones.count, (bits + LIMB_BITS - 1) / LIMB_BITS);
        big_add(&sum, &ones, &one);
        big_set_double(&power, power_of_two(bits), 0);
        assert_int_equal(big_compare(&sum, &power), 0);
        expect_laws(&ones, &one, &ones, bits);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random), cmocka_unit_test(test_carries)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
