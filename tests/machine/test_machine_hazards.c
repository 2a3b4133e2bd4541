/* SPDX-License-Identifier: Apache-2.0
 *
 * Errors that the memory machine finds in a kernel, and in which words; and what it must not find.
 */
#include <inttypes.h>

#include "machine_support.h"

enum { CELLS = 64, SHARED_BYTES = 256 };

/* Runs a kernel on out, CELLS elements that nobody has written, and in, which lies behind it. */
static machine *run_on(test_kernel *entry, uint32_t number, unsigned threads, bool written) {
    machine *m = machine_or_fail((riffle_machine_options){0});
    uint32_t *out = buffer_or_fail(m, "out", CELLS, written);
    run_or_fail(m, (test_launch){entry, out, number, .block = {threads, 1, 1}, .shared_bytes = SHARED_BYTES});
    return m;
}

/* The text with the place of the other access of a race in the place of its '@'. */
static const char *with_place(const char *text, const report_hazard *h) {
    static char out[512];
    const char *mark = strchr(text, '@');
    if (mark == NULL) return text;
    snprintf(out, sizeof out, "%.*smachine_kernels.cpp:%u%s", (int)(mark - text), text, h->other_line,
             mark + 1);
    return out;
}

/* Exactly one row of hazards, of this kind and so many times, whose text is this; frees the machine. */
static void expect(machine *m, hazard_kind kind, uint64_t count, const char *text, bool stopped) {
    const riffle_report *report = machine_report(m);
    if (report->hazards != 1)
        fail_msg("%zu hazards: %s", report->hazards, report->hazards > 0 ? report->hazard[1].text : "");
    const report_hazard *h = &report->hazard[0];
    assert_string_equal(h->text, with_place(text, h));
    assert_int_equal(h->kind, kind);
    assert_int_equal(h->count, count);
    assert_string_equal(h->kernel, "test");
    assert_string_equal(h->file, "machine_kernels.cpp");
    assert_true(h->line > 0);
    assert_int_equal(riffle_report_hazards_of(report, hazard_names[kind]), count);
    assert_int_equal(machine_stopped(m), stopped);
    machine_free(m);
}

static void after_an_access_behind_the_end_the_launch_goes_on(void **state) {
    (void)state;
    machine *m = run_on(enter_beyond, CELLS - 3, 32, false);
    assert_false(riffle_report_is_partial(machine_report(m)));
    expect(m, HAZARD_OUT_OF_BOUNDS, 29,
           "thread (3,0,0) of block (0,0,0) writes element 64 of out, which has 64", true);
    expect(run_on(enter_beyond, CELLS + 1000, 32, false), HAZARD_OUT_OF_BOUNDS, 32,
           "thread (0,0,0) of block (0,0,0) writes element 1064 of out, which has 64", true);
}

static void an_access_far_behind_the_end_ends_the_launch(void **state) {
    (void)state;
    machine *m = run_on(enter_beyond, CELLS + 3000, 32, false);
    assert_true(riffle_report_is_partial(machine_report(m)));
    expect(m, HAZARD_OUT_OF_BOUNDS, 1,
           "thread (0,0,0) of block (0,0,0) writes element 3064 of out, which has 64", true);
}

static void an_access_before_the_start_ends_the_launch(void **state) {
    (void)state;
    machine *m = machine_or_fail((riffle_machine_options){0});
    uint32_t *out = buffer_or_fail(m, "out", CELLS, false);
    run_or_fail(m, (test_launch){enter_beyond, out - 5, 3, .block = {1, 1, 1}});
    expect(m, HAZARD_OUT_OF_BOUNDS, 1, "thread (0,0,0) of block (0,0,0) writes element -2 of out, which has 64",
           true);
}

