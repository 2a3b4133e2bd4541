/* SPDX-License-Identifier: Apache-2.0
 *
 * Predictions of sorts of elements that are no codes, and of what is less than all that is sorted, beside a memory machine's counts.
 * tests/support/predicted/bounds.h has the bounds.
 */
#include "sort_predicted_support.h"

/* Unsigned fields of so many bytes, one behind the other, from a place in an element on. */
static sort_case case_of(size_t elem_bytes, size_t at, unsigned fields, size_t bytes, uint64_t n) {
    sort_case c = {
        .key = {.elem_bytes = elem_bytes, .fields = fields}, .n = n, .with_keys = true, .levels = WHOLE};
    for (unsigned k = 0; k < fields; k++)
        c.key.field[k] =
            (riffle_sort_field){.kind = RIFFLE_SORT_KEY_UNSIGNED, .bytes = bytes, .offset = at + k * bytes};
    return c;
}

static void expect_all_near(sort_case *cases, size_t count, prediction_bound bound) {
    for (size_t k = 0; k < count; k++)
        if (test_takes(k)) sort_expect_near(&cases[k], 1 + k, bound);
}

static void numbers_of_few_bytes_are_near(void **state) {
    (void)state;
    sort_case cases[] = {case_of(2, 0, 1, 2, 12000), case_of(1, 0, 1, 1, 9000), case_of(1, 0, 1, 1, 12000)};
    cases[2].levels = 2, cases[2].leaf = 300, cases[2].piece = 1 << 20;
    expect_all_near(cases, 3, BOUND_SORT_NUMBERS);
}

static void rows_are_near(void **state) {
    (void)state;
    sort_case cases[] = {case_of(12, 4, 1, 4, 5000), case_of(10, 0, 2, 4, 9000), case_of(3, 0, 1, 2, 700),
                         case_of(40, 8, 1, 8, 1200), case_of(16, 0, 3, 4, 3000)};
    cases[0].value_bytes = 8, cases[2].index_bytes = 4, cases[3].index_bytes = 8;
    expect_all_near(cases, 5, BOUND_SORT_ROWS);
}

/* Keys of several codes, of which random ones differ by the first: short and long arrays, segments, and what is sorted of two levels. */
static void rows_of_long_keys_are_near(void **state) {
    (void)state;
    sort_case cases[] = {case_of(24, 0, 3, 8, 9000),  case_of(40, 8, 5, 4, 1200), case_of(20, 0, 1, 4, 9000),
                         case_of(32, 0, 4, 8, 12000), case_of(24, 4, 5, 4, 6000), case_of(24, 0, 3, 8, 100)};
    cases[2].key.field[0] = (riffle_sort_field){.kind = RIFFLE_SORT_KEY_BYTES, .bytes = 19};
    cases[0].index_bytes = 4, cases[1].value_bytes = 8;
    cases[3].levels = 2, cases[3].leaf = 300, cases[3].piece = 1 << 20;
    cases[4].segments = 3;
    expect_all_near(cases, 6, BOUND_SORT_LONG_KEYS);
}

static void tasks_are_near(void **state) {
    (void)state;
    static const riffle_sort_task tasks[] = {RIFFLE_SORT_TASK_TOP, RIFFLE_SORT_TASK_PARTITION,
                                             RIFFLE_SORT_TASK_UNIQUE};
    sort_case cases[6];
    for (unsigned k = 0; k < 6; k++) {
        cases[k] = case_of(8, 0, k % 2 + 1, 4, 9000);
        cases[k].task = tasks[k / 2];
        cases[k].count = tasks[k / 2] != RIFFLE_SORT_TASK_UNIQUE ? 700 : 0;
    }
    expect_all_near(cases, 6, BOUND_SORT_TASKS);
}

/* The first of many numbers, selected: in one array, in a few segments, and in segments of a block each. */
static void selections_are_near(void **state) {
    (void)state;
    static const struct {
        size_t bytes;
        uint64_t n, segments, count;
        size_t value_bytes, index_bytes;
    } all[] = {{4, 30000, 0, 100, 0, 0},     {8, 20000, 0, 1, 0, 4},        {4, 16000, 0, 1500, 4, 0},
               {8, 20000, 2, 50, 8, 0},      {2, 40000, 0, 200, 0, 4},      {16, 12000, 0, 30, 0, 0},
               {4, 20 * 2000, 20, 20, 0, 4}, {8, 17 * 6000, 17, 100, 0, 0}, {16, 17 * 2000, 17, 10, 0, 0}};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        sort_case c = case_of(all[k].bytes, 0, 1, all[k].bytes, all[k].n);
        c.task = RIFFLE_SORT_TASK_TOP, c.levels = SELECTED, c.count = all[k].count;
        c.segments = all[k].segments;
        c.value_bytes = all[k].value_bytes, c.index_bytes = all[k].index_bytes;
        if (test_takes(k)) sort_expect_near(&c, 1 + k, BOUND_SORT_SELECTIONS);
    }
}

