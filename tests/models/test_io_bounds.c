/* SPDX-License-Identifier: Apache-2.0
 *
 * The dissertation's lower bounds: small cases worked out by hand, growth, and the limits of section 4.1.1.
 */
#include "support.h"

#include <math.h>

#include "models/io_bounds.h"

static bool is_near(double a, double b) { return fabs(a - b) <= 1e-9 * fabs(b); }

/* 8!/(2!)^4 = 2520 orders; 2n/S = 8 blocks, and of cS = 4 elements any 2 stay: 6 ways, 48 outcomes a turn. */
static void small_permutations_come_out(void **state) {
    (void)state;
    const io_machine one = {.processors = 1, .block = 2, .cache_blocks = 2};
    /* log_48 2520 = 2.02: but 4 blocks must be touched. */
    assert_true(is_near(io_bound_permutation(8, one), 4));
    /* S = 1, c = 2: 5! = 120 orders, 10 cells and 2 ways: log_20 120 = 1.6 turns, and 5 to touch them. */
    const io_machine cell = {.processors = 1, .block = 1, .cache_blocks = 2};
    assert_true(is_near(io_bound_permutation(5, cell), 5));
    assert_true(is_near(io_bound_permutation(1, cell), 1));
    assert_true(is_near(io_bound_permutation(0, cell), 0));
}

/* 12!/(2!)^6 = 7484400, of which a turn tells binomial(4, 2) = 6 apart; 12!/(3!)^4 = 369600 and
 * binomial(6, 3) = 20. */
static void small_sorts_come_out(void **state) {
    (void)state;
    const io_machine pairs = {.processors = 1, .block = 2, .cache_blocks = 2};
    assert_true(is_near(io_bound_sorting(12, pairs), log(7484400) / log(6)));
    const io_machine triples = {.processors = 2, .block = 3, .cache_blocks = 2};
    assert_true(is_near(io_bound_sorting(12, triples), log(369600) / log(20) / 2));
    assert_true(is_near(io_bound_sorting(3, triples), 0.5));
    assert_true(is_near(io_bound_sorting(1, triples), 1.0 / 6));
    /* S = 1, c = 2: 120 orders, 2 ways. */
    assert_true(is_near(io_bound_sorting(5, (io_machine){1, 1, 2}), log2(120)));
    assert_true(is_near(io_bound_sorting(1, (io_machine){1, 4, 2}), 0.25));
}

/* n/S log_c(n/S) but for a constant, of large n. */
static void sorts_grow_as_the_theorem_has_it(void **state) {
    (void)state;
    for (double block = 4; block <= 64; block *= 4)
        for (double held = 16; held <= 4096; held *= 16) {
            const double n = 0x1p30, wanted = n / block * log(n / block) / log(held);
            const double ratio = io_bound_sorting(n, (io_machine){1, block, held}) / wanted;
            assert_true(ratio > 0.3 && ratio < 1.1);
        }
}

/* A cache of one block leaves no choice but that of the block: counting then asks for more than touching. */
static void counting_beats_touching_for_small_caches(void **state) {
    (void)state;
    const io_machine machine = {.processors = 1, .block = 4, .cache_blocks = 1};
    /* n = 16: 16!/(4!)^4 = 63063000, 8 blocks, one way: log_8 of it, 8.6, where 4 blocks are touched. */
    assert_true(is_near(io_bound_permutation(16, machine), log(63063000) / log(8)));
    const io_machine four = {.processors = 4, .block = 4, .cache_blocks = 1};
    assert_true(is_near(io_bound_permutation(16, four), log(63063000) / log(8) / 4));
}

static void bounds_grow_with_n(void **state) {
    (void)state;
    const io_machine machine = {.processors = 16, .block = 32, .cache_blocks = 4};
    double permutation = 0, sorting = 0, order = 0;
    for (double n = 64; n < 1e12; n *= 1.5) {
        assert_true(io_bound_permutation(n, machine) > permutation);
        assert_true(io_bound_sorting(n, machine) > sorting);
        assert_true(io_order_permutation(n, machine) > order);
        permutation = io_bound_permutation(n, machine);
        sorting = io_bound_sorting(n, machine);
        order = io_order_permutation(n, machine);
        assert_true(permutation >= n / (32 * 16));
    }
}

/* More processors, wider blocks or larger caches can only help. */
static void bounds_fall_with_the_machine(void **state) {
    (void)state;
    const double n = 1 << 24;
    const io_machine machine = {.processors = 16, .block = 32, .cache_blocks = 4};
    const io_machine better[] = {{32, 32, 4}, {16, 64, 4}, {16, 32, 8}};
    for (size_t k = 0; k < 3; k++) {
        assert_true(io_bound_permutation(n, better[k]) < io_bound_permutation(n, machine));
        assert_true(io_bound_sorting(n, better[k]) < io_bound_sorting(n, machine));
    }
}

/* Section 4.1.1: n/P where n/S = Omega((ce)^S), and n/(PS) log_c(n/S) where (ce)^S = Omega(n/S). The exact
 * bound stays within a constant of either. */
static void the_limits_of_the_section_hold(void **state) {
    (void)state;
    const io_machine narrow = {.processors = 8, .block = 1, .cache_blocks = 2};
    const io_machine wide = {.processors = 8, .block = 128, .cache_blocks = 8};
    for (double n = 1 << 16; n < 1e12; n *= 4) {
        assert_true(is_near(io_order_permutation(n, narrow), n / 8));
        assert_true(is_near(io_order_permutation(n, wide), n / 1024 * log(n / 128) / log(8)));
        const double few = io_bound_permutation(n, narrow) / io_order_permutation(n, narrow);
        const double many = io_bound_permutation(n, wide) / io_order_permutation(n, wide);
        assert_true(few > 0.5 && few <= 1);
        assert_true(many > 0.25 && many < 1);
    }
}

/* The relaxed form that the section derives the theorem from lies below the exact bound. */
static void the_relaxed_form_is_below(void **state) {
    (void)state;
    const double e = exp(1);
    const io_machine machine = {.processors = 4, .block = 32, .cache_blocks = 6};
    for (double n = 1 << 12; n < 1e12; n *= 8) {
        const double relaxed = n * log(n / (e * 32)) / (4 * (log(2 * n / 32) + 32 * log(6 * e)));
        assert_true(io_bound_permutation(n, machine) >= relaxed);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_permutations_come_out),
        cmocka_unit_test(small_sorts_come_out),
        cmocka_unit_test(sorts_grow_as_the_theorem_has_it),
        cmocka_unit_test(counting_beats_touching_for_small_caches),
        cmocka_unit_test(bounds_grow_with_n),
        cmocka_unit_test(bounds_fall_with_the_machine),
        cmocka_unit_test(the_limits_of_the_section_hold),
        cmocka_unit_test(the_relaxed_form_is_below),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