static void a_null_pointer_ends_the_launch(void **state) {
    (void)state;
    machine *m = machine_or_fail((riffle_machine_options){0});
    run_or_fail(m, (test_launch){enter_beyond, NULL, 4, .block = {1, 1, 1}});
    expect(m, HAZARD_OUT_OF_BOUNDS, 1,
           "thread (0,0,0) of block (0,0,0) writes 4 bytes at 0x10, in no array of the launch", true);
}

static void an_access_far_from_every_array_names_none(void **state) {
    (void)state;
    machine *m = run_on(enter_beyond, 1 << 18, 1, false);
    const char *text = machine_report(m)->hazard[0].text;
    assert_non_null(strstr(text, "writes 4 bytes at 0x"));
    assert_non_null(strstr(text, ", in no array of the launch"));
    machine_free(m);
}

static void shared_memory_ends_where_the_launch_says(void **state) {
    (void)state;
    machine *m = machine_or_fail((riffle_machine_options){0});
    run_or_fail(m, (test_launch){enter_worked_shared, NULL, 0, .block = {8, 1, 1}, .shared_bytes = 60});
    expect(
        m, HAZARD_OUT_OF_BOUNDS, 1,
        "thread (7,0,0) of block (0,0,0) writes element 15 of dynamic shared memory, which has 60 bytes; ask "
        "for more with the launch",
        true);
    m = machine_or_fail((riffle_machine_options){0});
    buffer_or_fail(m, "in", CELLS, true);
    run_or_fail(m, (test_launch){enter_reads_shared, NULL, 40000, .block = {1, 1, 1}});
    expect(
        m, HAZARD_OUT_OF_BOUNDS, 1,
        "thread (0,0,0) of block (0,0,0) reads element 40000 of dynamic shared memory, which has 0 bytes; ask "
        "for more with the launch",
        true);
    /* Where the machine has no more, asking does not help. */
    m = machine_or_fail((riffle_machine_options){.shared_bytes = SHARED_BYTES});
    run_or_fail(
        m, (test_launch){enter_reads_shared, NULL, CELLS, .block = {1, 1, 1}, .shared_bytes = SHARED_BYTES});
    expect(m, HAZARD_OUT_OF_BOUNDS, 1,
           "thread (0,0,0) of block (0,0,0) reads element 64 of dynamic shared memory, which has 64", true);
}

static void a_stopped_machine_can_run_again(void **state) {
    (void)state;
    machine *m = run_on(enter_beyond, CELLS + 3000, 32, false);
    assert_true(machine_stopped(m));
    uint32_t *next = buffer_or_fail(m, "next", CELLS, false);
    run_or_fail(m, (test_launch){enter_beyond, next, 0, .block = {CELLS, 1, 1}});
    assert_int_equal(next[CELLS - 1], 1);
    assert_int_equal(machine_report(m)->line[machine_report(m)->lines - 1].launch, 1);
    assert_int_equal(riffle_report_hazards(machine_report(m)), 1);
    machine_free(m);
}

static void a_misaligned_access_is_reported(void **state) {
    (void)state;
    expect(run_on(enter_misaligned, 2, 8, true), HAZARD_MISALIGNED, 8,
           "thread (0,0,0) of block (0,0,0) reads 4 bytes at byte 2 of out, which is no multiple of 4", false);
}

static void reading_what_nobody_has_written_is_reported(void **state) {
    (void)state;
    expect(run_on(enter_misaligned, 0, 8, false), HAZARD_UNINITIALIZED, 8,
           "thread (0,0,0) of block (0,0,0) reads element 0 of out, which nothing has written", false);
    /* Half of it written: the first that is not is named. */
    machine *m = machine_or_fail((riffle_machine_options){0});
    uint32_t *in = buffer_or_fail(m, "in", CELLS, false);
    machine_written(m, in, 4 * sizeof *in + 2);
    run_or_fail(m, (test_launch){enter_misaligned, in, 0, .block = {8, 1, 1}});
    expect(m, HAZARD_UNINITIALIZED, 4,
           "thread (4,0,0) of block (0,0,0) reads element 4 of in, which nothing has written", false);
}

