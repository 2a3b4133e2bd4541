/* SPDX-License-Identifier: Apache-2.0
 *
 * The rows of the suite affine that stand for the BMMC paper's figures: their permutations are what their names say. No GPU is
 * needed, which measures them.
 */
#include "support.h"

#include <stdio.h>

#include "kinds/kinds.h"
#include "suites.h"

enum { TILE_BITS = 5, ALL = 20 };

static bench_row row_of(size_t k) {
    static const bench_variant usual = {.seed = 0};
    return bench_suite_row(&bench_suite_affine, &usual, k);
}

static riffle_perm *parse(const char *by, uint64_t n) {
    riffle_perm *perm;
    if (riffle_perm_parse(by, n, &perm) != RIFFLE_OK)
        fail_msg("%s of %llu: %s", by, (unsigned long long)n, riffle_error_detail());
    return perm;
}

static uint64_t image(const riffle_perm *perm, uint64_t index) {
    uint64_t to;
    assert_int_equal(riffle_perm_map(perm, index, 1, &to), RIFFLE_OK);
    return to;
}

/* Low index bits that stay low. */
static unsigned overlap(const char *by, uint64_t n) {
    riffle_perm *perm = parse(by, n);
    unsigned count = 0;
    for (unsigned k = 0; k < TILE_BITS; k++) count += image(perm, (uint64_t)1 << k) >> TILE_BITS == 0;
    riffle_perm_free(perm);
    return count;
}

static void check_drawn(const bench_row *row) {
    const bench_drawn_row *drawn = row->of;
    const unsigned m = (unsigned)__builtin_ctzll(row->n);
    char last[160] = "";
    unsigned over = 0;
    const bool has_over = sscanf(row->by, "random bits, n_over %u", &over) == 1;
    assert_int_equal(drawn->most, ALL);
    for (unsigned k = 1; k <= drawn->most; k++) {
        const char *by = drawn->spec(m, k);
        assert_string_not_equal(by, last);
        snprintf(last, sizeof last, "%s", by);
        if (has_over)
            assert_int_equal(overlap(last, row->n), over);
        else
            riffle_perm_free(parse(last, row->n));
    }
}

static void drawn_permutations_have_their_n_over(void **state) {
    (void)state;
    unsigned rows = 0;
    for (size_t k = 0; k < bench_suite_rows(&bench_suite_affine); k++) {
        const bench_row row = row_of(k);
        if (row.kind != &bench_drawn) continue;
        assert_string_equal(row.group, "figures");
        assert_int_equal(((const bench_drawn_row *)row.of)->rows, 82);
        check_drawn(&row);
        rows++;
    }
    assert_int_equal(rows, 82);
}

/* 2^25 elements with 2^0 to 2^25 columns: index 1 is the second of a row, and goes down a column. */
static void figure_12_has_all_numbers_of_columns(void **state) {
    (void)state;
    unsigned found[26] = {0};
    for (size_t k = 0; k < bench_suite_rows(&bench_suite_affine); k++) {
        const bench_row row = row_of(k);
        if (strcmp(row.group, "transposes") != 0 || row.n != 1 << 25) continue;
        riffle_perm *perm = parse(row.by, row.n);
        unsigned long long rows, columns;
        assert_int_equal(sscanf(row.by, "transpose:%llux%llu", &rows, &columns), 2);
        if (columns > 1) assert_true(image(perm, 1) == rows);
        riffle_perm_free(perm);
        found[__builtin_ctzll(columns)]++;
    }
    for (unsigned k = 0; k < 26; k++) assert_int_equal(found[k], 3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(drawn_permutations_have_their_n_over),
        cmocka_unit_test(figure_12_has_all_numbers_of_columns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
