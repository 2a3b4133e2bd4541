/* SPDX-License-Identifier: Apache-2.0
 *
 * The first of many numbers, selected on the memory machine: numbers of all types and shapes, with values and indices, in one array and in some
 * segments, are as by the definition; a bound that was wrong is found, and the exact one counted; and elements are read about
 * once.
 */
#include <string.h>

#include "rounds.h"
#include "sort_machine_support.h"
#include "support.h"

/* ----------------------------------------------------------- as by definition */

static sort_case number_case(rng *r, uint64_t n) {
    sort_case c = {.n = n, .shape = (sort_shape)rng_below(r, SORT_SHAPES), .levels = SELECTED};
    c.key = sort_random_number(r);
    while (c.key.field[0].kind == RIFFLE_SORT_KEY_BYTES) c.key = sort_random_number(r);
    const uint64_t extra = rng_below(r, 6);
    if (extra < 2) c.value_bytes = 4 + 4 * extra;
    if (extra == 2 || extra == 3) c.index_bytes = 4 * (extra - 1);
    c.in_place = rng_below(r, 3) == 0;
    c.with_keys = c.value_bytes + c.index_bytes == 0 || rng_below(r, 2);
    if (rng_below(r, 3) == 0) c.segments = 2 + rng_below(r, 3);
    c.n -= c.n % segments_of(&c);
    c.task = RIFFLE_SORT_TASK_TOP;
    c.count = 1 + rng_below(r, rng_below(r, 2) ? 8 : c.n / segments_of(&c) / 10);
    return c;
}

/* A case that is not selected: numbers of 16 bytes with something beside them, and where too much is asked for. */
static bool is_selected(const sort_case *c) {
    return c->key.elem_bytes < 16 || c->value_bytes + c->index_bytes == 0;
}

static void expect_selected(rng *r, const sort_case *c) {
    if (is_selected(c)) expect_sorted(r, c);
}

static void test_definition(void **state) {
    (void)state;
    const uint64_t seed = 20261129;
    rng r = {seed};
    for (unsigned k = 0; k < (test_is_long() ? 2000 : test_rounds(24)); k++) {
        const sort_case c = number_case(&r, 4096 + rng_below(&r, 12000));
        expect_selected(&r, &c);
    }
}

/* Blocks that select a segment each, of one length, or of any: some have no element, some more than is listed at a time. */
static void test_segments(void **state) {
    (void)state;
    rng r = {3};
    for (unsigned k = 0; k < (test_is_long() ? 500 : test_rounds(8)); k++) {
        sort_case c = number_case(&r, 4096);
        c.is_uneven = k % 2;
        c.segments = c.is_uneven ? 64 + rng_below(&r, 8) : 17 + rng_below(&r, 4);
        c.n = c.segments * (1024 + rng_below(&r, c.is_uneven ? 256 : k % 4 == 0 ? 8192 : 2048));
        c.count = 1 + rng_below(&r, rng_below(&r, 2) ? 8 : 120);
        expect_selected(&r, &c);
    }
}

/* ------------------------------------------------------------- bounds that fail */

/* No room for what the bound lets through, and a bound that lets nothing through, or one or two. */
static void take_room(sort_task *task) {
    select_steps *const s = &task->select;
    s->table.capacity = s->table.count;
    if (s->is_last_alone) return;
    s->sort.n = s->table.capacity;
    s->sort_steps = sort_choose_steps(&s->sort, MULTIPROCESSORS);
}
static void take_ranks(sort_task *task) { task->select.table.rank[0] = task->select.table.rank[1] = 0; }

static void test_wrong_bounds(void **state) {
    (void)state;
    rng r = {2};
    for (unsigned k = 0; k < (test_is_long() ? 1000 : test_rounds(16)); k++) {
        sort_case c = number_case(&r, 4096 + rng_below(&r, 12000));
        c.change = k % 2 ? take_room : take_ranks;
        expect_selected(&r, &c);
    }
}

/* ------------------------------------------------------------------- accesses */

