/* SPDX-License-Identifier: Apache-2.0
 *
 * riffle_hull_execute on the host, compared with the definition (hull/definition.h): sets of every kind and type. Sets
 * whose hulls are known. Refusals, and in which words.
 */
#include "hull/definition.h"
#include "hull_support.h"
#include "support.h"

static const riffle_type types[] = {
    RIFFLE_TYPE_F64, RIFFLE_TYPE_F32, RIFFLE_TYPE_I64, RIFFLE_TYPE_U64, RIFFLE_TYPE_I32,
    RIFFLE_TYPE_U32, RIFFLE_TYPE_I16, RIFFLE_TYPE_U16, RIFFLE_TYPE_I8,  RIFFLE_TYPE_U8,
};
enum { TYPES = sizeof types / sizeof *types };

static riffle_hull_plan *plan_or_fail(uint64_t n, riffle_type type, const riffle_hull_options *options) {
    riffle_hull_plan *plan = NULL;
    if (riffle_hull_plan_create(n, type, RIFFLE_ENGINE_CPU, options, &plan) != RIFFLE_OK)
        fail_msg("%s", riffle_error_detail());
    return plan;
}

static void *allocate(size_t bytes) {
    void *out = malloc(bytes + 1);
    assert_non_null(out);
    return out;
}

/* ---------------------------------------------------------- known hulls */

static void expect_indices(const double *points, uint64_t n, bool all, const uint32_t *expected,
                           uint64_t length) {
    const riffle_hull_options options = {.all = all};
    riffle_hull_plan *const plan = plan_or_fail(n, RIFFLE_TYPE_F64, &options);
    uint32_t *const found = allocate(n * sizeof *found);
    uint64_t found_length = 99;
    assert_int_equal(
        riffle_hull_execute(plan,
                            &(riffle_hull_arrays){.hulls = found, .lengths = &found_length, .points = points}),
        RIFFLE_OK);
    assert_int_equal(found_length, length);
    assert_memory_equal(found, expected, length * sizeof *expected);
    riffle_hull_plan_free(plan);
    free(found);
}

static void test_known(void **state) {
    (void)state;
    /* A square with the middles of its sides, its centre, and a corner twice. */
    const double square[] = {2, 2, 0, 0, 1, 0, 2, 0, 0, 1, 1, 1, 2, 1, 0, 2, 1, 2, 0, 0};
    expect_indices(square, 10, false, (uint32_t[]){1, 3, 0, 7}, 4);
    expect_indices(square, 10, true, (uint32_t[]){1, 2, 3, 6, 0, 8, 7, 4}, 8);
    const double line[] = {3, 3, 1, 1, 2, 2, 1, 1, 5, 5, 5, 5};
    expect_indices(line, 6, false, (uint32_t[]){1, 4}, 2);
    expect_indices(line, 6, true, (uint32_t[]){1, 2, 0, 4}, 4);
    const double upright[] = {0, 2, -0.0, 1, 0, 3};
    expect_indices(upright, 3, false, (uint32_t[]){1, 2}, 2);
    const double equal[] = {0, 0, -0.0, 0, 0, -0.0};
    expect_indices(equal, 3, false, (uint32_t[]){0}, 1);
    expect_indices(equal, 3, true, (uint32_t[]){0}, 1);
    expect_indices(equal, 1, false, (uint32_t[]){0}, 1);
    expect_indices(NULL, 0, false, NULL, 0);
}

/* ----------------------------------------------------------- random sets */

typedef struct hull_case {
    riffle_type type;
    hull_kind kind;
    uint64_t n, sets;
    bool all, points, is_uneven;
    size_t index_bytes;
    unsigned threads;
} hull_case;

static void describe(const hull_case *c, uint64_t seed) {
    print_error("seed %llu: %s, kind %d, %llu points in %llu sets, all %d, points %d, uneven %d, %zu bytes, %u "
                "threads\n",
                (unsigned long long)seed, riffle_type_string(c->type), (int)c->kind, (unsigned long long)c->n,
                (unsigned long long)c->sets, c->all, c->points, c->is_uneven, c->index_bytes, c->threads);
}

