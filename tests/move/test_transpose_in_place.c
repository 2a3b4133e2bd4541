/* SPDX-License-Identifier: Apache-2.0
 *
 * Transposes in place: matrices of any shape and elements of any length on the host, by any number of threads; the same
 * kernels on the memory machine; batches with gaps; what is refused.
 */
#include "support.h"

#include "move/cpu/passes/loops.h"
#include "plan/matrix/in_place.h"
#include "riffle/machine.h"

static uint64_t seed;

typedef struct matrix_case {
    uint64_t rows, cols;
    size_t elem_bytes;
} matrix_case;

static void fail_case(const matrix_case *c, const char *what) {
    fail_msg("seed %llu: %s: %llu x %llu elements of %zu bytes: %s", (unsigned long long)seed, what,
             (unsigned long long)c->rows, (unsigned long long)c->cols, c->elem_bytes, riffle_error_detail());
}

static uint64_t divisor_of(uint64_t a, uint64_t b) { return b == 0 ? a : divisor_of(b, a % b); }

/* Often with a common divisor; sometimes square, or of two rows. */
static matrix_case random_case(rng *r, uint64_t most) {
    static const size_t sizes[] = {1, 2, 3, 4, 5, 8, 12, 16, 24, 300};
    const uint64_t common = rng_below(r, 2) == 0 ? 1 : 1 + rng_below(r, 12);
    matrix_case c = {.elem_bytes = sizes[rng_below(r, sizeof sizes / sizeof *sizes)]};
    c.rows = common * (1 + rng_below(r, most / common));
    c.cols = common * (1 + rng_below(r, most / common));
    if (rng_below(r, 8) == 0) c.rows = c.cols;
    if (c.rows < 2) c.rows = 2;
    if (c.cols < 2) c.cols = 2;
    return c;
}

static riffle_perm *transpose_or_fail(const matrix_case *c) {
    riffle_perm *perm = NULL;
    assert_int_equal(riffle_perm_transpose(c->rows, c->cols, &perm), RIFFLE_OK);
    return perm;
}

/* ------------------------------------------------------------- the passes */

static const plan_target HOST = {.kind = TARGET_CPU, .name = "cpu"};

static void run_passes(const in_place_passes *passes, unsigned threads, void *array) {
    size_t each = in_rows_bytes(&passes->rows);
    for (unsigned k = 0; k < passes->count; k++)
        if (k != passes->rows_at && in_columns_bytes(&passes->columns[k]) > each)
            each = in_columns_bytes(&passes->columns[k]);
    void *const staging = malloc(threads * each);
    assert_non_null(staging);
    for (unsigned k = 0; k < passes->count; k++) {
        pass p = {.kind = k == passes->rows_at ? &PASS_IN_ROWS : &PASS_IN_COLUMNS};
        if (k == passes->rows_at)
            p.in_rows = passes->rows;
        else
            p.in_columns = passes->columns[k];
        cpu_run_pass(&p, threads, staging, array, array, NULL);
    }
    free(staging);
}

/* With guards on both sides, and beginning anywhere. */
static void check_passes(rng *r, const matrix_case *c, unsigned threads) {
    const size_t bytes = c->rows * c->cols * c->elem_bytes;
    riffle_perm *perm = transpose_or_fail(c);
    guarded array = guarded_create(bytes, rng_below(r, 64));
    unsigned char *before = malloc(bytes);
    assert_non_null(before);
    fill_random(r, array.data, bytes);
    memcpy(before, array.data, bytes);
    const in_place_passes passes = transpose_passes((matrix_shape){c->rows, c->cols}, c->elem_bytes, &HOST);
    if (passes.count != (divisor_of(c->rows, c->cols) > 1 ? 3 : 2)) fail_case(c, "another number of passes");
    run_passes(&passes, threads, array.data);
    if (!is_moved(perm, array.data, before, c->elem_bytes)) fail_case(c, "not transposed");
    if (!guarded_intact(&array)) fail_case(c, "wrote beside the array");
    free(before);
    guarded_free(&array);
    riffle_perm_free(perm);
}

static void matrices_of_every_small_shape(void **state) {
    (void)state;
    rng r = {seed};
    for (uint64_t rows = 2; rows <= 13; rows++)
        for (uint64_t cols = 2; cols <= 13; cols++)
            check_passes(&r, &(matrix_case){rows, cols, 1 + rng_below(&r, 20)}, 1 + (unsigned)rng_below(&r, 4));
}

static void matrices_of_any_shape(void **state) {
    (void)state;
    rng r = {seed + 1};
    for (unsigned round = 0; round < test_rounds(300); round++) {
        const matrix_case c = random_case(&r, 150);
        check_passes(&r, &c, 1 + (unsigned)rng_below(&r, 5));
    }
    static const matrix_case longer[] = {
        {2, 70001, 4}, {70001, 2, 2}, {1000, 1001, 1}, {3, 5000, 300}, {769, 1024, 8}};
    for (unsigned k = 0; k < sizeof longer / sizeof *longer; k++) check_passes(&r, &longer[k], 2);
}

/* ------------------------------------------------------------ from outside */

