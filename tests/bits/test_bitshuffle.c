/* SPDX-License-Identifier: Apache-2.0
 *
 * Bit transpositions against the definition, bit by bit: elements of all widths, of any number, in both orders, in batches, by each set
 * of vector instructions, at any address; bits that are nobody's; and what is refused.
 */
#include "base/processor/vectors.h"
#include "bits_support.h"

static uint64_t seed;

typedef struct call {
    uint64_t n, width, batch;
    riffle_bit_order order;
    unsigned threads;
} call;

static size_t element_bytes(const call *c) { return (size_t)riffle_bits_bytes(c->n, c->width); }
static size_t plane_bytes(const call *c) { return (size_t)riffle_bits_bytes(c->n, 1); }

/* Planes, or elements, as they are to be: all of 0 but for what elements have. */
static void define(const call *c, unsigned char *planes, unsigned char *elements, bool to_planes) {
    const size_t plane = plane_bytes(c), array = element_bytes(c);
    memset(to_planes ? planes : elements, 0, c->batch * (to_planes ? plane * c->width : array));
    for (uint64_t b = 0; b < c->batch; b++)
        for (uint64_t i = 0; i < c->n; i++)
            for (uint64_t p = 0; p < c->width; p++) {
                unsigned char *const of = elements + b * array, *const to = planes + (b * c->width + p) * plane;
                const uint64_t here = bit_place(i, c->width, p, c->order), there = bit_place(i, 1, 0, c->order);
                if (to_planes)
                    bit_set(to, there, bit_at(of, here));
                else
                    bit_set(of, here, bit_at(to, there));
            }
}

static void expect_same(const call *c, const guarded *got, const guarded *wanted, const char *what) {
    if (!guarded_intact(got) || memcmp(got->data, wanted->data, got->bytes) != 0)
        fail_msg("seed %llu: %s, %llu arrays of %llu elements of %llu bits, %s", (unsigned long long)seed, what,
                 (unsigned long long)c->batch, (unsigned long long)c->n, (unsigned long long)c->width,
                 riffle_bit_order_string(c->order));
}

static void check_direction(const call *c, rng *r, bool to_planes) {
    const size_t planes = c->batch * plane_bytes(c) * c->width, elements = c->batch * element_bytes(c);
    guarded from = guarded_create(to_planes ? elements : planes, rng_below(r, 64)),
            got = guarded_create(to_planes ? planes : elements, rng_below(r, 2) * rng_below(r, 64)),
            wanted = guarded_create(got.bytes, 0);
    const riffle_bits_options options = {.threads = c->threads, .order = c->order, .batch = c->batch};
    fill_random(r, from.data, from.bytes);
    define(c, to_planes ? wanted.data : from.data, to_planes ? from.data : wanted.data, to_planes);
    const riffle_status status = to_planes ? riffle_bitshuffle(c->n, c->width, got.data, from.data, &options)
                                           : riffle_bitunshuffle(c->n, c->width, got.data, from.data, &options);
    if (status != RIFFLE_OK) fail_msg("%s", riffle_error_detail());
    expect_same(c, &got, &wanted, to_planes ? "to planes" : "to elements");
    guarded_free(&from), guarded_free(&got), guarded_free(&wanted);
}

static void check(const call *c, rng *r) {
    check_direction(c, r, true);
    check_direction(c, r, false);
}

static void each_length_of_each_width(void **state) {
    static const uint64_t widths[] = {1, 2, 4, 8, 16, 24, 32, 64, 96, 128, 520, 1032};
    static const uint64_t lengths[] = {1, 7, 8, 9, 63, 64, 65, 127, 128, 129, 511, 513, 1000, 4099, 33000};
    rng r = {seed};
    (void)state;
    for (size_t w = 0; w < sizeof widths / sizeof *widths; w++)
        for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++)
            for (unsigned order = 0; order < 2; order++)
                if (lengths[l] * widths[w] < 1 << 21)
                    check(&(call){lengths[l], widths[w], 1, (riffle_bit_order)order, 1}, &r);
}

static void random_calls_by_each_set(void **state) {
    rng r = {seed + 1};
    (void)state;
    for (vector_set set = VECTORS_PORTABLE; set < VECTOR_SETS; set++) {
        if (!vectors_has(set)) continue;
        vectors_limit(set);
        for (unsigned k = 0; k < test_rounds(60); k++) {
            const uint64_t small = 1 + rng_below(&r, 300), bytes = 1 + rng_below(&r, 20);
            const uint64_t width = rng_below(&r, 3) == 0 ? (uint64_t)1 << rng_below(&r, 3) : 8 * bytes;
            check(&(call){small * (1 + rng_below(&r, 12)), width, 1 + rng_below(&r, 4),
                          (riffle_bit_order)rng_below(&r, 2), (unsigned)rng_below(&r, 4)},
                  &r);
        }
        vectors_limit(VECTOR_SETS);
    }
}