/* Beginnings of sets: as even as may be, or at random places. */
static uint64_t *beginnings(const hull_case *c, rng *r) {
    uint64_t *const first = allocate((c->sets + 1) * sizeof *first);
    first[0] = 0;
    for (uint64_t k = 1; k <= c->sets; k++) {
        const uint64_t left = c->n - first[k - 1], step = c->n / c->sets;
        first[k] =
            c->is_uneven ? first[k - 1] + rng_below(r, (left < 2 * step ? left : 2 * step) + 1) : k * step;
    }
    return first;
}

static bool is_result(const hull_case *c, const void *points, const void *result, uint32_t index) {
    const uint64_t wide = index;
    const size_t bytes = 2 * riffle_type_bytes(c->type);
    if (c->points) return memcmp(result, (const char *)points + index * bytes, bytes) == 0;
    return memcmp(result, c->index_bytes == 8 ? (const void *)&wide : &index, c->index_bytes) == 0;
}

static void check_case(const hull_case *c, uint64_t seed) {
    rng r = {seed};
    const size_t bytes = 2 * riffle_type_bytes(c->type);
    char *const points = allocate(c->n * bytes);
    uint64_t *const first = beginnings(c, &r), *const lengths = allocate(c->sets * sizeof *lengths);
    for (uint64_t k = 0; k < c->sets; k++)
        hull_fill(&r, c->kind, c->type, points + first[k] * bytes, first[k + 1] - first[k]);
    const riffle_hull_options options = {.segments = c->sets,
                                         .all = c->all,
                                         .points = c->points,
                                         .index_bytes = c->index_bytes,
                                         .threads = c->threads};
    riffle_hull_plan *const plan = plan_or_fail(c->n, c->type, &options);
    assert_int_equal(riffle_hull_plan_workspace_bytes(plan), 0);
    assert_int_equal(riffle_hull_plan_threads(NULL), 0);
    const size_t result = riffle_hull_plan_result_bytes(plan);
    guarded hulls = guarded_create(c->n * result, 0);
    assert_int_equal(riffle_hull_execute(plan, &(riffle_hull_arrays){.hulls = hulls.data,
                                                                     .lengths = lengths,
                                                                     .points = points,
                                                                     .first = c->is_uneven ? first : NULL}),
                     RIFFLE_OK);
    bool is_right = guarded_intact(&hulls);
    uint32_t *const expected = allocate(c->n * sizeof *expected);
    for (uint64_t k = 0; k < c->sets; k++) {
        uint64_t length;
        const hull_points all = {c->type, points, c->n};
        assert_int_equal(hull_definition(&all, first[k], first[k + 1], c->all, expected, &length), RIFFLE_OK);
        is_right = is_right && lengths[k] == length;
        for (uint64_t j = 0; is_right && j < length; j++)
            is_right = is_result(c, points, hulls.data + (first[k] + j) * result, expected[j]);
    }
    if (!is_right) describe(c, seed);
    assert_true(is_right);
    riffle_hull_plan_free(plan);
    guarded_free(&hulls);
    free(expected);
    free(lengths);
    free(first);
    free(points);
}

/* All types and kinds, one set and several, of up to a few hundred points. */
static void test_random(void **state) {
    (void)state;
    rng r = {20261123};
    for (unsigned round = 0; round < test_rounds(30); round++)
        for (int kind = 0; kind < HULL_KINDS; kind++)
            for (unsigned t = 0; t < TYPES; t++) {
                const uint64_t sets = round % 3 == 0 ? 1 : 1 + rng_below(&r, 9);
                const uint64_t each = rng_below(&r, round % 5 == 0 ? 300 : 12);
                const hull_case c = {.type = types[t],
                                     .kind = (hull_kind)kind,
                                     .n = sets * each,
                                     .sets = sets,
                                     .all = rng_below(&r, 2) != 0,
                                     .points = rng_below(&r, 3) == 0,
                                     .is_uneven = rng_below(&r, 2) != 0,
                                     .index_bytes = rng_below(&r, 2) != 0 ? 4 : 8,
                                     .threads = 1 + (unsigned)rng_below(&r, 2)};
                check_case(&c, rng_next(&r) | 1);
            }
}

