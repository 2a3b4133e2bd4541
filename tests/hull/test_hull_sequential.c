/* SPDX-License-Identifier: Apache-2.0
 *
 * The dissertation's sequential hull, Algorithms 1 to 3: the corners of the definition for points of all kinds, and no more visits than
 * Theorem 3.1 lets expect.
 */
#include "papers/hull/sequential.h"

#include <math.h>

#include "hull/definition.h"
#include "support.h"

enum { MOST = 3000 };

static void expect_corners(const hull_points *points, uint64_t first, uint64_t end) {
    static uint32_t found[MOST + 1], wanted[MOST + 1];
    uint64_t length = UINT64_MAX, right = 0;
    memset(found, POISON_VALUE, sizeof found);
    assert_int_equal(hull_sequential(points, first, end, found, &length, NULL), RIFFLE_OK);
    assert_int_equal(hull_definition(points, first, end, false, wanted, &right), RIFFLE_OK);
    assert_int_equal(length, right);
    assert_memory_equal(found, wanted, right * sizeof *wanted);
    for (uint64_t k = length; k < MOST + 1; k++) assert_int_equal(found[k], POISON_VALUE * 0x01010101U);
}

/* Points of a small grid have equal ones, many in a line, and few corners. */
static void grids_of_any_type(void **state) {
    (void)state;
    static const riffle_type types[] = {RIFFLE_TYPE_I8,  RIFFLE_TYPE_U16, RIFFLE_TYPE_I32, RIFFLE_TYPE_I64,
                                        RIFFLE_TYPE_U64, RIFFLE_TYPE_F32, RIFFLE_TYPE_F64};
    rng r = {31};
    for (unsigned round = 0; round < 700; round++) {
        unsigned char data[64 * 2 * 8] = {0};
        const riffle_type type = types[round % 7];
        const uint64_t n = rng_below(&r, 64), side = 1 + rng_below(&r, 9), flat = round % 5 == 0 ? 1 : side;
        for (uint64_t k = 0; k < 2 * n; k++) {
            const uint64_t at = rng_below(&r, k % 2 == 0 ? side : flat);
            const float single = (float)at;
            const double whole = (double)at;
            const size_t bytes = riffle_type_bytes(type);
            const void *const from = type == RIFFLE_TYPE_F32   ? (const void *)&single
                                     : type == RIFFLE_TYPE_F64 ? (const void *)&whole
                                                               : (const void *)&at;
            memcpy(data + k * bytes, from, bytes);
        }
        const hull_points points = {type, data, n};
        const uint64_t first = n > 0 ? rng_below(&r, n) / 4 : 0;
        expect_corners(&points, first, n);
    }
}

/* On a circle, or within it. */
static void fill(rng *r, double *points, uint64_t n, uint64_t corners) {
    for (uint64_t k = 0; k < n; k++) {
        const double radius = k < corners ? 1 : 0.9 * sqrt((double)rng_below(r, 1 << 20) * 0x1p-20);
        const double angle = 6.283185307179586 * (double)rng_below(r, 1 << 30) * 0x1p-30;
        points[2 * k] = radius * cos(angle);
        points[2 * k + 1] = radius * sin(angle);
    }
}

static void visits_grow_by_theorem_3_1(void **state) {
    (void)state;
    static double points[2 * MOST];
    static uint32_t hull[MOST];
    rng r = {3};
    double least = INFINITY, most = 0;
    for (uint64_t corners = 8; corners <= MOST; corners *= 4) {
        const hull_points all = {RIFFLE_TYPE_F64, points, MOST};
        hull_sequential_counts counts;
        uint64_t length;
        fill(&r, points, MOST, corners);
        expect_corners(&all, 0, MOST);
        assert_int_equal(hull_sequential(&all, 0, MOST, hull, &length, &counts), RIFFLE_OK);
        const double ratio = (double)counts.visits / (MOST * log2((double)length));
        least = fmin(least, ratio), most = fmax(most, ratio);
        assert_true(counts.pivots >= length - 2 && counts.pivots <= 3 * length);
        assert_true(counts.discarded >= MOST - length);
    }
    if (most > 3 || most > 4 * least) fail_msg("visits over n log h: %.2f to %.2f", least, most);
}

/* A parabola, whose points all are corners, in order: no pair is thrown away. */
static void all_points_are_corners(void **state) {
    (void)state;
    static int32_t points[2 * MOST];
    for (int32_t k = 0; k < MOST; k++)
        points[2 * k] = k - MOST / 2, points[2 * k + 1] = points[2 * k] * points[2 * k];
    expect_corners(&(hull_points){RIFFLE_TYPE_I32, points, MOST}, 0, MOST);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(grids_of_any_type),
                                       cmocka_unit_test(visits_grow_by_theorem_3_1),
                                       cmocka_unit_test(all_points_are_corners)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
