/* SPDX-License-Identifier: Apache-2.0
 *
 * Groups are predicted to the last unit of each launch, but for a sum that a compiler may read in two places, where keys are there: every case of tests/support/group_support.h, tiles and rows,
 * on any machine. The time of keys that are drawn is near.
 */
#include "device/predict/forecast.h"
#include "device/simulate/simulate.h"
#include "device_support.h"
#include "group/predict/patterns.h"
#include "group_support.h"
#include "predicted_support.h"

static uint64_t seed;

static riffle_machine_options random_machine(rng *r) {
    static const unsigned dmms[] = {1, 1, 2, 7};
    return (riffle_machine_options){.latency = 1 + (unsigned)rng_below(r, 500),
                                    .shared_latency = 1 + (unsigned)rng_below(r, 30),
                                    .dmms = dmms[rng_below(r, 4)]};
}

/* Shared memory read by what lays out groups: a compiler may have made two places of one. It is taken as counted, where it is near. */
static void allow_copies(riffle_report *report) {
    for (unsigned k = 0; k < report->predictions; k++) {
        report_prediction *const p = &report->prediction[k];
        report_predicted *const told = &p->of[SPACE_SHARED][OP_READ];
        const report_predicted counted = counted_of(report, k, SPACE_SHARED, true);
        if (strcmp(p->kernel, "group_offsets") != 0 && strcmp(p->kernel, "group_one") != 0) continue;
        if (counted.rounds - told->rounds <= 2 && counted.stages - told->stages <= 2) *told = counted;
    }
}

static void expect_counts(rng *r, const group_case *c) {
    const riffle_machine_options on = random_machine(r);
    riffle_report *report = NULL;
    char what[400] = "it is not predicted";
    if (riffle_simulate_group(c->n, c->row_bytes, c->key_type, c->groups, c->keys.data, &c->options, &on,
                              &report) != RIFFLE_OK)
        group_fail(c, seed, riffle_error_detail());
    if (!report->is_predicted || strcmp(report->predicted_meaning, "estimated") != 0 ||
        predicted_fails(report, BOUND_GROUPS, sizeof what, what))
        group_fail(c, seed, what);
    allow_copies(report);
    if (predicted_differs(report, predicted_equal, sizeof what, what)) group_fail(c, seed, what);
    riffle_report_free(report);
}

static void random_groups_are_counted_as_predicted(void **state) {
    static const uint64_t lengths[] = {1, 33, 257, 3001, 9001}, groups[] = {1, 3, 16, 255, 1024, 1025, 5000};
    rng r = {seed};
    (void)state;
    for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++) {
        const unsigned rounds = test_is_long() ? 12 : lengths[l] > 3000 ? 1 : 2;
        for (size_t g = 0; g < sizeof groups / sizeof *groups; g++)
            for (unsigned round = 0; round < rounds && test_takes(l + g); round++) {
                group_case c = group_random_case(&r, lengths[l], groups[g]);

                expect_counts(&r, &c);
                group_case_free(&c);
            }
    }
}

/* On one multiprocessor chunks have several tiles. */
static void expect_counts_of_chunks(rng *r, const group_case *c) {
    machine *const m = machine_or_fail((riffle_machine_options){0});
    device on = device_of_machine(m);
    const prediction_model model = {*on.machine_options, UINT64_MAX};
    group_known known = {.pass = {{.first = NULL}}};
    group_subject subject = {NULL, c->keys.data, &known};
    forecast told = forecast_begin(&model, group_patterns, &subject);
    riffle_group_plan *plan = NULL;
    char what[400];
    on.multiprocessors = 1;
    on.listener = forecast_listener(&told);
    if (group_plan_create(c->n, c->row_bytes, c->key_type, c->groups, RIFFLE_ENGINE_CUDA, &on, &c->options,
                          &plan) != RIFFLE_OK)
        group_fail(c, seed, riffle_error_detail());
    subject.plan = plan;
    group_result got = group_result_create(r, plan);
    const riffle_group_arrays to = group_result_arrays(c, &got);
    if (riffle_group_execute(plan, &to) != RIFFLE_OK) group_fail(c, seed, riffle_error_detail());
    riffle_report *const report = machine_take_report(m);
    simulate_predicted(&told.told, report);
    assert_true(report->is_predicted);
    allow_copies(report);
    if (predicted_differs(report, predicted_equal, sizeof what, what)) group_fail(c, seed, what);
    riffle_report_free(report);
    prediction_free(&told.told);
    group_known_free(&known);
    group_result_free(&got);
    riffle_group_plan_free(plan);
    machine_free(m);
}

