/* SPDX-License-Identifier: Apache-2.0
 *
 * Permutations against their plain definitions, and the algebra: inverse, composition, forms.
 */
#include "test_perm_support.h"

#include "perm/kind.h"
#include "perm/perm.h"

#define ALL_LENGTHS(n)                                                                                         \
    for (size_t which_ = 0; which_ < SMALL_LENGTHS; which_++)                                                  \
        for (uint64_t n = small_lengths[which_], once_ = 1; once_; once_ = 0)

/* Checks perm against expected[0..n-1] and frees it. */
static void check(riffle_perm *perm, const uint64_t *expected) {
    assert_values(perm, expected);
    riffle_perm_free(perm);
}

static void rotations(void **state) {
    (void)state;
    static const int64_t shifts[] = {0, 1, -1, 2, 5, -7, 1000003, INT64_MAX, INT64_MIN, INT64_MIN + 1};
    ALL_LENGTHS(n) {
        uint64_t expected[5041];
        riffle_perm *perm;
        for (uint64_t i = 0; i < n; i++) expected[i] = i;
        assert_ok(riffle_perm_identity(n, &perm));
        check(perm, expected);
        for (uint64_t i = 0; i < n; i++) expected[i] = n - 1 - i;
        assert_ok(riffle_perm_reverse(n, &perm));
        check(perm, expected);
        for (size_t s = 0; s < sizeof shifts / sizeof *shifts; s++) {
            for (uint64_t i = 0; i < n; i++) {
                __int128 sum = ((__int128)i + shifts[s]) % (__int128)n;
                expected[i] = (uint64_t)(sum < 0 ? sum + (__int128)n : sum);
            }
            assert_ok(riffle_perm_rotate(n, shifts[s], &perm));
            check(perm, expected);
        }
    }
}

static uint64_t reverse_bits(uint64_t i, unsigned m) {
    uint64_t r = 0;
    for (unsigned k = 0; k < m; k++) r |= (i >> k & 1) << (m - 1 - k);
    return r;
}

static void bit_forms(void **state) {
    (void)state;
    uint64_t seed = 1;
    for (unsigned m = 0; m <= 12; m++) {
        uint64_t n = (uint64_t)1 << m, expected[4096];
        riffle_perm *perm;
        for (uint64_t i = 0; i < n; i++) expected[i] = reverse_bits(i, m);
        assert_ok(riffle_perm_bit_reversal(n, &perm));
        check(perm, expected);
        for (uint64_t i = 0; i < n; i++) expected[i] = i + 1 < n ? 2 * i % (n - 1) : i;
        assert_ok(riffle_perm_shuffle(n, &perm));
        check(perm, expected);
        for (uint64_t i = 0; i < n; i++) expected[i + 1 < n ? 2 * i % (n - 1) : i] = i;
        assert_ok(riffle_perm_unshuffle(n, &perm));
        check(perm, expected);
        unsigned to[12];
        for (unsigned k = 0; k < m; k++) {
            unsigned j = (unsigned)(next_random(&seed) % (k + 1));
            to[k] = to[j];
            to[j] = k;
        }
        for (uint64_t i = 0; i < n; i++) {
            expected[i] = 0;
            for (unsigned k = 0; k < m; k++) expected[i] |= (i >> k & 1) << to[k];
        }
        assert_ok(riffle_perm_bits(m, to, &perm));
        check(perm, expected);
    }
}

static void affine_forms(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 60; seed++) {
        unsigned m = (unsigned)(seed % 13);
        uint64_t n = (uint64_t)1 << m, expected[4096], rows[12], c, random = seed + 1;
        riffle_perm *perm = NULL;
        do { /* rows until they are invertible */
            for (unsigned k = 0; k < m; k++) rows[k] = next_random(&random) >> 20 & (n - 1);
            c = next_random(&random) >> 20 & (n - 1);
        } while (riffle_perm_affine(m, rows, c, &perm) != RIFFLE_OK);
        for (uint64_t i = 0; i < n; i++) {
            expected[i] = c;
            for (unsigned k = 0; k < m; k++)
                expected[i] ^= (uint64_t)(__builtin_popcountll(rows[k] & i) & 1) << k;
        }
        check(perm, expected);
    }
}

