/* SPDX-License-Identifier: Apache-2.0
 *
 * The memory machine's counts, on small kernels whose cost is known by hand.
 */
#include <math.h>

#include "machine_support.h"

/* Lanes' cells as worked_global and worked_shared take them, the first lane's in the lowest four bits. */
static const uint32_t WORKED_CELLS = 0x9cba0f57;

static void the_worked_example_takes_nine_and_seven_time_units(void **state) {
    (void)state;
    machine *m = machine_or_fail((riffle_machine_options){.width = 4, .latency = 5, .shared_latency = 5});
    uint32_t *in = buffer_or_fail(m, "in", 16, true);
    run_or_fail(m, (test_launch){enter_worked_global, in, WORKED_CELLS, .block = {8, 1, 1}});
    assert_int_equal(riffle_report_time_units(machine_report(m)), 9);
    const report_line global = sum_of(machine_report(m), SPACE_GLOBAL, OP_READ);
    assert_int_equal(global.rounds, 1);
    assert_int_equal(global.warps, 2);
    assert_int_equal(global.stages, 5);
    assert_int_equal(global.worst_stages, 3);
    run_or_fail(m,
                (test_launch){enter_worked_shared, in, WORKED_CELLS, .block = {8, 1, 1}, .shared_bytes = 64});
    const report_line shared = sum_of(machine_report(m), SPACE_SHARED, OP_READ);
    assert_int_equal(shared.stages, 3);
    assert_int_equal(shared.time_units, 7);
    assert_no_hazards(m);
    machine_free(m);
}

static void an_indexed_copy_makes_four_accesses(void **state) {
    (void)state;
    machine *m = machine_or_fail((riffle_machine_options){0});
    const uint32_t n = 32;
    uint32_t *arrays = buffer_or_fail(m, "arrays", 4 * n, true);
    for (uint32_t k = 0; k < n; k++) {
        arrays[2 * n + k] = n - 1 - k;
        arrays[3 * n + k] = k * 5 % n;
    }
    run_or_fail(m, (test_launch){enter_indexed, arrays, n, .block = {n, 1, 1}});
    for (uint32_t k = 0; k < n; k++) assert_int_equal(arrays[n - 1 - k], n + k * 5 % n);
    const report_line read = sum_of(machine_report(m), SPACE_GLOBAL, OP_READ);
    const report_line write = sum_of(machine_report(m), SPACE_GLOBAL, OP_WRITE);
    assert_int_equal(read.rounds, 3);
    assert_int_equal(write.rounds, 1);
    assert_int_equal(read.stages + write.stages, 4);
    assert_int_equal(read.requests, 12);
    assert_int_equal(read.ideal_requests, 12);
    assert_int_equal(riffle_report_time_units(machine_report(m)), 4 * 400);
    assert_no_hazards(m);
    machine_free(m);
}

static void reading_what_is_then_written_counts(void **state) {
    (void)state;
    machine *m = machine_or_fail((riffle_machine_options){0});
    uint32_t *a = buffer_or_fail(m, "a", 64, true);
    run_or_fail(m, (test_launch){enter_add, a, 32, .block = {32, 1, 1}});
    assert_int_equal(sum_of(machine_report(m), SPACE_GLOBAL, OP_READ).rounds, 2);
    assert_int_equal(sum_of(machine_report(m), SPACE_GLOBAL, OP_WRITE).rounds, 1);
    assert_int_equal(a[3], 3 + 35);
    assert_no_hazards(m);
    machine_free(m);
}

/* A 32 x 32 tile written by rows and read by columns. */
static void check_tile(uint32_t pitch, uint64_t stages_of_a_warp) {
    machine *m = machine_or_fail((riffle_machine_options){0});
    uint32_t *out = buffer_or_fail(m, "out", 1024, false);
    run_or_fail(m, (test_launch){enter_tile, out, pitch, .block = {32, 32, 1}, .shared_bytes = 33 * 32 * 4});
    const report_line read = sum_of(machine_report(m), SPACE_SHARED, OP_READ);
    const report_line write = sum_of(machine_report(m), SPACE_SHARED, OP_WRITE);
    assert_int_equal(write.stages, 32);
    assert_int_equal(write.time_units, 32);
    assert_int_equal(read.warps, 32);
    assert_int_equal(read.stages, 32 * stages_of_a_warp);
    assert_int_equal(read.requests, 32 * stages_of_a_warp);
    assert_int_equal(read.worst_stages, stages_of_a_warp);
    assert_int_equal(read.casual_rounds, stages_of_a_warp > 1);
    assert_int_equal(sum_of(machine_report(m), SPACE_GLOBAL, OP_WRITE).casual_rounds, 0);
    for (uint32_t k = 0; k < 1024; k++) assert_int_equal(out[k], k % 32 * 32 + k / 32);
    assert_no_hazards(m);
    machine_free(m);
}

