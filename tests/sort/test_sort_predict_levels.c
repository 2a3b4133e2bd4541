/* SPDX-License-Identifier: Apache-2.0
 *
 * Predictions of sorts of two levels beside a memory machine's counts: cut short, and, in check-long, as long as such arrays begin.
 * tests/support/predicted/bounds.h has the bounds.
 */
#include "sort_predicted_support.h"

static sort_case case_of(size_t bytes, uint64_t n, uint32_t leaf) {
    return (sort_case){.key = {.elem_bytes = bytes,
                               .fields = 1,
                               .field = {{.kind = RIFFLE_SORT_KEY_UNSIGNED, .bytes = bytes}}},
                       .n = n,
                       .with_keys = true,
                       .levels = 2,
                       .leaf = leaf,
                       .piece = 1 << 20};
}

static void two_levels_are_near(void **state) {
    (void)state;
    for (size_t bytes = 4; bytes <= 16; bytes *= 2)
        for (size_t value_bytes = 0; value_bytes <= 4; value_bytes += 4) {
            sort_case c = case_of(bytes, 9000, 300);
            c.value_bytes = value_bytes;
            sort_expect_near(&c, bytes + value_bytes, BOUND_SORT_LEVELS);
        }
}

/* Segments of several pieces each. */
static void segments_of_pieces_are_near(void **state) {
    (void)state;
    sort_case c = case_of(4, test_is_long() ? 200000 : 12000, 300);
    c.piece = 700;
    sort_expect_near(&c, 1, BOUND_SORT_LEVELS);
    c.index_bytes = 4;
    sort_expect_near(&c, 2, BOUND_SORT_LEVELS);
}

/* Explanations take no longer where there are very many keys. */
static void the_longest_arrays_are_explained(void **state) {
    (void)state;
    const riffle_sort_key key = case_of(4, 0, 0).key;
    char *text;
    size_t bytes;
    for (uint64_t n = (uint64_t)1 << 21; n < UINT32_MAX; n = n * 2 + 1) {
        FILE *const stream = open_memstream(&text, &bytes);
        const riffle_explanation how = {.json = true};
        unsigned long long units = 0;
        assert_non_null(stream);
        assert_int_equal(riffle_explain_sort(n, &key, RIFFLE_ENGINE_CUDA, NULL, &how, stream), RIFFLE_OK);
        fclose(stream);
        assert_int_equal(sscanf(strstr(text, "\"time_units\":"), "\"time_units\":%llu", &units), 1);
        assert_true(units > n); /* 25 accesses a key, of 32 lanes each, and more */
        free(text);
    }
}

/* The least array that is cut so. */
static void an_array_as_a_gpu_has_it_is_near(void **state) {
    (void)state;
    const riffle_sort_key key = case_of(4, 0, 0).key;
    const riffle_machine_options slow = {.latency = 20};
    riffle_report *report;
    if (!test_is_long()) return;
    assert_int_equal(riffle_simulate_sort(2097408, &key, NULL, RIFFLE_SIMULATED_KEYS_RANDOM, &slow, &report),
                     RIFFLE_OK);
    assert_true(is_within(BOUND_SORT_INTEGERS, (double)riffle_report_predicted_time_units(report),
                          (double)riffle_report_time_units(report)));
    riffle_report_free(report);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_levels_are_near), cmocka_unit_test(segments_of_pieces_are_near),
        cmocka_unit_test(the_longest_arrays_are_explained), cmocka_unit_test(an_array_as_a_gpu_has_it_is_near)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
