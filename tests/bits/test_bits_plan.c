/* SPDX-License-Identifier: Apache-2.0
 *
 * Permutations of elements of 1, 2 and 4 bits against dst[P(i)] = src[i]: affine ones of every length and kind, axes of any shape, tables
 * and what else there is; both orders of bits, batches, any address, each set of vector instructions; and what is refused.
 */
#include "base/processor/vectors.h"
#include "bits_support.h"

static uint64_t seed;

typedef struct call {
    const char *name;
    uint64_t width, batch;
    riffle_bit_order order;
    unsigned threads;
} call;

static void define(const riffle_perm *perm, const call *c, unsigned char *dst, const unsigned char *src) {
    const uint64_t n = riffle_perm_length(perm);
    const size_t bytes = (size_t)riffle_bits_bytes(n, c->width);
    memset(dst, 0, bytes * c->batch);
    for (uint64_t b = 0; b < c->batch; b++)
        for (uint64_t i = 0; i < n; i++) {
            const uint64_t to = riffle_perm_at(perm, i);
            for (uint64_t p = 0; p < c->width; p++)
                bit_set(dst + b * bytes, bit_place(to, c->width, p, c->order),
                        bit_at(src + b * bytes, bit_place(i, c->width, p, c->order)));
        }
}

static void check_plan(const riffle_perm *perm, const call *c, rng *r, riffle_bits_plan *plan) {
    const size_t bytes = (size_t)(riffle_bits_bytes(riffle_perm_length(perm), c->width) * c->batch);
    guarded from = guarded_create(bytes, rng_below(r, 2) * rng_below(r, 64)),
            got = guarded_create(bytes, rng_below(r, 2) * rng_below(r, 64)), wanted = guarded_create(bytes, 0);
    fill_random(r, from.data, bytes);
    define(perm, c, wanted.data, from.data);
    if (riffle_bits_execute(plan, got.data, from.data) != RIFFLE_OK) fail_msg("%s", riffle_error_detail());
    if (!guarded_intact(&got) || memcmp(got.data, wanted.data, bytes) != 0)
        fail_msg("seed %llu: %s of %llu elements of %llu bits, %s, batch %llu", (unsigned long long)seed,
                 c->name, (unsigned long long)riffle_perm_length(perm), (unsigned long long)c->width,
                 riffle_bit_order_string(c->order), (unsigned long long)c->batch);
    guarded_free(&from), guarded_free(&got), guarded_free(&wanted);
}

static void check(const riffle_perm *perm, const call *c, rng *r) {
    riffle_bits_plan *plan = NULL;
    const riffle_bits_options options = {.threads = c->threads, .order = c->order, .batch = c->batch};
    if (riffle_bits_plan_create(perm, c->width, &options, &plan) != RIFFLE_OK)
        fail_msg("%s: %s", c->name, riffle_error_detail());
    check_plan(perm, c, r, plan);
    riffle_bits_plan_free(plan);
}

static call random_call(rng *r, const char *name) {
    return (call){name, (uint64_t)1 << rng_below(r, 3), 1 + rng_below(r, 3), (riffle_bit_order)rng_below(r, 2),
                  (unsigned)rng_below(r, 4)};
}

static void check_spec(const char *spec, uint64_t n, rng *r) {
    const call c = random_call(r, spec);
    riffle_perm *perm = parse_or_fail(spec, n);
    check(perm, &c, r);
    riffle_perm_free(perm);
}

static void each_length_of_affine_maps(void **state) {
    static const char *const specs[] = {"identity",        "reverse",         "bit-reversal",
                                        "shuffle",         "~shuffle",        "rotate:8",
                                        "random-affine:3", "random-affine:4", "random-affine:5"};
    rng r = {seed};
    (void)state;
    for (size_t s = 0; s < sizeof specs / sizeof *specs; s++)
        for (unsigned m = 3; m <= 20; m++) check_spec(specs[s], (uint64_t)1 << m, &r);
}

static void random_affine_maps_by_each_set(void **state) {
    rng r = {seed + 1};
    (void)state;
    for (vector_set set = VECTORS_PORTABLE; set < VECTOR_SETS; set++) {
        if (!vectors_has(set)) continue;
        vectors_limit(set);
        for (unsigned k = 0; k < test_rounds(150); k++) {
            riffle_perm *perm = bits_random_map(&r, 6 + (unsigned)rng_below(&r, 11));
            const call c = random_call(&r, "a random map");
            check(perm, &c, &r);
            riffle_perm_free(perm);
        }
        vectors_limit(VECTOR_SETS);
    }
}