static void chunks_of_several_tiles_are_counted_as_predicted(void **state) {
    rng r = {seed + 1};
    (void)state;
    for (unsigned k = 0; k < 4; k++) {
        group_case c = {.n = k == 1 ? 20001 : 50001,
                        .groups = k == 0 ? 1024 : 1 + rng_below(&r, 300),
                        .row_bytes = (size_t[]){0, 16, 4, 12}[k],
                        .key_type = RIFFLE_TYPE_I16,
                        .options = {.index_bytes = 4, .multiple = k == 1 ? 8 : 0, .capacity = k == 2 ? 70 : 0}};
        if (!test_takes(k)) continue;
        group_case_fill(&r, &c, k == 1 ? SPREAD_FEW : SPREAD_EVEN);
        expect_counts_of_chunks(&r, &c);
        group_case_free(&c);
    }
}

/* Many groups, of short rows alone: launches are those of two passes. */
static void two_passes_are_counted_as_predicted(void **state) {
    static const struct {
        uint64_t n, groups, keys;
        size_t row_bytes;
    } all[] = {
        {1, 1025, 1, 8}, {9001, 65536, 1, 1}, {20001, 5000, 3, 4}, {8192, 1026, 2, 16}, {3001, 40000, 1, 2}};
    rng r = {seed + 3};
    (void)state;
    for (unsigned k = 0; k < 2 * SPREADS; k++) {
        const size_t of = rng_below(&r, sizeof all / sizeof *all);
        group_case c = {.n = all[of].n,
                        .groups = all[of].groups,
                        .row_bytes = all[of].row_bytes,
                        .key_type = (riffle_type)rng_below(&r, RIFFLE_TYPE_U64 + 1),
                        .options = {.by = (riffle_group_by)rng_below(&r, RIFFLE_GROUP_BY_TOP + 1),
                                    .keys_per_row = all[of].keys}};
        if (!test_takes(k)) continue;
        group_case_fill(&r, &c, (group_spread)(k / 2));
        if (k % 2 == 0)
            expect_counts(&r, &c);
        else
            expect_counts_of_chunks(&r, &c);
        group_case_free(&c);
    }
}

/* A number of times behind `from`, added up: of a document without spaces. */
static uint64_t sum_of_times(const char *from, unsigned times) {
    static const char name[] = "\"time_units\":";
    uint64_t sum = 0;
    for (unsigned k = 0; k < times; k++) {
        from = strstr(from, name);
        assert_non_null(from);
        from += strlen(name);
        sum += strtoull(from, NULL, 10);
    }
    return sum;
}

/* The time, without what says where groups begin: that has as many blocks whatever the rows, and four kinds of access. */
typedef struct explained_times {
    uint64_t all, without_begin;
} explained_times;