/* Many numbers, parted. */
static void partitions_are_near(void **state) {
    (void)state;
    static const struct {
        size_t bytes;
        uint64_t n, count;
        size_t value_bytes, index_bytes;
    } all[] = {{4, 60000, 30000, 0, 0}, {8, 40000, 20000, 0, 0}, {4, 60000, 30, 0, 4}, {8, 40000, 39000, 8, 0}};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        sort_case c = case_of(all[k].bytes, 0, 1, all[k].bytes, all[k].n);
        c.task = RIFFLE_SORT_TASK_PARTITION, c.levels = SELECTED, c.count = all[k].count;
        c.value_bytes = all[k].value_bytes, c.index_bytes = all[k].index_bytes;
        if (test_takes(k)) sort_expect_near(&c, 1 + k, BOUND_SORT_PARTITIONS);
    }
    static const struct {
        size_t bytes;
        uint64_t n, segments;
        size_t index_bytes;
    } counted[] = {
        {4, 30000, 1, 0}, {8, 20000, 1, 4}, {4, 5000, 1, 0}, {8, 70 * 500, 70, 0}, {4, 66 * 900, 66, 4}};
    for (size_t k = 0; k < sizeof counted / sizeof *counted; k++) {
        sort_case c = case_of(counted[k].bytes, 0, 1, counted[k].bytes, counted[k].n);
        c.segments = counted[k].segments;
        c.task = RIFFLE_SORT_TASK_PARTITION, c.levels = counted[k].segments > 1 ? SELECTED : WHOLE;
        c.index_bytes = counted[k].index_bytes;
        c.value_bytes = 0, c.count = c.n / counted[k].segments / 2;
        if (test_takes(k)) sort_expect_near(&c, 11 + k, BOUND_SORT_PARTITIONS);
    }
}

/* The second level sorts the buckets that have what is asked for, which chance makes one more or less. */
static void windows_are_near(void **state) {
    (void)state;
    sort_case cases[4];
    for (unsigned k = 0; k < 4; k++) {
        cases[k] = case_of(4, 0, 1, 4, 12000);
        cases[k].task = k < 2 ? RIFFLE_SORT_TASK_TOP : RIFFLE_SORT_TASK_PARTITION;
        cases[k].count = k < 2 ? 2000 : 5000;
        cases[k].index_bytes = k % 2 == 0 ? 0 : 4;
        cases[k].levels = 2, cases[k].leaf = 200, cases[k].piece = 1 << 20;
    }
    expect_all_near(cases, 4, BOUND_SORT_WINDOWS);
}

/* Segments of one length: short ones, some that are leaves, and some that are split. */
static void segments_are_near(void **state) {
    (void)state;
    sort_case cases[] = {case_of(4, 0, 1, 4, 3000), case_of(12, 0, 1, 8, 3003), case_of(8, 0, 1, 8, 6006),
                         case_of(4, 0, 1, 4, 20000), case_of(4, 0, 1, 4, 6006)};
    static const uint64_t segments[] = {100, 1001, 1001, 2, 3003};
    for (unsigned k = 0; k < 5; k++) cases[k].segments = segments[k];
    cases[0].index_bytes = 4, cases[1].value_bytes = 8;
    cases[2].task = RIFFLE_SORT_TASK_UNIQUE;
    cases[4].task = RIFFLE_SORT_TASK_TOP, cases[4].count = 1;
    expect_all_near(cases, 5, BOUND_SORT_SEGMENTS);
}

/* The comparison reads its field of both elements. */
static void comparisons_of_the_users_are_near(void **state) {
    (void)state;
    sort_case cases[] = {case_of(4, 0, 1, 4, 6000), case_of(24, 8, 1, 8, 4500), case_of(8, 0, 1, 8, 6000)};
    for (unsigned k = 0; k < 3; k++) cases[k].key.field[0].name = "k", cases[k].key.before = "a.k < b.k";
    cases[1].index_bytes = 4, cases[2].segments = 3;
    expect_all_near(cases, 3, BOUND_SORT_COMPARISONS);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(numbers_of_few_bytes_are_near),
                                       cmocka_unit_test(rows_are_near),
                                       cmocka_unit_test(rows_of_long_keys_are_near),
                                       cmocka_unit_test(tasks_are_near),
                                       cmocka_unit_test(selections_are_near),
                                       cmocka_unit_test(partitions_are_near),
                                       cmocka_unit_test(windows_are_near),
                                       cmocka_unit_test(segments_are_near),
                                       cmocka_unit_test(comparisons_of_the_users_are_near)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
