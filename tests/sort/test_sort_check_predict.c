/* SPDX-License-Identifier: Apache-2.0
 *
 * Launches of checks of sorts beside a memory machine's counts: elements of any bytes with values, with places and alone, segments, merges, and what goes
 * by places alone. They are equal where no neighbours tie, and near where some do.
 */
#include <string.h>

#include "device/predict/forecast.h"
#include "device/simulate/simulate.h"
#include "device_support.h"
#include "machine/count/report.h"
#include "predicted/bounds.h"
#include "riffle/machine.h"
#include "sort/gpu/plan.h"
#include "sort/random_elements.h"

/* A sort that is checked. */
typedef struct check_case {
    uint64_t n, segments;
    size_t elem_bytes;
    unsigned fields;
    riffle_sort_field field[3];
    size_t value_bytes, index_bytes;
    bool without_keys, is_merge;
} check_case;

static riffle_sort_plan *plan_of(const check_case *c, const device *on) {
    riffle_sort_key key = {.elem_bytes = c->elem_bytes, .fields = c->fields};
    const riffle_sort_options options = {.task = c->is_merge ? RIFFLE_SORT_TASK_MERGE : RIFFLE_SORT_TASK_SORT,
                                         .segments = c->segments,
                                         .value_bytes = c->value_bytes,
                                         .index_bytes = c->index_bytes,
                                         .check = RIFFLE_CHECK_FULL};
    riffle_sort_plan *plan;
    memcpy(key.field, c->field, sizeof c->field);
    if (sort_plan_create(c->n, &key, RIFFLE_ENGINE_CUDA, on, &options, &plan) != RIFFLE_OK)
        fail_msg("%s", riffle_error_detail());
    return plan;
}

static void *room(size_t bytes) {
    void *const made = bytes > 0 ? calloc(1, bytes) : NULL;
    assert_true(made != NULL || bytes == 0);
    return made;
}

static void sort_once(const check_case *c, const riffle_sort_plan *plan) {
    const size_t n = (size_t)c->n;
    void *const from = room(n * c->elem_bytes), *const from_values = room(n * c->value_bytes);
    void *const keys = c->without_keys ? NULL : room(n * c->elem_bytes),
                *const values = room(n * c->value_bytes), *const indices = room(n * c->index_bytes);
    assert_int_equal(sort_fill_random(c->n, &plan->key, c->is_merge ? c->segments : 0, from), RIFFLE_OK);
    const riffle_sort_arrays arrays = {
        .keys = keys, .values = values, .indices = indices, .from_keys = from, .from_values = from_values};
    if (riffle_sort_execute(plan, &arrays) != RIFFLE_OK) fail_msg("%s", riffle_error_detail());
    free(from), free(from_values), free(keys), free(values), free(indices);
}

/* The machine's lines of a launch. */
static uint64_t counted_units(const riffle_report *report, size_t number, unsigned latency, uint64_t *stages) {
    uint64_t units = 0;
    *stages = 0;
    for (size_t k = 0; k < report->lines; k++) {
        const report_line *const line = &report->line[k];
        if (line->launch != number) continue;
        *stages += line->stages;
        units += line->stages + (line->space == SPACE_GLOBAL ? line->rounds * (latency - 1) : 0);
    }
    return units;
}

static uint64_t stages_of(const pattern_counts *counts) {
    uint64_t stages = 0;
    for (unsigned k = PATTERN_READ; k <= PATTERN_WRITE; k++)
        stages += counts->of[PATTERN_GLOBAL][k].stages + counts->of[PATTERN_SHARED][k].stages;
    return stages;
}

/* The two launches of a check, as told and as counted. */
static void expect_counts(const check_case *c, prediction_bound bound) {
    enum { LATENCY = 100 };
    machine *const m = machine_or_fail((riffle_machine_options){.latency = LATENCY});
    device on = device_of_machine(m);
    const prediction_model model = {*on.machine_options, UINT64_MAX};
    on.multiprocessors = SIMULATED_MULTIPROCESSORS;
    riffle_sort_plan *const plan = plan_of(c, &on);
    const sort_subject subject = sort_subject_of(plan);
    forecast told = forecast_begin(&model, sort_patterns, &subject);
    plan->base.on.listener = forecast_listener(&told);
    sort_once(c, plan);
    riffle_report *const report = machine_take_report(m);
    const prediction *const p = &told.told;
    unsigned checks = 0;
    assert_true(p->is_known);
    for (size_t k = 0; k < p->launches; k++) {
        uint64_t stages;
        if (strncmp(p->launch[k].kernel, "sort_check", 10) != 0) continue;
        const uint64_t counted = counted_units(report, k, LATENCY, &stages),
                       predicted = pattern_time_units(&p->launch[k].counts);
        checks++;
        if (!is_within(bound, (double)predicted, (double)counted) ||
            !is_within(bound, (double)stages_of(&p->launch[k].counts), (double)stages))
            fail_msg(
                "%llu elements of %zu bytes, %u fields, %llu segments, values %zu, indices %zu, %s: %llu time "
                "units and %llu stages predicted, %llu and %llu counted",
                (unsigned long long)c->n, c->elem_bytes, c->fields, (unsigned long long)c->segments,
                c->value_bytes, c->index_bytes, p->launch[k].kernel, (unsigned long long)predicted,
                (unsigned long long)stages_of(&p->launch[k].counts), (unsigned long long)counted,
                (unsigned long long)stages);
    }
    assert_int_equal(checks, 2);
    riffle_report_free(report);
    prediction_free(&told.told);
    riffle_sort_plan_free(plan);
    machine_free(m);
}

