/* SPDX-License-Identifier: Apache-2.0
 *
 * The CPU's sieve, by each set of vector instructions: what it throws away lies strictly within the hull, by exact predicates, for sets
 * of every kind and type, also far from zero; and where points fill a square it throws nearly all of them away.
 */
#include "base/processor/vectors.h"
#include "hull/cpu/sieve.h"
#include "hull/cpu/solve.h"
#include "hull_support.h"
#include "support.h"

enum { N = 1000, CORNERS_OF = 700 };

static const riffle_type types[] = {
    RIFFLE_TYPE_F64, RIFFLE_TYPE_F32, RIFFLE_TYPE_I64, RIFFLE_TYPE_U64, RIFFLE_TYPE_I32,
    RIFFLE_TYPE_U32, RIFFLE_TYPE_I16, RIFFLE_TYPE_U16, RIFFLE_TYPE_I8,  RIFFLE_TYPE_U8,
};
enum { TYPES = sizeof types / sizeof *types };

/* The hull of the first CORNERS_OF points. */
static hull_solver hull_of(const hull_points *points) {
    hull_solver solver = {0};
    hull_list list = {0};
    assert_int_equal(hull_list_reserve(&list, CORNERS_OF), RIFFLE_OK);
    assert_int_equal(hull_solver_reserve(&solver, CORNERS_OF, 1), RIFFLE_OK);
    for (uint64_t i = 0; i < CORNERS_OF; i++) hull_list_add(&list, points, i);
    hull_solve(&solver, &list, 1, hull_is_i64(points->type), false);
    hull_list_free(&list);
    return solver;
}

static bool is_strictly_within(const hull_points *points, const hull_list *hull, uint64_t i) {
    for (uint64_t k = 0; k < hull->count; k++) {
        const hull_candidate *const a = &hull->items[k], *const b = &hull->items[(k + 1) % hull->count];
        const int turn = hull_is_i64(points->type)
                             ? hull_orient_i64(a->at.i64, b->at.i64, hull_i64_at(points, i))
                             : hull_orient_f64(a->at.f64, b->at.f64, hull_f64_at(points, i));
        if (turn <= 0) return false;
    }
    return true;
}

/* Returns how many are thrown away. */
static unsigned check_pass(hull_sieve_pass *pass, const hull_sieve *sieve, const hull_points *points,
                           const hull_list *hull) {
    uint16_t kept[SIEVE_BLOCK + 16];
    const unsigned stay = pass(sieve, points->data, N, kept);
    unsigned next = 0;
    for (unsigned i = 0; i < N; i++) {
        if (next < stay && kept[next] == i)
            next++;
        else
            assert_true(is_strictly_within(points, hull, i));
    }
    assert_int_equal(next, stay);
    return N - stay;
}

/* By each set; they differ only by rounding. */
static unsigned check_points(const hull_points *points) {
    hull_solver solver = hull_of(points);
    hull_sieve *const sieve = malloc(sizeof *sieve);
    assert_non_null(sieve);
    hull_sieve_make(sieve, &solver.found, points->type);
    const unsigned thrown = check_pass(hull_sieve_pass_portable(points->type), sieve, points, &solver.found);
    for (vector_set set = VECTORS_SSSE3; set < VECTOR_SETS; set++) {
        if (!vectors_has(set)) continue;
        vectors_limit(set);
        check_pass(hull_sieve_pass_for(points->type), sieve, points, &solver.found);
        vectors_limit(VECTOR_SETS);
    }
    free(sieve);
    hull_solver_free(&solver);
    return thrown;
}

static void test_sure(void **state) {
    (void)state;
    rng r = {20261125};
    _Alignas(16) char data[16 * N];
    for (unsigned round = 0; round < test_rounds(8); round++)
        for (int kind = 0; kind < HULL_KINDS; kind++)
            for (unsigned t = 0; t < TYPES; t++) {
                hull_fill(&r, (hull_kind)kind, types[t], data, N);
                check_points(&(hull_points){types[t], data, N});
            }
}

/* As coarse as coordinates get: a few ulps of an offset. */
static void test_far_away(void **state) {
    (void)state;
    rng r = {20261126};
    static double f64[2 * N];
    static float f32[2 * N];
    static int64_t i64[2 * N];
    for (unsigned bits = 2; bits < 24; bits += 2) {
        for (unsigned k = 0; k < 2 * N; k++) {
            const uint64_t step = rng_below(&r, UINT64_C(1) << bits);
            f64[k] = 0x1p52 + (double)step;
            f32[k] = 0x1p23f + (float)step;
            i64[k] = INT64_MIN + (int64_t)step;
        }
        unsigned thrown[] = {check_points(&(hull_points){RIFFLE_TYPE_F64, f64, N}),
                             check_points(&(hull_points){RIFFLE_TYPE_F32, f32, N}),
                             check_points(&(hull_points){RIFFLE_TYPE_I64, i64, N})};
        for (unsigned k = 0; k < 3; k++) assert_true(bits < 8 || thrown[k] > N * 4 / 5);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_sure), cmocka_unit_test(test_far_away)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