static void columns_of_a_tile_conflict_unless_padded_or_skewed(void **state) {
    (void)state;
    check_tile(32, 32);
    check_tile(33, 1);
    check_tile(0, 1);
}

static void lanes_in_different_branches_make_accesses_of_their_own(void **state) {
    (void)state;
    machine *m = machine_or_fail((riffle_machine_options){0});
    uint32_t *a = buffer_or_fail(m, "a", 3 * 64, false);
    run_or_fail(m, (test_launch){enter_branches, a, 8, .block = {64, 1, 1}});
    const report_line write = sum_of(machine_report(m), SPACE_GLOBAL, OP_WRITE);
    assert_int_equal(write.rounds, 3);
    /* Warp 0 takes both branches, warp 1 one of them; together they write once more. */
    assert_int_equal(write.warps, 2 + 1 + 2);
    assert_int_equal(write.stages, 5);
    assert_no_hazards(m);
    machine_free(m);
}

static void lanes_that_leave_a_loop_early_keep_the_others_in_step(void **state) {
    (void)state;
    machine *m = machine_or_fail((riffle_machine_options){0});
    uint32_t *a = buffer_or_fail(m, "a", 5 * 32, false);
    run_or_fail(m, (test_launch){enter_trips, a, 5, .block = {32, 1, 1}});
    const report_line write = sum_of(machine_report(m), SPACE_GLOBAL, OP_WRITE);
    assert_int_equal(write.rounds, 5);
    assert_int_equal(write.warps, 5);
    assert_int_equal(write.stages, 5);
    assert_no_hazards(m);
    machine_free(m);
}

static void barriers_bring_the_turns_of_ragged_loops_level(void **state) {
    (void)state;
    machine *m = machine_or_fail((riffle_machine_options){0});
    uint32_t *a = buffer_or_fail(m, "a", 3 * 64, false);
    /* 40 elements by 32 threads: two turns, the second of 8 lanes, in each of three tiles. */
    run_or_fail(m, (test_launch){enter_ragged_tiles, a, 40, .block = {32, 1, 1}});
    const report_line write = sum_of(machine_report(m), SPACE_GLOBAL, OP_WRITE);
    assert_int_equal(write.rounds, 6);
    assert_int_equal(write.warps, 6);
    assert_int_equal(write.stages, 6);
    assert_no_hazards(m);
    machine_free(m);
}

static void check_wide(uint32_t stride, uint64_t stages, uint64_t wavefronts) {
    machine *m = machine_or_fail((riffle_machine_options){0});
    uint32_t *out = buffer_or_fail(m, "out", 32 * 4, false);
    run_or_fail(m, (test_launch){enter_wide_copy, out, stride, .block = {32, 1, 1}, .shared_bytes = 65536});
    const report_line write = sum_of(machine_report(m), SPACE_SHARED, OP_WRITE);
    assert_int_equal(write.rounds, 1);
    assert_int_equal(write.cell_bytes, 16);
    assert_int_equal(write.stages, stages);
    assert_int_equal(write.requests, wavefronts);
    assert_int_equal(write.ideal_requests, 4);
    const report_line global = sum_of(machine_report(m), SPACE_GLOBAL, OP_WRITE);
    assert_int_equal(global.stages, 1);
    assert_int_equal(global.requests, 16);
    assert_no_hazards(m);
    machine_free(m);
}

static void elements_of_sixteen_bytes_are_served_by_quarter_warps(void **state) {
    (void)state;
    check_wide(1, 1, 4);
    check_wide(2, 2, 8); /* every other 16-byte bank */
    check_wide(32, 32, 32);
    check_wide(33, 1, 4);
}

