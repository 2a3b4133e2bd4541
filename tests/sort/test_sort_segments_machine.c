/* SPDX-License-Identifier: Apache-2.0
 *
 * Sorts of segments on the memory machine: of every length that has a way of its own, alike and mixed, compared with the definition; what
 * is claimed of their accesses is counted.
 */
#include "sort_machine_support.h"

/* Many short segments: every length that leaves have, and longer ones; codes of numbers that are none by themselves. */
static void test_segments(void **state) {
    (void)state;
    rng r = {8};
    for (unsigned k = 0; k < 4; k++) {
        sort_case c = {
            .key = {.elem_bytes = 4, .fields = 1, .field = {{.kind = RIFFLE_SORT_KEY_FLOAT, .bytes = 4}}},
            .n = 5000,
            .with_keys = true,
            .segments = k % 2 ? 100 : 7,
            .is_uneven = true,
            .levels = WHOLE};
        if (k >= 2) {
            c.key.field[0].kind = RIFFLE_SORT_KEY_SIGNED;
            c.index_bytes = 4;
        }
        expect_sorted(&r, &c);
    }
}

/* Keys of 4, 8 and 16 bytes: alone, or with indices or values; with signs, NaN, and what descends. */
static sort_case segments_case(unsigned kind) {
    static const riffle_sort_key_kind kinds[] = {RIFFLE_SORT_KEY_FLOAT, RIFFLE_SORT_KEY_SIGNED,
                                                 RIFFLE_SORT_KEY_UNSIGNED};
    const size_t bytes = (size_t)4 << kind % 3;
    sort_case c = {.key = {.elem_bytes = bytes,
                           .fields = 1,
                           .field = {{.kind = bytes == 16 ? RIFFLE_SORT_KEY_UNSIGNED : kinds[kind % 4 % 3],
                                      .bytes = bytes,
                                      .descending = kind % 5 == 0}}},
                   .shape = kind % 7 < 2   ? SORT_SHAPE_ZEROS
                            : kind % 7 < 4 ? SORT_SHAPE_FEW
                                           : SORT_SHAPE_UNIFORM,
                   .in_place = kind % 4 == 3,
                   .with_keys = true,
                   .levels = WHOLE};
    if (kind / 3 % 2 == 1) *(kind % 2 ? &c.index_bytes : &c.value_bytes) = 4;
    return c;
}

/* Segments of one length: those that a lane holds, a warp, several, a block, and longer ones, and one more or less. */
static void test_even_segments(void **state) {
    (void)state;
    static const uint64_t lengths[] = {1,   2,   31,  32,   33,   64,   100,  255,  256,  257,
                                       512, 513, 769, 1000, 1025, 2048, 2049, 4000, 4096, 4097};
    rng r = {31};
    for (unsigned k = 0; k < sizeof lengths / sizeof *lengths; k++)
        for (unsigned kind = 0; kind < 6; kind++) {
            sort_case c = segments_case(kind + 5 * k);
            c.segments = lengths[k] > 2000 ? 2 : 2 + 600 / lengths[k];
            c.n = c.segments * lengths[k];
            if (lengths[k] > 1000 && kind % 3 != k % 3) continue;
            expect_sorted(&r, &c);
        }
}

/* Segments of lengths that have nothing to do with each other: empty ones, those of a row, of several, of all, and longer ones. */
static void test_uneven_segments(void **state) {
    (void)state;
    static const uint64_t lengths[] = {0, 1,   2,  31, 0,  0,   32,   33, 64,  100,  255, 256, 257,
                                       1, 300, 16, 8,  17, 512, 1000, 9,  513, 2048, 3,   7,   2049};
    enum { SEGMENTS = sizeof lengths / sizeof *lengths, MOST = 64 };
    rng r = {32};
    for (unsigned kind = 0; kind < 12; kind++) {
        uint64_t first[MOST + 1] = {rng_below(&r, 5)};
        sort_case c = segments_case(kind);
        c.segments = kind % 2 ? MOST : SEGMENTS;
        c.first = first, c.is_uneven = true;
        for (unsigned s = 0; s < c.segments; s++)
            first[s + 1] = first[s] + (kind % 2 ? lengths[rng_below(&r, 12)] : lengths[s]);
        c.n = first[c.segments] + rng_below(&r, 5);
        expect_sorted(&r, &c);
    }
}

