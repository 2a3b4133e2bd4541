/* SPDX-License-Identifier: Apache-2.0
 *
 * Structure hidden in a table or a sequence is found; a table with one pair swapped has none.
 */
#include "test_perm_support.h"

#include "perm/perm.h"

static riffle_perm *table_of(const riffle_perm *perm) {
    uint64_t *values = values_of(perm);
    riffle_perm *table = NULL;
    assert_ok(riffle_perm_table_u64(riffle_perm_length(perm), values, &table));
    free(values);
    return table;
}

/* The table of perm with the values at i and j exchanged. */
static riffle_perm *near_miss(const riffle_perm *perm, uint64_t i, uint64_t j) {
    uint64_t *values = values_of(perm), value = values[i];
    values[i] = values[j];
    values[j] = value;
    riffle_perm *table = NULL;
    assert_ok(riffle_perm_table_u64(riffle_perm_length(perm), values, &table));
    free(values);
    return table;
}

static riffle_perm *recognize(const riffle_perm *perm) {
    riffle_perm *found = NULL;
    assert_ok(riffle_perm_recognize(perm, &found));
    assert_same(found, perm);
    return found;
}

static void hidden_in_tables(void **state) {
    (void)state;
    static const struct {
        const char *spec;
        uint64_t n;
        perm_kind kind;
    } cases[] = {
        {"identity", 0, PERM_ROTATION},
        {"identity", 1, PERM_ROTATION},
        {"reverse", 2, PERM_ROTATION},
        {"identity", 5041, PERM_ROTATION},
        {"rotate:17", 10007, PERM_ROTATION},
        {"rotate:-1", 4096, PERM_ROTATION},
        {"reverse", 4097, PERM_ROTATION},
        {"reverse|rotate:77", 4096, PERM_ROTATION},
        {"bit-reversal", 1 << 16, PERM_AFFINE},
        {"shuffle", 1 << 15, PERM_AFFINE},
        {"random-affine:3", 1 << 13, PERM_AFFINE},
        {"random-affine:4", 16, PERM_AFFINE},
        {"transpose:64x32", 2048, PERM_AFFINE},
        {"transpose:60x70", 4200, PERM_AXES},
        {"transpose:2x3001", 6002, PERM_AXES},
        {"transpose:3001x2", 6002, PERM_AXES},
        {"axes:10x11x12:2,1,0", 1320, PERM_AXES},
        {"axes:3x5x7x11:2,0,3,1", 1155, PERM_AXES},
        {"axes:5x1x6x7:3,1,2,0", 210, PERM_AXES},
        {"axes:2x2x2x2x2x2x2x3:7,6,5,4,3,2,1,0", 384, PERM_AXES},
    };
    uint64_t seed = 5;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        riffle_perm *perm = parse(cases[k].spec, cases[k].n), *table = table_of(perm),
                    *found = recognize(table);
        assert_int_equal(found->kind, cases[k].kind);
        riffle_perm_free(table);
        riffle_perm_free(found);
        for (int trial = 0; trial < 10 && cases[k].n >= 16; trial++) { /* one swapped pair is too much */
            uint64_t i = next_random(&seed) % cases[k].n, j = next_random(&seed) % cases[k].n;
            if (trial == 0) i = cases[k].n - 2, j = cases[k].n - 1;
            if (trial == 1) i = 0, j = 1;
            if (i == j) continue;
            table = near_miss(perm, i, j);
            found = recognize(table);
            assert_ptr_equal(found, table);
            riffle_perm_free(table);
            riffle_perm_free(found);
        }
        riffle_perm_free(perm);
    }
}

/* Every permutation of 4 elements or fewer, and many of 6 and 8: what comes back is always the same value. */
static void all_small_tables(void **state) {
    (void)state;
    for (uint64_t n = 0; n <= 8; n++) {
        uint64_t seed = n + 1;
        for (int trial = 0; trial < 2000; trial++) {
            riffle_perm *table = random_table(n, &seed), *found = recognize(table);
            riffle_perm_free(table);
            riffle_perm_free(found);
        }
    }
}

static void hidden_in_sequences(void **state) {
    (void)state;
    static const struct {
        const char *spec;
        uint64_t n;
        perm_kind kind;
    } cases[] = {
        {"rotate:3|transpose:30x40|transpose:40x30|rotate:5", 1200, PERM_ROTATION},
        {"rotate:5|~(random:1|rotate:5)|random:1", 1000, PERM_ROTATION},
        {"bit-reversal|rotate:1|rotate:-1|shuffle", 1024, PERM_AFFINE},
        {"table:[0,2,1,3]|rotate:1|table:[3,0,1,2]", 4, PERM_AFFINE},
        {"reverse|transpose:30x41|reverse", 1230, PERM_AXES},
        {"rotate:1|transpose:30x41", 1230, PERM_SEQUENCE},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        riffle_perm *perm = parse(cases[k].spec, cases[k].n), *found = recognize(perm);
        assert_int_equal(found->kind, cases[k].kind);
        riffle_perm_free(perm);
        riffle_perm_free(found);
    }
}

static void others_come_back(void **state) {
    (void)state;
    static const char *const specs[] = {"random:2", "transpose:16x4", "bit-reversal", "reverse"};
    for (size_t k = 0; k < sizeof specs / sizeof *specs; k++) {
        riffle_perm *perm = parse(specs[k], 64), *found = recognize(perm);
        assert_ptr_equal(found, perm);
        riffle_perm_free(perm);
        riffle_perm_free(found);
    }
    uint64_t seed = 9;
    riffle_perm *table = random_table(100000, &seed), *found = recognize(table);
    assert_ptr_equal(found, table);
    riffle_perm_free(table);
    riffle_perm_free(found);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hidden_in_tables),
        cmocka_unit_test(all_small_tables),
        cmocka_unit_test(hidden_in_sequences),
        cmocka_unit_test(others_come_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
