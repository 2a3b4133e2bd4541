/* SPDX-License-Identifier: Apache-2.0
 *
 * The dissertation's claims about its hull (Jurkiewicz 2013, chapter 3), on the memory machine.
 */
#include <math.h>

#include "hull_stages_support.h"
#include "random_numbers.h"
#include "riffle/machine.h"
#include "support.h"

enum { SHAPE_SQUARE, SHAPE_DISC, SHAPE_RING };

/* ---------------------------------------------------------------- Lemma 3.2 */

/* A problem of `size` of n points has `count` of P processors. */
typedef struct problem {
    uint32_t size, count;
} problem;

static uint32_t deserved(uint32_t size, uint32_t n, uint32_t processors) {
    return (uint32_t)((uint64_t)size * processors / n);
}

/* Splits on and on: each subproblem has at least what the lemma says, and together no more than the problem had. */
static void split_all(rng *r, uint32_t n, uint32_t processors) {
    problem stack[64] = {{n, processors}};
    for (unsigned depth = 1, problems = 0; depth > 0 && problems < 500; problems++) {
        const problem own = stack[--depth];
        assert_true(own.count >= deserved(own.size, n, processors));
        if (own.size < 2 || depth > 60) continue;
        const uint32_t kept = own.size - (uint32_t)rng_below(r, own.size / 2);
        const uint32_t left = (uint32_t)rng_below(r, kept), right = kept - 1 - left;
        const uint32_t share = hull_paper_share(own.count, left, right, n, processors);
        assert_true(share <= own.count);
        stack[depth++] = (problem){left, share};
        stack[depth++] = (problem){right, own.count - share};
    }
}

static void test_processors_are_shared_by_lemma_3_2(void **state) {
    (void)state;
    rng r = {32};
    for (unsigned k = 0; k < 3000; k++)
        split_all(&r, 1 + (uint32_t)rng_below(&r, k % 2 != 0 ? 100 : 1u << 30),
                  1 + (uint32_t)rng_below(&r, 5000));
}

/* ----------------------------------------------------------------- counters */

static void fill_shape(rng *r, unsigned shape, float *points, uint32_t n) {
    for (uint32_t k = 0; k < n; k++) {
        const double u = (double)(rng_next(r) >> 11) * 0x1p-53, v = (double)(rng_next(r) >> 11) * 0x1p-53;
        const double radius = shape == SHAPE_RING ? 1 : sqrt(v), angle = 6.283185307179586 * u;
        points[2 * k] = (float)(shape == SHAPE_SQUARE ? u : radius * cos(angle));
        points[2 * k + 1] = (float)(shape == SHAPE_SQUARE ? v : radius * sin(angle));
    }
}

static riffle_hull_counts counts_of(const float *points, uint32_t n) {
    static uint32_t hull[1 << 14];
    const hull_points set = {RIFFLE_TYPE_F32, points, n};
    riffle_hull_counts counts;
    uint64_t length;
    machine *m;
    assert_int_equal(machine_create(NULL, &m), RIFFLE_OK);
    const hull_stages stages = {
        .type = set.type, .most = n, .is_paper = true, .sizes = {.blocks = 2, .threads = 128}};
    if (find_by_stages(m, &stages, &set, NULL, hull, &length, &counts) != RIFFLE_OK)
        fail_msg("%s", riffle_error_detail());
    assert_int_equal(riffle_report_hazards(machine_report(m)), 0);
    machine_free(m);
    return counts;
}

/* Warps' reads and writes of global memory beside n log2 h / 32. */
static double ratio_of(const riffle_hull_counts *counts, uint32_t n) {
    return (double)(counts->reads + counts->writes) / (n * log2((double)counts->corners) / 32);
}