/* Every invertible 3 x 3 matrix (there are 168) is as likely as every other: chi-square, 167 degrees. */
static void random_affine_is_uniform(void **state) {
    (void)state;
    if (is_sanitized() && !test_is_long()) skip(); /* statistics are the plain tier's */
    static unsigned count[512][8];
    enum { SEEDS = 168 * 300 };
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        riffle_perm *perm;
        assert_ok(riffle_perm_random_affine(8, seed, &perm));
        uint64_t c = riffle_perm_at(perm, 0), matrix = 0;
        for (unsigned j = 0; j < 3; j++) matrix = matrix << 3 | (riffle_perm_at(perm, 1U << j) ^ c);
        count[matrix][c]++;
        riffle_perm_free(perm);
    }
    unsigned matrices = 0;
    double chi_square = 0, of_c[8] = {0};
    for (unsigned k = 0; k < 512; k++) {
        unsigned sum = 0;
        for (unsigned c = 0; c < 8; c++) {
            sum += count[k][c];
            of_c[c] += count[k][c];
        }
        if (sum == 0) continue;
        matrices++;
        chi_square += (sum - 300.0) * (sum - 300.0) / 300;
    }
    assert_int_equal(matrices, 168);
    assert_true(chi_square > 100 && chi_square < 250); /* mean 167, standard deviation 18 */
    const double expected = (double)SEEDS / 8;
    for (unsigned c = 0; c < 8; c++) assert_true(of_c[c] > expected * 0.95 && of_c[c] < expected * 1.05);
}

static void transposes(void **state) {
    (void)state;
    for (uint64_t rows = 0; rows < 20; rows++) {
        for (uint64_t cols = 0; cols < 20; cols++) {
            uint64_t expected[400], shape[RIFFLE_MAX_RANK];
            for (uint64_t r = 0; r < rows; r++)
                for (uint64_t c = 0; c < cols; c++) expected[r * cols + c] = c * rows + r;
            riffle_perm *perm;
            assert_ok(riffle_perm_transpose(rows, cols, &perm));
            assert_int_equal(riffle_perm_output_shape(perm, shape), 2);
            assert_int_equal(shape[0], cols);
            assert_int_equal(shape[1], rows);
            check(perm, expected);
        }
    }
}

/* NumPy's definition: output[i_order[0], i_order[1], ...] = input[i_0, i_1, ...]. */
static void axes_against_numpy(void **state) {
    (void)state;
    uint64_t seed = 7;
    for (int trial = 0; trial < 300; trial++) {
        unsigned rank = (unsigned)(next_random(&seed) % 5 + 1), order[5];
        uint64_t shape[5], n = 1, expected[5 * 5 * 5 * 5 * 5], seen[RIFFLE_MAX_RANK];
        for (unsigned k = 0; k < rank; k++) {
            shape[k] = next_random(&seed) % (trial % 10 == 0 ? 6 : 5) + (trial % 10 != 0);
            n *= shape[k];
            unsigned j = (unsigned)(next_random(&seed) % (k + 1));
            order[k] = order[j];
            order[j] = k;
        }
        for (uint64_t i = 0; i < n; i++) {
            uint64_t index[5], rest = i, to = 0;
            for (unsigned k = rank; k-- > 0; rest /= shape[k]) index[k] = rest % shape[k];
            for (unsigned k = 0; k < rank; k++) to = to * shape[order[k]] + index[order[k]];
            expected[i] = to;
        }
        riffle_perm *perm;
        assert_ok(riffle_perm_axes(rank, shape, order, &perm));
        assert_int_equal(riffle_perm_output_shape(perm, seen), rank);
        for (unsigned k = 0; k < rank; k++) assert_int_equal(seen[k], shape[order[k]]);
        riffle_perm *inverse = inverse_of(perm);
        assert_int_equal(riffle_perm_output_shape(inverse, seen), rank);
        for (unsigned k = 0; k < rank; k++) assert_int_equal(seen[k], shape[k]);
        riffle_perm_free(inverse);
        check(perm, expected);
    }
}

