/* SPDX-License-Identifier: Apache-2.0
 *
 * A GPU's launches of groups on the memory machine, against the definition and without a race: every case of tests/support/group_support.h,
 * chunks of one tile and of several, rows moved in tiles and along places. Accesses of a partition, in closed form.
 */
#include "device_support.h"
#include "group_support.h"
#include "riffle/machine.h"

static uint64_t seed;

/* On few multiprocessors chunks have several tiles. */
static void expect_definition(rng *r, group_case *c, unsigned multiprocessors) {
    machine *const m = machine_or_fail((riffle_machine_options){0});
    device on = device_of_machine(m);
    riffle_group_plan *plan = NULL;
    on.multiprocessors = multiprocessors;
    if (group_plan_create(c->n, c->row_bytes, c->key_type, c->groups, RIFFLE_ENGINE_CUDA, &on, &c->options,
                          &plan) != RIFFLE_OK)
        group_fail(c, seed, riffle_error_detail());
    group_result wanted = group_result_create(r, plan), got = group_result_create(r, plan);
    const riffle_group_arrays to_wanted = group_result_arrays(c, &wanted),
                              to_got = group_result_arrays(c, &got);
    assert_int_equal(group_definition(plan, &to_wanted), RIFFLE_OK);
    if (riffle_group_execute(plan, &to_got) != RIFFLE_OK) group_fail(c, seed, riffle_error_detail());
    const char *const difference = group_difference(&wanted, &got);
    if (difference != NULL) group_fail(c, seed, difference);
    assert_int_equal(riffle_report_hazards(machine_report(m)), 0);
    group_result_free(&wanted);
    group_result_free(&got);
    riffle_group_plan_free(plan);
    machine_free(m);
}

static void random_groups_are_the_definitions(void **state) {
    static const uint64_t lengths[] = {0, 1, 33, 255, 257, 3001}, groups[] = {1, 3, 16, 255, 1024, 1025, 5000};
    rng r = {seed};
    (void)state;
    for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++) {
        const unsigned rounds = lengths[l] > 3000 && !test_is_long() ? 1 : 2;
        for (size_t g = 0; g < sizeof groups / sizeof *groups; g++)
            for (unsigned round = 0; round < rounds && test_takes(l + g); round++) {
                group_case c = group_random_case(&r, lengths[l], groups[g]);
                expect_definition(&r, &c, 1 + (unsigned)rng_below(&r, 132));
                group_case_free(&c);
            }
    }
}

/* Four chunks of two tiles, the last of them neither whole, and ranks of few groups and of many. */
static void chunks_of_several_tiles(void **state) {
    static const size_t row_bytes[] = {1, 2, 4, 8, 16};
    static const riffle_type key_types[] = {RIFFLE_TYPE_I16, RIFFLE_TYPE_U8, RIFFLE_TYPE_I32, RIFFLE_TYPE_U16,
                                            RIFFLE_TYPE_I64};
    rng r = {seed + 1};
    (void)state;
    for (size_t k = 0; k < sizeof row_bytes / sizeof *row_bytes; k++) {
        if (!test_takes(k)) continue;
        group_case c = {.n = row_bytes[k] == 16 ? 30001 : 60001,
                        .groups = k == 0 ? 1024 : 1 + rng_below(&r, 300),
                        .row_bytes = row_bytes[k],
                        .key_type = key_types[k],
                        .options = {.by = k == 2 ? RIFFLE_GROUP_BY_HASH : RIFFLE_GROUP_BY_VALUE,
                                    .index_bytes = 4,
                                    .multiple = k % 2 == 0 ? 0 : 8,
                                    .capacity = k == 3 ? 70 : 0}};
        group_case_fill(&r, &c, k % 2 == 0 ? SPREAD_EVEN : SPREAD_FEW);
        expect_definition(&r, &c, 1);
        group_case_free(&c);
    }
}

