/* SPDX-License-Identifier: Apache-2.0
 *
 * The bounds of section 4.1 (models/sort_bound.h), beside numbers that were worked out by hand.
 */
#include "models/sort_bound.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void expect_near(double found, double expected) {
    assert_true(fabs(found - expected) < 1e-6 * expected);
}

static void test_by_hand(void **state) {
    (void)state;
    /* 8 elements in blocks of 2: 8! / 2!^4 = 2520 outcomes; a cache of 2 blocks: 6 choices. */
    const sort_bound small = sort_bound_of(8, 2, 2);
    expect_near(small.comparing, log(2520) / log(6));
    expect_near(small.permuting, 4); /* log 2520 / log 48 is less than the 4 blocks there are */
    /* Blocks of one element and a cache of two: 2 choices, 120 outcomes. */
    const sort_bound ones = sort_bound_of(5, 1, 2);
    expect_near(ones.comparing, log2(120));
    expect_near(ones.permuting, 5);
    expect_near(sort_bound_of(1, 4, 2).comparing, 0.25);
}

/* As the theorem has it, of large n: n / S log_c (n / S) but for a constant. */
static void test_growth(void **state) {
    (void)state;
    for (double S = 4; S <= 64; S *= 4)
        for (double c = 16; c <= 4096; c *= 16) {
            const double n = 0x1p30, wanted = n / S * log(n / S) / log(c);
            const double ratio = sort_bound_of((uint64_t)n, S, c).comparing / wanted;
            assert_true(ratio > 0.3 && ratio < 1.1);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_by_hand),
        cmocka_unit_test(test_growth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