static void tables(void **state) {
    (void)state;
    uint64_t seed = 3;
    ALL_LENGTHS(n) {
        uint64_t wide[5041];
        uint32_t narrow[5041];
        for (uint64_t i = 0; i < n; i++) {
            uint64_t j = next_random(&seed) % (i + 1);
            wide[i] = wide[j];
            wide[j] = i;
        }
        for (uint64_t i = 0; i < n; i++) narrow[i] = (uint32_t)wide[i];
        riffle_perm *perm, *same;
        assert_ok(riffle_perm_table_u64(n, wide, &perm));
        assert_ok(riffle_perm_table_u32(n, narrow, &same));
        memset(narrow, 0, sizeof narrow); /* the table was copied */
        check(perm, wide);
        check(same, wide);
    }
}

/* Sets of n where a table would not fit. */
static void very_long(void **state) {
    (void)state;
    static const char *const specs[] = {"identity",
                                        "reverse",
                                        "rotate:-12345678901",
                                        "bit-reversal",
                                        "shuffle",
                                        "unshuffle",
                                        "transpose:1048576x1048576",
                                        "axes:1024x65536x16384:1,2,0",
                                        "random:5",
                                        "~random:7",
                                        "random-affine:9",
                                        "reverse|rotate:17",
                                        "random:1|bit-reversal|reverse"};
    uint64_t n = RIFFLE_MAX_LENGTH, seed = 11;
    for (size_t s = 0; s < sizeof specs / sizeof *specs; s++) {
        riffle_perm *perm = parse(specs[s], n), *inverse = inverse_of(perm);
        for (int trial = 0; trial < 50; trial++) {
            uint64_t first = next_random(&seed) % (n - 3000), out[3000];
            if (trial == 0) first = 0;
            if (trial == 1) first = n - 3000;
            assert_ok(riffle_perm_map(perm, first, 3000, out));
            for (uint64_t k = 0; k < 3000; k += 97) {
                assert_true(out[k] < n);
                assert_int_equal(riffle_perm_at(perm, first + k), out[k]);
                assert_int_equal(riffle_perm_at(inverse, out[k]), first + k);
            }
        }
        assert_int_equal(riffle_perm_at(perm, n), UINT64_MAX);
        riffle_perm_free(perm);
        riffle_perm_free(inverse);
    }
}

/* P then Q is i -> Q(P(i)); P then ~P is the identity; composition is associative; ~(PQ) = ~Q ~P. */
static void algebra(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        ALL_LENGTHS(n) {
            if (n > 1024 && seed > 8) continue;
            uint64_t random = seed * 1000003 + n, expected[5041];
            riffle_perm *p = any_perm(n, &random), *q = any_perm(n, &random), *r = any_perm(n, &random);
            riffle_perm *pq = then(p, q), *qr = then(q, r), *left = then(pq, r), *right = then(p, qr);
            for (uint64_t i = 0; i < n; i++) expected[i] = riffle_perm_at(q, riffle_perm_at(p, i));
            assert_values(pq, expected);
            assert_same(left, right);
            riffle_perm *inverse = inverse_of(left), *nothing = then(left, inverse);
            for (uint64_t i = 0; i < n; i++) expected[i] = i;
            assert_values(nothing, expected);
            for (uint64_t i = 0; i < n; i++) expected[riffle_perm_at(left, i)] = i;
            assert_values(inverse, expected);
            riffle_perm *twice = inverse_of(inverse);
            assert_same(twice, left);
            riffle_perm *all[] = {p, q, r, pq, qr, left, right, inverse, nothing, twice};
            for (size_t k = 0; k < sizeof all / sizeof *all; k++) riffle_perm_free(all[k]);
        }
    }
}

static void assert_kind(const char *spec, uint64_t n, perm_kind kind, const char *printed) {
    riffle_perm *perm = parse(spec, n);
    char text[200];
    assert_ok(riffle_perm_print(perm, text, sizeof text, NULL));
    assert_string_equal(text, printed);
    assert_int_equal(perm->kind, kind);
    riffle_perm_free(perm);
}