static void check_strided(uint32_t stride, uint64_t stages, uint64_t sectors) {
    machine *m = machine_or_fail((riffle_machine_options){0});
    uint32_t *out = buffer_or_fail(m, "out", 2 * 32 * stride, false);
    run_or_fail(m, (test_launch){enter_strided, out, stride, .block = {32, 1, 1}});
    const report_line write = sum_of(machine_report(m), SPACE_GLOBAL, OP_WRITE);
    assert_int_equal(write.cell_bytes, 8);
    assert_int_equal(write.stages, stages);
    assert_int_equal(write.requests, sectors);
    assert_int_equal(write.ideal_requests, 8);
    machine_free(m);
}

static void a_stride_spreads_over_address_groups_and_sectors(void **state) {
    (void)state;
    check_strided(1, 1, 8);
    check_strided(2, 2, 16);
    check_strided(3, 3, 24);
    check_strided(4, 4, 32);
    check_strided(32, 32, 32);
}

static void a_partial_warp_counts_its_lanes_only(void **state) {
    (void)state;
    machine *m = machine_or_fail((riffle_machine_options){0});
    uint32_t *out = buffer_or_fail(m, "out", 2 * 40, false);
    run_or_fail(m, (test_launch){enter_strided, out, 1, .block = {40, 1, 1}});
    const report_line write = sum_of(machine_report(m), SPACE_GLOBAL, OP_WRITE);
    assert_int_equal(write.warps, 2);
    assert_int_equal(write.stages, 2);
    assert_int_equal(write.requests, 8 + 2);
    assert_int_equal(write.ideal_requests, 10);
    machine_free(m);
}

static void atomics_to_one_address_do_not_merge(void **state) {
    (void)state;
    const uint32_t shares[] = {1, 4, 32};
    for (size_t k = 0; k < 3; k++) {
        machine *m = machine_or_fail((riffle_machine_options){0});
        uint32_t *counters = buffer_or_fail(m, "counters", 32, true);
        run_or_fail(m, (test_launch){enter_atomics, counters, shares[k], .block = {32, 1, 1}});
        const report_line atomic = sum_of(machine_report(m), SPACE_GLOBAL, OP_ATOMIC);
        assert_int_equal(atomic.stages, shares[k]);
        assert_int_equal(counters[0], shares[k]);
        assert_no_hazards(m);
        machine_free(m);
    }
}

static void static_shared_memory_has_banks_too(void **state) {
    (void)state;
    machine *m = machine_or_fail((riffle_machine_options){0});
    assert_int_equal(machine_adopt_shared(m, "tile", test_static_tile, sizeof test_static_tile), RIFFLE_OK);
    uint32_t *out = buffer_or_fail(m, "out", 64, false);
    run_or_fail(m, (test_launch){enter_static_shared, out, 2, .block = {64, 1, 1}});
    const report_line read = sum_of(machine_report(m), SPACE_SHARED, OP_READ);
    assert_int_equal(read.stages, 4);
    assert_int_equal(out[5], 10);
    assert_no_hazards(m);
    machine_free(m);
}

static void a_struct_is_as_many_accesses_as_its_alignment_makes(void **state) {
    (void)state;
    machine *m = machine_or_fail((riffle_machine_options){0});
    uint32_t *a = buffer_or_fail(m, "a", 3 * 64, true);
    run_or_fail(m, (test_launch){enter_copy_struct, a, 32, .block = {32, 1, 1}});
    const report_line read = sum_of(machine_report(m), SPACE_GLOBAL, OP_READ);
    assert_int_equal(read.rounds, 3);
    assert_int_equal(read.cell_bytes, 4);
    assert_int_equal(read.stages, 9);
    assert_int_equal(a[10], 106);
    assert_no_hazards(m);
    machine_free(m);
}

/* A compiler's copy of it to the kernel's stack is no access of the kernel. */
static void arguments_are_no_accesses(void **state) {
    (void)state;
    machine *m = machine_or_fail((riffle_machine_options){.width = 32});
    uint32_t *a = buffer_or_fail(m, "a", 32, false);
    long_argument given;
    for (uint32_t k = 0; k < 4096; k++) given.number[k] = 3 * k + 1;
    void *arguments[] = {&a, &given};
    const machine_launch launch = {"test", enter_long_argument, arguments, {1, 1, 1}, {32, 1, 1}, 0, false, {0, 0, 0}};
    if (machine_run(m, &launch) != RIFFLE_OK) fail_msg("%s", riffle_error_detail());
    assert_no_hazards(m);
    for (uint32_t k = 0; k < 32; k++) assert_int_equal(a[k], given.number[k]);
    assert_int_equal(machine_report(m)->lines, 1);
    machine_free(m);
}