/* Arrays that a warp sorts, or a block. */
static void test_few(void **state) {
    (void)state;
    static const uint64_t lengths[] = {1, 100, 256, 257, 700, 1024, 2000, 2049, 4096, 4097, 8192};
    rng r = {34};
    for (unsigned k = 0; k < 2 * sizeof lengths / sizeof *lengths; k++) {
        sort_case c = segments_case(k);
        c.n = lengths[k / 2];
        expect_sorted(&r, &c);
    }
}

/* Lengths for which a level is cut, and one segment that a block sorts among short ones. */
static void test_longer_segments(void **state) {
    (void)state;
    static const uint64_t first[] = {0, 3, 4000, 4001, 8098, 18098, 18100};
    rng r = {33};
    for (unsigned kind = 0; kind < 4; kind++) {
        sort_case c = segments_case(kind);
        c.segments = 2, c.n = 20000;
        if (kind % 2) c.segments = 6, c.n = first[6], c.first = first, c.is_uneven = true;
        expect_sorted(&r, &c);
    }
}

/* Segments of more than a chunk are merged by all blocks: two that meet in a tile, and one of three chunks. */
static void test_long_segments(void **state) {
    (void)state;
    static const uint64_t two[] = {5, 8300, 8303, 17000}, three[] = {1, 2, 16900, 17100};
    rng r = {21};
    for (unsigned k = 0; k < 2; k++) {
        sort_case c = {
            .key = {.elem_bytes = 4, .fields = 1, .field = {{.kind = RIFFLE_SORT_KEY_FLOAT, .bytes = 4}}},
            .shape = SORT_SHAPE_ZIPF,
            .n = 17200,
            .with_keys = true,
            .segments = 3,
            .is_uneven = true,
            .first = k == 0 ? two : three,
            .levels = WHOLE};
        if (k == 1) c.key.field[0].kind = RIFFLE_SORT_KEY_SIGNED, c.index_bytes = 4, c.in_place = true;
        expect_sorted(&r, &c);
    }
}

/* `first` goes beyond n and descends: nothing is sorted, no segment has a result. */
static void test_segments_that_are_none(void **state) {
    (void)state;
    rng r = {9};
    for (unsigned k = 0; k < 4; k++) {
        sort_case c = {.key = sort_random_row(&r), .n = 300, .with_keys = true, .segments = 9, .levels = WHOLE};
        c.is_uneven = c.is_wrong = true;
        c.index_bytes = 4 * (k % 2);
        c.task = k < 2 ? RIFFLE_SORT_TASK_SORT : RIFFLE_SORT_TASK_TOP;
        c.count = k < 2 ? 0 : 3;
        expect_sorted(&r, &c);
    }
}

/* So many segments of one length, of keys of so many bytes; with `beside`, indices too. */
static sort_run run_even(size_t bytes, uint64_t segments, uint64_t length, size_t beside) {
    rng r = {11 + length};
    const sort_case c = {.key = {.elem_bytes = bytes,
                                 .fields = 1,
                                 .field = {{.kind = RIFFLE_SORT_KEY_UNSIGNED, .bytes = bytes}}},
                         .n = segments * length,
                         .segments = segments,
                         .index_bytes = beside,
                         .with_keys = true,
                         .levels = WHOLE};
    sort_run run = run_case(&c, &r);
    assert_true(is_right(&c, &run));
    return run;
}

static void expect_exchanged_once(const sort_run *run, const char *kernel, uint64_t bytes) {
    const report_line reads = sum_of_kernel(run->m, kernel, SPACE_GLOBAL, OP_READ);
    const report_line writes = sum_of_kernel(run->m, kernel, SPACE_GLOBAL, OP_WRITE);
    assert_int_equal(writes.requests, bytes / 32);
    assert_int_equal(reads.requests, bytes / 32);
}

/* No kernel but this one. */
static void expect_one_launch(const sort_run *run, const char *kernel) {
    const riffle_report *const report = machine_report(run->m);
    for (size_t k = 0; k < report->lines; k++) {
        const char *const name = report->line[k].kernel;
        if (strstr(name, kernel) == NULL) fail_msg("%s", name);
    }
}

/* Short segments are read once and written once, in whole sectors, by one launch, and meet shared memory without a conflict, of
 * whatever size keys are, unless more than one lie in a row. */
