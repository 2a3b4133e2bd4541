/* SPDX-License-Identifier: Apache-2.0
 *
 * The sort by a heap by way of quicksort whose patience is at its end, for points of doubles.
 */
#include "hull/cpu/solve_f64.c"
#include "support.h"

enum { MOST = 300, PLACES = 40 };

static void test_no_depth(void **state) {
    (void)state;
    const uint64_t seed = test_seed();
    rng r = {seed};
    hull_candidate items[MOST];
    for (uint64_t n = 0; n <= MOST; n++) {
        for (uint64_t k = 0; k < n; k++)
            items[k] =
                (hull_candidate){.at.f64 = {(double)rng_below(&r, PLACES), (double)rng_below(&r, PLACES)}};
        quicksort(items, n, 0);
        for (uint64_t k = 1; k < n; k++) assert_false(is_before(&items[k], &items[k - 1]));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_no_depth)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