static void threads_and_blocks_are_numbered_as_cuda_does(void **state) {
    (void)state;
    machine *m = machine_or_fail((riffle_machine_options){.width = 5});
    const uint32_t n = 2 * 3 * 4 * 5 * 3 * 2;
    uint32_t *out = buffer_or_fail(m, "out", n, false);
    memset(out, 0xa5, n * sizeof *out);
    run_or_fail(m, (test_launch){enter_block_order, out, n, .grid = {2, 3, 4}, .block = {5, 3, 2}});
    for (uint32_t k = 0; k < n; k++) assert_int_equal(out[k], k);
    const report_line write = sum_of(machine_report(m), SPACE_GLOBAL, OP_WRITE);
    assert_int_equal(write.warps, 24 * 6);
    assert_int_equal(write.casual_rounds, 0);
    assert_no_hazards(m);
    machine_free(m);
}

static void dmms_share_the_work_of_shared_rounds(void **state) {
    (void)state;
    uint64_t time[3];
    const unsigned dmms[] = {1, 2, 4};
    for (size_t k = 0; k < 3; k++) {
        machine *m = machine_or_fail((riffle_machine_options){.dmms = dmms[k], .latency = 1});
        run_or_fail(m, (test_launch){enter_worked_shared, NULL, 0, .grid = {6, 1, 1}, .block = {8, 1, 1},
                                     .shared_bytes = 64});
        time[k] = riffle_report_time_units(machine_report(m));
        machine_free(m);
    }
    /* Three rounds of one stage a block: six blocks in turn, three on each of two, two on the fullest of four.
       */
    assert_int_equal(time[0], 3 * 6);
    assert_int_equal(time[1], 3 * 3);
    assert_int_equal(time[2], 3 * 2);
}

static void long_threads_take_turns_and_count_the_same(void **state) {
    (void)state;
    machine *m = machine_or_fail((riffle_machine_options){.latency = 1});
    uint32_t *out = buffer_or_fail(m, "out", 16 * 48, false);
    const uint32_t n = 200000;
    run_or_fail(m, (test_launch){enter_large, out, n, .block = {48, 1, 1}});
    const report_line write = sum_of(machine_report(m), SPACE_GLOBAL, OP_WRITE);
    assert_int_equal(write.rounds, n);
    assert_int_equal(write.warps, 2 * n);
    /* Rows are 48 elements: every other begins in the middle of an address group. */
    assert_int_equal(write.stages, n / 2 * (1 + 1) + n / 2 * (2 + 1));
    assert_no_hazards(m);
    machine_free(m);
}

/* Counts of one warp's writes, of a kernel that may use 16 rows of 32 elements. */
static report_line writes_of_a_warp(test_kernel *entry, uint32_t number) {
    machine *m = machine_or_fail((riffle_machine_options){0});
    uint32_t *out = buffer_or_fail(m, "out", 16 * 32, false);
    run_or_fail(m, (test_launch){entry, out, number, .block = {32, 1, 1}});
    const report_line write = sum_of(machine_report(m), SPACE_GLOBAL, OP_WRITE);
    assert_no_hazards(m);
    machine_free(m);
    return write;
}

static void check_writes(test_kernel *entry, uint32_t number, uint64_t rounds, uint64_t warps) {
    const report_line write = writes_of_a_warp(entry, number);
    assert_int_equal(write.rounds, rounds);
    assert_int_equal(write.warps, warps);
}

static void lanes_that_a_part_of_the_warp_holds_back_meet_the_others(void **state) {
    (void)state;
    const uint32_t held[] = {1, 8, 16, 31};
    for (size_t k = 0; k < 4; k++) check_writes(enter_held, held[k], 1, 1);
    check_writes(enter_halves, 1, 1, 1);
    check_writes(enter_halves, 100, 1, 1);
    check_writes(enter_held_loop, 1000, 1000, 1000);
}

static void meetings_of_the_whole_warp_bring_ragged_turns_level(void **state) {
    (void)state;
    check_writes(enter_met_in_loop, 8, 8 + 7, 8 + 7);
    check_writes(enter_live_ragged, 20, 6, 6);
}