/* Parts that melt into others. */
static void forms_of_compositions(void **state) {
    (void)state;
    assert_kind("rotate:3|rotate:9", 10, PERM_ROTATION, "rotate:2");
    assert_kind("reverse|reverse", 10, PERM_ROTATION, "identity");
    assert_kind("reverse|rotate:3", 10, PERM_ROTATION, "reverse|rotate:3");
    assert_kind("rotate:3|reverse", 10, PERM_ROTATION, "reverse|rotate:7");
    assert_kind("transpose:3x5|transpose:5x3", 15, PERM_ROTATION, "identity");
    assert_kind("transpose:6x5|transpose:15x2", 30, PERM_AXES, "transpose:3x10");
    assert_kind("transpose:4x6|axes:2x3x4:1,0,2", 24, PERM_AXES, "axes:4x2x3:2,1,0");
    assert_kind("transpose:4x9|transpose:6x6", 36, PERM_SEQUENCE, "transpose:4x9|transpose:6x6");
    assert_kind("bit-reversal|bit-reversal", 64, PERM_ROTATION, "identity");
    assert_kind("shuffle|shuffle|shuffle", 8, PERM_ROTATION, "identity");
    assert_kind("shuffle|bit-reversal|reverse", 4, PERM_ROTATION, "reverse");
    assert_kind("transpose:2x4|shuffle", 8, PERM_AFFINE, "unshuffle");
    assert_kind("bit-reversal|rotate:4", 16, PERM_AFFINE, "affine:8,4,2,3^4");
    assert_kind("bit-reversal|rotate:2", 16, PERM_SEQUENCE, "bit-reversal|rotate:2");
    assert_kind("random:4|identity", 10, PERM_RANDOM, "random:4");
    assert_kind("identity|random:4", 10, PERM_RANDOM, "random:4");
    assert_kind("random:4|~random:4", 10, PERM_ROTATION, "identity");
    assert_kind("random:4|random:4", 10, PERM_SEQUENCE, "random:4|random:4");
    assert_kind("reverse|random:4|~random:4|reverse", 10, PERM_ROTATION, "identity");
    assert_kind("~(random:4|reverse)", 10, PERM_SEQUENCE, "reverse|~random:4");
    assert_kind("transpose:1x10|random:4", 10, PERM_RANDOM, "random:4");
}

static void output_shapes(void **state) {
    (void)state;
    static const struct {
        const char *spec;
        uint64_t n;
        unsigned rank;
        uint64_t shape[4];
    } cases[] = {
        {"transpose:3x5", 15, 2, {5, 3}},
        {"axes:2x3x4:1,2,0", 24, 3, {3, 4, 2}},
        {"axes:24:0", 24, 1, {24}},
        {"transpose:6x5|transpose:15x2", 30, 2, {2, 15}},
        {"transpose:3x10|axes:2x5x3:1,2,0", 30, 3, {5, 3, 2}},
        {"~(transpose:6x5|transpose:15x2)", 30, 2, {6, 5}},
        {"transpose:1x5", 5, 2, {5, 1}},
        {"identity|transpose:1x5", 5, 2, {5, 1}},
        {"transpose:3x5|axes:3x5:0,1", 15, 2, {3, 5}}, /* moves nothing, but says 3x5 */
        {"transpose:0x5|transpose:2x0", 0, 2, {0, 2}},
        {"transpose:3x5|reverse", 15, 0, {0}},
        {"transpose:3x5|transpose:5x3", 15, 2, {3, 5}}, /* so does this */
        {"rotate:3|axes:2x3x4:2,0,1", 24, 3, {4, 2, 3}},
        {"reverse|transpose:2x8", 16, 2, {8, 2}},
        {"transpose:2x8|transpose:8x2", 16, 2, {2, 8}},
        {"random:1|transpose:2x8|identity", 16, 2, {8, 2}},
        {"bit-reversal", 16, 0, {0}},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        riffle_perm *perm = parse(cases[k].spec, cases[k].n);
        uint64_t shape[RIFFLE_MAX_RANK];
        assert_int_equal(riffle_perm_output_shape(perm, shape), cases[k].rank);
        for (unsigned d = 0; d < cases[k].rank; d++) assert_int_equal(shape[d], cases[k].shape[d]);
        riffle_perm_free(perm);
    }
}

