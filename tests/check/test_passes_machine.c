/* SPDX-License-Identifier: Apache-2.0
 *
 * Checks of passes on the memory machine: right moves pass, faults between passes are found, all of them.
 */
#include "between_faults.h"
#include "device_support.h"

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

int main(void) {
    seed = test_seed();
    const struct CMUnitTest tests[] = {cmocka_unit_test(faults_between_passes_are_found)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