static const report_hazard *find_hazard(const machine *m, hazard_kind kind) {
    const riffle_report *report = machine_report(m);
    for (size_t k = 0; k < report->hazards; k++) {
        if (report->hazard[k].kind == kind) return &report->hazard[k];
    }
    fail_msg("no such hazard among %zu", report->hazards);
    return NULL;
}

static void shared_memory_is_new_in_every_block(void **state) {
    (void)state;
    machine *m = machine_or_fail((riffle_machine_options){0});
    uint32_t *out = buffer_or_fail(m, "out", CELLS, false);
    /* Each thread reads what it has written; then one that the launch before has left there. */
    run_or_fail(m, (test_launch){enter_shared_race, out, 0, .block = {8, 1, 1}, .shared_bytes = SHARED_BYTES});
    assert_no_hazards(m);
    run_or_fail(m, (test_launch){enter_shared_race, out, 1, .block = {4, 1, 1}, .shared_bytes = SHARED_BYTES});
    const report_hazard *h = find_hazard(m, HAZARD_UNINITIALIZED);
    assert_string_equal(h->text,
                        "thread (0,0,0) of block (0,0,0) reads element 1 of dynamic shared memory, which "
                        "nothing has written in this block");
    machine_free(m);
}

static void a_missing_barrier_is_a_race(void **state) {
    (void)state;
    machine *m = run_on(enter_shared_race, 7, 8, false);
    assert_int_equal(find_hazard(m, HAZARD_UNINITIALIZED)->count, 1);
    /* Seven reads of what a neighbour has written, and a write of what the first thread has read. */
    assert_int_equal(riffle_report_hazards(machine_report(m)), 1 + 7 + 1);
    assert_string_equal(
        find_hazard(m, HAZARD_RACE)->text,
        with_place("thread (1,0,0) of block (0,0,0) reads element 0 of dynamic shared memory, which thread "
                   "(0,0,0) of the block has written at @ with no barrier between",
                   find_hazard(m, HAZARD_RACE)));
    machine_free(m);
}

static void the_same_place_written_by_two_is_a_race(void **state) {
    (void)state;
    expect(run_on(enter_different_values, 7, 4, false), HAZARD_RACE, 3,
           "thread (1,0,0) of block (0,0,0) writes element 0 of out, which thread (0,0,0) of the block has "
           "written at @ with no barrier between",
           false);
}

static void writes_of_the_same_value_are_a_class_of_their_own(void **state) {
    (void)state;
    machine *m = run_on(enter_same_value, 7, 4, false);
    assert_int_equal(riffle_report_hazards(machine_report(m)), 0);
    expect(m, HAZARD_SAME_VALUE, 3,
           "thread (1,0,0) of block (0,0,0) writes element 0 of out, which thread (0,0,0) of the block has "
           "written at @ with no barrier between; both write the same value",
           false);
    /* Read in between by somebody else, it is a race all the same. */
    m = run_on(enter_same_value_read, 7, 4, true);
    assert_true(riffle_report_hazards_of(machine_report(m), "race") > 0);
    const report_hazard *h = &machine_report(m)->hazard[0];
    assert_true(h->line > 0 && h->line == h->other_line && h->op != h->other_op);
    machine_free(m);
}

static void blocks_do_not_wait_for_each_other(void **state) {
    (void)state;
    machine *m = machine_or_fail((riffle_machine_options){0});
    uint32_t *out = buffer_or_fail(m, "out", CELLS, false);
    run_or_fail(m, (test_launch){enter_reads_blocks, out, 8, .grid = {3, 1, 1}});
    expect(m, HAZARD_RACE, 2,
           "thread (0,0,0) of block (1,0,0) reads element 0 of out, which block (0,0,0) has written at @ in "
           "the same launch",
           false);
}

