/* SPDX-License-Identifier: Apache-2.0
 *
 * The scheduled permutation: shapes for every length, and the three steps one after the other against P.
 */
#include "support.h"

#include "papers/schedules/row_wise.h"
#include "papers/schedules/scheduled.h"

static uint64_t seed;

/* Follows element i through the steps. */
static uint64_t follow(const scheduled_steps *steps, uint64_t i) {
    const uint64_t rows = steps->shape.rows, cols = steps->shape.cols;
    const uint64_t row = i / cols, by_way_of = steps->before[i];
    const uint64_t to_row = steps->between[by_way_of * rows + row];
    return to_row * cols + steps->after[to_row * cols + by_way_of];
}

/* Every line of `cols` entries is a permutation. */
static bool lines_are_permutations(const uint16_t *lines, uint64_t rows, uint64_t cols) {
    unsigned char *seen = malloc(cols);
    assert_non_null(seen);
    bool good = true;
    for (uint64_t i = 0; good && i < rows; i++) {
        memset(seen, 0, cols);
        for (uint64_t j = 0; good && j < cols; j++) {
            good = lines[i * cols + j] < cols && seen[lines[i * cols + j]]++ == 0;
        }
    }
    free(seen);
    return good;
}

static bool steps_are_sound(const scheduled_steps *steps, const riffle_perm *perm) {
    const uint64_t rows = steps->shape.rows, cols = steps->shape.cols, n = riffle_perm_length(perm);
    if (!lines_are_permutations(steps->before, rows, cols)) return false;
    if (!lines_are_permutations(steps->between, cols, rows)) return false;
    if (!lines_are_permutations(steps->after, rows, cols)) return false;
    for (uint64_t i = 0; i < rows * cols; i++) {
        if (follow(steps, i) != (i < n ? riffle_perm_at(perm, i) : i)) return false;
    }
    return true;
}

static void check_perm(const riffle_perm *perm, matrix_shape shape, unsigned threads) {
    scheduled_steps steps;
    assert_int_equal(scheduled_factor(perm, shape, threads, &steps), RIFFLE_OK);
    if (!steps_are_sound(&steps, perm)) {
        char spec[100];
        riffle_perm_print(perm, spec, sizeof spec, NULL);
        fail_msg("seed %llu: %s of %llu in %llu x %llu", (unsigned long long)seed, spec,
                 (unsigned long long)riffle_perm_length(perm), (unsigned long long)shape.rows,
                 (unsigned long long)shape.cols);
    }
    scheduled_free(&steps);
}

static matrix_shape shape_or_fail(uint64_t n, uint64_t row_length, unsigned width) {
    matrix_shape shape = {0, 0};
    if (scheduled_shape(n, row_length, width, ROW_WISE_MAX_COLS, &shape) != RIFFLE_OK) {
        fail_msg("%llu: %s", (unsigned long long)n, riffle_error_detail());
    }
    return shape;
}

static void any_length_is_factored(void **state) {
    (void)state;
    rng r = {seed};
    for (unsigned round = 0; round < test_rounds(200); round++) {
        const unsigned width = 1U << rng_below(&r, 6);
        const uint64_t n = rng_below(&r, 6000), row_length = rng_below(&r, 2) * (1 + rng_below(&r, 200));
        riffle_perm *perm = rng_below(&r, 4) == 0 ? parse_or_fail("reverse", n) : random_table(&r, n);
        check_perm(perm, shape_or_fail(n, row_length, width), 1 + (unsigned)rng_below(&r, 3));
        riffle_perm_free(perm);
    }
}

static void the_papers_permutations_are_factored(void **state) {
    (void)state;
    static const char *const specs[] = {"identity",          "shuffle",  "bit-reversal",
                                        "transpose:256x512", "random:7", "rotate:1001"};
    for (size_t k = 0; k < sizeof specs / sizeof specs[0]; k++) {
        riffle_perm *perm = parse_or_fail(specs[k], 1 << 17);
        check_perm(perm, shape_or_fail(1 << 17, 0, 32), 2);
        riffle_perm_free(perm);
    }
}

static void powers_of_two_have_such_shapes(void **state) {
    (void)state;
    for (unsigned m = 0; m < 32; m++) {
        const uint64_t n = UINT64_C(1) << m;
        const matrix_shape shape = shape_or_fail(n, 0, 32);
        const uint64_t rows = UINT64_C(1) << m / 2, cols = UINT64_C(1) << (m + 1) / 2;
        assert_int_equal(shape.rows, rows > 32 ? rows : 32);
        assert_int_equal(shape.cols, cols > 32 ? cols : 32);
    }
}