static explained_times explained_time(const group_case *c, const riffle_machine_options *on) {
    const riffle_explanation how = {.json = true, .model = *on};
    char *text = NULL;
    size_t length;
    FILE *const stream = open_memstream(&text, &length);
    assert_non_null(stream);
    if (riffle_explain_group(c->n, c->row_bytes, c->key_type, c->groups, RIFFLE_ENGINE_CUDA, &c->options, &how,
                             stream) != RIFFLE_OK)
        group_fail(c, seed, riffle_error_detail());
    assert_int_equal(fclose(stream), 0);
    assert_non_null(strstr(text, "\"meaning\":\"expected\""));
    const uint64_t all = sum_of_times(text, 1);
    const char *const begin = strstr(text, "\"kernel\":\"group_begin\"");
    const explained_times out = {all, all - (begin != NULL ? sum_of_times(begin, 4) : 0)};
    free(text);
    return out;
}

/* The time of keys that are not there is expected: near that of any others that are drawn. */
static void drawn_groups_are_near(void **state) {
    static const struct {
        uint64_t n, groups, keys;
        size_t row_bytes;
    } all[] = {{60000, 64, 1, 8},   {30000, 1000, 1, 4}, {3000, 16, 3, 48}, {20000, 3000, 1, 12},
               {40000, 5000, 1, 8}, {117, 1, 1, 52},     {31, 1, 1, 3}};
    rng r = {seed + 2};
    (void)state;
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        const riffle_machine_options on = random_machine(&r);
        group_case c = {.n = all[k].n,
                        .groups = all[k].groups,
                        .row_bytes = all[k].row_bytes,
                        .key_type = RIFFLE_TYPE_U32,
                        .options = {.keys_per_row = all[k].keys, .check = (riffle_check)(k % 2)}};
        riffle_report *report = NULL;
        if (!test_takes(k)) continue;
        group_case_fill(&r, &c, SPREAD_EVEN);
        if (riffle_simulate_group(c.n, c.row_bytes, c.key_type, c.groups, c.keys.data, &c.options, &on,
                                  &report) != RIFFLE_OK)
            group_fail(&c, seed, riffle_error_detail());
        const double told = (double)explained_time(&c, &on).all,
                     counted = (double)riffle_report_time_units(report);
        if (!is_within(BOUND_GROUPS, told, counted))
            fail_msg("seed %llu, case %zu: %f", (unsigned long long)seed, k, told / counted);
        riffle_report_free(report);
        group_case_free(&c);
    }
}

/* Very many keys are foretold by some blocks: as many to one key as where all are followed. */
static void expect_many_near_few(uint64_t groups) {
    const riffle_machine_options on = {.latency = 1};
    const group_case few = {.n = 1 << 20, .groups = groups, .row_bytes = 8, .key_type = RIFFLE_TYPE_U32};
    const double one = (double)explained_time(&few, &on).without_begin;
    for (unsigned k = 1; k < 3; k++) {
        group_case many = few;
        many.n = few.n << 4 * k;
        const double ratio = (double)explained_time(&many, &on).without_begin / one / (double)(many.n / few.n);
        if (!is_within(BOUND_GROUPS, ratio, 1))
            fail_msg("%llu rows, %llu groups: %f", (unsigned long long)many.n, (unsigned long long)groups,
                     ratio);
    }
}

static void many_groups_are_near_few(void **state) {
    static const uint64_t groups[] = {100, 256, 10000, 65536};
    (void)state;
    for (size_t k = 0; k < sizeof groups / sizeof *groups; k++)
        if (test_takes(k)) expect_many_near_few(groups[k]);
    assert_int_equal(riffle_explain_group(8, 0, RIFFLE_TYPE_U8, 2, RIFFLE_ENGINE_CUDA, NULL, NULL, stderr),
                     RIFFLE_ERROR_INVALID_ARGUMENT);
    assert_string_equal(riffle_error_detail(), "rows of no bytes are not moved; explain rows of at least one");
}

int main(void) {
    seed = test_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_groups_are_counted_as_predicted),
        cmocka_unit_test(chunks_of_several_tiles_are_counted_as_predicted),
        cmocka_unit_test(two_passes_are_counted_as_predicted),
        cmocka_unit_test(drawn_groups_are_near),
        cmocka_unit_test(many_groups_are_near_few),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