static void launches_come_one_after_the_other(void **state) {
    (void)state;
    machine *m = machine_or_fail((riffle_machine_options){0});
    uint32_t *out = buffer_or_fail(m, "out", CELLS, false);
    for (unsigned k = 0; k < 3; k++) run_or_fail(m, (test_launch){enter_add, out, 0, .block = {1, 1, 1}});
    assert_int_equal(riffle_report_hazards(machine_report(m)),
                     2); /* the first launch's two reads of what is not there */
    machine_free(m);
}

static void atomics_do_not_race_with_each_other(void **state) {
    (void)state;
    machine *m = run_on(enter_atomics, 32, 64, true);
    assert_no_hazards(m);
    machine_free(m);
}

static void an_exchange_orders_its_lanes(void **state) {
    (void)state;
    machine *m = run_on(enter_exchanged, ~0u, 32, false);
    assert_no_hazards(m);
    machine_free(m);
    m = run_on(enter_broadcast_then_write, 7, 32, true);
    assert_no_hazards(m);
    machine_free(m);
    /* The other warp's lanes read with nothing between them and the write. */
    expect(run_on(enter_broadcast_then_write, 7, 64, true), HAZARD_RACE, 32,
           "thread (32,0,0) of block (0,0,0) reads element 0 of out, which thread (7,0,0) of the block has "
           "written at @ with "
           "no barrier between",
           false);
}

/* Shuffles do not order what lanes have written, only what they have read (broadcast_then_write). */
static void a_shuffle_orders_no_writes(void **state) {
    (void)state;
    expect(run_on(enter_shuffled, ~0u, 32, false), HAZARD_RACE, 32,
           "thread (0,0,0) of block (0,0,0) reads element 1 of dynamic shared memory, which thread (1,0,0) of "
           "the block has written at @ with no barrier between",
           false);
}

/* A store is not ordered for others by an atomic of the same thread. */
static void a_store_does_not_hide_behind_an_atomic(void **state) {
    (void)state;
    machine *m = run_on(enter_stored_and_added, 0, 1, true);
    assert_no_hazards(m);
    machine_free(m);
    expect(run_on(enter_stored_and_added, 0, 4, true), HAZARD_RACE, 1,
           "thread (1,0,0) of block (0,0,0) updates element 0 of out, which thread (0,0,0) of the block has "
           "written at @ with no barrier between",
           false);
}

static void an_exchange_orders_no_other_lanes(void **state) {
    (void)state;
    machine *m = run_on(enter_half_exchanged, 5, 32, true);
    assert_no_hazards(m);
    machine_free(m);
    expect(run_on(enter_half_exchanged, 20, 32, true), HAZARD_RACE, 1,
           "thread (0,0,0) of block (0,0,0) writes element 0 of dynamic shared memory, which thread (20,0,0) "
           "of the "
           "block has written at @ with no barrier between",
           false);
}

static void bytes_of_one_word_are_apart(void **state) {
    (void)state;
    machine *m = run_on(enter_bytes, 0, 64, false);
    assert_no_hazards(m);
    machine_free(m);
    m = run_on(enter_bytes, 1, 64, false);
    assert_true(riffle_report_hazards(machine_report(m)) > 0);
    machine_free(m);
}

/* The text with the line numbers of the hazard's own file put in. */
static const char *first_text(const machine *m) { return machine_report(m)->hazard[0].text; }

static void different_barriers_end_the_launch(void **state) {
    (void)state;
    machine *m = run_on(enter_two_barriers, 10, 32, false);
    const riffle_report *report = machine_report(m);
    assert_int_equal(report->hazards, 1);
    assert_int_equal(report->hazard[0].kind, HAZARD_BARRIER);
    assert_true(machine_stopped(m));
    char says[256];
    const unsigned line = report->hazard[0].line;
    snprintf(says, sizeof says,
             "10 of 32 threads of block (0,0,0) have come to the barrier at machine_kernels.cpp:%u; thread "
             "(10,0,0) waits "
             "at machine_kernels.cpp:%u",
             line, line + 3);
    assert_string_equal(first_text(m), says);
    machine_free(m);
}

