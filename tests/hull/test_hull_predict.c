/* SPDX-License-Identifier: Apache-2.0
 *
 * Predictions of hulls beside a memory machine's counts: equal where nothing depends on points, near for points uniform in a square, and the
 * same from explain as from simulate. tests/support/predicted/bounds.h has the bounds.
 */
#include <math.h>

#include "hull/predict/patterns.h"
#include "hull_support.h"
#include "predicted_support.h"
#include "rounds.h"
#include "support.h"

typedef struct hull_case {
    riffle_type type;
    uint64_t n, sets;
    bool all;
    riffle_hull_algorithm algorithm;
    riffle_machine_options machine;
} hull_case;

static const riffle_type types[] = {RIFFLE_TYPE_F32, RIFFLE_TYPE_F64, RIFFLE_TYPE_I8, RIFFLE_TYPE_I16,
                                    RIFFLE_TYPE_I32, RIFFLE_TYPE_I64, RIFFLE_TYPE_U8, RIFFLE_TYPE_U16,
                                    RIFFLE_TYPE_U32, RIFFLE_TYPE_U64};

static riffle_hull_options options_of(const hull_case *c) {
    return (riffle_hull_options){.segments = c->sets, .all = c->all, .algorithm = c->algorithm};
}

/* Uniform in a square: of floats that of 0 .. 1, of integers all that there are. */
static void *points_of(const hull_case *c, rng *r) {
    const size_t bytes = (size_t)c->n * 2 * riffle_type_bytes(c->type);
    unsigned char *const out = malloc(bytes + 1);
    assert_non_null(out);
    for (size_t k = 0; k < bytes; k++) out[k] = (unsigned char)(rng_next(r) >> 56);
    for (uint64_t k = 0; k < 2 * c->n; k++) {
        if (c->type == RIFFLE_TYPE_F32) ((float *)(void *)out)[k] = (float)hull_uniform(r);
        if (c->type == RIFFLE_TYPE_F64) ((double *)(void *)out)[k] = hull_uniform(r);
    }
    return out;
}

static riffle_report *simulate(const hull_case *c, uint64_t seed) {
    rng r = {seed};
    const riffle_hull_options options = options_of(c);
    void *const points = points_of(c, &r);
    riffle_report *report;
    if (riffle_simulate_hull(c->n, c->type, points, &options, &c->machine, NULL, &report) != RIFFLE_OK)
        fail_msg("%s", riffle_error_detail());
    assert_int_equal(riffle_report_hazards(report), 0);
    free(points);
    return report;
}

static riffle_machine_options random_machine(rng *r) {
    const unsigned latency = rng_below(r, 2) == 0 ? 400 : 1 + (unsigned)rng_below(r, 50);
    return (riffle_machine_options){.latency = latency,
                                    .shared_latency = 1 + (unsigned)rng_below(r, 4),
                                    .dmms = rng_below(r, 3) == 0 ? 1 + (unsigned)rng_below(r, 5) : 1};
}

static unsigned cases(void) { return test_is_long() ? 200 : 20; }

/* A set of one point is its own hull, and one of none has none. */
static void what_depends_on_no_points_is_exact(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= cases(); seed++) {
        rng r = {seed};
        const uint64_t sets = 1 + rng_below(&r, seed % 10 == 0 ? (test_is_long() ? 5000 : 700) : 200);
        const hull_case c = {.type = types[rng_below(&r, sizeof types / sizeof *types)],
                             .n = seed % 7 == 0 ? 0 : sets,
                             .sets = sets,
                             .all = rng_below(&r, 2) != 0,
                             .machine = random_machine(&r)};
        riffle_report *const report = simulate(&c, seed);
        assert_predicted(BOUND_HULL_EXACT, report, riffle_type_string(c.type), seed);
        riffle_report_free(report);
    }
}

/* Returns how far one run is from the prediction. */
static double expect_near(const hull_case *c, uint64_t seed, prediction_bound bound) {
    riffle_report *const report = simulate(c, seed);
    const uint64_t told = riffle_report_predicted_time_units(report),
                   counted = riffle_report_time_units(report);
    assert_true(report->is_predicted);
    assert_string_equal(report->predicted_meaning, "expected");
    if (!is_within(bound, (double)told, (double)counted))
        fail_msg("seed %llu: %llu points of type %s in %llu sets: %llu time units predicted, %llu counted",
                 (unsigned long long)seed, (unsigned long long)c->n, riffle_type_string(c->type),
                 (unsigned long long)c->sets, (unsigned long long)told, (unsigned long long)counted);
    riffle_report_free(report);
    return fabs((double)told / (double)counted - 1);
}