/* On a GPU the halves meet behind the branch in each turn, and write n times together: so counts the machine, up to what a
 * log holds (1000 turns above). Lanes that wait for nobody run a slice of 2^16 accesses ahead in each turn of those that
 * exchange, and a log of 2^21 becomes rounds though they have not met: then a turn's writes may count as two, never as more. */
static void exchanges_without_end_do_not_pile_up_logs(void **state) {
    (void)state;
    const uint32_t n = 200000;
    const report_line write = writes_of_a_warp(enter_held_loop, n);
    assert_in_range(write.warps, n, 2 * n);
    assert_int_equal(write.rounds, write.warps);
}

static void rows_come_in_order_of_lines(void **state) {
    (void)state;
    machine *m = machine_or_fail((riffle_machine_options){0});
    uint32_t *a = buffer_or_fail(m, "a", 64, true);
    for (unsigned k = 0; k < 2; k++) run_or_fail(m, (test_launch){enter_backwards, a, 32, .block = {32, 1, 1}});
    const riffle_report *report = machine_report(m);
    assert_int_equal(report->lines, 2 * 3);
    for (unsigned k = 0; k < 2; k++) {
        const report_line *row = &report->line[3 * k];
        for (unsigned j = 0; j < 3; j++) assert_int_equal(row[j].launch, k);
        /* The line above writes after the one below has read, then written. */
        assert_int_equal(row[0].op, OP_WRITE);
        assert_int_equal(row[1].line, row[0].line + 2);
        assert_int_equal(row[1].op, OP_READ);
        assert_int_equal(row[2].line, row[0].line + 2);
        assert_int_equal(row[2].op, OP_WRITE);
    }
    machine_free(m);
}