/* Large arrays are written past the caches; what comes back is compared there. */
static void large_arrays_come_back(void **state) {
    static const uint64_t widths[] = {2, 4, 8, 16, 32, 64};
    const size_t bytes = (size_t)48 << 20;
    rng r = {seed + 2};
    (void)state;
    for (size_t w = 0; w < sizeof widths / sizeof *widths; w++) {
        if (!test_takes(w + seed)) continue;
        const uint64_t n = bytes * 8 / widths[w] - (w % 2 == 0 ? 0 : 8 * 5);
        guarded from = guarded_create((size_t)riffle_bits_bytes(n, widths[w]), 0),
                planes = guarded_create((size_t)(riffle_bits_bytes(n, 1) * widths[w]), 0),
                back = guarded_create(from.bytes, 0);
        fill_random(&r, from.data, from.bytes);
        assert_int_equal(riffle_bitshuffle(n, widths[w], planes.data, from.data, NULL), RIFFLE_OK);
        for (unsigned k = 0; k < 10000; k++) {
            const uint64_t i = rng_below(&r, n), p = rng_below(&r, widths[w]);
            assert_int_equal(bit_at(planes.data + p * riffle_bits_bytes(n, 1), i),
                             bit_at(from.data, i * widths[w] + p));
        }
        assert_int_equal(riffle_bitunshuffle(n, widths[w], back.data, planes.data, NULL), RIFFLE_OK);
        assert_true(guarded_intact(&planes) && guarded_intact(&back));
        assert_memory_equal(back.data, from.data, from.bytes);
        guarded_free(&from), guarded_free(&planes), guarded_free(&back);
    }
}

static void bad_calls_are_refused(void **state) {
    unsigned char a[64] = {5}, b[64] = {6};
    (void)state;
    expect_refused(riffle_bitshuffle(8, 3, b, a, NULL), RIFFLE_ERROR_INVALID_ARGUMENT,
                   "elements of 3 bits; bits are transposed of elements of 1, 2, 4 or a multiple of 8 bits");
    expect_refused(riffle_bitunshuffle(8, 0, b, a, NULL), RIFFLE_ERROR_INVALID_ARGUMENT,
                   "elements of 0 bits; bits are transposed of elements of 1, 2, 4 or a multiple of 8 bits");
    expect_refused(riffle_bitshuffle(8, 8, NULL, a, NULL), RIFFLE_ERROR_INVALID_ARGUMENT,
                   "planes is NULL, but there are to be 8 of them");
    expect_refused(riffle_bitunshuffle(8, 8, b, NULL, NULL), RIFFLE_ERROR_INVALID_ARGUMENT,
                   "planes is NULL, but there are to be 8 of them");
    expect_refused(riffle_bitshuffle(8, 8, b, a, &(riffle_bits_options){.order = (riffle_bit_order)2}),
                   RIFFLE_ERROR_INVALID_ARGUMENT, "there is no bit order with number 2");
    expect_refused(
        riffle_bitshuffle(RIFFLE_MAX_LENGTH, (uint64_t)1 << 32, b, a, NULL), RIFFLE_ERROR_LENGTH,
        "1 array of 1099511627776 elements of 4294967296 bits: more bytes than memory has addresses");
    assert_int_equal(riffle_bitshuffle(RIFFLE_MAX_LENGTH + 1, 8, b, a, NULL), RIFFLE_ERROR_LENGTH);
    assert_int_equal(riffle_bitshuffle(8, 8, a + 4, a, NULL), RIFFLE_ERROR_INVALID_ARGUMENT);
    assert_int_equal(riffle_bitshuffle(0, 8, NULL, NULL, NULL), RIFFLE_OK);
    assert_int_equal(a[0], 5);
    assert_int_equal(b[0], 6);
}

static void orders_have_names(void **state) {
    riffle_bit_order all[3], order;
    (void)state;
    assert_int_equal(riffle_bit_order_list(all, 3), 2);
    for (unsigned k = 0; k < 2; k++) {
        assert_int_equal(riffle_bit_order_parse(riffle_bit_order_string(all[k]), &order), RIFFLE_OK);
        assert_int_equal(order, all[k]);
    }
    assert_int_equal(riffle_bit_order_parse("middle", &order), RIFFLE_ERROR_INVALID_ARGUMENT);
    assert_int_equal(riffle_bits_bytes(9, 4), 5);
    assert_int_equal(riffle_bits_bytes(UINT64_MAX, 2), UINT64_MAX);
}

int main(void) {
    seed = test_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_length_of_each_width), cmocka_unit_test(random_calls_by_each_set),
        cmocka_unit_test(large_arrays_come_back),    cmocka_unit_test(bad_calls_are_refused),
        cmocka_unit_test(orders_have_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