/* Elements between the arrays of a batch stay. */
static void plans_move_batches(void **state) {
    (void)state;
    rng r = {seed + 2};
    for (unsigned round = 0; round < test_rounds(60); round++) {
        const matrix_case c = random_case(&r, round % 20 == 0 ? 700 : 60);
        const uint64_t n = c.rows * c.cols, batch = 1 + rng_below(&r, 3), stride = n + rng_below(&r, 9);
        const riffle_plan_options options = {.in_place = true, .batch = batch, .stride = stride, .threads = 2};
        riffle_perm *perm = transpose_or_fail(&c);
        riffle_plan *plan = NULL;
        if (riffle_plan_create(perm, c.elem_bytes, RIFFLE_ENGINE_CPU, &options, &plan) != RIFFLE_OK)
            fail_case(&c, "not planned");
        const size_t step = stride * c.elem_bytes, bytes = (batch - 1) * step + n * c.elem_bytes;
        unsigned char *before = malloc(bytes), *array = malloc(bytes);
        assert_true(before != NULL && array != NULL);
        fill_random(&r, array, bytes);
        memcpy(before, array, bytes);
        assert_int_equal(riffle_execute(plan, array, array), RIFFLE_OK);
        for (uint64_t k = 0; k < batch; k++) {
            if (!is_moved(perm, array + k * step, before + k * step, c.elem_bytes))
                fail_case(&c, "not transposed");
            const size_t end = k * step + n * c.elem_bytes;
            if (k + 1 < batch && memcmp(array + end, before + end, step - n * c.elem_bytes) != 0)
                fail_case(&c, "wrote between the arrays");
        }
        free(array);
        free(before);
        riffle_plan_free(plan);
        riffle_perm_free(perm);
    }
}

/* A second array is what is to be spared. */
static void little_memory_is_kept(void **state) {
    (void)state;
    riffle_perm *perm = transpose_or_fail(&(matrix_case){1500, 1501, 0});
    riffle_plan *plan = NULL;
    const riffle_plan_options options = {.in_place = true};
    assert_int_equal(riffle_plan_create(perm, 8, RIFFLE_ENGINE_CPU, &options, &plan), RIFFLE_OK);
    assert_int_equal(riffle_plan_passes(plan), 2);
    assert_int_equal(riffle_plan_workspace_bytes(plan), 0);
    assert_int_equal(riffle_plan_algorithm(plan), RIFFLE_ALGORITHM_TRANSPOSE);
    assert_true(riffle_plan_bytes(plan) < (size_t)1500 * 1501 * 8 / 4 + 8192);
    riffle_plan_free(plan);
    riffle_perm_free(perm);
}

/* ------------------------------------------------------------ the machine */

static riffle_machine_options random_machine(rng *r) {
    const unsigned width = 1u << rng_below(r, 6);
    return (riffle_machine_options){.width = width, .block_threads = width << rng_below(r, 5)};
}

static void the_machine_transposes_too(void **state) {
    (void)state;
    rng r = {seed + 3};
    for (unsigned round = 0; round < test_rounds(is_sanitized() ? 20 : 120); round++) {
        matrix_case c = random_case(&r, 90);
        c.elem_bytes = (size_t)1 << rng_below(&r, 5);
        const riffle_machine_options machine = random_machine(&r);
        const riffle_plan_options options = {
            .algorithm = RIFFLE_ALGORITHM_TRANSPOSE, .in_place = true, .batch = 1 + rng_below(&r, 2)};
        riffle_perm *perm = transpose_or_fail(&c);
        riffle_report *report = NULL;
        if (riffle_simulate(perm, c.elem_bytes, &options, &machine, &report) != RIFFLE_OK)
            fail_case(&c, "not simulated");
        if (riffle_report_hazards(report) != 0) fail_case(&c, "hazards");
        riffle_report_free(report);
        riffle_perm_free(perm);
    }
}

/* --------------------------------------------------------------- refusals */

static void expect_refusal(const matrix_case *c, const char *words) {
    const riffle_plan_options options = {.in_place = true};
    const riffle_machine_options machine = {.shared_bytes = 4096};
    riffle_perm *perm = transpose_or_fail(c);
    riffle_report *report = NULL;
    if (riffle_simulate(perm, c->elem_bytes, &options, &machine, &report) != RIFFLE_ERROR_UNSUPPORTED)
        fail_case(c, "not refused");
    if (strstr(riffle_error_detail(), words) == NULL) fail_case(c, words);
    assert_null(report);
    riffle_perm_free(perm);
}

static void what_does_not_fit_is_refused(void **state) {
    (void)state;
    expect_refusal(&(matrix_case){3, 1025, 4}, "a line of the matrix is longer than shared memory");
    expect_refusal(&(matrix_case){1025, 3, 4}, "a line of the matrix is longer than shared memory");
    expect_refusal(&(matrix_case){3, 5, 12}, "its elements must be of 1, 2, 4, 8 or 16 bytes");
    riffle_perm *perm = parse_or_fail("random:1", 60);
    const riffle_plan_options options = {.in_place = true};
    riffle_plan *plan = NULL;
    assert_int_equal(riffle_plan_create(perm, 4, RIFFLE_ENGINE_CPU, &options, &plan), RIFFLE_ERROR_UNSUPPORTED);
    assert_non_null(strstr(riffle_error_detail(), "it transposes no matrix"));
    riffle_perm_free(perm);
}

int main(void) {
    seed = test_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(matrices_of_every_small_shape),
        cmocka_unit_test(matrices_of_any_shape),
        cmocka_unit_test(plans_move_batches),
        cmocka_unit_test(little_memory_is_kept),
        cmocka_unit_test(the_machine_transposes_too),
        cmocka_unit_test(what_does_not_fit_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