/* Sets that go through a sieve, by one thread and by two, and some that fill a thread's list. */
static void test_large(void **state) {
    (void)state;
    rng r = {20261124};
    for (int kind = 0; kind < HULL_KINDS; kind++)
        for (unsigned t = 0; t < TYPES; t++) {
            const uint64_t sets = t % 4 == 3 ? 3 : 1;
            const hull_case c = {.type = types[t],
                                 .kind = (hull_kind)kind,
                                 .n = sets * (8192 + rng_below(&r, 40000)),
                                 .sets = sets,
                                 .all = rng_below(&r, 2) != 0,
                                 .index_bytes = 4,
                                 .threads = 1 + (unsigned)rng_below(&r, 2)};
            check_case(&c, rng_next(&r) | 1);
        }
    for (int kind = 0; kind < HULL_KINDS; kind += 2) {
        const hull_case c = {.type = RIFFLE_TYPE_F32,
                             .kind = (hull_kind)kind,
                             .n = 150001,
                             .sets = 1,
                             .index_bytes = 4,
                             .threads = 2};
        check_case(&c, rng_next(&r) | 1);
    }
}

/* NaN and infinity are found behind a sieve, the first of them. */
static void test_large_refused(void **state) {
    (void)state;
    enum { N = 100000 };
    rng r = {3};
    double *const points = allocate(N * 2 * sizeof *points);
    hull_fill(&r, HULL_KIND_SQUARE, RIFFLE_TYPE_F64, points, N);
    uint32_t *const hull = allocate(N * sizeof *hull);
    riffle_hull_plan *const plan = plan_or_fail(N, RIFFLE_TYPE_F64, &(riffle_hull_options){.threads = 2});
    uint64_t length = 7;
    const double bad[] = {NAN, INFINITY, -INFINITY};
    for (unsigned k = 0; k < 6; k++) {
        double *const first = &points[2 * 777 + k % 2], *const second = &points[2 * 90000], kept = *first;
        *first = bad[k / 2];
        *second = NAN;
        assert_int_equal(riffle_hull_execute(
                             plan, &(riffle_hull_arrays){.hulls = hull, .lengths = &length, .points = points}),
                         RIFFLE_ERROR_INVALID_ARGUMENT);
        assert_non_null(strstr(riffle_error_detail(), "point 777 is ("));
        *first = kept;
        assert_int_equal(riffle_hull_execute(
                             plan, &(riffle_hull_arrays){.hulls = hull, .lengths = &length, .points = points}),
                         RIFFLE_ERROR_INVALID_ARGUMENT);
        assert_non_null(strstr(riffle_error_detail(), "point 90000 is (nan, "));
        *second = 0;
    }
    assert_int_equal(length, 7);
    assert_int_equal(
        riffle_hull_execute(plan, &(riffle_hull_arrays){.hulls = hull, .lengths = &length, .points = points}),
        RIFFLE_OK);
    riffle_hull_plan_free(plan);
    free(hull);
    free(points);
}

/* ----------------------------------------------------------------- refusals */

static void expect_plan_refused(uint64_t n, riffle_type type, const riffle_hull_options *options,
                                riffle_status status, const char *sentence) {
    riffle_hull_plan *plan = NULL;
    assert_int_equal(riffle_hull_plan_create(n, type, RIFFLE_ENGINE_CPU, options, &plan), status);
    assert_string_equal(riffle_error_detail(), sentence);
    assert_null(plan);
}

static void test_refused_plans(void **state) {
    (void)state;
    expect_plan_refused(RIFFLE_HULL_MAX_POINTS + 1, RIFFLE_TYPE_F32, NULL, RIFFLE_ERROR_LENGTH,
                        "2147483649 points; hulls are of at most 2^31");
    expect_plan_refused(5, RIFFLE_TYPE_F32, &(riffle_hull_options){.callers_workspace = true},
                        RIFFLE_ERROR_UNSUPPORTED,
                        "the cpu engine takes no workspace from its caller; leave callers_workspace 0");
    expect_plan_refused(5, RIFFLE_TYPE_F16, NULL, RIFFLE_ERROR_UNSUPPORTED,
                        "coordinates of type f16; hulls are of integers, f32 and f64");
    expect_plan_refused(5, (riffle_type)99, NULL, RIFFLE_ERROR_INVALID_ARGUMENT,
                        "there is no type with number 99");
    expect_plan_refused(5, RIFFLE_TYPE_F32, &(riffle_hull_options){.index_bytes = 2},
                        RIFFLE_ERROR_INVALID_ARGUMENT, "indices have 4 or 8 bytes, not 2");
    expect_plan_refused(5, RIFFLE_TYPE_F32, &(riffle_hull_options){.segments = RIFFLE_HULL_MAX_POINTS + 1},
                        RIFFLE_ERROR_LENGTH, "2147483649 sets of points; there are at most 2^31");
    riffle_hull_plan *plan = NULL;
    assert_int_equal(riffle_hull_plan_create(5, RIFFLE_TYPE_F32, (riffle_engine)7, NULL, &plan),
                     RIFFLE_ERROR_INVALID_ARGUMENT);
    assert_string_equal(riffle_error_detail(), "there is no engine with number 7");
}

