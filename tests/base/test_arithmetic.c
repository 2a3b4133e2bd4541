/* SPDX-License-Identifier: Apache-2.0
 *
 * The smaller and the larger of two numbers, and quotients rounded up, at the ends of each type and where two types meet.
 */
#include "support.h"

#include "base/arithmetic.h"

static void smaller_and_larger(void **state) {
    (void)state;
    assert_true(min(-1, 1) == -1 && max(-1, 1) == 1);
    assert_true(min(UINT32_MAX, 1U) == 1 && max(UINT32_MAX, 1U) == UINT32_MAX);
    assert_true(min(UINT32_MAX, UINT64_MAX) == UINT32_MAX && max(1U, UINT64_MAX) == UINT64_MAX);
    assert_true(min((uint8_t)200, (uint16_t)300) == 200 && max((size_t)7, 7) == 7);
    assert_true(min(min(3U, 2U), max(1U, 4U)) == 2);
}

static void arguments_once(void **state) {
    (void)state;
    unsigned k = 0;
    assert_int_equal(max(k++, 0U), 0);
    assert_int_equal(k, 1);
}

/* The definition: the least q with q * unit >= a. */
static void quotients(void **state) {
    (void)state;
    for (uint64_t a = 0; a < 100; a++)
        for (uint64_t unit = 1; unit < 20; unit++) {
            uint64_t q = 0;
            while (q * unit < a) q++;
            assert_true(ceil_div(a, unit) == q && round_up(a, unit) == q * unit);
            assert_true(ceil_div((uint32_t)a, (uint32_t)unit) == q &&
                        round_up((int)a, (int)unit) == (int)(q * unit));
        }
    assert_true(ceil_div(UINT64_MAX, 2U) == UINT64_C(1) << 63 && ceil_div(UINT64_MAX, UINT64_MAX) == 1);
    assert_true(ceil_div(UINT32_MAX, 1U) == UINT32_MAX && round_up(UINT64_MAX - 1, 2) == UINT64_MAX - 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(smaller_and_larger),
        cmocka_unit_test(arguments_once),
        cmocka_unit_test(quotients),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
