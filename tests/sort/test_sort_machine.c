/* SPDX-License-Identifier: Apache-2.0
 *
 * Sorts on the memory machine: the launches that a GPU gets, of every way and kind of key and every task, compared with the
 * definition; keys that are dense somewhere, equal, or all but equal.
 */
#include "sort_machine_support.h"

static void test_random(void **state) {
    (void)state;
    rng r = {test_seed()};
    for (unsigned round = 0; round < test_rounds(6); round++) {
        const sort_case c = random_case(&r, 1 + rng_below(&r, round % 3 > 0 ? 100 : 1500));
        expect_sorted(&r, &c);
    }
}

static void test_random_tasks(void **state) {
    (void)state;
    rng r = {test_seed()};
    for (unsigned round = 0; round < test_rounds(12); round++) {
        sort_case c = random_case(&r, 1 + rng_below(&r, round % 8 > 0 ? 60 : 1500));
        c.shape = round % 2 ? SORT_SHAPE_FEW : c.shape;
        c.piece = 1 << 20;
        if (c.levels == 2) c.leaf = 200;
        make_task(&r, &c);
        if (c.levels > 0 && (c.segments > 4 || round % 4 > 0))
            c.levels = 0; /* each segment has a sample of its own */
        expect_sorted(&r, &c);
    }
}

/* Values, or indices, are wanted and keys are not: on every number of levels. */
static void test_without_keys(void **state) {
    (void)state;
    rng r = {5};
    for (int levels = WHOLE; levels <= 2; levels++) {
        sort_case c = {
            .key = {.elem_bytes = 8, .fields = 1, .field = {{.kind = RIFFLE_SORT_KEY_SIGNED, .bytes = 8}}},
            .shape = SORT_SHAPE_ZIPF,
            .n = 600,
            .with_keys = false,
            .levels = levels,
            .leaf = 200,
            .piece = 250};
        c.value_bytes = levels % 2 == 0 ? 4 : 0;
        c.index_bytes = levels % 2 == 0 ? 0 : 4;
        expect_sorted(&r, &c);
    }
}

/* -------------------------------------------------------------- comparisons */

/* Any number of the key's first bits, so that each is as likely to have few as many: their logarithms are even. */
static void fill_by_logarithm(rng *r, const sort_case *c, unsigned char *elements) {
    for (uint64_t k = 0; k < c->n; k++) {
        const uint64_t number = (rng_next(r) | (uint64_t)1 << 63) >> rng_below(r, 64);
        const size_t bytes = c->key.elem_bytes < 8 ? c->key.elem_bytes : 8,
                     at = (k + 1) * c->key.elem_bytes - bytes;
        const uint64_t first = bytes == 8 ? number : number >> 32;
        memcpy(elements + at, &first, bytes);
    }
}

/* Five dense places, one of which has one number only. */
static void fill_in_clusters(rng *r, const sort_case *c, unsigned char *elements) {
    static const uint64_t places[] = {0, 0x1000000000000000, 0x7ffffffff0000000, 0x8000000000000000,
                                      0xffffffff00000000};
    for (uint64_t k = 0; k < c->n; k++) {
        const uint64_t place = rng_below(r, 5), width = place == 1 ? 1 : (uint64_t)1 << 20;
        const size_t bytes = c->key.elem_bytes < 8 ? c->key.elem_bytes : 8,
                     at = (k + 1) * c->key.elem_bytes - bytes;
        const uint64_t number = places[place] + (rng_below(r, width) << (bytes == 8 ? 0 : 12));
        const uint64_t first = bytes == 8 ? number : number >> 32;
        memcpy(elements + at, &first, bytes);
    }
}

/* All equal but a few below, and a few above. */
static void fill_with_one(rng *r, const sort_case *c, unsigned char *elements) {
    memset(elements, 0x55, c->n * c->key.elem_bytes);
    for (uint64_t k = rng_below(r, 50); k < c->n; k += 1 + rng_below(r, 100))
        fill_random(r, elements + k * c->key.elem_bytes, c->key.elem_bytes);
}