static void expect_paper_refused(riffle_engine engine, riffle_hull_options options, const char *sentence) {
    riffle_hull_plan *plan = NULL;
    options.algorithm = RIFFLE_HULL_ALGORITHM_PAPER;
    assert_int_equal(riffle_hull_plan_create(5, RIFFLE_TYPE_F32, engine, &options, &plan),
                     RIFFLE_ERROR_UNSUPPORTED);
    assert_string_equal(riffle_error_detail(), sentence);
    assert_null(plan);
}

static void test_refused_algorithms(void **state) {
    (void)state;
    expect_plan_refused(5, RIFFLE_TYPE_F32, &(riffle_hull_options){.algorithm = (riffle_hull_algorithm)5},
                        RIFFLE_ERROR_INVALID_ARGUMENT, "there is no algorithm for hulls with number 5");
    expect_paper_refused(
        RIFFLE_ENGINE_CPU, (riffle_hull_options){.segments = 3},
        "the dissertation's algorithm finds one hull and not those of many sets; use another algorithm");
    expect_paper_refused(
        RIFFLE_ENGINE_CUDA, (riffle_hull_options){.segments = 2},
        "the dissertation's algorithm finds one hull and not those of many sets; use another algorithm");
    expect_paper_refused(
        RIFFLE_ENGINE_CUDA, (riffle_hull_options){.all = true},
        "the dissertation's algorithm finds corners and not the points between them; use another algorithm");
    assert_string_equal(riffle_hull_algorithm_string(RIFFLE_HULL_ALGORITHM_AUTO), "auto");
    assert_string_equal(riffle_hull_algorithm_string(RIFFLE_HULL_ALGORITHM_PAPER), "paper");
}

/* Nothing is written where the points are refused. */
static void expect_refused(const riffle_hull_plan *plan, const void *points, const uint64_t *first,
                           const char *sentence) {
    uint32_t hulls[8];
    uint64_t lengths[2];
    memset(hulls, POISON_VALUE, sizeof hulls);
    memset(lengths, POISON_VALUE, sizeof lengths);
    assert_int_equal(
        riffle_hull_execute(
            plan, &(riffle_hull_arrays){.hulls = hulls, .lengths = lengths, .points = points, .first = first}),
        RIFFLE_ERROR_INVALID_ARGUMENT);
    assert_string_equal(riffle_error_detail(), sentence);
    for (unsigned k = 0; k < 8; k++) assert_true(hulls[k] == 0xa5a5a5a5);
    for (unsigned k = 0; k < 2; k++) assert_true(lengths[k] == 0xa5a5a5a5a5a5a5a5);
}

static void test_refused_points(void **state) {
    (void)state;
    riffle_hull_plan *const plan = plan_or_fail(6, RIFFLE_TYPE_F32, &(riffle_hull_options){.segments = 2});
    riffle_hull_plan *const three = plan_or_fail(7, RIFFLE_TYPE_F32, &(riffle_hull_options){.segments = 2});
    float points[14] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
    points[9] = INFINITY;
    points[10] = -NAN;
    expect_refused(plan, points, NULL, "point 4 is (9, inf); hulls are of finite points");
    points[6] = -INFINITY;
    expect_refused(plan, points, NULL, "point 3 is (-inf, 8); hulls are of finite points");
    expect_refused(three, points, NULL, "7 points are no 2 sets of as many; say where sets begin");
    expect_refused(plan, points, (uint64_t[]){0, 4, 3}, "set 1 begins at point 4 and ends at point 3");
    expect_refused(plan, points, (uint64_t[]){0, 4, 7}, "the last set ends at point 7 of 6");
    expect_refused(plan, NULL, NULL, "points is NULL but there are 6 points");
    expect_refused(plan, (const char *)points + 1, NULL, "points are not aligned to their coordinates");
    uint64_t lengths[2];
    assert_int_equal(
        riffle_hull_execute(plan, &(riffle_hull_arrays){.hulls = points, .lengths = lengths, .points = points}),
        RIFFLE_ERROR_INVALID_ARGUMENT);
    assert_string_equal(riffle_error_detail(), "hulls and points overlap");
    assert_int_equal(
        riffle_hull_execute(plan, &(riffle_hull_arrays){.hulls = points, .lengths = NULL, .points = points}),
        RIFFLE_ERROR_INVALID_ARGUMENT);
    assert_string_equal(riffle_error_detail(), "lengths is NULL; it has one for each set");
    /* Results that no set has may be anything. */
    uint32_t hulls[6];
    assert_int_equal(riffle_hull_execute(plan, &(riffle_hull_arrays){.hulls = hulls,
                                                                     .lengths = lengths,
                                                                     .points = points,
                                                                     .first = (uint64_t[]){0, 1, 3}}),
                     RIFFLE_OK);
    assert_true(lengths[0] == 1 && lengths[1] == 2);
    riffle_hull_plan_free(three);
    riffle_hull_plan_free(plan);
}