/* perm_as_affine says yes where it promises to, and is right wherever it says so. */
static void affine_views(void **state) {
    (void)state;
    static const char *const always[] = {"identity", "reverse", "bit-reversal", "random-affine:3", "shuffle"};
    for (unsigned m = 0; m <= 10; m++) {
        uint64_t n = (uint64_t)1 << m;
        for (size_t s = 0; s < sizeof always / sizeof *always; s++) {
            riffle_perm *perm = parse(always[s], n);
            perm_affine affine;
            assert_true(perm_as_affine(perm, &affine));
            assert_int_equal(affine.a.m, m);
            for (uint64_t i = 0; i < n; i++)
                assert_int_equal(gf2_apply(&affine.a, i) ^ affine.c, riffle_perm_at(perm, i));
            riffle_perm_free(perm);
        }
        for (uint64_t k = 0; k < 2 * n; k++) { /* all rotations and reflections */
            riffle_perm *perm;
            assert_ok(rotation_create(n, k >= n, k % n, &perm));
            perm_affine affine = affine_through(perm), view;
            bool is_affine = true;
            for (uint64_t i = 0; i < n; i++)
                is_affine = is_affine && (gf2_apply(&affine.a, i) ^ affine.c) == riffle_perm_at(perm, i);
            assert_int_equal(perm_as_affine(perm, &view), is_affine);
            riffle_perm_free(perm);
        }
    }
    riffle_perm *perm = parse("axes:4x2x8:2,0,1", 64);
    perm_affine affine;
    assert_true(perm_as_affine(perm, &affine));
    for (uint64_t i = 0; i < 64; i++)
        assert_int_equal(gf2_apply(&affine.a, i) ^ affine.c, riffle_perm_at(perm, i));
    riffle_perm_free(perm);
    static const char *const never[] = {"identity", "transpose:3x5", "random:1"};
    for (size_t s = 0; s < sizeof never / sizeof *never; s++) {
        perm = parse(never[s], 15);
        assert_false(perm_as_affine(perm, &affine));
        riffle_perm_free(perm);
    }
}

static void tabulation(void **state) {
    (void)state;
    uint64_t seed = 21;
    ALL_LENGTHS(n) {
        riffle_perm *perm = any_perm(n, &seed), *table;
        assert_ok(perm_tabulate(perm, &table));
        assert_int_equal(table->kind, PERM_TABLE);
        assert_int_equal(table->table.entry_bytes, 4);
        assert_same(perm, table);
        riffle_perm_free(perm);
        riffle_perm_free(table);
    }
}

static void matrices(void **state) {
    (void)state;
    uint64_t seed = 31;
    for (int trial = 0; trial < 500; trial++) {
        gf2_matrix a = {.m = (unsigned)trial % 41}, inverse;
        uint64_t mask = ((uint64_t)1 << a.m) - 1, rows[RIFFLE_MAX_BITS], dependent = 0;
        for (unsigned j = 0; j < a.m; j++) a.column[j] = next_random(&seed) >> 16 & mask;
        for (unsigned k = 0; k < a.m; k++) rows[k] = gf2_row(&a, k);
        gf2_matrix again = gf2_from_rows(a.m, rows);
        assert_memory_equal(again.column, a.column, a.m * sizeof *a.column);
        gf2_matrix unit = gf2_identity(a.m);
        assert_true(gf2_is_bit_permutation(&unit));
        if (gf2_invert(&a, &inverse, &dependent)) {
            gf2_matrix product = gf2_multiply(&a, &inverse), other = gf2_multiply(&inverse, &a);
            assert_memory_equal(product.column, unit.column, a.m * sizeof *a.column);
            assert_memory_equal(other.column, unit.column, a.m * sizeof *a.column);
        } else {
            assert_true(dependent != 0 && dependent <= mask);
            assert_int_equal(gf2_apply(&a, dependent), 0);
        }
        if (a.m >= 5) { /* a matrix of rank m - 1 has one dependency, and it is found */
            unit.column[2] |= 1;
            assert_false(gf2_is_bit_permutation(&unit));
            unit.column[2] = unit.column[0];
            assert_false(gf2_is_bit_permutation(&unit));
            a.column[3] = a.column[1] ^ a.column[4];
            assert_false(gf2_invert(&a, &inverse, &dependent));
            assert_int_equal(gf2_apply(&a, dependent), 0);
        }
    }
}

