/* SPDX-License-Identifier: Apache-2.0
 *
 * riffle_take and riffle_put on the host: rows of all lengths by indices of either size, on one thread and on
 * several, compared with the definition; and what is refused, in which words, with nothing written.
 */
#include "riffle/indices.h"
#include "support.h"

static uint64_t seed;

typedef struct move_case {
    bool puts;
    uint64_t n, m;
    size_t row_bytes, entry_bytes;
    unsigned threads;
} move_case;

/* Entries and arrays of a case. */
typedef struct arrays {
    uint64_t *index;
    void *entries;
    unsigned char *src;
    guarded dst;
} arrays;

static uint64_t dst_rows(const move_case *c) { return c->puts ? c->n : c->m; }
static uint64_t src_rows(const move_case *c) { return c->puts ? c->m : c->n; }

static void *allocate(size_t bytes) {
    void *out = malloc(bytes + 1);
    assert_non_null(out);
    return out;
}

static void fill_indices(const move_case *c, rng *r, uint64_t *index) {
    uint64_t *const all = allocate(c->n * sizeof *all);
    for (uint64_t k = 0; k < c->n; k++) all[k] = k;
    for (uint64_t k = 0; k < c->m; k++) {
        const uint64_t j = c->puts ? k + rng_below(r, c->n - k) : rng_below(r, c->n);
        index[k] = all[j];
        if (c->puts) all[j] = all[k];
    }
    free(all);
}

static void write_entries(const move_case *c, const arrays *a) {
    for (uint64_t k = 0; k < c->m; k++)
        if (c->entry_bytes == 4)
            ((uint32_t *)a->entries)[k] = (uint32_t)a->index[k];
        else
            ((uint64_t *)a->entries)[k] = a->index[k];
}

static arrays create(const move_case *c, rng *r) {
    arrays a = {.index = allocate(c->m * sizeof *a.index),
                .entries = allocate(c->m * c->entry_bytes),
                .src = allocate(src_rows(c) * c->row_bytes),
                .dst = guarded_create(dst_rows(c) * c->row_bytes, rng_below(r, 64))};
    fill_indices(c, r, a.index);
    write_entries(c, &a);
    fill_random(r, a.src, src_rows(c) * c->row_bytes);
    return a;
}

static void drop(arrays *a) {
    free(a->index);
    free(a->entries);
    free(a->src);
    guarded_free(&a->dst);
}

static riffle_status move(const move_case *c, const arrays *a) {
    const riffle_indices indices = {a->entries, c->entry_bytes, c->m, c->n};
    return (c->puts ? riffle_put : riffle_take)(&indices, c->row_bytes, a->dst.data, a->src,
                                                &(riffle_call_options){.threads = c->threads});
}

static void check_rows(const move_case *c, const arrays *a) {
    unsigned char *const want = allocate(a->dst.bytes);
    memset(want, POISON_VALUE, a->dst.bytes);
    for (uint64_t k = 0; k < c->m; k++) {
        const uint64_t to = c->puts ? a->index[k] : k, from = c->puts ? k : a->index[k];
        memcpy(want + to * c->row_bytes, a->src + from * c->row_bytes, c->row_bytes);
    }
    if (memcmp(want, a->dst.data, a->dst.bytes) != 0 || !guarded_intact(&a->dst))
        fail_msg("seed %llu: %s of %llu from %llu rows of %zu bytes", (unsigned long long)seed,
                 c->puts ? "put" : "take", (unsigned long long)c->m, (unsigned long long)c->n, c->row_bytes);
    free(want);
}

static void rows_arrive(void **state) {
    (void)state;
    rng r = {seed};
    static const size_t rows[] = {1, 2, 3, 4, 8, 12, 16, 24, 33, 64, 100, 128, 1000};
    static const uint64_t lengths[] = {1, 2, 7, 1000, 4097, 20011};
    for (unsigned k = 0; k < test_rounds(600); k++) {
        move_case c = {.puts = k % 2,
                       .n = lengths[rng_below(&r, 6)],
                       .m = lengths[rng_below(&r, 6)],
                       .row_bytes = rows[rng_below(&r, 13)],
                       .entry_bytes = rng_below(&r, 2) ? 8 : 4,
                       .threads = (unsigned)rng_below(&r, 4)};
        if (c.puts && c.m > c.n) c.m = c.n;
        arrays a = create(&c, &r);
        assert_int_equal(move(&c, &a), RIFFLE_OK);
        check_rows(&c, &a);
        drop(&a);
    }
}