static void sets_of_a_warp_are_near(void **state) {
    (void)state;
    double sum = 0;
    for (uint64_t seed = 1; seed <= cases(); seed++) {
        rng r = {seed};
        const uint64_t each = 2 + rng_below(&r, 31), sets = 1 + rng_below(&r, 200);
        sum += expect_near(&(hull_case){.type = types[rng_below(&r, sizeof types / sizeof *types)],
                                        .n = sets * each,
                                        .sets = sets,
                                        .all = rng_below(&r, 2) != 0,
                                        .machine = random_machine(&r)},
                           seed, BOUND_HULL_WARPS);
    }
    assert_true(sum < bound_of(BOUND_HULL_MEAN).any * cases());
}

static void sets_of_a_block_are_near(void **state) {
    (void)state;
    double sum = 0;
    for (uint64_t seed = 1; seed <= cases(); seed++) {
        rng r = {seed};
        const uint64_t sets = rng_below(&r, 2) == 0 ? 1 : 1 + rng_below(&r, 12),
                       most = seed % 5 == 0 ? 4096 : 700, each = 33 + rng_below(&r, (most - 32) / sets);
        sum += expect_near(&(hull_case){.type = types[rng_below(&r, sizeof types / sizeof *types)],
                                        .n = sets * each,
                                        .sets = sets,
                                        .all = rng_below(&r, 2) != 0,
                                        .machine = random_machine(&r)},
                           seed, BOUND_HULL_BLOCKS);
    }
    assert_true(sum < bound_of(BOUND_HULL_MEAN).any * cases());
}

/* A block each, portion after portion. */
static void large_sets_are_near(void **state) {
    (void)state;
    double sum = 0;
    const unsigned count = cases() / 4;
    for (uint64_t seed = 1; seed <= count; seed++) {
        rng r = {seed};
        const uint64_t sets = 2 + rng_below(&r, 3), each = 4097 + rng_below(&r, seed % 5 == 0 ? 12000 : 6000);
        sum += expect_near(&(hull_case){.type = types[rng_below(&r, sizeof types / sizeof *types)],
                                        .n = sets * each,
                                        .sets = sets,
                                        .all = rng_below(&r, 2) != 0,
                                        .machine = random_machine(&r)},
                           seed, BOUND_HULL_LARGE_SETS);
    }
    assert_true(sum < bound_of(BOUND_HULL_MEAN).any * count);
}

static void one_large_set_is_near(void **state) {
    (void)state;
    double sum = 0;
    for (uint64_t seed = 1; seed <= cases() / 4; seed++) {
        rng r = {seed};
        riffle_type type = types[rng_below(&r, sizeof types / sizeof *types)];
        if (riffle_type_bytes(type) == 2) type = RIFFLE_TYPE_F32;
        sum += expect_near(&(hull_case){.type = type,
                                        .n = 4097 + rng_below(&r, seed % 5 == 0 ? 60000 : 9000),
                                        .sets = 1,
                                        .all = rng_below(&r, 2) != 0,
                                        .machine = random_machine(&r)},
                           seed, BOUND_HULL_LARGE);
    }
    assert_true(sum < bound_of(BOUND_HULL_MEAN).any * (cases() / 4));
}

static void the_dissertations_way_is_near(void **state) {
    (void)state;
    const unsigned rounds = test_is_long() ? 200 : 10;
    double sum = 0;
    for (uint64_t seed = 1; seed <= rounds; seed++) {
        rng r = {seed};
        const riffle_type type = types[rng_below(&r, sizeof types / sizeof *types)];
        const uint64_t most = test_is_long() ? (seed % 5 > 0 ? 4000 : 70000) : seed % 5 > 0 ? 1500 : 8000, n = 1 + rng_below(&r, most);
        const bool repeats = riffle_type_bytes(type) == 1 && n > 20000;
        sum += expect_near(&(hull_case){.type = type,
                                        .n = n,
                                        .sets = 1,
                                        .machine = random_machine(&r),
                                        .algorithm = RIFFLE_HULL_ALGORITHM_PAPER},
                           seed, repeats ? BOUND_HULL_PAPER_BYTES : BOUND_HULL_PAPER);
    }
    assert_true(sum < bound_of(BOUND_HULL_PAPER_MEAN).any * rounds);
}