#define U(size, at)                                                                                            \
    { .kind = RIFFLE_SORT_KEY_UNSIGNED, .bytes = (size), .offset = (at) }

/* Their first pieces differ, so that nothing depends on keys. */
static void checks_are_exact(void **state) {
    static const check_case cases[] = {
        {.n = 9000, .elem_bytes = 4, .fields = 1, .field = {U(4, 0)}, .index_bytes = 4},
        {.n = 3001, .elem_bytes = 8, .fields = 1, .field = {U(8, 0)}, .value_bytes = 8},
        {.n = 5000, .elem_bytes = 24, .fields = 1, .field = {U(8, 8)}, .index_bytes = 8},
        {.n = 7777, .elem_bytes = 12, .fields = 1, .field = {U(8, 4)}, .value_bytes = 4},
        {.n = 2500, .elem_bytes = 7, .fields = 1, .field = {{.kind = RIFFLE_SORT_KEY_BYTES, .bytes = 7}}},
        {.n = 2000, .elem_bytes = 16, .fields = 1, .field = {U(16, 0)}},
        {.n = 4096, .elem_bytes = 48, .fields = 1, .field = {U(8, 16)}},
        {.n = 3003, .segments = 1001, .elem_bytes = 12, .fields = 1, .field = {U(8, 0)}, .value_bytes = 8},
        {.n = 6000, .segments = 4, .elem_bytes = 4, .fields = 1, .field = {U(4, 0)}},
        {.n = 1, .elem_bytes = 12, .fields = 1, .field = {U(4, 0)}},
        {.n = 9000, .segments = 5, .elem_bytes = 8, .fields = 1, .field = {U(8, 0)}, .is_merge = true},
        {.n = 9000,
         .segments = 5,
         .elem_bytes = 8,
         .fields = 1,
         .field = {U(8, 0)},
         .index_bytes = 4,
         .is_merge = true},
    };
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        if (test_takes(k)) expect_counts(&cases[k], BOUND_SORT_EXACT);
}

/* Some neighbours are alike in their first fields, or in all. */
static void checks_of_what_ties_are_near(void **state) {
    static const check_case cases[] = {
        {.n = 9000, .elem_bytes = 12, .fields = 3, .field = {U(2, 0), U(4, 4), U(2, 8)}, .index_bytes = 4},
        {.n = 6000, .elem_bytes = 2, .fields = 1, .field = {U(2, 0)}, .index_bytes = 4},
        {.n = 6000, .elem_bytes = 1, .fields = 1, .field = {U(1, 0)}, .index_bytes = 4},
        {.n = 4000, .elem_bytes = 24, .fields = 2, .field = {U(1, 3), U(4, 8)}, .value_bytes = 4},
        {.n = 8000, .elem_bytes = 6, .fields = 2, .field = {U(2, 0), U(2, 4)}},
        {.n = 6000, .segments = 40, .elem_bytes = 12, .fields = 2, .field = {U(1, 0), U(4, 4)}},
    };
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        if (test_takes(k)) expect_counts(&cases[k], BOUND_SORT_CHECKS);
}

/* Elements lie where places say, and only the order is asked for. */
static void checks_by_places_are_near(void **state) {
    static const check_case cases[] = {
        {.n = 9000, .elem_bytes = 12, .fields = 1, .field = {U(8, 4)}, .index_bytes = 4, .without_keys = true},
        {.n = 5000,
         .elem_bytes = 40,
         .fields = 2,
         .field = {U(1, 0), U(4, 8)},
         .index_bytes = 8,
         .without_keys = true},
        {.n = 6000,
         .segments = 60,
         .elem_bytes = 8,
         .fields = 1,
         .field = {U(8, 0)},
         .index_bytes = 4,
         .without_keys = true},
    };
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        if (test_takes(k)) expect_counts(&cases[k], BOUND_SORT_CHECKS);
}

/* Very long arrays are told soon: blocks between the first and the last are alike. */
static void long_arrays_are_told_soon(void **state) {
    (void)state;
    for (unsigned k = 0; k < 2; k++) {
        const riffle_sort_key key = {.elem_bytes = k == 0 ? 8 : 16, .fields = 1, .field = {U(8, 0)}};
        const riffle_sort_options options = {.check = RIFFLE_CHECK_FULL};
        const riffle_explanation how = {.json = true};
        char text[1 << 16] = {0};
        FILE *const stream = fmemopen(text, sizeof text, "w");
        assert_non_null(stream);
        assert_int_equal(
            riffle_explain_sort((uint64_t)1 << 31, &key, RIFFLE_ENGINE_CUDA, &options, &how, stream),
            RIFFLE_OK);
        fclose(stream);
        assert_non_null(strstr(text, k == 0 ? "sort_check_numbers" : "\"sort_check\""));
        assert_null(strstr(text, "\"time_units\":null"));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(checks_are_exact),
        cmocka_unit_test(checks_of_what_ties_are_near),
        cmocka_unit_test(checks_by_places_are_near),
        cmocka_unit_test(long_arrays_are_told_soon),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