static void long_rows_arrive(void **state) {
    (void)state;
    rng r = {seed};
    for (unsigned k = 0; k < 8; k++) {
        const move_case c = {k % 2, 300000, 300000, k / 2 % 2 ? 64 : 4, k / 4 ? 8 : 4, 0};
        arrays a = create(&c, &r);
        assert_int_equal(move(&c, &a), RIFFLE_OK);
        check_rows(&c, &a);
        drop(&a);
    }
}

static void expect_refusal(const move_case *c, const arrays *a, riffle_status wanted, const char *words) {
    assert_int_equal(move(c, a), wanted);
    if (strstr(riffle_error_detail(), words) == NULL)
        fail_msg("'%s' is not in '%s'", words, riffle_error_detail());
    for (size_t k = 0; k < a->dst.bytes; k++) assert_int_equal(a->dst.data[k], POISON_VALUE);
}

static void wrong_indices_are_named(void **state) {
    (void)state;
    rng r = {seed};
    for (unsigned k = 0; k < 16; k++) {
        const move_case c = {k % 2, 300000, 290000, 4, k / 2 % 2 ? 8 : 4, k / 4};
        const uint64_t first = rng_below(&r, 140000);
        char words[128];
        arrays a = create(&c, &r);
        a.index[first] = c.n;
        a.index[first + 77777] = UINT32_MAX;
        write_entries(&c, &a);
        snprintf(words, sizeof words, "indices: number %llu is 300000, which is not below n = 300000",
                 (unsigned long long)first);
        expect_refusal(&c, &a, RIFFLE_ERROR_INVALID_ARGUMENT, words);
        drop(&a);
    }
    const move_case c = {false, 10, 10, 4, 8, 1};
    arrays a = create(&c, &r);
    ((int64_t *)a.entries)[3] = -1;
    expect_refusal(&c, &a, RIFFLE_ERROR_INVALID_ARGUMENT,
                   "indices: number 3 is 18446744073709551615, which is not below n = 10");
    drop(&a);
}

static void clashes_are_named(void **state) {
    (void)state;
    rng r = {seed};
    for (unsigned k = 0; k < 8; k++) {
        const move_case c = {true, 300000, 290000, 4, k % 2 ? 8 : 4, k / 2};
        const uint64_t first = rng_below(&r, 140000), second = first + 1 + rng_below(&r, 140000);
        char words[128];
        arrays a = create(&c, &r);
        a.index[second] = a.index[first];
        write_entries(&c, &a);
        snprintf(words, sizeof words, "indices: number %llu and number %llu are both %llu",
                 (unsigned long long)first, (unsigned long long)second, (unsigned long long)a.index[first]);
        expect_refusal(&c, &a, RIFFLE_ERROR_NOT_A_PERMUTATION, words);
        drop(&a);
    }
}

static void refuses(const riffle_indices *indices, size_t row_bytes, void *dst, const void *src,
                    riffle_status wanted, const char *words) {
    assert_int_equal(riffle_take(indices, row_bytes, dst, src, &(riffle_call_options){.threads = 1}), wanted);
    assert_non_null(strstr(riffle_error_detail(), words));
    assert_int_equal(riffle_put(indices, row_bytes, dst, src, &(riffle_call_options){.threads = 1}), wanted);
    assert_non_null(strstr(riffle_error_detail(), words));
}