/* Points of bytes have 65,536 places. Chance decides whether any of many is beyond the quadrangle, so runs are judged by their mean. */
static void points_that_repeat_are_near(void **state) {
    static const uint64_t lengths[] = {33000, 67019, 150000};
    const unsigned runs = test_is_long() ? 16 : 3;
    (void)state;
    for (unsigned k = 0; k < (test_is_long() ? 3 : 1); k++) {
        const hull_case c = {.type = k == 1 ? RIFFLE_TYPE_I8 : RIFFLE_TYPE_U8,
                             .n = lengths[k],
                             .sets = 1,
                             .machine = {.latency = 50, .dmms = 1 + k},
                             .algorithm = RIFFLE_HULL_ALGORITHM_PAPER};
        double told = 0, counted = 0;
        for (uint64_t seed = 1; seed <= runs; seed++) {
            riffle_report *const report = simulate(&c, seed);
            told += (double)riffle_report_predicted_time_units(report) / runs;
            counted += (double)riffle_report_time_units(report) / runs;
            riffle_report_free(report);
        }
        if (!is_within(BOUND_HULL_PAPER_BYTES_MEAN, told, counted))
            fail_msg("%llu points: %.0f time units predicted, %.0f counted", (unsigned long long)c.n, told,
                     counted);
    }
}

/* The JSON document; *is_known where it has time units. */
static char *explained(const hull_case *c, const riffle_hull_options *options, uint64_t *time_units,
                       bool *is_known) {
    const riffle_explanation how = {.model = c->machine, .json = true};
    char *text;
    size_t bytes;
    FILE *const stream = open_memstream(&text, &bytes);
    assert_non_null(stream);
    if (riffle_explain_hull(c->n, c->type, RIFFLE_ENGINE_CUDA, options, &how, stream) != RIFFLE_OK)
        fail_msg("%s", riffle_error_detail());
    fclose(stream);
    const char *const at = strstr(text, "\"time_units\":");
    assert_non_null(at);
    unsigned long long out = 0;
    *is_known = sscanf(at, "\"time_units\":%llu", &out) == 1;
    *time_units = out;
    return text;
}

static void explain_says_what_simulate_says(void **state) {
    (void)state;
    static const hull_case some[] = {
        {RIFFLE_TYPE_F32, 900, 1, false, RIFFLE_HULL_ALGORITHM_AUTO, {.latency = 400}},
        {RIFFLE_TYPE_F64, 640, 32, true, RIFFLE_HULL_ALGORITHM_AUTO, {.latency = 7, .dmms = 2}},
        {RIFFLE_TYPE_I16, 500, 5, false, RIFFLE_HULL_ALGORITHM_AUTO, {.latency = 30, .shared_latency = 3}},
        {RIFFLE_TYPE_U8, 70, 70, false, RIFFLE_HULL_ALGORITHM_AUTO, {.latency = 400}},
        {RIFFLE_TYPE_F64, 5000, 1, false, RIFFLE_HULL_ALGORITHM_AUTO, {.latency = 400}},
    };
    for (size_t k = 0; k < sizeof some / sizeof *some; k++) {
        const riffle_hull_options options = options_of(&some[k]);
        riffle_report *const report = simulate(&some[k], 1 + k);
        uint64_t told;
        bool is_known;
        free(explained(&some[k], &options, &told, &is_known));
        assert_true(is_known && report->is_predicted);
        assert_int_equal(told, riffle_report_predicted_time_units(report));
        riffle_report_free(report);
    }
}

/* Results that are points are read, too; indices of 8 bytes take no more rounds. */
static void results_of_all_kinds_are_told(void **state) {
    (void)state;
    const hull_case c = {.type = RIFFLE_TYPE_F32, .n = 1000, .sets = 50};
    uint64_t short_ones, long_ones, points;
    bool is_known;
    free(explained(&c, &(riffle_hull_options){.segments = 50}, &short_ones, &is_known));
    free(explained(&c, &(riffle_hull_options){.segments = 50, .index_bytes = 8}, &long_ones, &is_known));
    free(explained(&c, &(riffle_hull_options){.segments = 50, .points = true}, &points, &is_known));
    assert_true(is_known && short_ones > 0 && short_ones <= long_ones && long_ones < points);
}

