/* SPDX-License-Identifier: Apache-2.0
 *
 * Groups of rows against the definition (group/definition.h): keys of every type and way, rows of any bytes at any address, several
 * keys a row, padding, capacities, by any number of threads. A group known by hand; and what is refused.
 */
#include "base/processor/vectors.h"
#include "group_support.h"

static uint64_t seed;

static riffle_group_plan *plan_or_fail(const group_case *c) {
    riffle_group_plan *plan = NULL;
    if (riffle_group_plan_create(c->n, c->row_bytes, c->key_type, c->groups, RIFFLE_ENGINE_CPU, &c->options,
                                 &plan) != RIFFLE_OK)
        fail_msg("seed %llu: %s", (unsigned long long)seed, riffle_error_detail());
    return plan;
}

static void expect_definition(rng *r, group_case *c) {
    riffle_group_plan *const plan = plan_or_fail(c);
    group_result wanted = group_result_create(r, plan), got = group_result_create(r, plan);
    const riffle_group_arrays to_wanted = group_result_arrays(c, &wanted),
                              to_got = group_result_arrays(c, &got);
    assert_int_equal(group_definition(plan, &to_wanted), RIFFLE_OK);
    if (riffle_group_execute(plan, &to_got) != RIFFLE_OK) group_fail(c, seed, riffle_error_detail());
    const char *const difference = group_difference(&wanted, &got);
    if (difference != NULL) group_fail(c, seed, difference);
    group_result_free(&wanted);
    group_result_free(&got);
    riffle_group_plan_free(plan);
}

static void random_groups_are_the_definitions(void **state) {
    static const uint64_t lengths[] = {0, 1, 2, 63, 64, 65, 1023, 1024, 1025, 5003},
                          groups[] = {1, 2, 3, 16, 255, 1000, 4097, 65536};
    rng r = {seed};
    (void)state;
    for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++)
        for (size_t g = 0; g < sizeof groups / sizeof *groups; g++)
            for (unsigned round = 0; round < test_rounds(24); round++) {
                group_case c = group_random_case(&r, lengths[l], groups[g]);
                c.options.threads = (unsigned)rng_below(&r, 5);
                expect_definition(&r, &c);
                group_case_free(&c);
            }
}

/* Long enough for several threads, whose parts meet within lines. */
static void several_threads_make_the_same(void **state) {
    static const size_t row_bytes[] = {1, 4, 8, 16, 32, 40};
    rng r = {seed + 1};
    (void)state;
    for (size_t k = 0; k < sizeof row_bytes / sizeof *row_bytes; k++) {
        group_case c = {.n = 700001,
                        .groups = 1 + rng_below(&r, 2000),
                        .row_bytes = row_bytes[k],
                        .key_type = RIFFLE_TYPE_U32,
                        .options = {.threads = 2 + (unsigned)rng_below(&r, 3),
                                    .columns = (unsigned)(k % 3),
                                    .column_bytes = group_case_column_bytes + k,
                                    .index_bytes = 4,
                                    .multiple = k % 2 == 0 ? 0 : 128,
                                    .capacity = k % 3 == 0 ? 300 : 0}};
        group_case_fill(&r, &c, k % 2 == 0 ? SPREAD_EVEN : SPREAD_OUTSIDE);
        expect_definition(&r, &c);
        group_case_free(&c);
    }
}

/* Rows that go by lines, full ones within 16 rows too, by the vectors at hand and without those of AVX-512. */
static void each_set_makes_the_same(void **state) {
    static const uint64_t groups[] = {1, 3, 16, 300, 1000, 4096};
    static const size_t row_bytes[] = {1, 2, 4, 8, 16}, index_bytes[] = {0, 4, 8};
    static const vector_set sets[] = {VECTOR_SETS, VECTORS_AVX2};
    rng r = {seed + 2};
    (void)state;
    for (size_t k = 0; k < sizeof groups / sizeof *groups * 5 * SPREADS; k++) {
        group_case c = {
            .n = 30000 + rng_below(&r, 100),
            .groups = groups[k / 5 / SPREADS],
            .row_bytes = row_bytes[k / SPREADS % 5],
            .key_type = RIFFLE_TYPE_U16,
            .options = {.threads = 1 + (unsigned)rng_below(&r, 2), .index_bytes = index_bytes[k % 3]}};
        group_case_fill(&r, &c, (group_spread)(k % SPREADS));
        for (size_t set = 0; set < 2; set++) {
            vectors_limit(sets[set]);
            expect_definition(&r, &c);
        }
        vectors_limit(VECTOR_SETS);
        group_case_free(&c);
    }
}