static void expect_null_refused(riffle_status status, const char *sentence) {
    assert_int_equal(status, RIFFLE_ERROR_INVALID_ARGUMENT);
    assert_string_equal(riffle_error_detail(), sentence);
}

static void test_no_plan(void **state) {
    (void)state;
    const float points[2] = {1, 2};
    uint32_t hulls[1];
    uint64_t lengths[1];
    riffle_hull_measures measures;
    assert_int_equal(riffle_hull_plan_result_bytes(NULL), 0);
    assert_int_equal(riffle_hull_plan_workspace_bytes(NULL), 0);
    assert_int_equal(riffle_hull_plan_threads(NULL), 0);
    riffle_hull_plan_free(NULL);
    expect_null_refused(
        riffle_hull_execute(NULL, &(riffle_hull_arrays){.hulls = hulls, .lengths = lengths, .points = points}),
        "plan is NULL");
    expect_null_refused(riffle_hull_plan_explain(NULL, stdout), "plan is NULL");
    expect_null_refused(riffle_hull_plan_create(1, RIFFLE_TYPE_F32, RIFFLE_ENGINE_CPU, NULL, NULL),
                        "out is NULL");
    expect_null_refused(riffle_hull_measure(1, RIFFLE_TYPE_F32, points, NULL), "out is NULL");
    assert_int_equal(riffle_hull_measure(UINT64_MAX, RIFFLE_TYPE_F32, points, &measures), RIFFLE_ERROR_LENGTH);
    expect_null_refused(riffle_hull_measure(1, RIFFLE_TYPE_F32, NULL, &measures),
                        "hull is NULL but there are 1 points of it");
}

/* ------------------------------------------------------------ explanations */

static void test_explained(void **state) {
    (void)state;
    riffle_hull_plan *plan;
    char *text = NULL;
    size_t bytes;
    FILE *const stream = open_memstream(&text, &bytes);
    assert_non_null(stream);
    const riffle_hull_options options = {.segments = 3, .all = true, .points = true, .threads = 1};
    assert_int_equal(riffle_hull_plan_create(300, RIFFLE_TYPE_F64, RIFFLE_ENGINE_CPU, &options, &plan),
                     RIFFLE_OK);
    assert_int_equal(riffle_hull_plan_explain(plan, stream), RIFFLE_OK);
    fclose(stream);
    assert_string_equal(text, "hull        300 points of type f64, in 3 sets, with points between two corners\n"
                              "algorithm   auto: chain\n"
                              "phases      each set is one thread's work\n"
                              "            points are sorted by x, and walked once; all decisions are exact\n"
                              "bound       4800 bytes are read: each point once\n");
    free(text);
    assert_int_equal(riffle_hull_plan_explain(plan, NULL), RIFFLE_ERROR_INVALID_ARGUMENT);
    assert_string_equal(riffle_error_detail(), "stream is NULL");
    assert_int_equal(riffle_hull_plan_explain(NULL, stdout), RIFFLE_ERROR_INVALID_ARGUMENT);
    riffle_hull_plan_free(plan);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known),          cmocka_unit_test(test_random),
        cmocka_unit_test(test_large),          cmocka_unit_test(test_large_refused),
        cmocka_unit_test(test_refused_plans),  cmocka_unit_test(test_refused_algorithms),
        cmocka_unit_test(test_refused_points), cmocka_unit_test(test_explained),
        cmocka_unit_test(test_no_plan),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
