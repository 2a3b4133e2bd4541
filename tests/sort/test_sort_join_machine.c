/* SPDX-License-Identifier: Apache-2.0
 *
 * Few keys on the memory machine, sorted by strips that are joined: compared with the definition for keys of each size and kind, with
 * something beside them and without, and for keys that make parts as long as they can be.
 */
#include "sort_machine_support.h"

enum { STEPS = 32 };

/* Each strip has a sample, then keys that come right before the next one: all of these are of one part, or of another. */
static void fill_in_steps(rng *r, const sort_case *c, unsigned char *elements) {
    const size_t bytes = c->key.elem_bytes;
    (void)r;
    memset(elements, 0, c->n * bytes);
    for (uint64_t k = 0; k < c->n; k++) {
        const uint32_t number = (uint32_t)(k % sort_strip(0) / STEPS * 1000 + (k % STEPS > 0 ? 999 : 0));
        memcpy(elements + k * bytes + (bytes == 16 ? 8 : 0), &number, sizeof number);
    }
}

static sort_case case_of(size_t bytes, riffle_sort_key_kind kind, uint64_t n) {
    return (sort_case){.key = {.elem_bytes = bytes, .fields = 1, .field = {{.kind = kind, .bytes = bytes}}},
                       .n = n,
                       .with_keys = true,
                       .levels = WHOLE};
}

static void sorts_are_the_definitions(void **state) {
    (void)state;
    static const riffle_sort_key_kind kinds[] = {RIFFLE_SORT_KEY_UNSIGNED, RIFFLE_SORT_KEY_SIGNED,
                                                 RIFFLE_SORT_KEY_FLOAT};
    rng r = {test_seed()};
    for (unsigned k = 0; k < 9; k++) {
        if (!test_takes(k / 2)) continue;
        const size_t bytes = (size_t)4 << k % 3;
        sort_case c = case_of(bytes, bytes == 16 ? kinds[k / 3 % 2] : kinds[k / 3], 4097 + rng_below(&r, 900));
        c.shape = (sort_shape)(k * 2 % SORT_SHAPES);
        c.key.field[0].descending = k % 2 == 1;
        c.value_bytes = k % 4 == 1 ? 4 : 0;
        c.index_bytes = k % 4 == 3 ? 4 : 0;
        c.in_place = k == 1 || k == 4;
        expect_sorted(&r, &c);
    }
}

/* A strip alone, of either length. */
static void strips_are_sorted_at_once(void **state) {
    (void)state;
    rng r = {63};
    for (unsigned k = 0; k < 6; k++) {
        if (!test_takes(k / 2)) continue;
        sort_case c = case_of((size_t)4 << k / 2, RIFFLE_SORT_KEY_SIGNED,
                              k % 2 > 0 ? 1025 + rng_below(&r, 999) : 513 + rng_below(&r, 511));
        c.in_place = k < 2;
        c.index_bytes = k == 3 ? 4 : 0;
        expect_sorted(&r, &c);
    }
}

/* Longer strips, of which the last has one key. */
static void long_strips_too(void **state) {
    (void)state;
    rng r = {61};
    sort_case c = case_of(8, RIFFLE_SORT_KEY_UNSIGNED, 8 * sort_strip(1) + 1);
    c.shape = SORT_SHAPE_FEW, c.value_bytes = 4;
    expect_sorted(&r, &c);
    c = case_of(4, RIFFLE_SORT_KEY_UNSIGNED, 8 * sort_strip(1) + 1);
    expect_sorted(&r, &c);
}

static void parts_hold_any_keys(void **state) {
    (void)state;
    rng r = {62};
    for (size_t bytes = 4; bytes <= 16; bytes *= 2) {
        if (!test_takes(bytes / 8)) continue;
        sort_case c = case_of(bytes, RIFFLE_SORT_KEY_UNSIGNED, 6000);
        c.fill = fill_in_steps;
        c.index_bytes = bytes == 8 ? 4 : 0;
        expect_sorted(&r, &c);
    }
}

/* The distance of two samples in ranks, and a step less one key for each strip. */
static void parts_are_no_longer_than_strips(void **state) {
    (void)state;
    for (uint32_t n = 4097; n <= 1 << 16; n += 13) {
        const sort_request r = {.n = n, .segments = 1, .key_bytes = 4};
        const sort_steps s = sort_choose_steps(&r, MULTIPROCESSORS);
        const uint32_t strip = sort_strip(s.strip_size), samples = ceil_div(n, (uint32_t)SORT_JOIN_STEP);
        assert_true(s.parts > 0 && s.strips <= SORT_JOIN_STRIPS && s.strips * strip >= n);
        assert_true(ceil_div(samples, s.parts) * SORT_JOIN_STEP + (SORT_JOIN_STEP - 1) * s.strips <= strip);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sorts_are_the_definitions),
        cmocka_unit_test(strips_are_sorted_at_once),
        cmocka_unit_test(long_strips_too),
        cmocka_unit_test(parts_hold_any_keys),
        cmocka_unit_test(parts_are_no_longer_than_strips),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