static void axes_of_any_shape(void **state) {
    rng r = {seed + 2};
    (void)state;
    for (unsigned k = 0; k < test_rounds(200); k++) {
        const unsigned rank = 1 + (unsigned)rng_below(&r, 4), unit = rng_below(&r, 3) == 0 ? 1 : 8;
        uint64_t shape[4];
        unsigned order[4];
        for (unsigned d = 0; d < rank; d++) {
            shape[d] = (1 + rng_below(&r, rank < 3 ? 40 : 5)) * (rng_below(&r, 2) == 0 ? unit : 8);
            order[d] = d;
        }
        for (unsigned d = rank; d > 1; d--) {
            const unsigned j = (unsigned)rng_below(&r, d), held = order[d - 1];
            order[d - 1] = order[j], order[j] = held;
        }
        riffle_perm *perm = NULL;
        assert_int_equal(riffle_perm_axes(rank, shape, order, &perm), RIFFLE_OK);
        const call c = random_call(&r, "axes");
        check(perm, &c, &r);
        riffle_perm_free(perm);
    }
}

/* Rotations and reversals that begin within bytes, by each set of vector instructions, of lengths about a vector's and a chunk's. */
static void shifts_by_each_set(void **state) {
    static const uint64_t lengths[] = {1, 3, 8, 9, 63, 127, 128, 129, 255, 257, 511, 513, 1037, 4099};
    rng r = {seed + 5};
    (void)state;
    for (vector_set set = VECTORS_PORTABLE; set < VECTOR_SETS; set++) {
        if (!vectors_has(set)) continue;
        vectors_limit(set);
        for (unsigned k = 0; k < test_rounds(160); k++) {
            const uint64_t n = k % 40 == 39 ? 600001 + rng_below(&r, 9)
                                            : lengths[rng_below(&r, sizeof lengths / sizeof *lengths)];
            char spec[64];
            snprintf(spec, sizeof spec, "%srotate:%llu", rng_below(&r, 2) == 0 ? "reverse|" : "",
                     (unsigned long long)rng_below(&r, n));
            check_spec(spec, n, &r);
        }
        vectors_limit(VECTOR_SETS);
    }
}

static void all_others_element_by_element(void **state) {
    static const char *const specs[] = {"identity",  "reverse",  "rotate:3",
                                        "rotate:16", "random:7", "reverse|random:9"};
    static const uint64_t lengths[] = {0, 1, 2, 7, 8, 9, 1023, 1024, 1025, 5000, 100003};
    rng r = {seed + 3};
    (void)state;
    for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++) {
        for (size_t s = 0; s < sizeof specs / sizeof *specs; s++) check_spec(specs[s], lengths[l], &r);
        riffle_perm *perm = random_table(&r, lengths[l]);
        const call c = random_call(&r, "a table");
        check(perm, &c, &r);
        riffle_perm_free(perm);
    }
}

/* Maps of 2^29 bits, streamed: bits here and there, and the inverse brings all back. */
static void large_maps_come_back(void **state) {
    const uint64_t n = (uint64_t)1 << 29;
    rng r = {seed + 4};
    (void)state;
    for (unsigned k = 0; k < 2; k++) {
        if (is_sanitized() && !test_is_long() && k != seed % 2) continue;
        riffle_perm *perm = parse_or_fail(k == 0 ? "random-affine:11" : "bit-reversal", n), *back = NULL;
        riffle_bits_plan *there, *and_back;
        guarded from = guarded_create(n / 8, 0), to = guarded_create(n / 8, 0), last = guarded_create(n / 8, 0);
        fill_random(&r, from.data, from.bytes);
        assert_int_equal(riffle_perm_invert(perm, &back), RIFFLE_OK);
        assert_int_equal(riffle_bits_plan_create(perm, 1, NULL, &there), RIFFLE_OK);
        assert_int_equal(riffle_bits_plan_create(back, 1, NULL, &and_back), RIFFLE_OK);
        assert_int_equal(riffle_bits_execute(there, to.data, from.data), RIFFLE_OK);
        assert_int_equal(riffle_bits_execute(and_back, last.data, to.data), RIFFLE_OK);
        for (unsigned t = 0; t < 100000; t++) {
            const uint64_t i = rng_below(&r, n);
            assert_int_equal(bit_at(from.data, i), bit_at(to.data, riffle_perm_at(perm, i)));
        }
        assert_memory_equal(last.data, from.data, n / 8);
        riffle_bits_plan_free(there), riffle_bits_plan_free(and_back);
        riffle_perm_free(perm), riffle_perm_free(back);
        guarded_free(&from), guarded_free(&to), guarded_free(&last);
    }
}

