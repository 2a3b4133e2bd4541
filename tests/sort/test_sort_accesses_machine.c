/* SPDX-License-Identifier: Apache-2.0
 *
 * Claims about the accesses of sorts, counted on the memory machine: conflicts, sectors, exchanged blocks.
 */
#include "sort_machine_support.h"

/* Sorting in registers, by warps and by blocks, and turning what is sorted: whatever the keys are. Only blocks that exchange
 * what is longer than 8 bytes meet its halves in two wavefronts each. */
static void test_registers_have_no_conflicts(void **state) {
    (void)state;
    for (unsigned k = 0; k < 2; k++)
        for (unsigned shape = SORT_SHAPE_UNIFORM; shape <= SORT_SHAPE_ZIPF; shape += SORT_SHAPE_ZIPF) {
            sort_run run = run_numbers((size_t)4 << k, 3000, (sort_shape)shape, k == 0 ? 2 : 1, 900 >> k);
            if (k == 0) expect_no_conflict(run.m, "sort_leaves_4_");
            expect_no_conflict(run.m, "sort_ranks");
            if (k == 0) expect_no_conflict(run.m, "sort_sample");
            end(&run);
        }
}

/* Leaves by order meet shared memory where the keys say only when they take the keys in order: equal ones they take as they lie, and
 * what they write has no conflict whatever the keys are. */
static void test_orders_have_no_conflicts(void **state) {
    (void)state;
    for (unsigned k = 0; k < 6; k++) {
        rng r = {34 + k};
        sort_case c = leaves_case((size_t)8 << k % 2, k < 4 ? 0 : 4);
        c.shape = k < 2 ? SORT_SHAPE_UNIFORM : SORT_SHAPE_EQUAL;
        sort_run run = run_case(&c, &r);
        assert_true(is_right(&c, &run));
        const report_line writes = sum_of_kernel(run.m, "leaves_", SPACE_SHARED, OP_WRITE);
        assert_true(writes.warps > 0 && writes.requests == writes.ideal_requests);
        if (k >= 2) expect_no_conflict(run.m, "leaves_");
        end(&run);
    }
}

/* A bucket's keys in a tile are a run side by side: sectors are whole but at the ends of runs, and where a warp ends and the
 * next goes on. */
static void test_partition_writes_runs(void **state) {
    (void)state;
    for (size_t bytes = 4; bytes <= 16; bytes *= 2) {
        enum { N = 3200 };
        sort_run run = run_numbers(bytes, N, SORT_SHAPE_UNIFORM, 2, 400);
        const sort_level *const level = run.task.steps.level;
        const uint64_t tiles = level[0].pieces + level[1].pieces + 2 * N * bytes / 32768;
        const uint64_t runs = tiles * (level[0].ways > level[1].ways ? level[0].ways : level[1].ways);
        const report_line writes = sum_of_kernel(run.m, "sort_move", SPACE_GLOBAL, OP_WRITE);
        assert_true(writes.requests <= 2 * N * bytes / 32 + 2 * runs + writes.warps);
        assert_true(writes.requests >= 2 * N * bytes / 32);
        end(&run);
    }
}

/* Two levels read keys four times and write them twice, and leaves both once: eight blocks for each block of keys, of an exchange
 * of which the bound counts two. Values that go along, samples, splitters and counts are less than half as much again, here,
 * where there is a count for each few keys. */
static void test_blocks_exchanged(void **state) {
    (void)state;
    enum { N = 8000 };
    sort_run run = run_numbers(8, N, SORT_SHAPE_UNIFORM, 2, 600);
    uint64_t keys = 0, all = 0;
    static const char *const moves[] = {"sort_move", "sort_leaves"};
    for (report_op op = OP_READ; op <= OP_ATOMIC; op++) {
        all += sum_of_kernel(run.m, "sort_", SPACE_GLOBAL, op).requests;
        for (unsigned k = 0; k < 2; k++)
            keys += sum_of_kernel(run.m, moves[k], SPACE_GLOBAL, op).ideal_requests;
    }
    const uint64_t blocks = N * 8 / 32;
    assert_true(keys >= 6 * blocks);
    assert_true(all <= 16 * blocks);
    end(&run);
}

/* The first of many: the second level and the leaves meet one bucket only. */
static void test_windows_exchanged(void **state) {
    (void)state;
    enum { N = 8000 };
    rng r = {24};
    const sort_case c = {
        .key = {.elem_bytes = 8, .fields = 1, .field = {{.kind = RIFFLE_SORT_KEY_UNSIGNED, .bytes = 8}}},
        .n = N,
        .with_keys = true,
        .task = RIFFLE_SORT_TASK_TOP,
        .count = 10,
        .levels = 2,
        .leaf = 200,
        .piece = 1 << 20};
    sort_run run = run_case(&c, &r);
    assert_true(is_right(&c, &run));
    const report_line moves = sum_of_kernel(run.m, "sort_move", SPACE_GLOBAL, OP_WRITE);
    const report_line leaves = sum_of_kernel(run.m, "sort_leaves", SPACE_GLOBAL, OP_WRITE);
    const uint64_t blocks = N * 8 / 32;
    assert_true(moves.ideal_requests <= blocks + blocks / 4);
    assert_true(leaves.ideal_requests <= blocks / 4);
    end(&run);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_registers_have_no_conflicts), cmocka_unit_test(test_orders_have_no_conflicts),
        cmocka_unit_test(test_partition_writes_runs),       cmocka_unit_test(test_blocks_exchanged),
        cmocka_unit_test(test_windows_exchanged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
