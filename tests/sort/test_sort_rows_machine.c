/* SPDX-License-Identifier: Apache-2.0
 *
 * Sorts of rows on the memory machine, by keys of up to 64 bytes: bits that are the same in all, ties in the first 64 that are not,
 * compared with the definition; what is claimed of their accesses is counted.
 */
#include "sort_machine_support.h"

/* Rows of so many integers of 8 bytes, ascending and descending in turn. */
static sort_case row_case(unsigned fields, uint64_t n) {
    sort_case c = {.key = {.elem_bytes = 8 * fields, .fields = fields},
                   .n = n,
                   .index_bytes = 4,
                   .leaf = 150,
                   .piece = 400};
    for (unsigned k = 0; k < fields; k++)
        c.key.field[k] =
            (riffle_sort_field){.kind = k % 3 == 1 ? RIFFLE_SORT_KEY_UNSIGNED : RIFFLE_SORT_KEY_SIGNED,
                                .bytes = 8,
                                .offset = 8 * k,
                                .descending = (int)k % 2};
    return c;
}

static void put_field(const sort_case *c, unsigned char *elements, uint64_t i, unsigned field,
                      uint64_t number) {
    const riffle_sort_field *const f = &c->key.field[field];
    memcpy(elements + i * c->key.elem_bytes + f->offset, &number, f->bytes < 8 ? f->bytes : 8);
}

/* One of a few numbers that differ in all of their bits. */
static uint64_t one_of(uint64_t k) {
    return k % 2 ? ~(k / 2 * 0x9e3779b97f4a7c15) : k / 2 * 0x9e3779b97f4a7c15;
}

/* Two fields of ten bits each, and a random one: 84 bits. */
static void fill_few(rng *r, const sort_case *c, unsigned char *elements) {
    for (uint64_t i = 0; i < c->n; i++)
        for (unsigned k = 0; k < 2; k++) put_field(c, elements, i, k, rng_below(r, 1024));
}

/* Every other bit of all fields, a few of them the same: what differs fits into 64. */
static void fill_gaps(rng *r, const sort_case *c, unsigned char *elements) {
    for (uint64_t i = 0; i < c->n; i++)
        for (unsigned k = 0; k < c->key.fields; k++)
            put_field(c, elements, i, k, (rng_next(r) & 0x5000500000550005) | 0x20000);
}

/* Each field has two values that differ in all bits: elements tie up to any field, and most of them altogether. */
static void fill_deep(rng *r, const sort_case *c, unsigned char *elements) {
    for (uint64_t i = 0; i < c->n; i++)
        for (unsigned k = 0; k < c->key.fields; k++) put_field(c, elements, i, k, one_of(rng_below(r, 2)));
}

/* The first field is the same in pairs, whose elements are apart. */
static void fill_pairs(rng *r, const sort_case *c, unsigned char *elements) {
    for (uint64_t i = 0; i < c->n; i++)
        put_field(c, elements, i, 0, i < c->n / 2 ? rng_next(r) : (c->n - 1 - i) * 0x9e3779b97f4a7c15);
    for (uint64_t i = 0; i < c->n / 2; i++) put_field(c, elements, i, 0, i * 0x9e3779b97f4a7c15);
}

/* The first field is the same in all elements of the middle, and bits of it differ elsewhere. */
static void fill_run(rng *r, const sort_case *c, unsigned char *elements) {
    for (uint64_t i = 0; i < c->n; i++)
        put_field(c, elements, i, 0, i < c->n / 8 || i % 7 == 0 ? rng_next(r) : 0x1234567812345678);
}

/* All but one element are the same in the first field. */
static void fill_all_but_one(rng *r, const sort_case *c, unsigned char *elements) {
    (void)r;
    for (uint64_t i = 0; i < c->n; i++) put_field(c, elements, i, 0, i == c->n / 3 ? UINT64_MAX : 0);
}

typedef void fill_rows(rng *r, const sort_case *c, unsigned char *elements);

static fill_rows *const row_fills[] = {fill_few, fill_gaps, fill_deep, fill_pairs, fill_run, fill_all_but_one};

enum { ROW_FILLS = sizeof row_fills / sizeof *row_fills };

/* Rows that tie in the first 64 bits, or 128, on every number of levels. */
static void test_rows_that_tie(void **state) {
    (void)state;
    rng r = {31};
    for (unsigned k = 0; k < 2 * ROW_FILLS; k++) {
        sort_case c = row_case(2 + k % 3, 500 + k);
        c.fill = row_fills[k % ROW_FILLS];
        c.levels = (int)(k % 3);
        c.row_bytes = k % 4 == 3 ? 16 : 8;
        expect_sorted(&r, &c);
    }
}

/* Keys of 1 to 8 fields of 64 bits that tie up to any of them. */
static void test_rows_of_any_length(void **state) {
    (void)state;
    rng r = {32};
    for (unsigned fields = 1; fields <= 8; fields++) {
        sort_case c = row_case(fields, 400);
        c.fill = fill_deep;
        c.levels = (int)(fields % 2);
        c.row_bytes = fields % 4 == 0 ? 16 : 8;
        expect_sorted(&r, &c);
    }
}