static void explanations(void **state) {
    static const struct {
        const char *spec;
        uint64_t n;
        const char *way;
    } expected[] = {
        {"identity", 0, "way: nothing to move"},
        {"identity", 64, "way: whole bytes"},
        {"rotate:16", 24, "way: whole bytes"},
        {"bit-reversal", 1 << 20,
         "way: affine, one pass: tiles of 512 lines of 64 bytes on both sides, 3 bits of a byte's index"},
        {"transpose:24x40", 960,
         "way: axes, two passes: bytes, and then squares of 8 x 8 elements in rows of 3 bytes"},
        {"rotate:3", 1000, "way: shift, one pass: runs of src side by side"},
        {"reverse", 1001, "way: shift, one pass: runs, backwards, of src side by side"},
        {"random:1", 1000, "way: element by element, as the inverse says"},
    };
    char text[4096];
    (void)state;
    for (size_t k = 0; k < sizeof expected / sizeof *expected; k++) {
        riffle_perm *perm = parse_or_fail(expected[k].spec, expected[k].n);
        riffle_bits_plan *plan;
        assert_int_equal(riffle_bits_plan_create(perm, 1, NULL, &plan), RIFFLE_OK);
        FILE *stream = tmpfile();
        assert_non_null(stream);
        assert_int_equal(riffle_bits_plan_explain(plan, stream), RIFFLE_OK);
        rewind(stream);
        text[fread(text, 1, sizeof text - 1, stream)] = '\0';
        if (strstr(text, expected[k].way) == NULL) fail_msg("%s: %s", expected[k].spec, text);
        fclose(stream);
        riffle_bits_plan_free(plan);
        riffle_perm_free(perm);
    }
}

static void bad_calls_are_refused(void **state) {
    unsigned char a[64] = {5}, b[64] = {6};
    riffle_perm *perm = parse_or_fail("bit-reversal", 64);
    riffle_bits_plan *plan = NULL;
    (void)state;
    expect_refused(riffle_bits_plan_create(perm, 3, NULL, &plan), RIFFLE_ERROR_INVALID_ARGUMENT,
                   "elements of 3 bits; packed ones have 1, 2 or 4, and riffle_plan_create moves whole bytes");
    expect_refused(
        riffle_bits_plan_create(perm, 1, &(riffle_bits_options){.order = (riffle_bit_order)2}, &plan),
        RIFFLE_ERROR_INVALID_ARGUMENT, "there is no bit order with number 2");
    assert_int_equal(riffle_bits_plan_create(perm, 1, &(riffle_bits_options){.batch = UINT64_MAX / 2}, &plan),
                     RIFFLE_ERROR_LENGTH);
    expect_refused(riffle_bits_plan_create(NULL, 1, NULL, &plan), RIFFLE_ERROR_INVALID_ARGUMENT,
                   "perm is NULL");
    assert_null(plan);
    assert_int_equal(riffle_bits_plan_create(perm, 1, NULL, &plan), RIFFLE_OK);
    expect_refused(riffle_bits_execute(plan, NULL, a), RIFFLE_ERROR_INVALID_ARGUMENT,
                   "bytes of dst is NULL, but there are to be 8 of them");
    assert_int_equal(riffle_bits_execute(plan, a + 4, a), RIFFLE_ERROR_INVALID_ARGUMENT);
    assert_int_equal(riffle_bits_execute(NULL, b, a), RIFFLE_ERROR_INVALID_ARGUMENT);
    assert_int_equal(riffle_bits_plan_explain(plan, NULL), RIFFLE_ERROR_INVALID_ARGUMENT);
    assert_int_equal(a[0] + b[0], 11);
    riffle_bits_plan_free(plan);
    riffle_bits_plan_free(NULL);
    riffle_perm_free(perm);
}

int main(void) {
    seed = test_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_length_of_affine_maps),
        cmocka_unit_test(random_affine_maps_by_each_set),
        cmocka_unit_test(axes_of_any_shape),
        cmocka_unit_test(shifts_by_each_set),
        cmocka_unit_test(all_others_element_by_element),
        cmocka_unit_test(large_maps_come_back),
        cmocka_unit_test(explanations),
        cmocka_unit_test(bad_calls_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
