/* SPDX-License-Identifier: Apache-2.0
 *
 * Planning and executing through the public door: every algorithm on every permutation it can do, what plans
 * cost, and every refusal.
 */
#include "support.h"

#include "papers/schedules/row_wise.h"
#include "papers/schedules/scheduled.h"
#include "plan/plan.h"
#include "riffle/cuda.h"

static uint64_t seed;

enum { MOST_ALGORITHMS = 64 };

static const size_t SIZES[] = {1, 2, 3, 4, 5, 8, 12, 16, 24, 32, 64, 100, 256, 1000};

/* --------------------------------------------------------------- who can do it */

/* The form of a permutation, by its values. random:SEED is looked at no closer: it is arbitrary, whatever its values. */
typedef struct facts {
    uint64_t n;
    uint64_t *values;
    size_t elem_bytes;
    bool is_axes;
    bool is_random;
} facts;

static bool is_rotation(const facts *f) {
    const uint64_t n = f->n;
    bool forward = true, backward = true;
    for (uint64_t i = 0; i < n; i++) {
        forward &= f->values[i] == (f->values[0] + i) % n;
        backward &= f->values[i] == (f->values[0] + n - i) % n;
    }
    return forward || backward;
}

static bool is_affine(const facts *f) {
    if (f->n == 0 || (f->n & (f->n - 1)) != 0) return false;
    for (uint64_t i = 0; i < f->n; i++) {
        uint64_t sum = f->values[0];
        for (uint64_t bit = 1; bit < f->n; bit *= 2) sum ^= (i & bit) != 0 ? f->values[bit] ^ f->values[0] : 0;
        if (f->values[i] != sum) return false;
    }
    return true;
}

static bool is_transpose(const facts *f) {
    const uint64_t rows = f->n > 1 ? f->values[1] : 0;
    if (rows < 2 || rows == f->n || f->n % rows != 0) return false;
    const uint64_t cols = f->n / rows;
    for (uint64_t i = 0; i < f->n; i++)
        if (f->values[i] != i % cols * rows + i / cols) return false;
    return true;
}

/* Within the rows, or the columns, of the matrix that the planner lays n elements out in, if it has no gaps. */
static bool stays_in_lines(const facts *f, bool columns) {
    matrix_shape shape;
    if (scheduled_shape(f->n, 0, 32, ROW_WISE_MAX_COLS, &shape) != RIFFLE_OK) return false;
    if (shape.rows * shape.cols != f->n) return false;
    for (uint64_t i = 0; i < f->n; i++) {
        const uint64_t to = f->values[i];
        if (columns ? to % shape.cols != i % shape.cols : to / shape.cols != i / shape.cols) return false;
    }
    return true;
}

/* Which of the cpu engine's algorithms move it: all others must refuse. */
static bool can_do(const facts *f, riffle_algorithm algorithm) {
    const bool is_open = !f->is_random || f->n <= 1;
    switch (algorithm) {
    case RIFFLE_ALGORITHM_AUTO:
    case RIFFLE_ALGORITHM_SCATTER:
    case RIFFLE_ALGORITHM_GATHER:
    case RIFFLE_ALGORITHM_SCHEDULED:
    case RIFFLE_ALGORITHM_CONFLICT_FREE: return true;
    case RIFFLE_ALGORITHM_COPY: return is_open && is_rotation(f);
    case RIFFLE_ALGORITHM_AFFINE:
        return is_open && is_affine(f) && (f->elem_bytes & (f->elem_bytes - 1)) == 0 &&
               f->n * f->elem_bytes >= 64;
    case RIFFLE_ALGORITHM_AXES: return f->is_axes && !is_rotation(f);
    case RIFFLE_ALGORITHM_BUCKET: return f->elem_bytes <= 64;
    case RIFFLE_ALGORITHM_ONCE: return f->elem_bytes <= 16;
    case RIFFLE_ALGORITHM_TRANSPOSE: return f->n == 0 || (is_open && is_transpose(f));
    case RIFFLE_ALGORITHM_ROW_WISE: return f->n == 0 || stays_in_lines(f, false);
    case RIFFLE_ALGORITHM_COLUMN_WISE: return f->n == 0 || stays_in_lines(f, true);
    default: return false;
    }
}

