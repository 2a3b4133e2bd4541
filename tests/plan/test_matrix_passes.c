/* SPDX-License-Identifier: Apache-2.0
 *
 * The HMM paper's algorithms as plans on the CPU: rows and columns permuted by themselves, matrices that do not
 * fill their array, and the refusals. (test_plan.c has them among all algorithms.)
 */
#include "support.h"

static uint64_t seed;

/* A random permutation of a rows x cols matrix in which every element stays in its row, or in its column. */
static riffle_perm *random_lines(rng *r, uint64_t rows, uint64_t cols, bool columns) {
    uint64_t *table = malloc(rows * cols * sizeof *table);
    assert_non_null(table);
    const uint64_t lines = columns ? cols : rows, length = columns ? rows : cols;
    const uint64_t line_stride = columns ? 1 : cols, stride = columns ? cols : 1;
    for (uint64_t line = 0; line < lines; line++) {
        riffle_perm *within = random_table(r, length);
        for (uint64_t k = 0; k < length; k++)
            table[line * line_stride + k * stride] = line * line_stride + riffle_perm_at(within, k) * stride;
        riffle_perm_free(within);
    }
    riffle_perm *perm;
    assert_int_equal(riffle_perm_table_u64(rows * cols, table, &perm), RIFFLE_OK);
    free(table);
    return perm;
}

static void check_plan(rng *r, const riffle_perm *perm, size_t elem_bytes, const riffle_plan_options *options) {
    riffle_plan *plan;
    if (riffle_plan_create(perm, elem_bytes, RIFFLE_ENGINE_CPU, options, &plan) != RIFFLE_OK)
        fail_msg("seed %llu: %s", (unsigned long long)seed, riffle_error_detail());
    assert_int_equal(riffle_plan_algorithm(plan), options->algorithm);
    const size_t bytes = (size_t)riffle_perm_length(perm) * elem_bytes;
    guarded dst = guarded_create(bytes, rng_below(r, 64)), src = guarded_create(bytes, rng_below(r, 64));
    fill_random(r, src.data, bytes);
    assert_int_equal(riffle_execute(plan, dst.data, src.data), RIFFLE_OK);
    if (!guarded_intact(&dst) || !is_moved(perm, dst.data, src.data, elem_bytes)) {
        fail_msg("seed %llu: n %llu, %zu bytes, %s, rows of %llu", (unsigned long long)seed,
                 (unsigned long long)riffle_perm_length(perm), elem_bytes,
                 riffle_algorithm_string(options->algorithm), (unsigned long long)options->row_length);
    }
    guarded_free(&src);
    guarded_free(&dst);
    riffle_plan_free(plan);
}

static void lines_are_permuted_by_themselves(void **state) {
    (void)state;
    static const uint64_t shapes[][2] = {{32, 32}, {64, 32}, {32, 96}, {96, 160}, {64, 2048}};
    static const size_t sizes[] = {1, 4, 8, 12};
    rng r = {seed};
    for (unsigned k = 0; k < sizeof shapes / sizeof shapes[0]; k++) {
        for (unsigned columns = 0; columns < 2; columns++) {
            riffle_perm *perm = random_lines(&r, shapes[k][0], shapes[k][1], columns != 0);
            const riffle_plan_options options = {.algorithm = columns ? RIFFLE_ALGORITHM_COLUMN_WISE
                                                                      : RIFFLE_ALGORITHM_ROW_WISE,
                                                 .row_length = shapes[k][1]};
            check_plan(&r, perm, sizes[rng_below(&r, 4)], &options);
            riffle_perm_free(perm);
        }
    }
}

static void scheduled_takes_any_row_length(void **state) {
    (void)state;
    rng r = {seed};
    for (unsigned k = 0; k < test_rounds(20); k++) {
        riffle_perm *perm = random_table(&r, 1 + rng_below(&r, 20000));
        const riffle_plan_options options = {.algorithm = RIFFLE_ALGORITHM_SCHEDULED,
                                             .row_length = rng_below(&r, 3) * (1 + rng_below(&r, 600)),
                                             .threads = 1 + (unsigned)rng_below(&r, 2)};
        check_plan(&r, perm, 4, &options);
        riffle_perm_free(perm);
    }
}

static void expect_refusal(const char *spec, uint64_t n, riffle_plan_options options, const char *detail) {
    riffle_perm *perm = parse_or_fail(spec, n);
    riffle_plan *plan = NULL;
    assert_int_equal(riffle_plan_create(perm, 4, RIFFLE_ENGINE_CPU, &options, &plan), RIFFLE_ERROR_UNSUPPORTED);
    if (strstr(riffle_error_detail(), detail) == NULL)
        fail_msg("'%s' lacks '%s'", riffle_error_detail(), detail);
    assert_null(plan);
    riffle_perm_free(perm);
}

static void what_no_matrix_can_do_is_refused(void **state) {
    (void)state;
    expect_refusal("reverse", 1024, (riffle_plan_options){.algorithm = RIFFLE_ALGORITHM_ROW_WISE},
                   "index 0 goes to 1023, in another row of the 32 x 32 matrix");
    expect_refusal("reverse", 1024, (riffle_plan_options){.algorithm = RIFFLE_ALGORITHM_COLUMN_WISE},
                   "index 0 goes to 1023, in another column of the 32 x 32 matrix");
    expect_refusal("identity", 1000, (riffle_plan_options){.algorithm = RIFFLE_ALGORITHM_ROW_WISE},
                   "no matrix of whole rows");
    expect_refusal("identity", 1024,
                   (riffle_plan_options){.algorithm = RIFFLE_ALGORITHM_ROW_WISE, .row_length = 48},
                   "no matrix of whole rows");
    expect_refusal("random:1", 1 << 17, (riffle_plan_options){.algorithm = RIFFLE_ALGORITHM_CONFLICT_FREE},
                   "does not fit");
    expect_refusal("random:1", 4096, (riffle_plan_options){.algorithm = RIFFLE_ALGORITHM_TRANSPOSE},
                   "moves only transposes");
    expect_refusal("identity", 4096, (riffle_plan_options){.algorithm = RIFFLE_ALGORITHM_TRANSPOSE},
                   "moves only transposes");
}

/* Other algorithms have no rows, so that a length said to them would be lost. */
static void a_row_length_wants_rows(void **state) {
    (void)state;
    static const riffle_algorithm others[] = {RIFFLE_ALGORITHM_AUTO, RIFFLE_ALGORITHM_GATHER, RIFFLE_ALGORITHM_CONFLICT_FREE};
    riffle_perm *perm;
    assert_int_equal(riffle_perm_parse("reverse", 1024, &perm), RIFFLE_OK);
    for (size_t k = 0; k < sizeof others / sizeof others[0]; k++) {
        const riffle_plan_options options = {.algorithm = others[k], .row_length = 32};
        riffle_plan *plan = NULL;
        assert_int_equal(riffle_plan_create(perm, 4, RIFFLE_ENGINE_CPU, &options, &plan), RIFFLE_ERROR_INVALID_ARGUMENT);
        assert_non_null(strstr(riffle_error_detail(), "a row length is for the algorithms row-wise, column-wise and scheduled"));
        assert_null(plan);
    }
    riffle_perm_free(perm);
}

int main(void) {
    seed = test_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_are_permuted_by_themselves),
        cmocka_unit_test(scheduled_takes_any_row_length),
        cmocka_unit_test(what_no_matrix_can_do_is_refused),
        cmocka_unit_test(a_row_length_wants_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