/* Keys 1 2 0 1 7 1 of six rows, two rows a group at most, padded to three. */
static void a_group_known_by_hand(void **state) {
    static const int16_t keys[] = {1, 2, 0, 1, -7, 1};
    static const char from[] = "abcdef", wanted[9] = {'c', 0, 0, 'a', 'd', 0, 'b', 0, 0};
    static const uint64_t places[] = {3, 6, 0, 4, RIFFLE_GROUP_NOWHERE, RIFFLE_GROUP_NOWHERE};
    const riffle_group_options options = {.multiple = 3, .capacity = 2, .index_bytes = 8};
    char rows[9];
    uint64_t offsets[4], counts[3], got[6], left_out[2];
    riffle_group_plan *plan = NULL;
    (void)state;
    assert_int_equal(riffle_group_plan_create(6, 1, RIFFLE_TYPE_I16, 3, RIFFLE_ENGINE_CPU, &options, &plan),
                     RIFFLE_OK);
    assert_int_equal(riffle_group_plan_room(plan), 9);
    assert_int_equal(riffle_group_plan_threads(plan), 1);
    const riffle_group_arrays arrays = {.rows = rows,
                                        .from_rows = from,
                                        .keys = keys,
                                        .offsets = offsets,
                                        .counts = counts,
                                        .places = got,
                                        .left_out = left_out};
    assert_int_equal(riffle_group_execute(plan, &arrays), RIFFLE_OK);
    riffle_group_plan_free(plan);
    assert_memory_equal(rows, wanted, sizeof rows);
    assert_memory_equal(offsets, ((uint64_t[]){0, 3, 6, 9}), sizeof offsets);
    assert_memory_equal(counts, ((uint64_t[]){1, 2, 1}), sizeof counts);
    assert_memory_equal(got, places, sizeof got);
    assert_memory_equal(left_out, ((uint64_t[]){1, 1}), sizeof left_out);
}

/* A table of three columns: the same places for all, and a column is what it would be alone. */
static void columns_go_to_the_same_places(void **state) {
    static const uint8_t keys[] = {1, 0, 1, 2, 0};
    static const char names[] = "vwxyz";
    static const uint32_t values[] = {10, 20, 30, 40, 50}, wanted[] = {20, 50, 10, 30};
    static const size_t bytes[] = {4, 0};
    const riffle_group_options options = {.columns = 2, .column_bytes = bytes, .index_bytes = 4};
    uint64_t counts[2], left_out[2];
    uint32_t moved[5] = {0}, places[5];
    char rows[5] = {0};
    riffle_group_plan *plan = NULL;
    (void)state;
    assert_int_equal(riffle_group_plan_create(5, 1, RIFFLE_TYPE_U8, 2, RIFFLE_ENGINE_CPU, &options, &plan),
                     RIFFLE_OK);
    const riffle_group_column columns[] = {{moved, values}, {NULL, NULL}};
    assert_int_equal(riffle_group_execute(plan, &(riffle_group_arrays){.rows = rows,
                                                                       .from_rows = names,
                                                                       .keys = keys,
                                                                       .counts = counts,
                                                                       .places = places,
                                                                       .left_out = left_out,
                                                                       .columns = columns}),
                     RIFFLE_OK);
    riffle_group_plan_free(plan);
    assert_memory_equal(rows, "wzvx", 4);
    assert_memory_equal(moved, wanted, sizeof wanted);
    assert_memory_equal(places, ((uint32_t[]){2, 0, 3, UINT32_MAX, 1}), sizeof places);
    assert_memory_equal(counts, ((uint64_t[]){2, 2}), sizeof counts);
    assert_memory_equal(left_out, ((uint64_t[]){1, 0}), sizeof left_out);
}

/* SplitMix64's numbers as its authors' C prints them for seeds 0 and 1234567. */
static void the_hash_is_fixed(void **state) {
    (void)state;
    assert_true(riffle_group_hash(0) == UINT64_C(0xe220a8397b1dcdaf));
    assert_true(riffle_group_hash(1234567) == UINT64_C(6457827717110365317));
}