/* Section 3.6: the reads and writes are a constant times n log h / S, where n is large beside the processors' square. */
static void test_accesses_grow_with_n_log_h(void **state) {
    (void)state;
    enum { N = 6000 };
    static float points[2 * N];
    for (unsigned shape = SHAPE_SQUARE; shape <= SHAPE_RING; shape++) {
        rng r = {36};
        fill_shape(&r, shape, points, N);
        const riffle_hull_counts counts = counts_of(points, N);
        const double ratio = ratio_of(&counts, N);
        if (ratio > 60) fail_msg("shape %u: %g times n log h / 32", shape, ratio);
        assert_true(counts.outside < N && counts.iterations <= HULL_PAPER_ITERATIONS);
        if (shape == SHAPE_RING)
            assert_true(counts.iterations > 0 && counts.problems > 1 && counts.pivots > counts.problems);
    }
}

/* Theorem 3.1: of n points, h of them on a circle and the others within, the accesses grow as log h does. */
static void test_accesses_grow_with_the_hull(void **state) {
    (void)state;
    enum { N = 6000 };
    static float points[2 * N];
    double least = INFINITY, most = 0;
    for (uint32_t h = 16; h <= 4096; h *= 16) {
        rng r = {31};
        fill_shape(&r, SHAPE_RING, points, N);
        for (uint32_t k = h; k < N; k++) points[2 * k] *= 0.9f, points[2 * k + 1] *= 0.9f;
        const riffle_hull_counts counts = counts_of(points, N);
        const double ratio = ratio_of(&counts, N);
        least = fmin(least, ratio);
        most = fmax(most, ratio);
    }
    if (most > 8 * least) fail_msg("from %g to %g times n log h / 32", least, most);
}

/* -------------------------------------------------------------------- doors */

static void expect_refused(uint64_t n, const float *points, riffle_hull_options options,
                           riffle_machine_options limits, riffle_status status, const char *sentence) {
    riffle_report *report = NULL;
    assert_int_equal(riffle_simulate_hull(n, RIFFLE_TYPE_F32, points, &options, &limits, NULL, &report),
                     status);
    assert_string_equal(riffle_error_detail(), sentence);
    assert_null(report);
}

static void test_refusals(void **state) {
    (void)state;
    const float points[] = {0, 0, 1, 0, NAN, 3};
    const riffle_machine_options defaults = {0};
    expect_refused(3, points, (riffle_hull_options){0}, defaults, RIFFLE_ERROR_INVALID_ARGUMENT,
                   "point 2 is (nan, 3); hulls are of finite points");
    expect_refused(3, NULL, (riffle_hull_options){0}, defaults, RIFFLE_ERROR_INVALID_ARGUMENT,
                   "points is NULL");
    expect_refused(
        2, points, (riffle_hull_options){.all = true, .algorithm = RIFFLE_HULL_ALGORITHM_PAPER}, defaults,
        RIFFLE_ERROR_UNSUPPORTED,
        "the dissertation's algorithm finds corners and not the points between them; use another algorithm");
    expect_refused(2, points, (riffle_hull_options){0}, (riffle_machine_options){.width = 16},
                   RIFFLE_ERROR_UNSUPPORTED, "kernels of hulls have warps of 32; this machine has width 16");
}

static void test_few_points(void **state) {
    (void)state;
    const float points[] = {2, 1, 0, 0, 2, 1, 4, 2};
    for (uint32_t k = 0; k < 10; k++) {
        const uint32_t n = k / 2;
        const riffle_hull_options options = {.algorithm = k % 2 != 0 ? RIFFLE_HULL_ALGORITHM_PAPER
                                                                     : RIFFLE_HULL_ALGORITHM_AUTO};
        const riffle_machine_options limits = {.block_threads = 256};
        riffle_hull_counts counts;
        riffle_report *report;
        assert_int_equal(riffle_simulate_hull(n, RIFFLE_TYPE_F32, points, &options, &limits, &counts, &report),
                         RIFFLE_OK);
        assert_int_equal(counts.corners, n < 2 ? n : 2);
        assert_true(n == 0 || counts.reads > 0);
        riffle_report_free(report);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_processors_are_shared_by_lemma_3_2),
        cmocka_unit_test(test_accesses_grow_with_n_log_h),
        cmocka_unit_test(test_accesses_grow_with_the_hull),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_few_points),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