static void check_moved(rng *r, const riffle_plan *plan, const riffle_perm *perm, const char *spec,
                        size_t elem_bytes, riffle_algorithm algorithm) {
    const size_t bytes = riffle_perm_length(perm) * elem_bytes;
    guarded dst = guarded_create(bytes, rng_below(r, 2) * rng_below(r, 64));
    guarded src = guarded_create(bytes, rng_below(r, 2) * rng_below(r, 64));
    fill_random(r, src.data, bytes);
    assert_int_equal(riffle_execute(plan, dst.data, src.data), RIFFLE_OK);
    if (!guarded_intact(&dst) || !is_moved(perm, dst.data, src.data, elem_bytes)) {
        fail_msg("seed %llu: %s, n %llu, %zu bytes, algorithm %s, offsets %zu and %zu",
                 (unsigned long long)seed, spec, (unsigned long long)riffle_perm_length(perm), elem_bytes,
                 riffle_algorithm_string(algorithm), dst.offset, src.offset);
    }
    guarded_free(&dst);
    guarded_free(&src);
}

/* Executes with one algorithm; false if the planner says that it cannot do this permutation. */
static bool moves(rng *r, const riffle_perm *perm, const char *spec, size_t elem_bytes,
                  riffle_algorithm algorithm) {
    const riffle_plan_options options = {.algorithm = algorithm, .threads = (unsigned)rng_below(r, 4)};
    riffle_plan *plan;
    const riffle_status status = riffle_plan_create(perm, elem_bytes, RIFFLE_ENGINE_CPU, &options, &plan);
    if (status == RIFFLE_ERROR_UNSUPPORTED) return false;
    if (status != RIFFLE_OK) fail_msg("%s: %s", spec, riffle_error_detail());
    check_moved(r, plan, perm, spec, elem_bytes, algorithm);
    riffle_plan_free(plan);
    return true;
}

static void check_all(rng *r, const char *spec, uint64_t n) {
    riffle_perm *perm = parse_or_fail(spec, n);
    uint64_t *values = malloc((n + 1) * sizeof *values);
    assert_non_null(values);
    assert_int_equal(riffle_perm_map(perm, 0, n, values), RIFFLE_OK);
    const facts f = {.n = n,
                     .values = values,
                     .elem_bytes = SIZES[rng_below(r, sizeof SIZES / sizeof SIZES[0])],
                     .is_axes = strncmp(spec, "axes:", 5) == 0 || strncmp(spec, "transpose:", 10) == 0,
                     .is_random = strncmp(spec, "random:", 7) == 0};
    riffle_algorithm all[MOST_ALGORITHMS];
    const size_t count = riffle_algorithm_list(all, MOST_ALGORITHMS);
    assert_true(count <= MOST_ALGORITHMS);
    for (size_t k = 0; k < count; k++) {
        const bool expected = can_do(&f, all[k]);
        if (moves(r, perm, spec, f.elem_bytes, all[k]) != expected)
            fail_msg("%s, n %llu, %zu bytes: '%s' %s", spec, (unsigned long long)n, f.elem_bytes,
                     riffle_algorithm_string(all[k]), expected ? riffle_error_detail() : "should refuse");
    }
    free(values);
    riffle_perm_free(perm);
}

static void specs_of_any_length(rng *r, uint64_t n) {
    char spec[64];
    check_all(r, "identity", n);
    check_all(r, "reverse", n);
    snprintf(spec, sizeof spec, "rotate:%lld", (long long)rng_below(r, 2 * n + 3) - (long long)n);
    check_all(r, spec, n);
    snprintf(spec, sizeof spec, "reverse|rotate:%llu", (unsigned long long)rng_below(r, n + 3));
    check_all(r, spec, n);
    snprintf(spec, sizeof spec, "random:%llu", (unsigned long long)rng_below(r, 1000));
    check_all(r, spec, n);
    snprintf(spec, sizeof spec, "~random:%llu|rotate:1", (unsigned long long)rng_below(r, 1000));
    check_all(r, spec, n);
}

static void every_algorithm_follows_the_definition(void **state) {
    (void)state;
    static const uint64_t lengths[] = {0, 1, 2, 3, 5, 7, 13, 63, 64, 65, 97, 127, 1000, 1021, 4095, 4097, 9973};
    rng r = {seed};
    for (unsigned k = 0; k < sizeof lengths / sizeof lengths[0]; k++) specs_of_any_length(&r, lengths[k]);
}

static void every_algorithm_follows_affine_definitions(void **state) {
    (void)state;
    rng r = {seed};
    char spec[64];
    for (unsigned m = 0; m <= 13; m++) {
        const uint64_t n = (uint64_t)1 << m;
        specs_of_any_length(&r, n);
        check_all(&r, "bit-reversal", n);
        check_all(&r, "shuffle", n);
        check_all(&r, "~unshuffle|reverse", n);
        snprintf(spec, sizeof spec, "random-affine:%llu", (unsigned long long)rng_below(&r, 1000));
        check_all(&r, spec, n);
        snprintf(spec, sizeof spec, "transpose:%ux%u", 1u << (m / 2), 1u << (m - m / 2));
        check_all(&r, spec, n);
    }
}

