/* SPDX-License-Identifier: Apache-2.0
 *
 * The closed forms of the Hierarchical Memory Machine against a naive count.
 */
#include "support.h"

#include "models/hmm.h"

static uint64_t seed;

/* D_w(P) by its definition. */
static uint64_t naive_distribution(const riffle_perm *perm, uint64_t width) {
    const uint64_t n = riffle_perm_length(perm);
    uint64_t groups = 0;
    for (uint64_t begin = 0; begin < n; begin += width) {
        const uint64_t end = n - begin < width ? n : begin + width;
        for (uint64_t i = begin; i < end; i++) {
            bool new = true;
            for (uint64_t k = begin; new &&k < i; k++) {
                new = riffle_perm_at(perm, k) / width != riffle_perm_at(perm, i) / width;
            }
            groups += new ? 1 : 0;
        }
    }
    return groups;
}

static uint64_t distribution(const riffle_perm *perm, unsigned width) {
    uint64_t groups = 0;
    assert_int_equal(hmm_distribution(perm, width, &groups), RIFFLE_OK);
    return groups;
}

static uint64_t distribution_of(const char *spec, uint64_t n, unsigned width) {
    riffle_perm *perm = parse_or_fail(spec, n);
    const uint64_t groups = distribution(perm, width);
    riffle_perm_free(perm);
    return groups;
}

static void check_naive(const riffle_perm *perm, unsigned width) {
    const uint64_t groups = distribution(perm, width), naive = naive_distribution(perm, width);
    if (groups != naive) {
        char spec[200];
        riffle_perm_print(perm, spec, sizeof spec, NULL);
        fail_msg("seed %llu: %s of %llu, width %u: %llu, not %llu", (unsigned long long)seed, spec,
                 (unsigned long long)riffle_perm_length(perm), width, (unsigned long long)groups,
                 (unsigned long long)naive);
    }
}

static void rotations_are_counted_as_defined(void **state) {
    (void)state;
    for (uint64_t n = 0; n <= 40; n++) {
        for (int64_t k = 0; k < (n > 0 ? (int64_t)n : 1); k++) {
            riffle_perm *rotated = NULL, *reversed = parse_or_fail("reverse", n), *both = NULL;
            assert_int_equal(riffle_perm_rotate(n, k, &rotated), RIFFLE_OK);
            assert_int_equal(riffle_perm_compose(reversed, rotated, &both), RIFFLE_OK);
            for (unsigned width = 1; width <= 11; width++) {
                check_naive(rotated, width);
                check_naive(both, width);
            }
            check_naive(rotated, 64);
            riffle_perm_free(rotated);
            riffle_perm_free(reversed);
            riffle_perm_free(both);
        }
    }
}

static void affine_maps_are_counted_as_defined(void **state) {
    (void)state;
    rng r = {seed};
    for (unsigned round = 0; round < test_rounds(300); round++) {
        const uint64_t n = UINT64_C(1) << rng_below(&r, 11);
        riffle_perm *perm = NULL;
        assert_int_equal(riffle_perm_random_affine(n, rng_next(&r), &perm), RIFFLE_OK);
        check_naive(perm, 1U << rng_below(&r, 8));
        check_naive(perm, 1 + (unsigned)rng_below(&r, 40));
        riffle_perm_free(perm);
    }
}

static void other_maps_are_counted_as_defined(void **state) {
    (void)state;
    rng r = {seed};
    for (unsigned round = 0; round < test_rounds(200); round++) {
        const uint64_t rows = 1 + rng_below(&r, 50), cols = 1 + rng_below(&r, 50);
        riffle_perm *table = random_table(&r, rng_below(&r, 3000)), *transpose = NULL;
        assert_int_equal(riffle_perm_transpose(rows, cols, &transpose), RIFFLE_OK);
        check_naive(table, 1 + (unsigned)rng_below(&r, 70));
        check_naive(transpose, 1 + (unsigned)rng_below(&r, 70));
        check_naive(table, 5000);
        riffle_perm_free(table);
        riffle_perm_free(transpose);
    }
}

/* Section IV: what the distributions of the named permutations are. */
static void the_papers_distributions_come_out(void **state) {
    (void)state;
    const uint64_t n = 1 << 22;
    assert_int_equal(distribution_of("identity", n, 32), n / 32);
    assert_int_equal(distribution_of("shuffle", n, 32), 2 * n / 32);
    assert_int_equal(distribution_of("~shuffle", n, 32), 2 * n / 32);
    assert_int_equal(distribution_of("bit-reversal", n, 32), n);
    assert_int_equal(distribution_of("~bit-reversal", n, 32), n);
    assert_int_equal(distribution_of("transpose:2048x2048", n, 32), n);
    assert_int_equal(distribution_of("~transpose:2048x2048", n, 32), n);
    /* Table III found 0.99987 n to 0.99990 n in 1000 random permutations of 4M elements. */
    const double random = (double)distribution_of("random:1", n, 32) / (double)n;
    assert_true(random > 0.9998 && random < 0.99995);
}

static void estimates_come_near(void **state) {
    (void)state;
    double estimate = 0;
    bool exact = true;
    riffle_perm *perm = parse_or_fail("random:3", 1 << 20);
    assert_int_equal(hmm_distribution_estimate(perm, 32, 1000, &estimate, &exact), RIFFLE_OK);
    assert_false(exact);
    assert_true(estimate > 0.99 * (1 << 20) && estimate <= 1 << 20);
    assert_int_equal(hmm_distribution_estimate(perm, 32, 1 << 15, &estimate, &exact), RIFFLE_OK);
    assert_true(exact);
    assert_true(estimate == (double)distribution(perm, 32));
    riffle_perm_free(perm);
    perm = parse_or_fail("bit-reversal", UINT64_C(1) << 40);
    assert_int_equal(hmm_distribution_estimate(perm, 32, 10, &estimate, &exact), RIFFLE_OK);
    assert_true(exact && estimate == (double)(UINT64_C(1) << 40));
    riffle_perm_free(perm);
}

static void the_bound_is_that_of_reading_once(void **state) {
    (void)state;
    for (unsigned width = 1; width <= 64; width *= 2)
        assert_int_equal(hmm_lower_bound(1 << 12, width, 100), (1 << 12) / width + 99);
    assert_int_equal(hmm_lower_bound(33, 32, 1), 2);
}

int main(void) {
    seed = test_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rotations_are_counted_as_defined),
        cmocka_unit_test(affine_maps_are_counted_as_defined),
        cmocka_unit_test(other_maps_are_counted_as_defined),
        cmocka_unit_test(the_papers_distributions_come_out),
        cmocka_unit_test(estimates_come_near),
        cmocka_unit_test(the_bound_is_that_of_reading_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