static void launches_beyond_the_machine_are_refused(void **state) {
    (void)state;
    machine *m = machine_or_fail((riffle_machine_options){.block_threads = 64, .shared_bytes = 1000});
    uint32_t *out = buffer_or_fail(m, "out", 64, false);
    const struct {
        test_launch launch;
        const char *says;
    } cases[] = {
        {{enter_strided, out, 1, .block = {65, 1, 1}}, "a block of 65 x 1 x 1 threads on a machine with 64"},
        {{enter_strided, out, 1, .block = {1u << 31, 1u << 31, 4}}, "threads on a machine with 64"},
        {{enter_strided, out, 1, .block = {8, 3, 3}}, "a block of 8 x 3 x 3 threads"},
        {{enter_strided, out, 1, .grid = {~0u, ~0u, ~0u}}, "blocks is too large"},
        {{enter_strided, out, 1, .shared_bytes = 1001}, "1001 bytes of shared memory on a machine with 1000"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        assert_int_equal(run_test_kernel(m, cases[k].launch), RIFFLE_ERROR_UNSUPPORTED);
        if (strstr(riffle_error_detail(), cases[k].says) == NULL) fail_msg("%s", riffle_error_detail());
    }
    void *arguments[] = {&out, &(uint32_t){1}};
    const machine_launch empty = {"test", enter_strided, arguments, {0, 1, 1}, {1, 1, 1}, 0, false, {0, 0, 0}};
    assert_int_equal(machine_run(m, &empty), RIFFLE_ERROR_UNSUPPORTED);
    assert_non_null(strstr(riffle_error_detail(), "at least 1"));
    assert_int_equal(machine_report(m)->lines, 0);
    machine_free(m);
}

static void machines_that_cannot_be_are_refused(void **state) {
    (void)state;
    const struct {
        riffle_machine_options options;
        const char *says;
    } cases[] = {
        {{.width = 33}, "width is 1 to 32, not 33"},
        {{.block_threads = 1 << 20}, "not 1048576"},
        {{.shared_bytes = (size_t)1 << 40}, "bytes of shared memory"},
        {{.latency = ~0u}, "latencies"},
        {{.shared_latency = ~0u}, "latencies"},
        {{.dmms = ~0u}, "DMMs"},
        {{.shared_layout = RIFFLE_LAYOUT_PADDED}, "raw, ras, rap and xor of shared memory, not padded"},
        {{.shared_seeds = 4097}, "up to 4096 seeds"},
        {{.threshold = -1.25}, "threshold is a number above 0, not -1.25"},
        {{.threshold = NAN}, "threshold is a number above 0"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        machine *m = NULL;
        assert_int_equal(machine_create(&cases[k].options, &m), RIFFLE_ERROR_INVALID_ARGUMENT);
        assert_null(m);
        if (strstr(riffle_error_detail(), cases[k].says) == NULL) fail_msg("%s", riffle_error_detail());
    }
}

static void too_much_memory_is_refused(void **state) {
    (void)state;
    machine *m = machine_or_fail((riffle_machine_options){0});
    const size_t sizes[] = {SIZE_MAX, SIZE_MAX / 2, (size_t)1 << 60};
    for (size_t k = 0; k < 3; k++) {
        void *buffer = &buffer;
        assert_int_equal(machine_buffer(m, "huge", sizes[k], &buffer), RIFFLE_ERROR_OUT_OF_MEMORY);
        assert_ptr_equal(buffer, &buffer);
        assert_non_null(strstr(riffle_error_detail(), "no memory for an array of the machine"));
    }
    machine_free(m);
}

static void defaults_are_those_of_the_header(void **state) {
    (void)state;
    machine *m = machine_or_fail((riffle_machine_options){0});
    const riffle_machine_options *o = machine_options(m);
    assert_int_equal(o->width, 32);
    assert_int_equal(o->latency, 400);
    assert_int_equal(o->shared_latency, 1);
    assert_int_equal(o->dmms, 1);
    assert_int_equal(o->block_threads, 1024);
    assert_int_equal(o->shared_bytes, 227 << 10);
    machine *same = NULL;
    assert_int_equal(machine_create(NULL, &same), RIFFLE_OK);
    const riffle_machine_options *also = machine_options(same);
    assert_true(also->width == o->width && also->latency == o->latency && also->shared_latency == o->shared_latency);
    assert_true(also->dmms == o->dmms && also->block_threads == o->block_threads);
    assert_true(also->shared_bytes == o->shared_bytes && also->threshold == o->threshold);
    assert_true(also->accesses == o->accesses && also->checks == o->checks && also->work == o->work);
    assert_true(also->shared_layout == o->shared_layout && also->shared_seeds == o->shared_seeds);
    assert_null(also->trace);
    machine_free(same);
    machine_free(m);
    machine_free(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_worked_example_takes_nine_and_seven_time_units),
        cmocka_unit_test(an_indexed_copy_makes_four_accesses),
        cmocka_unit_test(reading_what_is_then_written_counts),
        cmocka_unit_test(columns_of_a_tile_conflict_unless_padded_or_skewed),
        cmocka_unit_test(lanes_in_different_branches_make_accesses_of_their_own),
        cmocka_unit_test(lanes_that_leave_a_loop_early_keep_the_others_in_step),
        cmocka_unit_test(barriers_bring_the_turns_of_ragged_loops_level),
        cmocka_unit_test(elements_of_sixteen_bytes_are_served_by_quarter_warps),
        cmocka_unit_test(a_stride_spreads_over_address_groups_and_sectors),
        cmocka_unit_test(a_partial_warp_counts_its_lanes_only),
        cmocka_unit_test(atomics_to_one_address_do_not_merge),
        cmocka_unit_test(static_shared_memory_has_banks_too),
        cmocka_unit_test(a_struct_is_as_many_accesses_as_its_alignment_makes),
        cmocka_unit_test(arguments_are_no_accesses),
        cmocka_unit_test(threads_and_blocks_are_numbered_as_cuda_does),
        cmocka_unit_test(dmms_share_the_work_of_shared_rounds),
        cmocka_unit_test(long_threads_take_turns_and_count_the_same),
        cmocka_unit_test(lanes_that_a_part_of_the_warp_holds_back_meet_the_others),
        cmocka_unit_test(meetings_of_the_whole_warp_bring_ragged_turns_level),
        cmocka_unit_test(exchanges_without_end_do_not_pile_up_logs),
        cmocka_unit_test(rows_come_in_order_of_lines),
        cmocka_unit_test(launches_beyond_the_machine_are_refused),
        cmocka_unit_test(machines_that_cannot_be_are_refused),
        cmocka_unit_test(too_much_memory_is_refused),
        cmocka_unit_test(defaults_are_those_of_the_header),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