static void other_lengths_are_about_square(void **state) {
    (void)state;
    rng r = {seed};
    for (unsigned round = 0; round < test_rounds(2000); round++) {
        const uint64_t n = rng_below(&r, UINT64_C(1) << (1 + rng_below(&r, 31)));
        const matrix_shape shape = shape_or_fail(n, 0, 32);
        const uint64_t area = shape.rows * shape.cols;
        const bool fits = area >= n && shape.rows % 32 == 0 && shape.cols % 32 == 0;
        const bool square = shape.cols <= 3 * shape.rows && shape.rows <= shape.cols;
        /* A matrix of k x k tiles has a row and a column of tiles to waste, plus what a power of two adds. */
        const bool tight = area - n <= 2 * 32 * (shape.rows + shape.cols) + 32 * 32;
        if (!fits || !square || !tight) {
            fail_msg("seed %llu: %llu in %llu x %llu", (unsigned long long)seed, (unsigned long long)n,
                     (unsigned long long)shape.rows, (unsigned long long)shape.cols);
        }
    }
}

static void a_row_length_is_kept(void **state) {
    (void)state;
    matrix_shape shape = shape_or_fail(1000, 100, 32);
    assert_int_equal(shape.cols, 128);
    assert_int_equal(shape.rows, 32);
    shape = shape_or_fail(1 << 20, 64, 32);
    assert_int_equal(shape.cols, 64);
    assert_int_equal(shape.rows, 16384);
}

static void lines_that_are_too_long_are_refused(void **state) {
    (void)state;
    matrix_shape shape = {1, 2};
    assert_int_equal(scheduled_shape(1 << 20, 0, 32, 512, &shape), RIFFLE_ERROR_UNSUPPORTED);
    assert_non_null(strstr(riffle_error_detail(), "holds at most 512"));
    assert_int_equal(scheduled_shape(1 << 20, 2048, 32, 1024, &shape), RIFFLE_ERROR_UNSUPPORTED);
    assert_non_null(strstr(riffle_error_detail(), "or row length"));
    assert_int_equal(scheduled_shape(1 << 20, UINT64_MAX, 32, 1024, &shape), RIFFLE_ERROR_UNSUPPORTED);
    assert_int_equal(scheduled_shape(1 << 20, 32, 32, 1024, &shape), RIFFLE_ERROR_UNSUPPORTED);
    assert_int_equal(scheduled_shape(UINT64_C(1) << 32, 0, 32, 65536, &shape), RIFFLE_ERROR_UNSUPPORTED);
    assert_int_equal(scheduled_shape(RIFFLE_MAX_LENGTH, 0, 32, 65536, &shape), RIFFLE_ERROR_UNSUPPORTED);
    assert_int_equal(shape.rows, 1);
    assert_int_equal(shape.cols, 2);
    /* 2^11 x 2^12 is too long, 2^23 elements are not. */
    assert_int_equal(scheduled_shape(1 << 23, 0, 32, 3000, &shape), RIFFLE_OK);
    assert_true(shape.rows <= 3000 && shape.cols <= 3000 && shape.rows * shape.cols >= 1 << 23);
}

static void too_large_a_matrix_leaves_nothing(void **state) {
    (void)state;
    const matrix_shape shape = {UINT64_C(1) << 28, UINT64_C(1) << 30};
    riffle_perm *perm = parse_or_fail("reverse", 100);
    scheduled_steps steps = {.shape = {1, 1}};
    assert_int_equal(scheduled_factor(perm, shape, 2, &steps), RIFFLE_ERROR_OUT_OF_MEMORY);
    assert_non_null(strstr(riffle_error_detail(), "a scheduled permutation"));
    assert_true(steps.before == NULL && steps.between == NULL && steps.after == NULL);
    riffle_perm_free(perm);
}

int main(void) {
    seed = test_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_length_is_factored),
        cmocka_unit_test(the_papers_permutations_are_factored),
        cmocka_unit_test(powers_of_two_have_such_shapes),
        cmocka_unit_test(other_lengths_are_about_square),
        cmocka_unit_test(a_row_length_is_kept),
        cmocka_unit_test(lines_that_are_too_long_are_refused),
        cmocka_unit_test(too_large_a_matrix_leaves_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
