/* SPDX-License-Identifier: Apache-2.0
 *
 * Many numbers parted around the one of some rank on the memory machine: numbers of all types and shapes, with values and indices, are as by the
 * definition; a pivot that is not where the sample says is found; and elements are read twice and written once.
 */
#include <string.h>

#include "rounds.h"
#include "sort_machine_support.h"
#include "support.h"

static sort_case number_case(rng *r, uint64_t n) {
    sort_case c = {.n = n, .shape = (sort_shape)rng_below(r, SORT_SHAPES), .levels = SELECTED};
    c.key = sort_random_number(r);
    while (c.key.field[0].kind == RIFFLE_SORT_KEY_BYTES || c.key.elem_bytes > 8) c.key = sort_random_number(r);
    const uint64_t extra = rng_below(r, 6);
    if (extra < 2) c.value_bytes = 4 + 4 * extra;
    if (extra == 2 || extra == 3) c.index_bytes = 4 * (extra - 1);
    c.in_place = rng_below(r, 3) == 0;
    c.with_keys = c.value_bytes + c.index_bytes == 0 || rng_below(r, 2);
    c.task = RIFFLE_SORT_TASK_PARTITION;
    const uint64_t where[] = {0, n - 1, rng_below(r, 8), n - 1 - rng_below(r, 8), n / 2, rng_below(r, n)};
    c.count = where[rng_below(r, 6)];
    return c;
}

static void test_definition(void **state) {
    (void)state;
    rng r = {20261130};
    for (unsigned k = 0; k < (test_is_long() ? 2000 : test_rounds(12)); k++) {
        const sort_case c = number_case(&r, 4096 + rng_below(&r, 12000));
        expect_sorted(&r, &c);
    }
}

/* All is counted, and nothing sampled; and short arrays, by a block. */
static void test_counted(void **state) {
    (void)state;
    rng r = {7};
    for (unsigned k = 0; k < (test_is_long() ? 1000 : test_rounds(8)); k++) {
        sort_case c = number_case(&r, k % 2 ? 8192 + rng_below(&r, 8000) : 1 + rng_below(&r, 8191));
        c.levels = WHOLE;
        c.count = rng_below(&r, c.n);
        expect_sorted(&r, &c);
    }
}

/* Segments by a block each, of any lengths, and of one, and not all as long as the place that is asked for. */
static void test_segments(void **state) {
    (void)state;
    rng r = {8};
    for (unsigned k = 0; k < (test_is_long() ? 1000 : test_rounds(8)); k++) {
        const uint64_t segments = 65 + rng_below(&r, 60), n = segments * (1 + rng_below(&r, 200));
        sort_case c = number_case(&r, n);
        c.segments = segments;
        c.is_uneven = k % 2;
        c.count = rng_below(&r, n / segments + (k % 2 ? 100 : 0));
        expect_sorted(&r, &c);
    }
}

/* All bits set, as codes of what is no element are. */
static void fill_with_last(rng *r, const sort_case *c, unsigned char *elements) {
    (void)r;
    memset(elements, 0xff, c->n * c->key.elem_bytes);
}

/* Rows that registers hold: some of a warp, one, or one of a block, beside each other and alone. */
static void test_held(void **state) {
    (void)state;
    static const uint64_t lengths[] = {1,  2,   3,   4,   7,   8,   16,  31,  32, 33,
                                       64, 100, 127, 128, 129, 256, 300, 512, 513};
    rng r = {10};
    for (unsigned k = 0; k < (test_is_long() ? 1000 : test_rounds(12)); k++) {
        const uint64_t n = k % 3 ? lengths[rng_below(&r, 19)] : 1 + rng_below(&r, 3000),
                       segments = 1 + rng_below(&r, n > 300 ? 4 : 80);
        sort_case c = number_case(&r, n * segments);
        c.segments = segments;
        c.levels = WHOLE;
        c.count = rng_below(&r, n + 1);
        if (k % 4 == 3) c.fill = fill_with_last;
        expect_sorted(&r, &c);
    }
}

static void few_arrays(sort_task *task) { assert_false(task->part.is_by_rows); }

static void test_few_arrays(void **state) {
    (void)state;
    rng r = {9};
    for (unsigned k = 0; k < (test_is_long() ? 100 : test_rounds(4)); k++) {
        sort_case c = number_case(&r, 3 * (1200 + rng_below(&r, 3000)));
        c.segments = 3;
        c.count = rng_below(&r, c.n / 3);
        c.change = few_arrays;
        expect_sorted(&r, &c);
    }
}

/* --------------------------------------------------------- pivots that are elsewhere */