/* Fields of every kind, not aligned: a half, a float, a double, strings of 9 and 3 bytes, 128 bits; keys of few values, many of them
 * zeros with a sign and NaNs. */
static void test_rows_of_every_kind(void **state) {
    (void)state;
    rng r = {33};
    for (unsigned k = 0; k < 6; k++) {
        sort_case c = {
            .key = {.elem_bytes = 45 + (size_t)k,
                    .fields = 6,
                    .field =
                        {{.kind = RIFFLE_SORT_KEY_FLOAT, .bytes = 2, .offset = 2, .descending = (int)k % 2},
                         {.kind = RIFFLE_SORT_KEY_BYTES, .bytes = 9, .offset = 5, .descending = (int)k / 2 % 2},
                         {.kind = RIFFLE_SORT_KEY_SIGNED, .bytes = 16, .offset = 28, .descending = (int)k % 2},
                         {.kind = RIFFLE_SORT_KEY_FLOAT, .bytes = 8, .offset = 16},
                         {.kind = RIFFLE_SORT_KEY_BYTES, .bytes = 3, .offset = 25, .descending = true},
                         {.kind = RIFFLE_SORT_KEY_FLOAT, .bytes = 4, .offset = 14, .descending = (int)k / 3}}},
            .shape = k % 3 == 0   ? SORT_SHAPE_ZEROS
                     : k % 3 == 1 ? SORT_SHAPE_FEW
                                  : SORT_SHAPE_ZIPF,
            .n = 301,
            .with_keys = true,
            .in_place = k % 2,
            .value_bytes = 8,
            .levels = (int)(k % 3),
            .leaf = 100,
            .piece = 200};
        expect_sorted(&r, &c);
    }
}

/* Every task and segments of any length, some in which all ties. */
static void test_tasks_of_rows_that_tie(void **state) {
    (void)state;
    rng r = {test_seed()};
    for (unsigned k = 0; k < test_rounds(16); k++) {
        sort_case c = row_case(2 + (unsigned)rng_below(&r, 3), 1 + rng_below(&r, k % 4 == 0 ? 900 : 200));
        c.fill = row_fills[rng_below(&r, ROW_FILLS)];
        c.index_bytes = k % 3 == 0 ? 8 : k % 3 == 1 ? 4 : 0;
        c.with_keys = c.index_bytes == 0 || rng_below(&r, 2);
        c.in_place = rng_below(&r, 2);
        c.row_bytes = rng_below(&r, 3) == 0 ? 16 : 8;
        c.piece = 1 << 20;
        make_task(&r, &c);
        c.levels = segments_of(&c) > 1 ? 0 : (int)rng_below(&r, 3);
        expect_sorted(&r, &c);
    }
}

/* As a GPU has it, of more elements than a block sorts, and than blocks look through at a time: each has several turns. */
static void test_many_rows(void **state) {
    (void)state;
    rng r = {34};
    for (unsigned k = 0; k < 2; k++) {
        sort_case c = row_case(3, k == 0 ? SORT_CHUNK + 809 : 17209);
        c.fill = k == 0 ? fill_run : fill_pairs;
        c.levels = WHOLE;
        c.with_keys = true;
        expect_sorted(&r, &c);
    }
}

/* ------------------------------------------------------------------- claims */

/* If the differing bits of keys fit into a code, no element is looked at again, and nothing is listed. Codes are written, and
 * rows moved, in whole sectors; each row that is read has 24 bytes in one sector or two, by turns, and a warp begins in the
 * middle of one. */
static void test_rows_exchanged(void **state) {
    (void)state;
    enum { N = 4096 };
    rng r = {35};
    sort_case c = row_case(3, N);
    c.fill = fill_gaps;
    c.with_keys = true;
    c.levels = 1, c.leaf = 400, c.piece = 1 << 20;
    sort_run run = run_case(&c, &r);
    assert_true(is_right(&c, &run));
    const report_line codes = sum_of_kernel(run.m, "sort_codes", SPACE_GLOBAL, OP_WRITE);
    const report_line ties = sum_of_kernel(run.m, "sort_ties", SPACE_GLOBAL, OP_WRITE);
    const report_line listed = sum_of_kernel(run.m, "sort_tie_codes", SPACE_GLOBAL, OP_WRITE);
    const report_line rows = sum_of_kernel(run.m, "sort_gather", SPACE_GLOBAL, OP_WRITE);
    const report_line read = sum_of_kernel(run.m, "sort_gather", SPACE_GLOBAL, OP_READ);
    assert_int_equal(codes.requests, N * 8 / 32);
    assert_int_equal(rows.requests, N * 24 / 32);
    assert_int_equal(ties.requests, 0);
    assert_true(listed.requests <= 2 * run.task.mends);
    assert_true(read.requests <= N * 3 / 2 + 3 * N / 32 * 4);
    end(&run);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows_that_tie),      cmocka_unit_test(test_rows_of_any_length),
        cmocka_unit_test(test_rows_of_every_kind), cmocka_unit_test(test_tasks_of_rows_that_tie),
        cmocka_unit_test(test_many_rows),          cmocka_unit_test(test_rows_exchanged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