/* Many groups in two passes, of which a tile has several columns or one: keys of each kind, several a row, some that name none, and none at all. */
static void rows_are_moved_twice(void **state) {
    static const struct {
        uint64_t n, groups, keys_per_row;
        size_t row_bytes;
        riffle_type key_type;
        riffle_group_by by;
        group_spread spread;
    } cases[] = {{20011, 65536, 1, 8, RIFFLE_TYPE_U16, RIFFLE_GROUP_BY_VALUE, SPREAD_EVEN},
                 {16384, 1025, 1, 4, RIFFLE_TYPE_I32, RIFFLE_GROUP_BY_VALUE, SPREAD_OUTSIDE},
                 {5001, 40000, 3, 16, RIFFLE_TYPE_I64, RIFFLE_GROUP_BY_HASH, SPREAD_OUTSIDE},
                 {9001, 3000, 1, 1, RIFFLE_TYPE_I16, RIFFLE_GROUP_BY_TOP, SPREAD_FEW},
                 {17000, 65535, 1, 2, RIFFLE_TYPE_U32, RIFFLE_GROUP_BY_VALUE, SPREAD_ONE},
                 {33, 2000, 1, 8, RIFFLE_TYPE_U64, RIFFLE_GROUP_BY_VALUE, SPREAD_EVEN},
                 {500, 65536, 1, 8, RIFFLE_TYPE_I8, RIFFLE_GROUP_BY_VALUE, SPREAD_OUTSIDE}};
    rng r = {seed + 4};
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        if (!test_takes(k)) continue;
        group_case c = {.n = cases[k].n,
                        .groups = cases[k].groups,
                        .row_bytes = cases[k].row_bytes,
                        .key_type = cases[k].key_type,
                        .options = {.by = cases[k].by, .keys_per_row = cases[k].keys_per_row}};
        group_case_fill(&r, &c, cases[k].spread);
        expect_definition(&r, &c, 1);
        group_case_free(&c);
    }
}

/* Tables of columns by tiles, of both lengths, and along places; few rows, many, and of many groups. */
static void columns_are_the_definitions(void **state) {
    static const struct {
        uint64_t n, groups, keys_per_row;
        size_t row_bytes, bytes[GROUP_CASE_COLUMNS], index_bytes;
        uint64_t multiple, capacity;
        riffle_check check;
    } cases[] = {{9001, 300, 1, 8, {4, 2, 16}, 4, 0, 0, RIFFLE_CHECK_NONE},
                 {9001, 300, 1, 100, {8, 1, 12}, 0, 8, 0, RIFFLE_CHECK_FULL},
                 {9001, 300, 1, 16, {16, 8, 0}, 8, 0, 20, RIFFLE_CHECK_NONE},
                 {17001, 16, 1, 8, {4, 1, 2}, 0, 0, 0, RIFFLE_CHECK_NONE},
                 {1001, 8, 2, 256, {4, 8, 48}, 4, 16, 0, RIFFLE_CHECK_FULL},
                 {12001, 8, 1, 0, {32, 24, 48}, 0, 0, 0, RIFFLE_CHECK_NONE},
                 {3001, 5000, 1, 8, {4, 16, 100}, 0, 0, 2, RIFFLE_CHECK_NONE}};
    rng r = {seed + 5};
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        if (!test_takes(k)) continue;
        group_case c = {.n = cases[k].n,
                        .groups = cases[k].groups,
                        .row_bytes = cases[k].row_bytes,
                        .key_type = RIFFLE_TYPE_U16,
                        .options = {.keys_per_row = cases[k].keys_per_row,
                                    .index_bytes = cases[k].index_bytes,
                                    .multiple = cases[k].multiple,
                                    .capacity = cases[k].capacity,
                                    .check = cases[k].check,
                                    .columns = GROUP_CASE_COLUMNS,
                                    .column_bytes = cases[k].bytes}};
        group_case_fill(&r, &c, k % 2 == 0 ? SPREAD_EVEN : SPREAD_OUTSIDE);
        expect_definition(&r, &c, 1 + (unsigned)(k % 3));
        group_case_free(&c);
    }
}

static void machine_counts(const group_case *c, riffle_report **out) {
    if (riffle_simulate_group(c->n, c->row_bytes, c->key_type, c->groups, c->keys.data, &c->options, NULL,
                              out) != RIFFLE_OK)
        group_fail(c, seed, riffle_error_detail());
    assert_int_equal(riffle_report_hazards(*out), 0);
}

/* Bytes that a kernel's lanes read or write in global memory. */
static uint64_t bytes_of(const riffle_report *report, const char *kernel, report_op op) {
    uint64_t bytes = 0;
    for (size_t k = 0; k < report->lines; k++)
        if (report->line[k].space == SPACE_GLOBAL && report->line[k].op == op &&
            strcmp(report->line[k].kernel, kernel) == 0)
            bytes += report->line[k].lanes * report->line[k].cell_bytes;
    return bytes;
}