/* Points of a circle in any order, nearly all of which are candidates, and more than one block has room for. */
static void many_candidates_are_near(void **state) {
    (void)state;
    enum { N = 9000, BLOCKS = 264, WARPS = BLOCKS * 16, TILE = 1024 };
    const riffle_machine_options on = {.width = 32, .latency = 400, .shared_latency = 1, .dmms = 1};
    static float at[2 * N];
    rng r = {1};
    riffle_report *report;
    pattern p;
    double counted = 0;
    for (unsigned k = 0; k < N; k++) {
        const double angle = 6.28 * hull_uniform(&r);
        at[2 * k] = (float)cos(angle), at[2 * k + 1] = (float)sin(angle);
    }
    assert_int_equal(riffle_simulate_hull(N, RIFFLE_TYPE_F32, at, NULL, &on, NULL, &report), RIFFLE_OK);
    for (size_t k = 0; k < report->lines; k++)
        if (strcmp(report->line[k].kernel, "hull_sorted") == 0) counted += (double)report->line[k].time_units;
    riffle_report_free(report);
    pattern_begin(&p, &on, BLOCKS, UINT64_MAX);
    expectation e = expect_begin(&p, BLOCKS, false);
    hull_expect_sorted(&e, WARPS, TILE, N);
    const pattern_counts counts = pattern_end(&p);
    const double told = (double)pattern_time_units(&counts);
    if (told > 1.2 * counted || counted > 1.2 * told)
        fail_msg("%.0f time units told, %.0f counted", told, counted);
}

/* The second round looks at candidates where the first has left more than 1,024; both leave too many for one block of 10^9 points. */
static void very_many_points_are_told(void **state) {
    (void)state;
    uint64_t few, told;
    bool is_known;
    free(explained(&(hull_case){.type = RIFFLE_TYPE_F32, .n = 1000000}, NULL, &few, &is_known));
    assert_true(is_known);
    free(explained(&(hull_case){.type = RIFFLE_TYPE_U8, .n = 1000000}, NULL, &told, &is_known));
    assert_true(is_known && told > 0);
    free(explained(&(hull_case){.type = RIFFLE_TYPE_F32, .n = 1000000000}, NULL, &told, &is_known));
    assert_true(is_known && told > 100 * few && told < 1000 * few);
    const riffle_hull_options paper = {.algorithm = RIFFLE_HULL_ALGORITHM_PAPER};
    free(explained(&(hull_case){.type = RIFFLE_TYPE_I64, .n = 2000000000}, &paper, &told, &is_known));
    assert_true(is_known && told > 2 * UINT64_C(2000000000) / 32);
}

static void what_has_no_prediction_says_so(void **state) {
    (void)state;
    uint64_t told;
    bool is_known;
    char *const text = explained(&(hull_case){.type = RIFFLE_TYPE_F32, .n = 5000000, .sets = 2},
                                 &(riffle_hull_options){.segments = 2}, &told, &is_known);
    assert_false(is_known);
    assert_non_null(strstr(text, "\"time_units\":null,\"meaning\":null,\"launches\":[]"));
    free(text);
    const riffle_explanation narrow = {.model = {.width = 16}};
    assert_int_equal(riffle_explain_hull(9, RIFFLE_TYPE_F32, RIFFLE_ENGINE_CUDA, NULL, &narrow, stdout),
                     RIFFLE_ERROR_UNSUPPORTED);
    assert_non_null(strstr(riffle_error_detail(), "width of 16"));
    assert_int_equal(riffle_explain_hull(9, RIFFLE_TYPE_F32, RIFFLE_ENGINE_CPU,
                                         &(riffle_hull_options){.segments = 2}, NULL, stdout),
                     RIFFLE_ERROR_INVALID_ARGUMENT);
    assert_non_null(strstr(riffle_error_detail(), "9 points are no 2 sets of as many"));
    assert_int_equal(riffle_explain_hull(9, RIFFLE_TYPE_C64, RIFFLE_ENGINE_CUDA, NULL, NULL, stdout),
                     RIFFLE_ERROR_UNSUPPORTED);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_depends_on_no_points_is_exact),
                                       cmocka_unit_test(sets_of_a_warp_are_near),
                                       cmocka_unit_test(sets_of_a_block_are_near),
                                       cmocka_unit_test(large_sets_are_near),
                                       cmocka_unit_test(one_large_set_is_near),
                                       cmocka_unit_test(the_dissertations_way_is_near),
                                       cmocka_unit_test(points_that_repeat_are_near),
                                       cmocka_unit_test(explain_says_what_simulate_says),
                                       cmocka_unit_test(results_of_all_kinds_are_told),
                                       cmocka_unit_test(many_candidates_are_near),
                                       cmocka_unit_test(very_many_points_are_told),
                                       cmocka_unit_test(what_has_no_prediction_says_so)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
