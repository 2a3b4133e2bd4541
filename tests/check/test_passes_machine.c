/* SPDX-License-Identifier: Apache-2.0
 *
 * Checks of passes on the memory machine: right moves and groups pass, faults between passes are found, all of them.
 */
#include "between_faults.h"
#include "device_support.h"
#include "grouped_between.h"

static uint64_t seed;

static void faults_between_passes_are_found(void **state) {
    rng r = {seed};
    const uint64_t faults = test_is_long() ? 300 : 3;
    (void)state;
    for (unsigned k = 0; k < BETWEEN_CASE_COUNT; k++) {
        if (!test_takes(k)) continue;
        const between_case *const c = &BETWEEN_CASES[k];
        machine *const m = machine_or_fail((riffle_machine_options){0});
        const device on = device_of_machine(m);
        between_counts counts = {0};
        between_faults(&on, &r, c, faults, &counts);
        if (counts.missed + counts.refused > 0)
            fail_msg("seed %llu: %llu x %zu bytes: of %llu faults %llu were missed, and %llu calls failed: %s",
                     (unsigned long long)seed, (unsigned long long)c->n, c->elem_bytes,
                     (unsigned long long)counts.faults, (unsigned long long)counts.missed,
                     (unsigned long long)counts.refused, riffle_error_detail());
        assert_true(counts.faults > faults / 2);
        assert_int_equal(riffle_report_hazards(machine_report(m)), 0);
        machine_free(m);
    }
}

static void faults_between_passes_of_groups_are_found(void **state) {
    rng r = {seed + 1};
    const uint64_t faults = test_is_long() ? 600 : is_sanitized() ? 1 : 4;
    (void)state;
    for (unsigned k = 0; k < GROUPED_BETWEEN_COUNT; k++) {
        if (!test_takes(k)) continue;
        const grouped_case *const c = &GROUPED_BETWEEN[k];
        machine *const m =
            machine_or_fail((riffle_machine_options){.block_threads = 1024, .shared_bytes = 200 << 10});
        const device on = device_of_machine(m);
        grouped_counts counts = {0};
        grouped_between(&on, &r, c, faults, &counts);
        if (counts.missed + counts.refused > 0)
            fail_msg("seed %llu: %llu x %zu bytes: of %llu faults %llu were missed, and %llu calls failed: %s",
                     (unsigned long long)seed, (unsigned long long)c->n, c->row_bytes[0],
                     (unsigned long long)counts.faults, (unsigned long long)counts.missed,
                     (unsigned long long)counts.refused, riffle_error_detail());
        assert_true(counts.faults > faults / 2);
        assert_int_equal(riffle_report_hazards(machine_report(m)), 0);
        machine_free(m);
    }
}

/* Few groups, and what wants places: rows go once. No rows are grouped, and nothing is found wrong. */
static void groups_of_one_pass_are_refused(void **state) {
    static const struct {
        uint64_t groups;
        size_t row_bytes;
        riffle_group_options options;
    } once[] = {{1024, 8, {0}},
                {3000, 12, {0}},
                {3000, 8, {.index_bytes = 4}},
                {3000, 8, {.multiple = 2}},
                {3000, 8, {.capacity = 9}}};
    machine *const m = machine_or_fail((riffle_machine_options){0});
    const device on = device_of_machine(m);
    riffle_group_options nothing = {.check = RIFFLE_CHECK_PASSES};
    riffle_group_plan *plan = NULL;
    (void)state;
    for (size_t k = 0; k < sizeof once / sizeof *once; k++) {
        riffle_group_options options = once[k].options;
        options.check = RIFFLE_CHECK_PASSES;
        assert_int_equal(group_plan_create(9000, once[k].row_bytes, RIFFLE_TYPE_U16, once[k].groups,
                                           RIFFLE_ENGINE_CUDA, &on, &options, &plan),
                         RIFFLE_ERROR_UNSUPPORTED);
        assert_non_null(strstr(riffle_error_detail(), "a check of passes has nothing to compare"));
    }
    assert_int_equal(group_plan_create(0, 8, RIFFLE_TYPE_U16, 9, RIFFLE_ENGINE_CUDA, &on, &nothing, &plan),
                     RIFFLE_OK);
    assert_int_equal(riffle_group_execute(plan, &(riffle_group_arrays){0}), RIFFLE_OK);
    riffle_group_plan_free(plan);
    machine_free(m);
}

int main(void) {
    seed = test_seed();
    const struct CMUnitTest tests[] = {cmocka_unit_test(faults_between_passes_are_found),
                                       cmocka_unit_test(faults_between_passes_of_groups_are_found),
                                       cmocka_unit_test(groups_of_one_pass_are_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
