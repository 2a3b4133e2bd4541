/* SPDX-License-Identifier: Apache-2.0
 *
 * Products and transposes over F2 as launches on the memory machine, which compares them with the host's: sizes off every edge of tables, panels and tiles, rows
 * with words between them, anything in the rest of what is read; no race, no bank conflict, and the time units that were predicted.
 */
#include "f2_support.h"
#include "predicted_support.h"

static uint64_t seed;

static void check(riffle_status status, riffle_report *report, const char *name) {
    if (status != RIFFLE_OK)
        fail_msg("seed %llu: %s: %s", (unsigned long long)seed, name, riffle_error_detail());
    assert_int_equal(riffle_report_hazards(report), 0);
    assert_predicted(BOUND_MATRICES, report, name, seed);
    riffle_report_free(report);
}

static void products(void **state) {
    static const uint64_t sizes[][3] = {{0, 5, 9},    {7, 0, 3},       {1, 1, 1},     {33, 31, 65},
                                        {130, 70, 1}, {129, 33, 1030}, {260, 8, 100}, {5, 257, 64}};
    rng r = {seed};
    (void)state;
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        const riffle_f2_matrix a = f2_random(&r, sizes[k][0], sizes[k][1], rng_below(&r, 3)),
                               b = f2_random(&r, sizes[k][1], sizes[k][2], rng_below(&r, 3));
        const riffle_machine_options on = {.latency = 1 + (unsigned)rng_below(&r, 400),
                                           .dmms = 1 + (unsigned)rng_below(&r, 2) * 4};
        riffle_report *report = NULL;
        const riffle_status status = riffle_simulate_f2_product(&a, &b, &on, &report);
        check(status, report, "a product");
        free(a.words), free(b.words);
    }
}

static void transposes(void **state) {
    static const uint64_t sizes[][2] = {{0, 5}, {1, 1}, {31, 33}, {256, 256}, {257, 300}, {70, 1000}};
    rng r = {seed + 1};
    (void)state;
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        const riffle_f2_matrix a = f2_random(&r, sizes[k][0], sizes[k][1], rng_below(&r, 3));
        riffle_report *report = NULL;
        const riffle_status status = riffle_simulate_f2_transpose(&a, NULL, &report);
        check(status, report, "a transpose");
        free(a.words);
    }
}

/* 8 threads read a sum, which is all banks once; 32 words of a panel lie side by side. */
static void accesses_are_good(void **state) {
    rng r = {seed + 2};
    const riffle_f2_matrix a = f2_random(&r, 128, 64, 0), b = f2_random(&r, 64, 1024, 0);
    riffle_report *report = NULL;
    (void)state;
    assert_int_equal(riffle_simulate_f2_product(&a, &b, NULL, &report), RIFFLE_OK);
    assert_int_equal(riffle_report_conflicts(report, 0), 0);
    riffle_report_free(report);
    free(a.words), free(b.words);
}

static void bad_calls_are_refused(void **state) {
    uint64_t words[4] = {1, 2, 3, 4};
    const riffle_f2_matrix a = {2, 2, 1, words}, b = {3, 2, 1, words};
    riffle_report *report = NULL;
    (void)state;
    assert_int_equal(riffle_simulate_f2_product(&a, &b, NULL, &report), RIFFLE_ERROR_LENGTH);
    assert_string_equal(riffle_error_detail(), "b: 3 x 2; it is 2 x 2, as a has columns");
    assert_int_equal(riffle_simulate_f2_product(NULL, &b, NULL, &report), RIFFLE_ERROR_INVALID_ARGUMENT);
    assert_int_equal(riffle_simulate_f2_transpose(&a, NULL, NULL), RIFFLE_ERROR_INVALID_ARGUMENT);
    assert_int_equal(riffle_simulate_f2_transpose(&a, &(riffle_machine_options){.width = 16}, &report),
                     RIFFLE_ERROR_UNSUPPORTED);
    assert_int_equal(riffle_cuda_f2_product(&a, &a, &a, NULL), RIFFLE_ERROR_INVALID_ARGUMENT);
    assert_int_equal(riffle_cuda_f2_transpose(NULL, &a, NULL), RIFFLE_ERROR_INVALID_ARGUMENT);
    assert_null(report);
}

int main(void) {
    seed = test_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products),
        cmocka_unit_test(transposes),
        cmocka_unit_test(accesses_are_good),
        cmocka_unit_test(bad_calls_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