static void test_short_segments_exchanged(void **state) {
    (void)state;
    static const uint64_t lengths[] = {8, 16, 32, 64, 128};
    enum { N = 4096 };
    for (unsigned k = 0; k < 15; k++) {
        const size_t bytes = (size_t)4 << k % 3;
        const uint64_t length = lengths[k / 3], row = bytes == 4 ? 16 : 8;
        sort_run run = run_even(bytes, N / length, length, 0);
        expect_one_launch(&run, "sort_short");
        expect_exchanged_once(&run, "sort_short", N * bytes);
        if (length >= row) expect_no_conflict(run.m, "sort_short");
        end(&run);
    }
}

/* Other lengths take half as many wavefronts again at most: keys that a warp reads lie on both sides of a gap. */
static void test_short_segments_of_odd_lengths(void **state) {
    (void)state;
    static const uint64_t lengths[] = {3, 7, 15, 31, 33, 100};
    for (unsigned k = 0; k < 18; k++) {
        const uint64_t length = lengths[k / 3];
        sort_run run = run_even((size_t)4 << k % 3, 2048 / length, length, 0);
        for (report_op op = OP_READ; op <= OP_WRITE; op++) {
            const report_line sum = sum_of_kernel(run.m, "sort_short", SPACE_SHARED, op);
            assert_true(2 * sum.requests <= 3 * sum.ideal_requests);
        }
        end(&run);
    }
}

/* Indices are written once too. */
static void test_short_segments_carry(void **state) {
    (void)state;
    enum { N = 2048, LENGTH = 32 };
    for (size_t bytes = 4; bytes <= 16; bytes *= 2) {
        sort_run run = run_even(bytes, N / LENGTH, LENGTH, 4);
        const report_line writes = sum_of_kernel(run.m, "sort_carry_short", SPACE_GLOBAL, OP_WRITE);
        assert_int_equal(writes.requests, N * (bytes + 4) / 32);
        expect_one_launch(&run, "sort_carry_short");
        end(&run);
    }
}

/* Where all segments of unknown lengths are short, a warp of the launches for longer ones reads that there are none, and no more. */
static void test_short_segments_are_not_met_again(void **state) {
    (void)state;
    enum { SEGMENTS = 500, LENGTH = 11, LAUNCHES = 5 };
    uint64_t first[SEGMENTS + 1] = {0};
    rng r = {13};
    sort_case c = segments_case(0);
    for (unsigned s = 0; s < SEGMENTS; s++) first[s + 1] = first[s] + 1 + rng_below(&r, 2 * LENGTH);
    c.first = first, c.segments = SEGMENTS, c.n = first[SEGMENTS], c.is_uneven = true;
    sort_run run = run_case(&c, &r);
    assert_true(is_right(&c, &run));
    const riffle_report *const report = machine_report(run.m);
    unsigned lines = 0;
    for (size_t k = 0; k < report->lines; k++) {
        const report_line *const line = &report->line[k];
        if (strstr(line->kernel, "sort_leaves") == NULL || line->space != SPACE_GLOBAL) continue;
        assert_int_equal(line->requests, line->warps);
        lines++;
    }
    assert_int_equal(lines, LAUNCHES);
    end(&run);
}

/* Segments of one length that are a warp's each, or a block's, likewise. */
static void test_segments_exchanged(void **state) {
    (void)state;
    enum { N = 8192 };
    for (unsigned k = 0; k < 4; k++) {
        const uint64_t length = 512U << k;
        sort_run run = run_even(4, N / length, length, 0);
        expect_one_launch(&run, "sort_leaves");
        expect_exchanged_once(&run, "sort_leaves", N * 4);
        expect_no_conflict(run.m, "sort_leaves");
        end(&run);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_segments),
        cmocka_unit_test(test_even_segments),
        cmocka_unit_test(test_uneven_segments),
        cmocka_unit_test(test_few),
        cmocka_unit_test(test_longer_segments),
        cmocka_unit_test(test_long_segments),
        cmocka_unit_test(test_segments_that_are_none),
        cmocka_unit_test(test_short_segments_exchanged),
        cmocka_unit_test(test_short_segments_of_odd_lengths),
        cmocka_unit_test(test_short_segments_carry),
        cmocka_unit_test(test_short_segments_are_not_met_again),
        cmocka_unit_test(test_segments_exchanged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