/* Cells with many splitters, and none; equal splitters; keys before the first one and behind the last. */
static void test_dense_keys(void **state) {
    (void)state;
    static const riffle_sort_key_kind kinds[] = {RIFFLE_SORT_KEY_UNSIGNED, RIFFLE_SORT_KEY_SIGNED,
                                                 RIFFLE_SORT_KEY_FLOAT};
    static void (*const fills[])(rng *, const sort_case *, unsigned char *) = {fill_by_logarithm,
                                                                               fill_in_clusters, fill_with_one};
    rng r = {41};
    for (unsigned k = 0; k < 27; k++) {
        const size_t bytes = (size_t)4 << k % 3;
        const riffle_sort_key_kind kind = bytes == 16 ? RIFFLE_SORT_KEY_UNSIGNED : kinds[k / 9];
        expect_sorted(&r, &(sort_case){.key = {.elem_bytes = bytes,
                                               .fields = 1,
                                               .field = {{.kind = kind, .bytes = bytes, .descending = k % 2}}},
                                       .n = 2500,
                                       .with_keys = true,
                                       .value_bytes = k % 4 == 0 ? 4 : 0,
                                       .levels = 1 + (int)(k % 5) / 4,
                                       .leaf = k % 5 == 4 ? 150 : 40,
                                       .piece = 900,
                                       .fill = fills[k / 3 % 3]});
    }
}

/* Buckets of equal keys that no leaf holds: moved by a block, and, where there are more than 2^17, by all; numbers are made of codes on
 * the way, and what goes along keeps its order. */
static void test_many_equal_keys(void **state) {
    (void)state;
    rng r = {42};
    for (unsigned k = 0; k < 4; k++)
        expect_sorted(&r, &(sort_case){.key = {.elem_bytes = 4,
                                               .fields = 1,
                                               .field = {{.kind = RIFFLE_SORT_KEY_SIGNED, .bytes = 4}}},
                                       .shape = k < 2 ? SORT_SHAPE_EQUAL : SORT_SHAPE_FEW,
                                       .n = k < 2 ? (1 << 17) + 777 : 20000,
                                       .with_keys = true,
                                       .value_bytes = k % 2 ? 4 : 0,
                                       .levels = 1,
                                       .leaf = 1000,
                                       .piece = 1 << 20});
}

/* ----------------------------------------------------------------- near ties */

/* Keys that differ in their first bit and their last ones only: what is looked up of splitters ties though they differ, and so does
 * what leaves are sorted by first. */
static void test_first_and_last_bits(void **state) {
    (void)state;
    rng r = {12};
    for (unsigned k = 0; k < 6; k++) {
        const size_t bytes = k % 2 == 0 ? 8 : 16;
        const uint64_t mask = k < 3 ? 0x8000000000000007 : 0x800000000000ffff;
        const sort_case c = {.key = {.elem_bytes = bytes,
                                     .fields = 1,
                                     .field = {{.kind = RIFFLE_SORT_KEY_UNSIGNED, .bytes = bytes}}},
                             .shape = SORT_SHAPE_UNIFORM,
                             .n = 1500,
                             .with_keys = true,
                             .value_bytes = k < 4 ? 4 : 0,
                             .levels = k < 2 ? 2 : 1,
                             .leaf = k < 4 ? 130 : 400,
                             .piece = 700,
                             .mask = {mask, mask}};
        expect_sorted(&r, &c);
    }
}

/* The uppermost bits of leaves tell apart all keys but some pairs, or fewer, and the last bits the rest, or not even these:
 * equal keys keep their order, which their values show. */