static void every_algorithm_follows_axes_definitions(void **state) {
    (void)state;
    rng r = {seed};
    for (unsigned round = 0; round < test_rounds(60); round++) {
        char spec[128];
        const unsigned a = 1 + (unsigned)rng_below(&r, 40), b = 1 + (unsigned)rng_below(&r, 30);
        const unsigned c = 1 + (unsigned)rng_below(&r, 9);
        static const char *const orders[] = {"0,1,2", "0,2,1", "1,0,2", "1,2,0", "2,0,1", "2,1,0"};
        snprintf(spec, sizeof spec, "axes:%ux%ux%u:%s", a, b, c, orders[rng_below(&r, 6)]);
        check_all(&r, spec, (uint64_t)a * b * c);
    }
}

static void plans_for_one_execution_build_nothing(void **state) {
    (void)state;
    enum { N = 1 << 20 };
    riffle_perm *perm = parse_or_fail("random:9", N);
    const riffle_plan_options once = {.executions = 1, .threads = 2};
    riffle_plan *plan;
    assert_int_equal(riffle_plan_create(perm, 4, RIFFLE_ENGINE_CPU, &once, &plan), RIFFLE_OK);
    /* A shuffle's inverse needs no table. Processors that cache few translations (core-2, nehalem) spread by tiles first. */
    const bool gathers = riffle_plan_algorithm(plan) == RIFFLE_ALGORITHM_GATHER;
    assert_true(gathers || riffle_plan_algorithm(plan) == RIFFLE_ALGORITHM_ONCE);
    assert_true(riffle_plan_bytes(plan) < (gathers ? 4096 : N)); /* a tile a thread, no table */
    assert_true(!gathers || riffle_plan_workspace_bytes(plan) == 0);
    rng r = {seed};
    guarded dst = guarded_create((size_t)N * 4, 0), src = guarded_create((size_t)N * 4, 0);
    fill_random(&r, src.data, src.bytes);
    assert_int_equal(riffle_execute(plan, dst.data, src.data), RIFFLE_OK);
    assert_true(guarded_intact(&dst) && is_moved(perm, dst.data, src.data, 4));
    guarded_free(&dst);
    guarded_free(&src);
    riffle_plan_free(plan);
    riffle_perm_free(perm);
}

static void plans_keep_to_their_budgets(void **state) {
    (void)state;
    riffle_plan *plan;
    riffle_perm *affine = parse_or_fail("random-affine:5", (uint64_t)1 << 40);
    assert_int_equal(riffle_plan_create(affine, 16, RIFFLE_ENGINE_CPU, NULL, &plan), RIFFLE_OK);
    assert_true(riffle_plan_bytes(plan) < 4096);
    assert_int_equal(riffle_plan_workspace_bytes(plan), 0);
    riffle_plan_free(plan);
    riffle_perm_free(affine);

    enum { N = 1 << 21 };
    riffle_perm *table = parse_or_fail("random:5", N);
    for (size_t elem_bytes = 1; elem_bytes <= 16; elem_bytes *= 2) {
        const riffle_plan_options options = {.algorithm = RIFFLE_ALGORITHM_BUCKET, .threads = 2};
        assert_int_equal(riffle_plan_create(table, elem_bytes, RIFFLE_ENGINE_CPU, &options, &plan), RIFFLE_OK);
        assert_true(riffle_plan_bytes(plan) <= 8 * (size_t)N);
        assert_true(riffle_plan_workspace_bytes(plan) <=
                    elem_bytes * (N + N / 16)); /* rows have empty places */
        riffle_plan_free(plan);
    }
    riffle_perm_free(table);
}