static sort_case floats_case(uint64_t n, uint64_t count, size_t index_bytes, sort_shape shape) {
    return (sort_case){
        .key = {.elem_bytes = 4, .fields = 1, .field = {{.kind = RIFFLE_SORT_KEY_FLOAT, .bytes = 4}}},
        .shape = shape,
        .n = n,
        .with_keys = true,
        .index_bytes = index_bytes,
        .task = RIFFLE_SORT_TASK_TOP,
        .count = count,
        .levels = SELECTED};
}

/* The pass over all elements reads each sector once. All else together reads half of what a pass does. */
static void test_reads_once(void **state) {
    (void)state;
    if (is_sanitized() && !test_is_long()) skip(); /* counts are the plain tier's */
    enum { N = 1 << 17, SECTORS = N * 4 / 32 };
    static const sort_shape shapes[] = {SORT_SHAPE_UNIFORM, SORT_SHAPE_EQUAL, SORT_SHAPE_SORTED,
                                        SORT_SHAPE_REVERSED};
    for (unsigned k = 0; k < 4; k++) {
        rng r = {k};
        const sort_case c = floats_case(N, 100, k % 2 ? 4 : 0, shapes[k]);
        sort_run run = run_case(&c, &r);
        assert_true(run.task.select.is_chosen);
        assert_true(is_right(&c, &run));
        const report_line filter = sum_of_kernel(run.m, "filter", SPACE_GLOBAL, OP_READ);
        const report_line digits = sum_of_kernel(run.m, "digits", SPACE_GLOBAL, OP_READ);
        assert_in_range(filter.requests, SECTORS, SECTORS + SECTORS / 8);
        assert_in_range(digits.requests, 0, SECTORS / 8);
        end(&run);
    }
}

/* Few of many take no sort: a block selects of the list, be it short or long. */
static void test_list_is_not_sorted(void **state) {
    (void)state;
    for (unsigned k = 0; k < 2; k++) {
        rng r = {k};
        const sort_case c = floats_case(1 << 17, k == 0 ? 20 : 1000, k % 2 ? 4 : 0, SORT_SHAPE_UNIFORM);
        sort_run run = run_case(&c, &r);
        assert_true(run.task.select.is_last_alone);
        assert_true(is_right(&c, &run));
        assert_true(sum_of_kernel(run.m, "last", SPACE_GLOBAL, OP_READ).requests > 0);
        assert_int_equal(sum_of_kernel(run.m, "sort_", SPACE_GLOBAL, OP_READ).requests, 0);
        end(&run);
    }
}

/* Segments are read once and a sample of each, whatever their numbers are, and with indices too, where the equals of a bound are told apart. */
static void test_segments_are_read_once(void **state) {
    (void)state;
    if (is_sanitized() && !test_is_long()) skip(); /* counts are the plain tier's */
    enum { SEGMENTS = 17, LENGTH = 20000, SECTORS = SEGMENTS * LENGTH * 4 / 32, SAMPLES = SEGMENTS * 2 * 256 };
    static const sort_shape shapes[] = {SORT_SHAPE_UNIFORM, SORT_SHAPE_EQUAL, SORT_SHAPE_SORTED,
                                        SORT_SHAPE_REVERSED};
    for (unsigned k = 0; k < 8; k++) {
        if (!test_takes(k)) continue;
        rng r = {k};
        sort_case c = floats_case(SEGMENTS * LENGTH, k < 4 ? 8 : 64, k % 2 ? 4 : 0, shapes[k / 2]);
        c.segments = SEGMENTS;
        sort_run run = run_case(&c, &r);
        assert_true(run.task.select.is_by_rows);
        assert_true(is_right(&c, &run));
        assert_in_range(sum_of_kernel(run.m, "rows", SPACE_GLOBAL, OP_READ).requests, SECTORS,
                        SECTORS + SAMPLES);
        end(&run);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_definition),         cmocka_unit_test(test_segments),
        cmocka_unit_test(test_wrong_bounds),       cmocka_unit_test(test_reads_once),
        cmocka_unit_test(test_list_is_not_sorted), cmocka_unit_test(test_segments_are_read_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