/* No room for what is between the bounds; both bounds before the pivot, or behind it. */
static void take_room(sort_task *task) { task->part.table.of.capacity = task->part.table.listed.capacity = 1; }
static void move_down(sort_task *task) {
    task->part.table.is_open[0] = task->part.table.is_open[1] = false;
    task->part.table.rank[0] = task->part.table.rank[1] = 0;
    task->part.table.of.window[0] = task->part.table.of.window[1] = 0;
}
static void move_up(sort_task *task) {
    move_down(task);
    task->part.table.of.window[0] = task->part.table.of.window[1] = SELECT_GROUP - SELECT_WINDOW;
    task->part.table.rank[0] = task->part.table.rank[1] = task->part.table.of.groups * SELECT_WINDOW - 1;
}

static void test_wrong_bounds(void **state) {
    (void)state;
    static void (*const changes[])(sort_task *) = {take_room, move_down, move_up};
    rng r = {2};
    for (unsigned k = 0; k < (test_is_long() ? 1000 : test_rounds(6)); k++) {
        sort_case c = number_case(&r, 4096 + rng_below(&r, 12000));
        c.change = changes[k % 3];
        expect_sorted(&r, &c);
    }
}

/* ------------------------------------------------------------------- accesses */

/* The passes over all elements read each sector once, and write it once; all else together reads less than a pass does. */
static void test_reads_twice(void **state) {
    (void)state;
    if (is_sanitized() && !test_is_long()) skip(); /* counts are the plain tier's */
    enum { N = 1 << 17, SECTORS = N * 4 / 32 };
    static const sort_shape shapes[] = {SORT_SHAPE_UNIFORM, SORT_SHAPE_EQUAL, SORT_SHAPE_SORTED,
                                        SORT_SHAPE_REVERSED};
    for (unsigned k = 0; k < 4; k++) {
        rng r = {k};
        const sort_case c = {
            .key = {.elem_bytes = 4, .fields = 1, .field = {{.kind = RIFFLE_SORT_KEY_FLOAT, .bytes = 4}}},
            .shape = shapes[k],
            .n = N,
            .with_keys = true,
            .task = RIFFLE_SORT_TASK_PARTITION,
            .count = k % 2 ? N / 2 : N / 1000,
            .levels = SELECTED};
        sort_run run = run_case(&c, &r);
        assert_true(run.task.part.is_chosen);
        assert_true(is_right(&c, &run));
        const report_line filter = sum_of_kernel(run.m, "part_filter", SPACE_GLOBAL, OP_READ),
                          read = sum_of_kernel(run.m, "part_move", SPACE_GLOBAL, OP_READ),
                          written = sum_of_kernel(run.m, "part_move", SPACE_GLOBAL, OP_WRITE),
                          exact = sum_of_kernel(run.m, "part_exact", SPACE_GLOBAL, OP_READ);
        assert_in_range(filter.requests, SECTORS, SECTORS + SECTORS / 8 + run.task.part.table.of.capacity);
        assert_in_range(read.requests, SECTORS, SECTORS + SECTORS / 8);
        assert_in_range(written.requests, SECTORS, SECTORS + SECTORS / 8);
        assert_in_range(exact.requests, 0, SECTORS / 8);
        end(&run);
    }
}

/* Rows that registers hold are read once and written once, by one launch. */
static void test_reads_once(void **state) {
    (void)state;
    static const struct {
        const char *kernel;
        uint64_t length;
    } rows[] = {{"part_warps", 16}, {"part_warps", 128}, {"part_long_warps", 500}, {"part_blocks", 5000}};
    for (unsigned k = 0; k < 4; k++) {
        rng r = {k};
        const uint64_t segments = 20000 / rows[k].length, n = segments * rows[k].length, sectors = n * 4 / 32;
        const sort_case c = {
            .key = {.elem_bytes = 4, .fields = 1, .field = {{.kind = RIFFLE_SORT_KEY_FLOAT, .bytes = 4}}},
            .shape = SORT_SHAPE_UNIFORM,
            .n = n,
            .segments = segments,
            .with_keys = true,
            .task = RIFFLE_SORT_TASK_PARTITION,
            .count = rows[k].length / 3,
            .levels = WHOLE};
        sort_run run = run_case(&c, &r);
        assert_true(run.task.part.is_held);
        assert_true(is_right(&c, &run));
        const report_line read = sum_of_kernel(run.m, rows[k].kernel, SPACE_GLOBAL, OP_READ),
                          written = sum_of_kernel(run.m, rows[k].kernel, SPACE_GLOBAL, OP_WRITE);
        assert_in_range(read.requests, sectors, sectors + 4 * segments);
        assert_in_range(written.requests, sectors, sectors + 4 * segments);
        end(&run);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_definition),   cmocka_unit_test(test_counted),
                                       cmocka_unit_test(test_segments),     cmocka_unit_test(test_few_arrays),
                                       cmocka_unit_test(test_held),         cmocka_unit_test(test_reads_once),
                                       cmocka_unit_test(test_wrong_bounds), cmocka_unit_test(test_reads_twice)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