static void a_barrier_that_some_have_left_is_reported_and_passed(void **state) {
    (void)state;
    machine *m = run_on(enter_leaves, 40, 64, false);
    const riffle_report *report = machine_report(m);
    assert_int_equal(report->hazards, 1);
    assert_false(machine_stopped(m));
    char says[256];
    snprintf(says, sizeof says,
             "40 of 64 threads of block (0,0,0) have come to the barrier at machine_kernels.cpp:%u; thread "
             "(40,0,0) has "
             "left the kernel",
             report->hazard[0].line);
    assert_string_equal(first_text(m), says);
    assert_int_equal(sum_of(report, SPACE_GLOBAL, OP_WRITE).warps, 2);
    machine_free(m);
}

static void an_exchange_nobody_comes_to_ends_the_launch(void **state) {
    (void)state;
    machine *m = run_on(enter_lone_exchange, 0xf, 32, false);
    const riffle_report *report = machine_report(m);
    assert_int_equal(report->hazards, 1);
    assert_int_equal(report->hazard[0].kind, HAZARD_BARRIER);
    assert_true(machine_stopped(m));
    char says[256];
    snprintf(says, sizeof says,
             "1 of 32 threads of block (0,0,0) have come to the exchange of a warp at machine_kernels.cpp:%u; "
             "thread "
             "(1,0,0) waits at machine_kernels.cpp:%u",
             report->hazard[0].line, report->hazard[0].line + 1);
    assert_string_equal(first_text(m), says);
    machine_free(m);
}

static void lanes_that_have_left_are_missed_but_not_waited_for(void **state) {
    (void)state;
    expect(run_on(enter_left_exchange, 20, 32, false), HAZARD_BARRIER, 1,
           "12 of 32 lanes named by mask 0xffffffff of a warp of block (0,0,0) have left the kernel before",
           false);
    /* Lanes that the warp never had are nobody's loss. */
    machine *m = run_on(enter_left_exchange, 20, 20, false);
    assert_no_hazards(m);
    machine_free(m);
}

static void a_thread_that_does_not_end_is_stopped(void **state) {
    (void)state;
    if (is_sanitized() && !test_is_long()) skip(); /* millions of accesses, all alike */
    expect(run_on(enter_endless, 1, 1, true), HAZARD_ENDLESS, 1,
           "thread (0,0,0) of block (0,0,0) waits in vain: it finds the same here over and over, and nothing "
           "else of "
           "the launch can go on",
           true);
}

/* Nothing tells whether it would end, so that it is no hazard; the machine's work is done. */
static void a_thread_is_left_when_the_work_is_done(void **state) {
    (void)state;
    if (is_sanitized() && !test_is_long()) skip(); /* millions of accesses, all alike */
    static const struct {
        unsigned threads;
        uint64_t accesses, counted; /* counted at most; 0: all */
    } cases[] = {{1, (1 << 22) + (1 << 16), 1 << 20}, {64, 1 << 20, 1 << 20}, {1, (1 << 22) + (1 << 16), 0}}; /* with the slice that is looked at first when it is over */
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        machine *m = machine_or_fail((riffle_machine_options){.work = 1 << 25, .accesses = cases[k].counted});
        uint32_t *out = buffer_or_fail(m, "out", CELLS, true);
        run_or_fail(m, (test_launch){enter_endless_writing, out, 1, .block = {cases[k].threads, 1, 1}});
        const riffle_report *report = machine_report(m);
        char says[128];
        snprintf(says, sizeof says, "test: thread (0,0,0) of block (0,0,0) did not end within %" PRIu64 " accesses", cases[k].accesses);
        assert_non_null(report->unfinished);
        assert_non_null(strstr(report->unfinished, says));
        assert_no_hazards(m);
        assert_true(riffle_report_is_partial(report) && machine_stopped(m));
        assert_int_equal(riffle_report_not_run(report), 1);
        assert_int_equal(report->counted_blocks, 0);
        assert_int_equal(report->checked_blocks, report->run_blocks);
        machine_free(m);
    }
}