static void wrong_arguments_are_refused(void **state) {
    (void)state;
    uint32_t entries[4] = {3, 1, 2, 0}, dst[4] = {9, 9, 9, 9}, src[4] = {0};
    const riffle_indices right = {entries, 4, 4, 4};
    riffle_indices wrong = right;
    wrong.entry_bytes = 2;
    refuses(&wrong, 4, dst, src, RIFFLE_ERROR_INVALID_ARGUMENT, "indices have 4 or 8 bytes, not 2");
    wrong = right, wrong.entries = NULL;
    refuses(&wrong, 4, dst, src, RIFFLE_ERROR_INVALID_ARGUMENT, "indices are NULL");
    wrong = right, wrong.entries = (char *)entries + 2, wrong.m = 2;
    refuses(&wrong, 4, dst, src, RIFFLE_ERROR_INVALID_ARGUMENT, "indices are not aligned to their 4 bytes");
    wrong = right, wrong.n = 0;
    refuses(&wrong, 4, dst, src, RIFFLE_ERROR_INVALID_ARGUMENT, "4 indices into an array of 0 rows");
    wrong = right, wrong.n = RIFFLE_MAX_LENGTH + 1;
    refuses(&wrong, 4, dst, src, RIFFLE_ERROR_LENGTH, "indices: n = ");
    wrong = right, wrong.m = RIFFLE_MAX_LENGTH + 1;
    refuses(&wrong, 4, dst, src, RIFFLE_ERROR_LENGTH, "the number of indices: n = ");
    refuses(&right, SIZE_MAX, dst, src, RIFFLE_ERROR_LENGTH, "more than memory can hold");
    refuses(&right, 4, NULL, src, RIFFLE_ERROR_INVALID_ARGUMENT, "dst is NULL");
    refuses(&right, 4, dst, NULL, RIFFLE_ERROR_INVALID_ARGUMENT, "src is NULL");
    refuses(&right, 4, src + 1, src, RIFFLE_ERROR_INVALID_ARGUMENT, "overlap");
    refuses(&right, 4, entries, src, RIFFLE_ERROR_INVALID_ARGUMENT, "overlaps the indices");
    for (unsigned k = 0; k < 4; k++) assert_int_equal(dst[k], 9);
}

/* No byte is moved, but indices have to be right. */
static void indices_of_rows_of_0_bytes_are_looked_at(void **state) {
    (void)state;
    uint64_t entries[3] = {2, 0, 1};
    const riffle_indices indices = {entries, 8, 3, 3};
    assert_int_equal(riffle_take(&indices, 0, NULL, NULL, NULL), RIFFLE_OK);
    assert_int_equal(riffle_put(&indices, 0, NULL, NULL, NULL), RIFFLE_OK);
    entries[1] = 2;
    assert_int_equal(riffle_take(&indices, 0, NULL, NULL, NULL), RIFFLE_OK);
    assert_int_equal(riffle_put(&indices, 0, NULL, NULL, NULL), RIFFLE_ERROR_NOT_A_PERMUTATION);
    entries[1] = 99;
    refuses(&indices, 0, NULL, NULL, RIFFLE_ERROR_INVALID_ARGUMENT,
            "indices: number 1 is 99, which is not below n = 3");
    refuses(&(riffle_indices){entries, 8, 3, 0}, 0, NULL, NULL, RIFFLE_ERROR_INVALID_ARGUMENT,
            "3 indices into an array of 0 rows");
}

static void nothing_is_moved(void **state) {
    (void)state;
    const riffle_indices none = {NULL, 8, 0, 0};
    uint32_t dst = 9;
    assert_int_equal(riffle_take(&none, 4, NULL, NULL, NULL), RIFFLE_OK);
    assert_int_equal(riffle_put(&none, 4, NULL, NULL, NULL), RIFFLE_OK);
    assert_int_equal(riffle_put(&(riffle_indices){NULL, 4, 0, 1}, 4, &dst, NULL, NULL), RIFFLE_OK);
    assert_int_equal(dst, 9);
}

int main(void) {
    seed = test_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_arrive),
        cmocka_unit_test(long_rows_arrive),
        cmocka_unit_test(wrong_indices_are_named),
        cmocka_unit_test(clashes_are_named),
        cmocka_unit_test(wrong_arguments_are_refused),
        cmocka_unit_test(indices_of_rows_of_0_bytes_are_looked_at),
        cmocka_unit_test(nothing_is_moved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