static void errors(void **state) {
    (void)state;
    riffle_perm *perm = (riffle_perm *)1;
    const uint64_t large = RIFFLE_MAX_LENGTH + 1;
    assert_fails(riffle_perm_bit_reversal(12, &perm), RIFFLE_ERROR_LENGTH,
                 "bit-reversal: n = 12 is not a power of two; the nearest are 8 and 16");
    assert_fails(riffle_perm_shuffle(3, &perm), RIFFLE_ERROR_LENGTH,
                 "shuffle: n = 3 is not a power of two; the nearest are 2 and 4");
    assert_fails(riffle_perm_unshuffle(1000, &perm), RIFFLE_ERROR_LENGTH,
                 "unshuffle: n = 1000 is not a power of two; the nearest are 512 and 1024");
    assert_fails(riffle_perm_random_affine(7, 1, &perm), RIFFLE_ERROR_LENGTH,
                 "random-affine: n = 7 is not a power of two; the nearest are 4 and 8");
    assert_fails(riffle_perm_identity(large, &perm), RIFFLE_ERROR_LENGTH,
                 "identity: n = 1099511627777 is above the largest length, 2^40");
    assert_int_equal(riffle_perm_reverse(large, &perm), RIFFLE_ERROR_LENGTH);
    assert_int_equal(riffle_perm_rotate(large, 1, &perm), RIFFLE_ERROR_LENGTH);
    assert_int_equal(riffle_perm_bit_reversal(2 * RIFFLE_MAX_LENGTH, &perm), RIFFLE_ERROR_LENGTH);
    assert_int_equal(riffle_perm_random(large, 1, &perm), RIFFLE_ERROR_LENGTH);
    assert_int_equal(riffle_perm_table_u32(large, (uint32_t[]){0}, &perm), RIFFLE_ERROR_LENGTH);
    assert_fails(riffle_perm_transpose((uint64_t)1 << 21, (uint64_t)1 << 20, &perm), RIFFLE_ERROR_LENGTH,
                 "transpose: the shape has more elements than the largest length, 2^40");
    assert_int_equal(riffle_perm_transpose((uint64_t)1 << 32, (uint64_t)1 << 32, &perm), RIFFLE_ERROR_LENGTH);
    assert_fails(riffle_perm_axes(0, (uint64_t[]){1}, (unsigned[]){0}, &perm), RIFFLE_ERROR_INVALID_ARGUMENT,
                 "axes: rank 0 is not from 1 to 32");
    assert_fails(riffle_perm_axes(33, (uint64_t[33]){1}, (unsigned[33]){0}, &perm),
                 RIFFLE_ERROR_INVALID_ARGUMENT, "axes: rank 33 is not from 1 to 32");
    assert_fails(riffle_perm_axes(2, (uint64_t[]){2, 3}, (unsigned[]){0, 2}, &perm),
                 RIFFLE_ERROR_INVALID_ARGUMENT, "axes: there is no axis 2 in an array of rank 2");
    assert_fails(riffle_perm_axes(2, (uint64_t[]){2, 3}, (unsigned[]){1, 1}, &perm),
                 RIFFLE_ERROR_INVALID_ARGUMENT, "axes: the order names axis 1 twice");
    assert_fails(riffle_perm_bits(41, (unsigned[41]){0}, &perm), RIFFLE_ERROR_LENGTH,
                 "bits: m = 41 index bits are above the most, 40");
    assert_fails(riffle_perm_bits(3, (unsigned[]){0, 3, 1}, &perm), RIFFLE_ERROR_INVALID_ARGUMENT,
                 "bits: bit 1 goes to 3, which is not below m = 3");
    assert_fails(riffle_perm_bits(3, (unsigned[]){0, 1, 0}, &perm), RIFFLE_ERROR_INVALID_ARGUMENT,
                 "bits: two bits go to 0; bit 2 is the second");
    assert_fails(riffle_perm_affine(41, (uint64_t[41]){0}, 0, &perm), RIFFLE_ERROR_LENGTH,
                 "affine: m = 41 index bits are above the most, 40");
    assert_fails(riffle_perm_affine(2, (uint64_t[]){1, 4}, 0, &perm), RIFFLE_ERROR_INVALID_ARGUMENT,
                 "affine: row 1 is 0x4, wider than m = 2 bits");
    assert_fails(riffle_perm_affine(2, (uint64_t[]){1, 2}, 7, &perm), RIFFLE_ERROR_INVALID_ARGUMENT,
                 "affine: c is 0x7, wider than m = 2 bits");
    assert_fails(riffle_perm_affine(4, (uint64_t[]){3, 4, 5, 6}, 0, &perm), RIFFLE_ERROR_SINGULAR,
                 "affine: the matrix has no inverse: rows 0, 2 and 3 add up to zero");
    assert_fails(riffle_perm_affine(3, (uint64_t[]){1, 0, 4}, 0, &perm), RIFFLE_ERROR_SINGULAR,
                 "affine: the matrix has no inverse: row 1 is zero");
    uint32_t entries[200];
    for (uint32_t i = 0; i < 200; i++) entries[i] = (i + 100) % 200;
    entries[41] = entries[97] = 12;
    entries[199] = 12; /* a later clash is not the one to name */
    assert_fails(riffle_perm_table_u32(200, entries, &perm), RIFFLE_ERROR_NOT_A_PERMUTATION,
                 "table: index 41 and index 97 both map to 12");
    assert_fails(riffle_perm_table_u64(16, (uint64_t[16]){0, 1, 2, 17, 1, 99}, &perm),
                 RIFFLE_ERROR_NOT_A_PERMUTATION, "table: index 3 maps to 17, which is not below n = 16");
    assert_fails(riffle_perm_table_u64(1, (uint64_t[]){UINT64_MAX}, &perm), RIFFLE_ERROR_NOT_A_PERMUTATION,
                 "table: index 0 maps to 18446744073709551615, which is not below n = 1");
    assert_ptr_equal(perm, (riffle_perm *)1); /* no failure touched it */
    riffle_perm *three = parse("identity", 3), *four = parse("identity", 4);
    assert_fails(riffle_perm_compose(three, four, &perm), RIFFLE_ERROR_LENGTH,
                 "compose: the first permutation has n = 3, the second n = 4");
    uint64_t out[4];
    assert_fails(riffle_perm_map(four, 2, 3, out), RIFFLE_ERROR_INVALID_ARGUMENT,
                 "map: 3 indices from 2 on leave the range of n = 4");
    assert_int_equal(riffle_perm_map(four, 5, 0, out), RIFFLE_ERROR_INVALID_ARGUMENT);
    assert_int_equal(riffle_perm_map(four, 1, SIZE_MAX, out), RIFFLE_ERROR_INVALID_ARGUMENT);
    assert_ok(riffle_perm_map(four, 4, 0, out));
    riffle_perm_free(three);
    riffle_perm_free(four);
    riffle_perm_free(NULL);
}