/* Tokens of 256 bytes to two of eight experts: a row is read once and written twice. */
static void rows_are_read_once(void **state) {
    enum { TOKENS = 700, ROW = 256, PLACES = 2 * 4 };
    rng r = {seed + 2};
    riffle_report *report = NULL;
    (void)state;
    group_case c = {.n = TOKENS,
                    .groups = 8,
                    .row_bytes = ROW,
                    .key_type = RIFFLE_TYPE_I32,
                    .options = {.keys_per_row = 2, .index_bytes = 4}};
    group_case_fill(&r, &c, SPREAD_EVEN);
    machine_counts(&c, &report);
    assert_int_equal(bytes_of(report, "group_rows", OP_WRITE), (uint64_t)TOKENS * 2 * ROW);
    assert_int_equal(bytes_of(report, "group_rows", OP_READ), (uint64_t)TOKENS * (ROW + ROW / 16 * PLACES));
    riffle_report_free(report);
    group_case_free(&c);
}

/* Rows of 8 bytes by keys of 2: a tile's rows are read once and written once, and keys read twice. */
static void tiles_move_rows_once(void **state) {
    enum { N = 20011 };
    rng r = {seed + 3};
    riffle_report *report = NULL;
    (void)state;
    group_case c = {.n = N, .groups = 100, .row_bytes = 8, .key_type = RIFFLE_TYPE_U16};
    group_case_fill(&r, &c, SPREAD_EVEN);
    machine_counts(&c, &report);
    assert_int_equal(bytes_of(report, "group_move", OP_WRITE), (uint64_t)N * 8);
    assert_int_equal(bytes_of(report, "group_count", OP_READ), (uint64_t)N * 2);
    riffle_report_free(report);
    group_case_free(&c);
}

/* Two columns more: keys are read as often as one column's, and rows of each once and written once. */
static void keys_are_counted_once(void **state) {
    enum { N = 20011 };
    static const size_t bytes[] = {4, 2};
    rng r = {seed + 6};
    riffle_report *report = NULL;
    (void)state;
    group_case c = {.n = N,
                    .groups = 100,
                    .row_bytes = 8,
                    .key_type = RIFFLE_TYPE_U16,
                    .options = {.columns = 2, .column_bytes = bytes}};
    group_case_fill(&r, &c, SPREAD_EVEN);
    machine_counts(&c, &report);
    assert_int_equal(bytes_of(report, "group_move", OP_WRITE), (uint64_t)N * (8 + 4 + 2));
    assert_int_equal(bytes_of(report, "group_count", OP_READ), (uint64_t)N * 2);
    riffle_report_free(report);
    group_case_free(&c);
}

static void bad_simulations_are_refused(void **state) {
    static const uint8_t keys[4];
    riffle_report *report = NULL;
    (void)state;
    assert_int_equal(riffle_simulate_group(4, 8, RIFFLE_TYPE_F32, 2, keys, NULL, NULL, &report),
                     RIFFLE_ERROR_UNSUPPORTED);
    assert_string_equal(riffle_error_detail(), "keys of type f32; groups are made by integers");
    assert_int_equal(riffle_simulate_group(4, 8, RIFFLE_TYPE_U8, 2, keys, NULL,
                                           &(riffle_machine_options){.width = 16}, &report),
                     RIFFLE_ERROR_UNSUPPORTED);
    assert_int_equal(riffle_simulate_group((uint64_t)1 << 32, 0, RIFFLE_TYPE_U8, 2, keys, NULL, NULL, &report),
                     RIFFLE_ERROR_LENGTH);
    assert_string_equal(riffle_error_detail(),
                        "4294967296 keys and room for 4294967296 rows; on a GPU both are "
                        "at most 2^32 - 1");
    assert_null(report);
}

int main(void) {
    seed = test_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_groups_are_the_definitions),
        cmocka_unit_test(chunks_of_several_tiles),
        cmocka_unit_test(rows_are_moved_twice),
        cmocka_unit_test(columns_are_the_definitions),
        cmocka_unit_test(rows_are_read_once),
        cmocka_unit_test(tiles_move_rows_once),
        cmocka_unit_test(keys_are_counted_once),
        cmocka_unit_test(bad_simulations_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
