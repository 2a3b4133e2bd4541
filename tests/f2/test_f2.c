/* SPDX-License-Identifier: Apache-2.0
 *
 * Matrices over F2 against plain definitions, bit by bit, by each set of vector instructions: sizes off every edge, rows with words
 * between them, anything in the rest of what is read. Refusals and their words.
 */
#include "f2_support.h"

#include "base/processor/vectors.h"
#include "f2/loops.h"
#include "f2/strassen.h"

static uint64_t seed;

/* Up to so many threads. */
#define CALL(most) (&(riffle_call_options){.threads = (most)})

#define OK(call)                                                                                               \
    do {                                                                                                       \
        if ((call) != RIFFLE_OK) fail_msg("seed %llu: %s", (unsigned long long)seed, riffle_error_detail());   \
    } while (0)
#define HOLDS(what)                                                                                            \
    do {                                                                                                       \
        if (!(what)) fail_msg("seed %llu: " #what, (unsigned long long)seed);                                  \
    } while (0)

/* A size: small, at an edge of words or vectors or one off it, or any. */
static uint64_t some_size(rng *r, uint64_t most) {
    switch (rng_below(r, 4)) {
    case 0: return rng_below(r, 5);
    case 1: return f2_min(most, 64 * rng_below(r, most / 64 + 1) + rng_below(r, 3));
    default: return rng_below(r, most + 1);
    }
}

/* Runs a test's rounds by each set that is here. */
static void each_set(void (*round)(rng *r), unsigned rounds) {
    for (vector_set set = VECTORS_PORTABLE; set < VECTOR_SETS; set++) {
        if (!vectors_has(set)) continue;
        assert_int_equal(f2_loops_of[set] != NULL, vectors_are_written(LOOPS_F2, set));
        if (f2_loops_of[set] == NULL) continue;
        vectors_limit(set);
        rng r = {seed};
        for (unsigned k = 0; k < rounds; k++) round(&r);
        vectors_limit(VECTOR_SETS);
    }
}

/* -------------------------------------------------------- products, transposes */

static void multiply_once(rng *r) {
    const uint64_t rows = some_size(r, 200), inner = some_size(r, 200), columns = some_size(r, 600);
    const riffle_f2_matrix a = f2_random(r, rows, inner, rng_below(r, 3)),
                           b = f2_random(r, inner, columns, rng_below(r, 3));
    const riffle_f2_matrix to = f2_poisoned(rows, columns, rng_below(r, 3)), wanted = f2_plain_product(&a, &b);
    OK(riffle_f2_product(&to, &a, &b, CALL(1 + (unsigned)rng_below(r, 3))));
    HOLDS(f2_equal(&to, &wanted) && f2_is_clean(&to));
    free(a.words);
    free(b.words);
    free(to.words);
    free(wanted.words);
}

static void products(void **state) {
    (void)state;
    each_set(multiply_once, test_rounds(20));
}

static void transpose_once(rng *r) {
    const uint64_t rows = some_size(r, 1100), columns = some_size(r, 1100);
    const riffle_f2_matrix a = f2_random(r, rows, columns, rng_below(r, 3)),
                           to = f2_poisoned(columns, rows, rng_below(r, 3));
    OK(riffle_f2_transpose(&to, &a, CALL(1 + (unsigned)rng_below(r, 3))));
    for (uint64_t i = 0; i < rows; i++)
        for (uint64_t j = 0; j < columns; j++) HOLDS(f2_at(&a, i, j) == f2_at(&to, j, i));
    HOLDS(f2_is_clean(&to));
    free(a.words);
    free(to.words);
}

static void transposes(void **state) {
    (void)state;
    each_set(transpose_once, test_rounds(8));
}

/* v a, by rows of a. */
static void row_times(const uint64_t *v, const riffle_f2_matrix *a, uint64_t *to) {
    memset(to, 0, riffle_f2_stride(a->columns) * sizeof *to);
    for (uint64_t i = 0; i < a->rows; i++)
        for (size_t w = 0; (v[i / 64] >> i % 64 & 1) != 0 && w < riffle_f2_stride(a->columns); w++)
            to[w] ^= a->words[i * a->stride + w];
}

/* (v a) b = v (a b) for random v: a wrong row of the product stays hidden with probability 1/2 each. */
static bool is_product(rng *r, const riffle_f2_matrix *to, const riffle_f2_matrix *a,
                       const riffle_f2_matrix *b) {
    enum { TIMES = 24, MOST = 8192 / 64 };
    for (unsigned k = 0; k < TIMES; k++) {
        uint64_t v[MOST], left[MOST], once[MOST], wanted[MOST];
        for (unsigned w = 0; w < MOST; w++) v[w] = rng_next(r);
        row_times(v, a, left);
        row_times(left, b, wanted);
        row_times(v, to, once);
        const size_t words = riffle_f2_stride(b->columns);
        const uint64_t mask = b->columns % 64 == 0 ? ~UINT64_C(0) : ((uint64_t)1 << b->columns % 64) - 1;
        once[words - 1] &= mask;
        wanted[words - 1] &= mask;
        if (memcmp(once, wanted, words * sizeof *once) != 0) return false;
    }
    return true;
}

/* Quarters, quarters of quarters, and what they leave at each edge. */
static void large_products(void **state) {
    (void)state;
    static const uint64_t sizes[][3] = {{4096, 4096, 4096}, {4099, 4170, 4301}, {8192 - 1, 4097, 4096 + 64}};
    rng r = {seed};
    for (unsigned k = 0; k < 3; k++) {
        const riffle_f2_matrix a = f2_random(&r, sizes[k][0], sizes[k][1], 1),
                               b = f2_random(&r, sizes[k][1], sizes[k][2], 2);
        const riffle_f2_matrix to = f2_poisoned(sizes[k][0], sizes[k][2], 3);
        assert_true(strassen_pays(a.rows, b.rows, b.columns));
        OK(riffle_f2_product(&to, &a, &b, CALL(2)));
        HOLDS(is_product(&r, &to, &a, &b) && f2_is_clean(&to));
        free(a.words);
        free(b.words);
        free(to.words);
    }
}

/* ------------------------------------------------------------------ profiles */

/* Which rows are no sum of rows above them, by the definition: each is reduced by those that were kept. */
static uint64_t plain_row_profile(const riffle_f2_matrix *a, uint64_t *profile) {
    uint64_t rank = 0, *const lead = malloc((a->rows + 1) * sizeof *lead);
    bool *const kept = calloc(a->rows + 1, a->columns + 1), *const row = malloc(a->columns + 1);
    assert_true(lead != NULL && kept != NULL && row != NULL);
    for (uint64_t i = 0; i < a->rows; i++) {
        uint64_t first = 0;
        for (uint64_t j = 0; j < a->columns; j++) row[j] = f2_at(a, i, j);
        for (uint64_t k = 0; k < rank; k++)
            for (uint64_t j = 0; row[lead[k]] && j < a->columns; j++)
                row[j] ^= j != lead[k] && kept[k * a->columns + j];
        for (uint64_t k = 0; k < rank; k++) row[lead[k]] = false;
        while (first < a->columns && !row[first]) first++;
        if (first == a->columns) continue;
        /* Kept rows have no other's lead. */
        for (uint64_t k = 0; k < rank; k++)
            for (uint64_t j = 0; kept[k * a->columns + first] && j < a->columns; j++)
                if (j != first) kept[k * a->columns + j] ^= row[j];
        for (uint64_t k = 0; k < rank; k++) kept[k * a->columns + first] = false;
        memcpy(kept + rank * a->columns, row, a->columns);
        profile[rank] = i;
        lead[rank++] = first;
    }
    free(lead);
    free(kept);
    free(row);
    return rank;
}

static riffle_f2_matrix plain_transpose(const riffle_f2_matrix *a) {
    const riffle_f2_matrix to = f2_poisoned(a->columns, a->rows, 0);
    for (uint64_t i = 0; i < a->rows; i++)
        for (uint64_t j = 0; j < a->columns; j++) f2_put(&to, j, i, f2_at(a, i, j));
    return to;
}

static riffle_f2_matrix some_matrix(rng *r, uint64_t rows, uint64_t columns) {
    const uint64_t least = f2_min(rows, columns);
    return rng_below(r, 3) == 0 ? f2_random(r, rows, columns, 1)
                                : f2_random_of_rank(r, rows, columns, rng_below(r, least + 1));
}

static void profile_once(rng *r) {
    enum { MOST = 300 };
    uint64_t rank = 7, rows[MOST + 1], columns[MOST + 1], plain_rows[MOST + 1], plain_columns[MOST + 1];
    const riffle_f2_matrix a = some_matrix(r, some_size(r, MOST), some_size(r, MOST)),
                           turned = plain_transpose(&a);
    OK(riffle_f2_rank_profile(&a, &rank, rows, columns, CALL(2)));
    HOLDS(rank == plain_row_profile(&a, plain_rows) && rank == plain_row_profile(&turned, plain_columns));
    HOLDS(memcmp(rows, plain_rows, rank * sizeof *rows) == 0);
    HOLDS(memcmp(columns, plain_columns, rank * sizeof *columns) == 0);
    OK(riffle_f2_rank_profile(&a, &rank, NULL, NULL, CALL(1)));
    free(a.words);
    free(turned.words);
}

static void profiles(void **state) {
    (void)state;
    each_set(profile_once, test_rounds(30));
}

/* ----------------------------------------------------- equations and inverses */

static bool is_in(const uint64_t *list, uint64_t count, uint64_t x) {
    for (uint64_t k = 0; k < count; k++)
        if (list[k] == x) return true;
    return false;
}

static void solve_once(rng *r) {
    enum { MOST = 260 };
    uint64_t rank, profile[MOST + 1];
    const uint64_t inner = some_size(r, MOST), sides = some_size(r, 150);
    const riffle_f2_matrix a = some_matrix(r, some_size(r, MOST), inner), x = f2_random(r, inner, sides, 0);
    const riffle_f2_matrix b = f2_plain_product(&a, &x), to = f2_poisoned(inner, sides, 2);
    OK(riffle_f2_solve(&to, &a, &b, CALL(2)));
    const riffle_f2_matrix again = f2_plain_product(&a, &to);
    HOLDS(f2_equal(&again, &b) && f2_is_clean(&to));
    OK(riffle_f2_rank_profile(&a, &rank, NULL, profile, CALL(1)));
    for (uint64_t i = 0; i < inner; i++)
        for (uint64_t j = 0; j < sides && !is_in(profile, rank, i); j++) HOLDS(!f2_at(&to, i, j));
    free(a.words);
    free(x.words);
    free(b.words);
    free(to.words);
    free(again.words);
}

static void equations(void **state) {
    (void)state;
    each_set(solve_once, test_rounds(20));
}

/* Row 9 of a is the sum of two above it, and that of b is not. */
static void contradictions(void **state) {
    (void)state;
    rng r = {seed};
    const riffle_f2_matrix a = f2_random(&r, 20, 90, 0), b = f2_random(&r, 20, 70, 0),
                           to = f2_poisoned(90, 70, 0);
    for (uint64_t j = 0; j < 90; j++) f2_put(&a, 9, j, f2_at(&a, 2, j) ^ f2_at(&a, 5, j));
    for (uint64_t j = 0; j < 70; j++) f2_put(&b, 9, j, f2_at(&b, 2, j) ^ f2_at(&b, 5, j) ^ (j == 66));
    assert_int_equal(riffle_f2_solve(&to, &a, &b, CALL(1)), RIFFLE_ERROR_SINGULAR);
    assert_string_equal(
        riffle_error_detail(),
        "a x = b has no solution: row 9 of a is a sum of rows above it, and row 9 of b is not the "
        "sum of the same ones, as in column 66");
    for (uint64_t k = 0; k < 90 * to.stride; k++) assert_true(to.words[k] == UINT64_C(0x5c5c5c5c5c5c5c5c));
    free(a.words);
    free(b.words);
    free(to.words);
}

static void invert_once(rng *r) {
    const uint64_t n = some_size(r, 260);
    const riffle_f2_matrix a = f2_random(r, n, n, 1), to = f2_poisoned(n, n, 1);
    uint64_t rank;
    OK(riffle_f2_rank_profile(&a, &rank, NULL, NULL, CALL(1)));
    const riffle_status status = riffle_f2_inverse(&to, &a, CALL(2));
    HOLDS(status == (rank == n ? RIFFLE_OK : RIFFLE_ERROR_SINGULAR));
    if (status == RIFFLE_OK) {
        const riffle_f2_matrix one = f2_plain_product(&to, &a);
        for (uint64_t i = 0; i < n; i++)
            for (uint64_t j = 0; j < n; j++) HOLDS(f2_at(&one, i, j) == (i == j));
        HOLDS(f2_is_clean(&to));
        free(one.words);
    }
    free(a.words);
    free(to.words);
}

static void inverses(void **state) {
    (void)state;
    each_set(invert_once, test_rounds(30));
}

static void kernel_once(rng *r) {
    enum { MOST = 260 };
    uint64_t rank, count = 7, profile[MOST + 1], vector = 0;
    const riffle_f2_matrix a = some_matrix(r, some_size(r, MOST), some_size(r, MOST)),
                           to = f2_poisoned(a.columns, a.columns, 1);
    OK(riffle_f2_kernel(&to, &count, &a, CALL(2)));
    OK(riffle_f2_rank_profile(&a, &rank, NULL, profile, CALL(1)));
    HOLDS(count == a.columns - rank && (count < a.columns || f2_is_clean(&to)));
    const riffle_f2_matrix basis = {count, a.columns, to.stride, to.words}, turned = plain_transpose(&basis);
    const riffle_f2_matrix zero = f2_plain_product(&a, &turned);
    for (uint64_t i = 0; i < zero.rows; i++)
        for (uint64_t j = 0; j < count; j++) HOLDS(!f2_at(&zero, i, j));
    for (uint64_t j = 0; j < a.columns; j++) {
        if (is_in(profile, rank, j)) continue;
        for (uint64_t k = 0; k < count; k++) HOLDS(f2_at(&basis, k, j) == (k == vector));
        vector++;
    }
    free(a.words);
    free(to.words);
    free(turned.words);
    free(zero.words);
}

static void kernels(void **state) {
    (void)state;
    each_set(kernel_once, test_rounds(20));
}

/* Where halves of columns are large, by products, which are tested above. */
static void large_equations(void **state) {
    (void)state;
    rng r = {seed};
    const uint64_t rows = 1500, inner = 1300, sides = 700;
    const riffle_f2_matrix left = f2_random(&r, rows, 1100, 0), right = f2_random(&r, 1100, inner, 0),
                           x = f2_random(&r, inner, sides, 0);
    const riffle_f2_matrix a = f2_poisoned(rows, inner, 0), b = f2_poisoned(rows, sides, 0),
                           to = f2_poisoned(inner, sides, 0);
    uint64_t rank, profile[1300];
    OK(riffle_f2_product(&a, &left, &right, CALL(2)));
    OK(riffle_f2_product(&b, &a, &x, CALL(2)));
    OK(riffle_f2_solve(&to, &a, &b, CALL(2)));
    HOLDS(is_product(&r, &b, &a, &to));
    OK(riffle_f2_rank_profile(&a, &rank, profile, NULL, CALL(2)));
    HOLDS(rank > 1090 && rank <= 1100);
    const riffle_f2_matrix *const all[] = {&left, &right, &x, &a, &b, &to};
    for (unsigned k = 0; k < 6; k++) free(all[k]->words);
}

/* ----------------------------------------------------------------- refusals */

static void refused(riffle_status status, riffle_status wanted, const char *detail) {
    assert_int_equal(status, wanted);
    assert_string_equal(riffle_error_detail(), detail);
}

static void refusals(void **state) {
    (void)state;
    uint64_t words[64], more[64], count;
    const riffle_f2_matrix a = {8, 70, 2, words}, square = {8, 8, 1, more},
                           wide = {8, RIFFLE_F2_MAX + 1, 2000, words};
    const riffle_f2_matrix narrow = {8, 70, 1, words}, none = {8, 70, 2, NULL},
                           far = {8, 70, SIZE_MAX / 8, words};
    refused(riffle_f2_transpose(NULL, &a, CALL(0)), RIFFLE_ERROR_INVALID_ARGUMENT, "to is NULL");
    refused(riffle_f2_transpose(&square, &wide, CALL(0)), RIFFLE_ERROR_LENGTH,
            "a: 8 x 65537; a matrix over F2 has at most 65536 rows and columns");
    refused(riffle_f2_transpose(&square, &narrow, CALL(0)), RIFFLE_ERROR_INVALID_ARGUMENT,
            "a: a stride of 1 words, and 70 columns take 2; pass riffle_f2_stride(columns)");
    refused(riffle_f2_transpose(&square, &none, CALL(0)), RIFFLE_ERROR_INVALID_ARGUMENT,
            "a: its words are NULL");
    refused(riffle_f2_transpose(&square, &far, CALL(0)), RIFFLE_ERROR_LENGTH,
            "a: 8 rows with a stride of 2305843009213693951 words are longer than memory");
    refused(riffle_f2_transpose(&square, &a, CALL(0)), RIFFLE_ERROR_LENGTH,
            "to: 8 x 8; it is 70 x 8, for a's transpose");
    refused(riffle_f2_transpose(&a, &a, CALL(0)), RIFFLE_ERROR_INVALID_ARGUMENT,
            "to and a overlap; write to memory of its own");
    refused(riffle_f2_product(&square, &a, &a, CALL(0)), RIFFLE_ERROR_LENGTH,
            "b: 8 x 70; it is 70 x 70, as a has columns");
    const riffle_f2_matrix thin = {3, 8, 1, more + 32}, eight = {8, 8, 1, words}, other = {8, 8, 1, words + 32};
    refused(riffle_f2_product(&thin, &eight, &other, CALL(0)), RIFFLE_ERROR_LENGTH,
            "to: 3 x 8; it is 8 x 8, for a b");
    refused(riffle_f2_solve(&square, &eight, &thin, CALL(0)), RIFFLE_ERROR_LENGTH,
            "b: 3 x 8; it is 8 x 8, as a has rows");
    refused(riffle_f2_solve(&thin, &eight, &other, CALL(0)), RIFFLE_ERROR_LENGTH,
            "to: 3 x 8; it is 8 x 8, for a to = b");
    refused(riffle_f2_inverse(&square, &a, CALL(0)), RIFFLE_ERROR_LENGTH,
            "a: 8 x 70; it is 8 x 8, for a matrix with an inverse is square");
    refused(riffle_f2_inverse(&thin, &eight, CALL(0)), RIFFLE_ERROR_LENGTH, "to: 3 x 8; it is 8 x 8, as a is");
    memset(words, 0, sizeof words);
    for (unsigned i = 0; i < 7; i++) words[i] = 3U << i;
    refused(riffle_f2_inverse(&square, &eight, CALL(0)), RIFFLE_ERROR_SINGULAR,
            "a: has no inverse, its 8 rows have rank 7");
    refused(riffle_f2_rank_profile(&eight, NULL, NULL, NULL, CALL(0)), RIFFLE_ERROR_INVALID_ARGUMENT,
            "rank is NULL");
    refused(riffle_f2_kernel(&square, NULL, &eight, CALL(0)), RIFFLE_ERROR_INVALID_ARGUMENT, "count is NULL");
    refused(riffle_f2_kernel(&eight, &count, &eight, CALL(0)), RIFFLE_ERROR_INVALID_ARGUMENT,
            "to and a overlap; write to memory of its own");
    const riffle_f2_matrix apart = {8, 70, 2, more}, no_rows = {0, 8, 1, more};
    refused(riffle_f2_kernel(&apart, &count, &eight, CALL(0)), RIFFLE_ERROR_LENGTH,
            "to: 8 x 70; it is 8 x 8, as a has columns");
    refused(riffle_f2_kernel(&no_rows, &count, &eight, CALL(0)), RIFFLE_ERROR_LENGTH,
            "to: 0 rows; the kernel's basis has 1 vectors");
    assert_int_equal(riffle_f2_stride(0), 0);
    assert_int_equal(riffle_f2_stride(64), 1);
    assert_int_equal(riffle_f2_stride(65), 2);
}

int main(void) {
    seed = test_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products), cmocka_unit_test(transposes), cmocka_unit_test(large_products),
        cmocka_unit_test(profiles), cmocka_unit_test(equations),  cmocka_unit_test(contradictions),
        cmocka_unit_test(inverses), cmocka_unit_test(kernels),    cmocka_unit_test(large_equations),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
