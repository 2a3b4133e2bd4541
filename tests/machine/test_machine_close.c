/* SPDX-License-Identifier: Apache-2.0
 *
 * A report that is taken while a launch runs: it has what was counted, and the machine is nobody's any more.
 */
#include <pthread.h>
#include <unistd.h>

#include "machine/count/summary.h"
#include "machine_support.h"

static uint32_t *made;

static void *launch_for_ever(void *context) {
    machine *m = context;
    run_or_fail(m, (test_launch){enter_add, made, 32, .block = {32, 1, 1}});
    run_or_fail(m, (test_launch){enter_turns, made, 1, .block = {32, 1, 1}, .grid = {5, 1, 1}});
    run_or_fail(m, (test_launch){enter_add, made, 32, .block = {32, 1, 1}});
    fail_msg("a machine that was closed has launched");
    return NULL;
}

static uint32_t turns_made(void) { return __atomic_load_n(&made[0], __ATOMIC_RELAXED); }

static void a_launch_that_runs_is_ended_and_reported(void **state) {
    (void)state;
    pthread_t thread;
    machine *m = machine_or_fail((riffle_machine_options){0});
    made = buffer_or_fail(m, "made", 64, true);
    assert_int_equal(pthread_create(&thread, NULL, launch_for_ever, m), 0);
    pthread_detach(thread);
    while (turns_made() < 1000) usleep(1000);
    machine_close(m);
    machine_note_not_done(m, 7);
    riffle_report *report = machine_take_report(m);
    const uint32_t turns = turns_made();
    assert_int_equal(report->lines, 2 + 2);
    assert_true(riffle_report_is_partial(report));
    assert_int_equal(riffle_report_not_done_after(report), 7);
    assert_in_range(report->line[2].rounds, turns - 32 - 1, turns - 32);
    char note[REPORT_NOTE_TEXT];
    assert_int_equal(report->blocks, 1 + 5);
    assert_in_range(report->run_blocks, 2, 5);
    assert_non_null(report_say_note(report, NOTE_PARTIAL, note));
    char expected[REPORT_NOTE_TEXT];
    snprintf(expected, sizeof expected,
             "not done after 7 seconds: %u of 6 blocks did not run; the rows have what was counted until then",
             6 - (unsigned)report->run_blocks);
    assert_string_equal(note, expected);
    assert_null(report_say_note(report, NOTE_SAMPLED, note));
    assert_int_equal(riffle_report_not_run(report), 0);
    usleep(20000);
    assert_int_equal(turns_made(), turns);
    riffle_report_free(report);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_launch_that_runs_is_ended_and_reported)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