/* One number has one hash, and top bits of signed keys are in their order. */
static void keys_of_any_type_agree(void **state) {
    static const int8_t bytes[] = {-128, -1, 0, 127};
    static const int64_t words[] = {-128, -1, 0, 127};
    uint32_t by_bytes[4], by_words[4];
    riffle_group_options options = {.by = RIFFLE_GROUP_BY_HASH, .index_bytes = 4};
    riffle_group_plan *plan = NULL;
    (void)state;
    for (unsigned k = 0; k < 2; k++) {
        assert_int_equal(riffle_group_plan_create(4, 0, k == 0 ? RIFFLE_TYPE_I8 : RIFFLE_TYPE_I64, 1000,
                                                  RIFFLE_ENGINE_CPU, &options, &plan),
                         RIFFLE_OK);
        const riffle_group_arrays arrays = {.keys = k == 0 ? (const void *)bytes : words,
                                            .places = k == 0 ? by_bytes : by_words};
        assert_int_equal(riffle_group_execute(plan, &arrays), RIFFLE_OK);
        riffle_group_plan_free(plan);
    }
    assert_memory_equal(by_bytes, by_words, sizeof by_bytes);
    options.by = RIFFLE_GROUP_BY_TOP;
    uint64_t counts[4];
    assert_int_equal(riffle_group_plan_create(4, 0, RIFFLE_TYPE_I8, 4, RIFFLE_ENGINE_CPU, &options, &plan),
                     RIFFLE_OK);
    assert_int_equal(
        riffle_group_execute(plan, &(riffle_group_arrays){.keys = bytes, .counts = counts, .places = by_bytes}),
        RIFFLE_OK);
    riffle_group_plan_free(plan);
    assert_memory_equal(counts, ((uint64_t[]){1, 1, 1, 1}), sizeof counts);
}

/* ------------------------------------------------------------------ refusals */

static void plan_refused(uint64_t n, size_t row_bytes, riffle_type type, uint64_t groups,
                         riffle_group_options options, riffle_status status, const char *sentence) {
    riffle_group_plan *plan = NULL;
    assert_int_equal(riffle_group_plan_create(n, row_bytes, type, groups, RIFFLE_ENGINE_CPU, &options, &plan),
                     status);
    assert_string_equal(riffle_error_detail(), sentence);
    assert_null(plan);
}

static void bad_plans_are_refused(void **state) {
    const riffle_group_options none = {0};
    (void)state;
    plan_refused(1, 8, RIFFLE_TYPE_F32, 2, none, RIFFLE_ERROR_UNSUPPORTED,
                 "keys of type f32; groups are made by integers");
    plan_refused(1, 8, (riffle_type)99, 2, none, RIFFLE_ERROR_INVALID_ARGUMENT,
                 "there is no type with number 99");
    plan_refused(1, 8, RIFFLE_TYPE_U8, 0, none, RIFFLE_ERROR_INVALID_ARGUMENT,
                 "0 groups; there are 1 to 65536");
    plan_refused(1, 8, RIFFLE_TYPE_U8, 65537, none, RIFFLE_ERROR_INVALID_ARGUMENT,
                 "65537 groups; there are 1 to 65536");
    plan_refused(1, 8, RIFFLE_TYPE_U8, 2, (riffle_group_options){.by = (riffle_group_by)9},
                 RIFFLE_ERROR_INVALID_ARGUMENT, "there is no way from keys to groups with number 9");
    plan_refused(1, 8, RIFFLE_TYPE_U8, 2, (riffle_group_options){.index_bytes = 3},
                 RIFFLE_ERROR_INVALID_ARGUMENT, "places have 4 or 8 bytes, not 3");
    plan_refused(1, 8, RIFFLE_TYPE_U8, 2, (riffle_group_options){.keys_per_row = 1025}, RIFFLE_ERROR_LENGTH,
                 "1025 keys of each row; there are at most 1024");
    plan_refused((uint64_t)1 << 32, 1, RIFFLE_TYPE_U8, 2, (riffle_group_options){.index_bytes = 4},
                 RIFFLE_ERROR_LENGTH, "4294967296 rows; places of 4 bytes name at most 2^32 - 1");
    plan_refused(1, ((size_t)1 << 30) + 1, RIFFLE_TYPE_U8, 2, none, RIFFLE_ERROR_LENGTH,
                 "rows of 1073741825 bytes; they have at most 2^30");
    plan_refused(1, 8, RIFFLE_TYPE_U8, 2, (riffle_group_options){.columns = 65}, RIFFLE_ERROR_LENGTH,
                 "65 columns besides the first; there are at most 64");
    plan_refused(1, 8, RIFFLE_TYPE_U8, 2, (riffle_group_options){.columns = 2}, RIFFLE_ERROR_INVALID_ARGUMENT,
                 "column_bytes is NULL, but there are 2 columns besides the first");
    plan_refused(1, 8, RIFFLE_TYPE_U8, 2,
                 (riffle_group_options){.columns = 1, .column_bytes = (const size_t[]){((size_t)1 << 30) + 1}},
                 RIFFLE_ERROR_LENGTH, "rows of 1073741825 bytes; they have at most 2^30");
    plan_refused((uint64_t)1 << 40, 1, RIFFLE_TYPE_U8, 2, (riffle_group_options){.keys_per_row = 2},
                 RIFFLE_ERROR_LENGTH, "1099511627776 rows have more keys than an array has elements");
    plan_refused(
        2, 1, RIFFLE_TYPE_U8, 2, (riffle_group_options){.multiple = (uint64_t)1 << 40}, RIFFLE_ERROR_LENGTH,
        "groups that are padded to multiples of 1099511627776 rows may have 2199023255552 rows, more than an "
        "array has; pad to a smaller multiple");
    plan_refused(2, 1, RIFFLE_TYPE_U8, 2, (riffle_group_options){.multiple = UINT64_MAX}, RIFFLE_ERROR_LENGTH,
                 "groups of a multiple of 18446744073709551615 rows");
}

