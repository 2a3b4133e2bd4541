/* SPDX-License-Identifier: Apache-2.0
 *
 * Sorts by a comparison of the user's on the memory machine, and by what is no order; what is claimed of their accesses is counted.
 */
#include "sort_machine_support.h"

static uint32_t word_at(const void *element, size_t offset) {
    uint32_t word;
    memcpy(&word, (const char *)element + offset, sizeof word);
    return word;
}

static bool by_last_digits(const void *context, const void *a, const void *b) {
    (void)context;
    return word_at(a, 0) % 1000 < word_at(b, 0) % 1000;
}

/* Doubles at 8, descending, and of equal ones the rests of integers at 0. */
static bool by_weight(const void *context, const void *a, const void *b) {
    double x, y;
    (void)context;
    memcpy(&x, (const char *)a + 8, sizeof x);
    memcpy(&y, (const char *)b + 8, sizeof y);
    return x > y || (x == y && (int32_t)word_at(a, 0) % 7 < (int32_t)word_at(b, 0) % 7);
}

static sort_case own_case(const char *before, uint64_t n) {
    sort_case c = {.key = {.elem_bytes = 4,
                           .fields = 1,
                           .field = {{.kind = RIFFLE_SORT_KEY_UNSIGNED, .bytes = 4}},
                           .before = before},
                   .n = n,
                   .with_keys = true};
    return c;
}

static sort_case own_row_case(uint64_t n) {
    sort_case c = own_case("a.weight > b.weight || (a.weight == b.weight && a.count % 7 < b.count % 7)", n);
    c.key =
        (riffle_sort_key){.elem_bytes = 24,
                          .fields = 2,
                          .field = {{.kind = RIFFLE_SORT_KEY_FLOAT, .bytes = 8, .offset = 8, .name = "weight"},
                                    {.kind = RIFFLE_SORT_KEY_SIGNED, .bytes = 4, .name = "count"}},
                          .before = c.key.before};
    c.shape = SORT_SHAPE_FEW; /* without NaN */
    c.before = by_weight;
    return c;
}

/* Segments that are shorter than a tile and longer, and rows. */
static void test_comparisons(void **state) {
    (void)state;
    rng r = {17};
    sort_case c = own_case("a % 1000 < b % 1000", 6500);
    c.before = by_last_digits;
    c.segments = 3, c.is_uneven = true, c.in_place = true, c.value_bytes = 8;
    expect_sorted(&r, &c);
    c.n = 2500, c.segments = 900, c.task = RIFFLE_SORT_TASK_UNIQUE, c.in_place = false;
    expect_sorted(&r, &c);
    c = own_row_case(4097);
    c.task = RIFFLE_SORT_TASK_TOP, c.count = 3077, c.index_bytes = 8;
    expect_sorted(&r, &c);
}

/* A comparison that is no order gives a permutation: borders of merges cross, and what lies between them is left as it is. */
static void test_comparisons_that_are_no_order(void **state) {
    (void)state;
    enum { N = 9000 };
    rng r = {18};
    sort_case c = own_case("(a * 2654435761u ^ b * 40503u) >> 9 & 1", N);
    c.index_bytes = 4;
    sort_run run = run_case(&c, &r);
    const uint32_t *const indices = run.arrays.indices;
    bool found[N] = {false};
    for (unsigned i = 0; i < N; i++) {
        assert_true(indices[i] < N);
        assert_false(found[indices[i]]);
        found[indices[i]] = true;
        assert_true(is_element(&c, &run, i, indices[i]));
    }
    end(&run);
}

static void expect_refused(const riffle_sort_key *key, riffle_status wanted, const char *words) {
    users_kernel kernel = {0};
    machine *const m = machine_or_fail((riffle_machine_options){.width = 32});
    const device on = device_of_machine(m);
    assert_int_equal(own_load_sort(&on, key, &kernel), wanted);
    assert_null(users_kernel_of(&kernel));
    if (strstr(riffle_error_detail(), words) == NULL) fail_msg("%s", riffle_error_detail());
    machine_free(m);
}

static void test_comparisons_are_refused(void **state) {
    (void)state;
    sort_case c = own_case("a < c", 10);
    expect_refused(&c.key, RIFFLE_ERROR_SYNTAX, "the compiler refuses this comparison: ");
    c.key.before = "a.class < b.class";
    c.key.field[0].name = "class";
    expect_refused(&c.key, RIFFLE_ERROR_UNSUPPORTED, "field 0: 'class' is a word of C++");
}

/* ------------------------------------------------------------ where keys are dense */

/* A merge writes each number once, in whole sectors, and puts what it has merged into the tile without a conflict. */
static void test_merges_by_comparison(void **state) {
    (void)state;
    enum { N = 4 * SORT_OWN_TILE, MERGES = 2 };
    rng r = {19};
    sort_case c = own_case("a % 1000 < b % 1000", N);
    c.before = by_last_digits;
    sort_run run = run_case(&c, &r);
    assert_true(is_right(&c, &run));
    const report_line writes = sum_of_kernel(run.m, "sort_own_merges", SPACE_GLOBAL, OP_WRITE);
    const report_line stores = sum_of_kernel(run.m, "sort_own_merges", SPACE_SHARED, OP_WRITE);
    assert_int_equal(writes.requests, MERGES * N * 4 / 32);
    assert_int_equal(stores.requests, stores.ideal_requests);
    end(&run);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_comparisons),
        cmocka_unit_test(test_comparisons_that_are_no_order),
        cmocka_unit_test(test_comparisons_are_refused),
        cmocka_unit_test(test_merges_by_comparison),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
