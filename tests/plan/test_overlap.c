/* SPDX-License-Identifier: Apache-2.0
 *
 * Tells whether strided elements share memory, against a map of every byte: random boxes, nested and not.
 */
#include "support.h"

#include "plan/axes/overlap.h"

enum { MAP_BYTES = 1 << 14 };

static unsigned char map[MAP_BYTES];

/* Steps an index through the box; false after the last. */
static bool next_index(const overlap_box *box, uint64_t *index) {
    for (unsigned k = box->rank; k-- > 0;) {
        if (++index[k] < box->extent[k]) return true;
        index[k] = 0;
    }
    return false;
}

static uint64_t offset_of(const overlap_box *box, const uint64_t *index) {
    uint64_t offset = 0;
    for (unsigned k = 0; k < box->rank; k++) offset += index[k] * box->stride[k];
    return offset;
}

/* Marks the bytes of every element; true if one was marked already. */
static bool mark(const overlap_box *box, size_t at, size_t bytes, unsigned char value) {
    uint64_t index[RIFFLE_MAX_RANK] = {0};
    bool met = false;
    do {
        const size_t start = at + (size_t)offset_of(box, index);
        assert_true(start + bytes <= MAP_BYTES);
        for (size_t i = start; i < start + bytes; i++) {
            met = met || map[i] != 0;
            map[i] = value;
        }
    } while (next_index(box, index));
    return met;
}

/* Nested strides with gaps of chance, or any strides, in units of `unit` bytes; below 4 KiB in all. */
static overlap_box random_box(rng *r, uint64_t unit) {
    overlap_box box = {.rank = (unsigned)rng_below(r, 5)};
    const bool nested = rng_below(r, 2) == 0;
    uint64_t reach = 1, left = 4096 / unit;
    for (unsigned k = box.rank; k-- > 0;) {
        const uint64_t stride =
            nested ? reach + rng_below(r, 4) - (rng_below(r, 6) == 0 ? 1 : 0) : rng_below(r, 40);
        const uint64_t most = stride > 0 ? left / stride : 8;
        box.extent[k] = 1 + rng_below(r, 1 + (most < 9 ? most : 9));
        box.stride[k] = stride * unit;
        left -= (box.extent[k] - 1) * stride;
        reach += (box.extent[k] - 1) * stride;
    }
    return box;
}

static void test_within(void **state) {
    (void)state;
    const uint64_t seed = test_seed();
    rng r = {seed};
    unsigned found = 0;
    const unsigned rounds = test_rounds(20000);
    for (unsigned round = 0; round < rounds; round++) {
        const overlap_box box = random_box(&r, 1);
        uint64_t one[RIFFLE_MAX_RANK], other[RIFFLE_MAX_RANK];
        memset(map, 0, sizeof map);
        const bool expected = mark(&box, 0, 1, 1);
        const overlap_answer answer = overlap_within(&box, one, other);
        if (answer != (expected ? OVERLAP_FOUND : OVERLAP_NONE))
            fail_msg("seed %#llx", (unsigned long long)seed);
        if (!expected) continue;
        found++;
        bool differ = false;
        for (unsigned k = 0; k < box.rank; k++) {
            assert_true(one[k] < box.extent[k] && other[k] < box.extent[k]);
            differ = differ || one[k] != other[k];
        }
        assert_true(differ);
        assert_int_equal(offset_of(&box, one), offset_of(&box, other));
    }
    assert_in_range(found, rounds / 10, rounds - rounds / 10);
}

static void test_between(void **state) {
    (void)state;
    const uint64_t seed = test_seed();
    rng r = {seed};
    unsigned found = 0;
    const unsigned rounds = test_rounds(20000);
    for (unsigned round = 0; round < rounds; round++) {
        const size_t bytes = 1 + (size_t)rng_below(&r, 9);
        const overlap_box first = random_box(&r, bytes), second = random_box(&r, bytes);
        const size_t near = rng_below(&r, 2) == 0 ? 64 : 4096;
        const size_t first_at = (size_t)rng_below(&r, near), second_at = (size_t)rng_below(&r, near);
        memset(map, 0, sizeof map);
        mark(&first, first_at, bytes, 1);
        const bool expected = mark(&second, second_at, bytes, 0); /* its own overlaps leave no mark */
        const overlap_answer answer =
            overlap_between(&first, 1000 + first_at, &second, 1000 + second_at, bytes);
        if (answer != (expected ? OVERLAP_FOUND : OVERLAP_NONE))
            fail_msg("seed %#llx", (unsigned long long)seed);
        found += expected;
    }
    assert_in_range(found, rounds / 10, rounds - rounds / 10);
}

/* Parts as programs have them: blocks of one large array, and its columns, at no cost that grows with them. */
static void test_parts_of_one_array(void **state) {
    (void)state;
    const uint64_t rows = 1000003, pitch = 8 * 100003;
    const overlap_box block = {2, {rows, 1000}, {pitch, 8}};
    assert_int_equal(overlap_between(&block, 1 << 20, &block, (1 << 20) + 8 * 1000, 8), OVERLAP_NONE);
    assert_int_equal(overlap_between(&block, 1 << 20, &block, (1 << 20) + 8 * 999, 8), OVERLAP_FOUND);
    assert_int_equal(overlap_between(&block, (1 << 20) + 8 * 999, &block, 1 << 20, 8), OVERLAP_FOUND);
    const overlap_box every_second = {1, {rows}, {8}};
    assert_int_equal(overlap_between(&every_second, 1 << 20, &every_second, (1 << 20) + 4, 4), OVERLAP_NONE);
    assert_int_equal(overlap_between(&every_second, 1 << 20, &every_second, (1 << 20) + 4, 5), OVERLAP_FOUND);
    overlap_box bits = {.rank = RIFFLE_MAX_RANK};
    for (unsigned k = 0; k < bits.rank; k++) bits.extent[k] = 2, bits.stride[k] = (uint64_t)1 << k;
    uint64_t one[RIFFLE_MAX_RANK], other[RIFFLE_MAX_RANK];
    assert_int_equal(overlap_within(&bits, one, other), OVERLAP_NONE);
}

/* Subset sums of odd numbers without structure: the search says that it gave up. */
static void test_gives_up(void **state) {
    (void)state;
    rng r = {1};
    overlap_box box = {.rank = RIFFLE_MAX_RANK};
    for (unsigned k = 0; k < box.rank; k++) {
        box.extent[k] = 2;
        box.stride[k] = ((uint64_t)1 << 54) + rng_below(&r, (uint64_t)1 << 54);
    }
    uint64_t one[RIFFLE_MAX_RANK], other[RIFFLE_MAX_RANK];
    assert_int_equal(overlap_within(&box, one, other), OVERLAP_UNKNOWN);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_within),
        cmocka_unit_test(test_between),
        cmocka_unit_test(test_parts_of_one_array),
        cmocka_unit_test(test_gives_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