static void a_thread_may_work_long(void **state) {
    (void)state;
    if (is_sanitized() && !test_is_long()) skip(); /* millions of accesses, all alike */
    machine *m = run_on(enter_long_work, 3 << 23, 64, true);
    assert_no_hazards(m);
    machine_free(m);
}

static void a_thread_may_wait_for_what_another_writes(void **state) {
    (void)state;
    machine *m = machine_or_fail((riffle_machine_options){0});
    uint32_t *flag = buffer_or_fail(m, "flag", 1, true);
    run_or_fail(m, (test_launch){enter_spin, flag, 63, .block = {64, 1, 1}});
    assert_int_equal(flag[0], 1);
    assert_no_hazards(m);
    machine_free(m);
}

/* Tables of hulls are copied whole: a record of fewer words than there is room for leaves none of them unwritten. */
static void a_stored_record_can_be_read_whole(void **state) {
    (void)state;
    machine *m = machine_or_fail((riffle_machine_options){0});
    uint32_t *const words = buffer_or_fail(m, "words", 2 * 9, false);
    run_or_fail(m, (test_launch){enter_stored_records, words, 0, .block = {32, 1, 1}});
    assert_no_hazards(m);
    assert_int_equal(sum_of(machine_report(m), SPACE_GLOBAL, OP_READ).warps, 9);
    machine_free(m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(after_an_access_behind_the_end_the_launch_goes_on),
        cmocka_unit_test(an_access_far_behind_the_end_ends_the_launch),
        cmocka_unit_test(an_access_before_the_start_ends_the_launch),
        cmocka_unit_test(a_null_pointer_ends_the_launch),
        cmocka_unit_test(an_access_far_from_every_array_names_none),
        cmocka_unit_test(shared_memory_ends_where_the_launch_says),
        cmocka_unit_test(a_stopped_machine_can_run_again),
        cmocka_unit_test(a_misaligned_access_is_reported),
        cmocka_unit_test(reading_what_nobody_has_written_is_reported),
        cmocka_unit_test(shared_memory_is_new_in_every_block),
        cmocka_unit_test(a_missing_barrier_is_a_race),
        cmocka_unit_test(the_same_place_written_by_two_is_a_race),
        cmocka_unit_test(writes_of_the_same_value_are_a_class_of_their_own),
        cmocka_unit_test(blocks_do_not_wait_for_each_other),
        cmocka_unit_test(launches_come_one_after_the_other),
        cmocka_unit_test(atomics_do_not_race_with_each_other),
        cmocka_unit_test(an_exchange_orders_its_lanes),
        cmocka_unit_test(an_exchange_orders_no_other_lanes),
        cmocka_unit_test(a_shuffle_orders_no_writes),
        cmocka_unit_test(a_store_does_not_hide_behind_an_atomic),
        cmocka_unit_test(bytes_of_one_word_are_apart),
        cmocka_unit_test(different_barriers_end_the_launch),
        cmocka_unit_test(a_barrier_that_some_have_left_is_reported_and_passed),
        cmocka_unit_test(an_exchange_nobody_comes_to_ends_the_launch),
        cmocka_unit_test(lanes_that_have_left_are_missed_but_not_waited_for),
        cmocka_unit_test(a_thread_that_does_not_end_is_stopped),
        cmocka_unit_test(a_thread_is_left_when_the_work_is_done),
        cmocka_unit_test(a_thread_may_work_long),
        cmocka_unit_test(a_thread_may_wait_for_what_another_writes),
        cmocka_unit_test(a_stored_record_can_be_read_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