static void test_leaves_that_tie(void **state) {
    (void)state;
    static const uint64_t masks[] = {0xfffc0000000003ff, 0xff000000000003ff, 0xff00000000000001,
                                     0xc0000000000003ff, 0xc000000000000001, 0x00000000000003ff};
    rng r = {31};
    for (unsigned k = 0; k < 2 * sizeof masks / sizeof *masks; k++) {
        const uint64_t mask = masks[k / 2];
        sort_case c = leaves_case(k % 2 ? 16 : 8, k % 3 < 2 ? 4 : 0);
        c.mask[0] = k % 4 < 3 ? mask : 0;
        c.mask[1] = mask;
        expect_sorted(&r, &c);
    }
}

/* Leaves of four warps, which a level has that is to have few. */
static void test_long_leaves_that_tie(void **state) {
    (void)state;
    rng r = {35};
    for (unsigned k = 0; k < 3; k++) {
        sort_case c = leaves_case(k < 2 ? 8 : 16, k == 1 ? 4 : 0);
        c.segments = 0, c.is_uneven = false, c.n = 3000;
        c.levels = 1, c.leaf = 650, c.piece = 1 << 20;
        c.mask[0] = c.mask[1] = k == 1 ? 0xc0000000000003ff : 0xfffc0000000003ff;
        expect_sorted(&r, &c);
    }
}

/* Keys of 4 bytes, and the last 9 bits that do not fit. */
static void test_short_keys_that_tie(void **state) {
    (void)state;
    rng r = {32};
    for (unsigned k = 0; k < 2; k++) {
        sort_case c = leaves_case(4, 4);
        c.mask[0] = c.mask[1] = k == 0 ? 0xfff8000ffff8000f : 0xc000000fc000000f;
        expect_sorted(&r, &c);
    }
}

/* One key has a first bit that others have not, so that their uppermost bits are all the same; all upper halves are. */
static void test_useless_upper_bits(void **state) {
    (void)state;
    rng r = {33};
    for (unsigned k = 0; k < 4; k++) {
        sort_case c = leaves_case(k % 2 ? 16 : 8, k < 2 ? 4 : 0);
        c.mask[0] = 0x0000000000ffffff;
        c.mask[1] = k % 2 ? 0 : 0x0000000000ffffff;
        c.outlier = (uint64_t)1 << 63;
        expect_sorted(&r, &c);
        if (k % 2 == 0) continue;
        c.outlier = 0;
        c.mask[0] = UINT64_MAX;
        expect_sorted(&r, &c);
    }
}

/* --------------------------------------------------------------------- rows */

/* One array in two levels: numbers, what goes along, and rows. */
static void test_windows(void **state) {
    (void)state;
    static const uint64_t counts[] = {700, 999, 1};
    rng r = {23};
    for (unsigned k = 0; k < 3; k++) {
        sort_case c = {
            .key = {.elem_bytes = 8, .fields = 1, .field = {{.kind = RIFFLE_SORT_KEY_SIGNED, .bytes = 8}}},
            .shape = k == 1 ? SORT_SHAPE_FEW : SORT_SHAPE_UNIFORM,
            .n = 1000,
            .with_keys = true,
            .in_place = k == 1,
            .task = k < 2 ? RIFFLE_SORT_TASK_PARTITION : RIFFLE_SORT_TASK_TOP,
            .count = counts[k],
            .levels = 2,
            .leaf = 300,
            .piece = 500};
        if (k == 1) c.index_bytes = 4;
        if (k == 2) c.key.elem_bytes = 9;
        expect_sorted(&r, &c);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_random_tasks),
        cmocka_unit_test(test_without_keys),
        cmocka_unit_test(test_dense_keys),
        cmocka_unit_test(test_many_equal_keys),
        cmocka_unit_test(test_first_and_last_bits),
        cmocka_unit_test(test_leaves_that_tie),
        cmocka_unit_test(test_long_leaves_that_tie),
        cmocka_unit_test(test_short_keys_that_tie),
        cmocka_unit_test(test_useless_upper_bits),
        cmocka_unit_test(test_windows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