/* A chain of 2^17 parts costs its length, and nothing recurses along it. */
static void long_chains(void **state) {
    (void)state;
    riffle_perm *chain = parse("random:1|reverse", 10);
    uint64_t expected[10];
    for (uint64_t i = 0; i < 10; i++) expected[i] = riffle_perm_at(chain, i);
    for (int doubling = 0; doubling < 16; doubling++) {
        riffle_perm *twice = then(chain, chain);
        riffle_perm_free(chain);
        chain = twice;
        for (uint64_t i = 0, was[10]; i < 10; i++) {
            if (i == 0) memcpy(was, expected, sizeof was);
            expected[i] = was[was[i]];
        }
    }
    assert_int_equal(chain->sequence.count, 1 << 17);
    for (uint64_t i = 0; i < 10; i++) assert_int_equal(riffle_perm_at(chain, i), expected[i]);
    riffle_perm *inverse = inverse_of(chain), *nothing = then(chain, inverse);
    assert_int_equal(nothing->kind, PERM_ROTATION);
    riffle_perm_free(chain);
    riffle_perm_free(inverse);
    riffle_perm_free(nothing);
}

static void handles(void **state) {
    (void)state;
    riffle_perm *perm = parse("table:[2,0,1]", 3), *other = riffle_perm_retain(perm);
    riffle_perm_free(perm);
    assert_int_equal(riffle_perm_at(other, 0), 2);
    riffle_perm_free(other);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rotations),     cmocka_unit_test(bit_forms),
        cmocka_unit_test(affine_forms),  cmocka_unit_test(random_affine_is_uniform),
        cmocka_unit_test(transposes),    cmocka_unit_test(axes_against_numpy),
        cmocka_unit_test(tables),        cmocka_unit_test(very_long),
        cmocka_unit_test(algebra),       cmocka_unit_test(forms_of_compositions),
        cmocka_unit_test(output_shapes), cmocka_unit_test(affine_views),
        cmocka_unit_test(tabulation),    cmocka_unit_test(matrices),
        cmocka_unit_test(errors),        cmocka_unit_test(long_chains),
        cmocka_unit_test(handles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
