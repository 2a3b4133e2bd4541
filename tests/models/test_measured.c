/* SPDX-License-Identifier: Apache-2.0
 *
 * Random tables beside a copy, as measured (models/measured.h): at lengths that were measured, between them and beyond; and that explain
 * expects it.
 */
#include "support.h"

#include <math.h>

#include "models/measured.h"

static void expect(measured_move move, vector_set set, double bytes, double copies) {
    const double found = measured_copies(move, set, bytes);
    if (fabs(found - copies) > 1e-9) fail_msg("%g bytes: %g copies, not %g", bytes, found, copies);
}

static void lengths_that_were_measured(void **state) {
    (void)state;
    expect(MEASURED_GATHER, VECTORS_AVX2, 0x1p22, 6.6);
    expect(MEASURED_GATHER, VECTORS_AVX2, 0x1p28, 20.8);
    expect(MEASURED_BUCKET, VECTORS_AVX2, 0x1p30, 7.3);
    expect(MEASURED_SCATTER, VECTORS_AVX512_VBMI, 0x1p26, 11.7);
    expect(MEASURED_BUCKET, VECTORS_AVX512_VBMI, 0x1p28, 4.5);
}

static void lengths_between_and_beyond(void **state) {
    (void)state;
    expect(MEASURED_BUCKET, VECTORS_AVX2, 0x1p29, (3.9 + 7.3) / 2);
    expect(MEASURED_GATHER, VECTORS_AVX2, 0x1p23, 6.6 + (13.4 - 6.6) / 4);
    expect(MEASURED_GATHER, VECTORS_AVX2, 1, 6.6);
    expect(MEASURED_BUCKET, VECTORS_AVX512_VBMI, 0x1p40, 4.6);
}

/* Copies that explain expects for `random:1` by an algorithm. */
static double explained(riffle_algorithm algorithm, uint64_t n, size_t elem_bytes) {
    char text[4096] = {0};
    riffle_perm *perm;
    FILE *stream = fmemopen(text, sizeof text - 1, "w");
    assert_non_null(stream);
    assert_int_equal(riffle_perm_random(n, 1, &perm), RIFFLE_OK);
    const riffle_plan_options options = {.algorithm = algorithm};
    assert_int_equal(riffle_explain(perm, elem_bytes, RIFFLE_ENGINE_CPU, &options, stream), RIFFLE_OK);
    fclose(stream);
    riffle_perm_free(perm);
    double copies = 0;
    const char *const at = strstr(text, "\nexpected     about ");
    assert_non_null(at);
    assert_int_equal(sscanf(at, "\nexpected     about %lf times", &copies), 1);
    return copies;
}

static void expect_explained(riffle_algorithm algorithm, measured_move move, uint64_t n) {
    const double found = explained(algorithm, n, MEASURED_ELEM_BYTES);
    const double measured = measured_copies(move, measured_here(), (double)(n * MEASURED_ELEM_BYTES));
    if (fabs(found - measured) > 0.051) fail_msg("2^%g: %g copies, not %g", log2((double)n), found, measured);
}

static void explain_expects_what_was_measured(void **state) {
    (void)state;
    const vector_set limits[] = {VECTORS_AVX2, VECTOR_SETS};
    for (unsigned k = 0; k < 2; k++) {
        vectors_limit(limits[k]);
        for (unsigned bits = 20; bits <= 24; bits++) { /* two passes by buckets on every processor */
            expect_explained(RIFFLE_ALGORITHM_GATHER, MEASURED_GATHER, (uint64_t)1 << bits);
            expect_explained(RIFFLE_ALGORITHM_SCATTER, MEASURED_SCATTER, (uint64_t)1 << bits);
            expect_explained(RIFFLE_ALGORITHM_BUCKET, MEASURED_BUCKET, (uint64_t)1 << bits);
        }
        assert_true(explained(RIFFLE_ALGORITHM_GATHER, 1 << 20, 64) < 3); /* a line each */
    }
    vectors_limit(VECTOR_SETS);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lengths_that_were_measured),
        cmocka_unit_test(lengths_between_and_beyond),
        cmocka_unit_test(explain_expects_what_was_measured),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
