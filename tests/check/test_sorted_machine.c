/* SPDX-License-Identifier: Apache-2.0
 *
 * Checks of passes of sorts on the memory machine: right sorts of keys of every shape pass, and faults between launches are found, all of them. Sorts
 * that have nothing to compare are refused.
 */
#include "device_support.h"
#include "sorted_faults.h"

static uint64_t seed;

static void expect_found(const device *on, rng *r, const sorted_case *c, uint64_t faults, sorted_counts *all) {
    sorted_counts counts = {0};
    sorted_faults(on, r, c, faults, &counts);
    if (counts.missed + counts.refused > 0)
        fail_msg("seed %llu: %llu x %zu bytes, %u levels, shape %d: of %llu faults %llu were missed, and %llu "
                 "calls failed: %s",
                 (unsigned long long)seed, (unsigned long long)c->n, c->field.bytes, c->levels, (int)c->shape,
                 (unsigned long long)counts.faults, (unsigned long long)counts.missed,
                 (unsigned long long)counts.refused, riffle_error_detail());
    all->faults += counts.faults;
}

static void faults_between_launches_are_found(void **state) {
    rng r = {seed};
    const uint64_t faults = test_is_long() ? 1500 : is_sanitized() ? 2 : 4;
    sorted_counts all = {0};
    uint64_t wanted = 0;
    (void)state;
    for (unsigned k = 0; k < SORTED_CASE_COUNT; k++) {
        if (!test_takes(k)) continue;
        machine *const m =
            machine_or_fail((riffle_machine_options){.block_threads = 1024, .shared_bytes = 200 << 10});
        const device on = device_of_machine(m);
        expect_found(&on, &r, &SORTED_CASES[k], faults, &all);
        wanted += faults;
        machine_free(m);
    }
    assert_true(all.faults > (is_sanitized() ? 0 : wanted / 2));
    if (test_is_long()) printf("%llu faults\n", (unsigned long long)all.faults);
}

/* Leaves of equal keys stay where they are, or are moved, or are read. */
static void keys_of_any_shape_pass(void **state) {
    rng r = {seed + 1};
    sorted_counts all = {0};
    (void)state;
    for (unsigned k = 0; k < SORTED_CASE_COUNT; k++)
        for (sort_shape shape = SORT_SHAPE_UNIFORM; shape < SORT_SHAPES; shape++) {
            if (!test_is_long() && (k + shape) % 3 != 0) continue; /* each shape is some case's */
            if (!test_takes(k + shape)) continue;
            machine *const m =
                machine_or_fail((riffle_machine_options){.block_threads = 1024, .shared_bytes = 200 << 10});
            const device on = device_of_machine(m);
            sorted_case c = SORTED_CASES[k];
            c.shape = shape;
            if (shape == SORT_SHAPE_EQUAL) c.n = c.segments > 0 ? 9000 : 9001;
            expect_found(&on, &r, &c, 0, &all);
            assert_int_equal(riffle_report_hazards(machine_report(m)), 0);
            machine_free(m);
        }
}

static void expect_refused(riffle_engine engine, const device *on, uint64_t n, const riffle_sort_key *key,
                           riffle_sort_options options, const char *words) {
    riffle_sort_plan *plan = NULL;
    options.check = RIFFLE_CHECK_PASSES;
    const riffle_status status = sort_plan_create(n, key, engine, on, &options, &plan);
    if (status != RIFFLE_ERROR_UNSUPPORTED || strstr(riffle_error_detail(), words) == NULL)
        fail_msg("%llu elements: %d, %s; expected: %s", (unsigned long long)n, (int)status,
                 riffle_error_detail(), words);
}

/* No elements are sorted, and nothing is found wrong. */
static void expect_nothing_sorted(riffle_engine engine, const device *on, const riffle_sort_key *key) {
    riffle_sort_plan *plan = NULL;
    const riffle_sort_options options = {.check = RIFFLE_CHECK_PASSES};
    assert_int_equal(sort_plan_create(0, key, engine, on, &options, &plan), RIFFLE_OK);
    assert_int_equal(riffle_sort_execute(plan, &(riffle_sort_arrays){0}), RIFFLE_OK);
    riffle_sort_plan_free(plan);
}

static void what_has_no_passes_is_refused(void **state) {
    machine *const m =
        machine_or_fail((riffle_machine_options){.block_threads = 1024, .shared_bytes = 200 << 10});
    const device on = device_of_machine(m);
    riffle_sort_key u4, u2;
    const char *const none = "a check of passes has nothing to compare";
    (void)state;
    assert_int_equal(riffle_sort_key_of_type(RIFFLE_TYPE_U32, 0, &u4), RIFFLE_OK);
    assert_int_equal(riffle_sort_key_of_type(RIFFLE_TYPE_U16, 0, &u2), RIFFLE_OK);
    for (unsigned k = 0; k < 2; k++) {
        const riffle_engine engine = k == 0 ? RIFFLE_ENGINE_CPU : RIFFLE_ENGINE_CUDA;
        const device *const where = k == 0 ? NULL : &on;
        expect_nothing_sorted(engine, where, &u4);
        expect_nothing_sorted(engine, where, &u2);
        expect_refused(engine, where, 9000, &u4,
                       (riffle_sort_options){.segments = 3, .task = RIFFLE_SORT_TASK_MERGE},
                       "a merge reads all once");
    }
    expect_refused(RIFFLE_ENGINE_CPU, NULL, 9000, &u2, (riffle_sort_options){0}, none);
    expect_refused(RIFFLE_ENGINE_CUDA, &on, 9000,
                   &(riffle_sort_key){
                       .elem_bytes = 12, .fields = 1, .field = {{.kind = RIFFLE_SORT_KEY_BYTES, .bytes = 12}}},
                   (riffle_sort_options){0}, "of keys of up to 8 bytes, not of 12");
    expect_refused(RIFFLE_ENGINE_CUDA, &on, 9000, &u4,
                   (riffle_sort_options){.algorithm = RIFFLE_SORT_ALGORITHM_PAIRWISE}, "by k-partition");
    expect_refused(RIFFLE_ENGINE_CUDA, &on, 9000, &u4, (riffle_sort_options){.segments = 3}, none);
    expect_refused(RIFFLE_ENGINE_CUDA, &on, 8192, &u4, (riffle_sort_options){0}, none);
    expect_refused(RIFFLE_ENGINE_CUDA, &on, 8192, &u4, (riffle_sort_options){.index_bytes = 4}, none);
    machine_free(m);
}

int main(void) {
    seed = test_seed();
    const struct CMUnitTest tests[] = {cmocka_unit_test(faults_between_launches_are_found),
                                       cmocka_unit_test(keys_of_any_shape_pass),
                                       cmocka_unit_test(what_has_no_passes_is_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