static void bad_calls_are_refused_with_a_reason(void **state) {
    (void)state;
    riffle_plan *plan = NULL;
    riffle_perm *perm = parse_or_fail("random:1", 1000), *huge = parse_or_fail("reverse", (uint64_t)1 << 40);
    assert_int_equal(riffle_plan_create(perm, 0, RIFFLE_ENGINE_CPU, NULL, &plan),
                     RIFFLE_ERROR_INVALID_ARGUMENT);
    assert_non_null(strstr(riffle_error_detail(), "at least 1 byte"));
    assert_int_equal(riffle_plan_create(huge, (size_t)1 << 30, RIFFLE_ENGINE_CPU, NULL, &plan),
                     RIFFLE_ERROR_LENGTH);
    assert_non_null(strstr(riffle_error_detail(), "1099511627776 elements of 1073741824 bytes"));
    assert_int_equal(riffle_plan_create(perm, 4, (riffle_engine)9, NULL, &plan), RIFFLE_ERROR_INVALID_ARGUMENT);
    riffle_plan_options options = {.algorithm = RIFFLE_ALGORITHM_AFFINE};
    assert_int_equal(riffle_plan_create(perm, 4, RIFFLE_ENGINE_CPU, &options, &plan), RIFFLE_ERROR_UNSUPPORTED);
    assert_non_null(strstr(riffle_error_detail(), "'affine' cannot do this: it moves only affine"));
    options.algorithm = RIFFLE_ALGORITHM_BUCKET;
    assert_int_equal(riffle_plan_create(perm, 65, RIFFLE_ENGINE_CPU, &options, &plan),
                     RIFFLE_ERROR_UNSUPPORTED);
    assert_non_null(strstr(riffle_error_detail(), "at most 64 bytes long"));
    options.algorithm = (riffle_algorithm)99;
    assert_int_equal(riffle_plan_create(perm, 4, RIFFLE_ENGINE_CPU, &options, &plan),
                     RIFFLE_ERROR_INVALID_ARGUMENT);
    assert_null(plan);
    riffle_perm_free(perm);
    riffle_perm_free(huge);
}

/* Plans for a GPU are made where there is one, and refused by that engine's name elsewhere. */
static void an_engine_is_refused_where_it_is_not(void **state) {
    (void)state;
    riffle_cuda_device gpu;
    const bool has_gpu = riffle_cuda_describe(&gpu) == RIFFLE_OK;
    riffle_plan *plan = NULL;
    riffle_perm *perm = parse_or_fail("random:1", 1000);
    const riffle_status status = riffle_plan_create(perm, 4, RIFFLE_ENGINE_CUDA, NULL, &plan);
    if (has_gpu) {
        assert_int_equal(status, RIFFLE_OK);
        assert_non_null(plan);
    } else {
        assert_int_equal(status, RIFFLE_ERROR_UNSUPPORTED);
        assert_non_null(strstr(riffle_error_detail(), "cuda"));
        assert_null(plan);
    }
    riffle_plan_free(plan);
    riffle_perm_free(perm);
}

static void bad_buffers_are_refused_unchanged(void **state) {
    (void)state;
    riffle_perm *perm = parse_or_fail("random:1", 100);
    riffle_plan *plan;
    assert_int_equal(riffle_plan_create(perm, 4, RIFFLE_ENGINE_CPU, NULL, &plan), RIFFLE_OK);
    char buffer[800];
    memset(buffer, POISON_VALUE, sizeof buffer);
    assert_int_equal(riffle_execute(plan, buffer, buffer), RIFFLE_ERROR_INVALID_ARGUMENT);
    assert_non_null(strstr(riffle_error_detail(), "overlap"));
    assert_int_equal(riffle_execute(plan, buffer, buffer + 399), RIFFLE_ERROR_INVALID_ARGUMENT);
    assert_int_equal(riffle_execute(plan, NULL, buffer), RIFFLE_ERROR_INVALID_ARGUMENT);
    assert_non_null(strstr(riffle_error_detail(), "dst is NULL"));
    for (size_t k = 0; k < sizeof buffer; k++) assert_int_equal((unsigned char)buffer[k], POISON_VALUE);
    assert_int_equal(riffle_execute(plan, buffer, buffer + 400), RIFFLE_OK);
    riffle_plan_free(plan);
    riffle_perm_free(perm);
}

static void algorithm_names_go_both_ways(void **state) {
    (void)state;
    riffle_algorithm algorithm;
    riffle_algorithm all[MOST_ALGORITHMS];
    const size_t count = riffle_algorithm_list(all, MOST_ALGORITHMS);
    assert_true(count <= MOST_ALGORITHMS);
    for (size_t k = 0; k < count; k++) {
        assert_int_equal(riffle_algorithm_parse(riffle_algorithm_string(all[k]), &algorithm), RIFFLE_OK);
        assert_int_equal(algorithm, all[k]);
    }
    assert_int_equal(riffle_algorithm_parse("afine", &algorithm), RIFFLE_ERROR_INVALID_ARGUMENT);
    assert_non_null(strstr(riffle_error_detail(), "'afine'"));
}