static void execution_refused(const riffle_group_plan *plan, riffle_group_arrays arrays, const char *sentence) {
    assert_int_equal(riffle_group_execute(plan, &arrays), RIFFLE_ERROR_INVALID_ARGUMENT);
    assert_string_equal(riffle_error_detail(), sentence);
}

static void bad_executions_are_refused(void **state) {
    static uint32_t keys[5];
    static uint64_t rows[4], from[4], offsets[3], places[4];
    riffle_group_plan *plan = NULL;
    (void)state;
    assert_int_equal(riffle_group_plan_create(4, 8, RIFFLE_TYPE_U32, 2, RIFFLE_ENGINE_CPU, NULL, &plan),
                     RIFFLE_OK);
    offsets[0] = 77;
    execution_refused(plan, (riffle_group_arrays){.rows = rows, .from_rows = from, .offsets = offsets},
                      "keys is NULL, but there are to be 4 of them");
    execution_refused(plan, (riffle_group_arrays){.rows = rows, .keys = keys, .offsets = offsets},
                      "from_rows is NULL, but there are to be 4 of them");
    execution_refused(plan,
                      (riffle_group_arrays){.rows = rows, .from_rows = from, .keys = keys, .places = places},
                      "places are given, but the plan has none");
    execution_refused(plan, (riffle_group_arrays){.rows = from, .from_rows = from, .keys = keys},
                      "rows and from_rows overlap");
    execution_refused(plan, (riffle_group_arrays){.rows = rows, .from_rows = from, .keys = (char *)keys + 1},
                      "keys are not aligned to 4 bytes");
    execution_refused(
        plan,
        (riffle_group_arrays){
            .rows = rows, .from_rows = from, .keys = keys, .columns = &(riffle_group_column){NULL, NULL}},
        "columns are given, but the plan has none besides the first");
    assert_int_equal(offsets[0], 77);
    riffle_group_plan_free(plan);
}

static void bad_columns_are_refused(void **state) {
    static const size_t bytes[] = {8, 2};
    static uint8_t keys[4], from[4], rows[4];
    static uint64_t values[5], moved[4];
    static uint16_t shorts[4], others[4];
    const riffle_group_options options = {.columns = 2, .column_bytes = bytes};
    riffle_group_plan *plan = NULL;
    (void)state;
    assert_int_equal(riffle_group_plan_create(4, 1, RIFFLE_TYPE_U8, 2, RIFFLE_ENGINE_CPU, &options, &plan),
                     RIFFLE_OK);
    riffle_group_column columns[] = {{moved, values}, {shorts, others}};
    riffle_group_arrays arrays = {.rows = rows, .from_rows = from, .keys = keys};
    execution_refused(plan, arrays, "a column's from_rows is NULL, but there are to be 4 of them");
    arrays.columns = columns;
    columns[1].rows = NULL;
    execution_refused(plan, arrays, "a column's rows is NULL, but there are to be 4 of them");
    columns[1].rows = moved;
    execution_refused(plan, arrays, "a column's rows and a column's rows overlap");
    columns[1].rows = others;
    execution_refused(plan, arrays, "a column's rows and a column's from_rows overlap");
    columns[1].rows = shorts;
    columns[0].from_rows = (const char *)values + 4;
    execution_refused(plan, arrays, "a column's from_rows are not aligned to 8 bytes");
    riffle_group_plan_free(plan);
}

int main(void) {
    seed = test_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_groups_are_the_definitions),
        cmocka_unit_test(several_threads_make_the_same),
        cmocka_unit_test(each_set_makes_the_same),
        cmocka_unit_test(a_group_known_by_hand),
        cmocka_unit_test(columns_go_to_the_same_places),
        cmocka_unit_test(the_hash_is_fixed),
        cmocka_unit_test(keys_of_any_type_agree),
        cmocka_unit_test(bad_plans_are_refused),
        cmocka_unit_test(bad_executions_are_refused),
        cmocka_unit_test(bad_columns_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