static void explanations_say_what_and_why(void **state) {
    (void)state;
    char text[2048] = {0};
    FILE *stream = fmemopen(text, sizeof text, "w");
    riffle_perm *perm = parse_or_fail("bit-reversal", (uint64_t)1 << 40);
    assert_int_equal(riffle_explain(perm, 4, RIFFLE_ENGINE_CPU, NULL, stream), RIFFLE_OK);
    riffle_plan *plan;
    assert_int_equal(riffle_plan_create(perm, 4, RIFFLE_ENGINE_CPU, NULL, &plan), RIFFLE_OK);
    assert_int_equal(riffle_plan_explain(plan, stream), RIFFLE_OK);
    fclose(stream);
    assert_non_null(strstr(text, "bit-reversal"));
    assert_non_null(strstr(text, "affine, 1 pass"));
    assert_non_null(strstr(text, "traffic      8 bytes an element"));
    assert_non_null(strstr(text, "affine_lines, src to dst: 2^32 tiles, each reads 16 and writes 16 lines"));
    riffle_plan_free(plan);

    FILE *full = fopen("/dev/full", "w");
    if (full != NULL) {
        assert_int_equal(riffle_explain(perm, 4, RIFFLE_ENGINE_CPU, NULL, full), RIFFLE_ERROR_IO);
        assert_non_null(strstr(riffle_error_detail(), "could not be written"));
        fclose(full);
    }
    riffle_perm_free(perm);
}

/* The line of an explanation that begins so, whole. */
static void take_line(const char *text, const char *begin, char line[static 256]) {
    const char *at = strstr(text, begin);
    assert_non_null(at);
    snprintf(line, 256, "%.*s", (int)strcspn(at, "\n"), at);
}

/* A plan has no permutation any more, and says of each kind what was said of it before. */
static void plans_explain_themselves_like_requests(void **state) {
    (void)state;
    static const char *const specs[] = {"identity",     "reverse",          "rotate:3",
                                        "bit-reversal", "axes:4x4x4:2,0,1", "random:1"};
    for (size_t k = 0; k < sizeof specs / sizeof specs[0]; k++) {
        riffle_perm *perm = parse_or_fail(specs[k], 64);
        riffle_plan *plan;
        char before[4096] = {0}, after[4096] = {0}, line[2][256];
        FILE *stream = fmemopen(before, sizeof before, "w");
        assert_int_equal(riffle_explain(perm, 4, RIFFLE_ENGINE_CPU, NULL, stream), RIFFLE_OK);
        fclose(stream);
        assert_int_equal(riffle_plan_create(perm, 4, RIFFLE_ENGINE_CPU, NULL, &plan), RIFFLE_OK);
        stream = fmemopen(after, sizeof after, "w");
        assert_int_equal(riffle_plan_explain(plan, stream), RIFFLE_OK);
        fclose(stream);
        static const char *const lines[] = {"permutation", "algorithm", "because", "loops"};
        for (unsigned j = 0; j < 4; j++) {
            take_line(before, lines[j], line[0]);
            take_line(after, lines[j], line[1]);
            assert_string_equal(line[0], line[1]);
        }
        riffle_plan_free(plan);
        riffle_perm_free(perm);
    }
}

static void a_plan_without_a_spare_buffer_counts_from_no_workspace(void **state) {
    (void)state;
    const riffle_plan none = {.workspace_bytes = 0}, both = {.workspace_bytes = 1000, .spare_bytes = 8};
    _Alignas(PLAN_BUFFER_ALIGNMENT) char workspace[2000];
    assert_null(plan_spare(&none, NULL)); /* UBSan looks at this: NULL + 0 is undefined */
    assert_null(plan_spare(&none, workspace));
    assert_ptr_equal(plan_spare(&both, workspace), workspace + 1024);
}

int main(void) {
    seed = test_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_plan_without_a_spare_buffer_counts_from_no_workspace),
        cmocka_unit_test(every_algorithm_follows_the_definition),
        cmocka_unit_test(every_algorithm_follows_affine_definitions),
        cmocka_unit_test(every_algorithm_follows_axes_definitions),
        cmocka_unit_test(plans_for_one_execution_build_nothing),
        cmocka_unit_test(plans_keep_to_their_budgets),
        cmocka_unit_test(bad_calls_are_refused_with_a_reason),
        cmocka_unit_test(an_engine_is_refused_where_it_is_not),
        cmocka_unit_test(bad_buffers_are_refused_unchanged),
        cmocka_unit_test(algorithm_names_go_both_ways),
        cmocka_unit_test(explanations_say_what_and_why),
        cmocka_unit_test(plans_explain_themselves_like_requests),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
