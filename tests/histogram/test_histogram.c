/* SPDX-License-Identifier: Apache-2.0
 *
 * Histograms against plain counting: keys of 1 and 2 bytes, at any address, of any distribution, by any number of threads; the
 * launches of a GPU on the memory machine, without a race; and what is refused.
 */
#include "predicted_support.h"
#include "riffle/histogram.h"

static uint64_t seed;

enum { LARGEST = 65536 };

typedef struct keys {
    guarded array;
    uint64_t n;
    size_t bytes;
} keys;

static uint64_t key_at(const keys *k, uint64_t i) {
    uint16_t pair;
    if (k->bytes == 1) return k->array.data[i];
    memcpy(&pair, k->array.data + 2 * i, sizeof pair);
    return pair;
}

/* All of `distinct` values, which may be 1. */
static keys random_keys(rng *r, uint64_t n, size_t bytes, uint64_t distinct) {
    const keys out = {guarded_create((size_t)n * bytes, rng_below(r, TEST_LINE_BYTES / 2) * 2), n, bytes};
    const uint64_t values = (uint64_t)1 << 8 * bytes, first = rng_below(r, values);
    for (uint64_t i = 0; i < n; i++) {
        const uint16_t key = (uint16_t)((first + rng_below(r, distinct)) % values);
        memcpy(out.array.data + i * bytes, &key, bytes); /* little-endian */
    }
    return out;
}

static void expect_counts(const keys *k, const uint64_t *counts, const char *by) {
    static uint64_t wanted[LARGEST];
    memset(wanted, 0, sizeof wanted);
    for (uint64_t i = 0; i < k->n; i++) wanted[key_at(k, i)]++;
    if (memcmp(wanted, counts, sizeof *counts << 8 * k->bytes) != 0)
        fail_msg("seed %llu: %llu keys of %zu bytes, %s", (unsigned long long)seed, (unsigned long long)k->n,
                 k->bytes, by);
}

static void counts_are_the_definitions(void **state) {
    static const uint64_t lengths[] = {0, 1, 7, 8, 9, 255, 1000, 65537, 2500000},
                          distinct[] = {1, 2, 256, 65536};
    static uint64_t counts[LARGEST];
    rng r = {seed};
    (void)state;
    for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++)
        for (size_t d = 0; d < sizeof distinct / sizeof *distinct; d++)
            for (size_t bytes = 1; bytes <= 2; bytes++) {
                keys k = random_keys(&r, lengths[l], bytes, distinct[d]);
                const riffle_call_options options = {.threads = (unsigned)rng_below(&r, 5)};
                memset(counts, 0xa5, sizeof counts);
                assert_int_equal(riffle_histogram(k.n, bytes, k.array.data, counts, &options), RIFFLE_OK);
                expect_counts(&k, counts, "on the host");
                guarded_free(&k.array);
            }
}

/* The machine compares the counts with riffle_histogram's. */
static void the_machine_counts_alike(void **state) {
    static const uint64_t lengths[] = {0, 1, 15, 16, 17, 4099, 70001};
    rng r = {seed + 1};
    (void)state;
    for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++)
        for (size_t bytes = 1; bytes <= 2; bytes++) {
            keys k = random_keys(&r, lengths[l], bytes, l % 2 == 0 ? 3 : 60000);
            const riffle_machine_options on = {.latency = 1 + (unsigned)rng_below(&r, 400),
                                               .shared_latency = 1 + (unsigned)rng_below(&r, 3),
                                               .dmms = 1 + (unsigned)rng_below(&r, 2) * 4};
            riffle_report *report = NULL;
            const riffle_status status = riffle_simulate_histogram(k.n, bytes, k.array.data, &on, &report);
            if (status != RIFFLE_OK)
                fail_msg("seed %llu: %llu keys: %s", (unsigned long long)seed, (unsigned long long)k.n,
                         riffle_error_detail());
            assert_int_equal(riffle_report_hazards(report), 0);
            assert_predicted(BOUND_HISTOGRAMS, report, "a histogram", seed);
            riffle_report_free(report);
            guarded_free(&k.array);
        }
}

static void expect_refused(riffle_status got, riffle_status status, const char *sentence) {
    assert_int_equal(got, status);
    assert_string_equal(riffle_error_detail(), sentence);
}

static void bad_calls_are_refused(void **state) {
    static uint64_t counts[256];
    static uint16_t pairs[8];
    (void)state;
    counts[0] = 5;
    expect_refused(riffle_histogram(1, 3, pairs, counts, NULL), RIFFLE_ERROR_INVALID_ARGUMENT,
                   "keys of 3 bytes; histograms are of keys of 1 or 2 bytes");
    expect_refused(riffle_histogram(1, 1, NULL, counts, NULL), RIFFLE_ERROR_INVALID_ARGUMENT,
                   "keys is NULL, but there are to be 1 of them");
    expect_refused(riffle_histogram(1, 1, pairs, NULL, NULL), RIFFLE_ERROR_INVALID_ARGUMENT,
                   "counts is NULL, but there are to be 256 of them");
    assert_int_equal(riffle_histogram(RIFFLE_MAX_LENGTH + 1, 1, pairs, counts, NULL), RIFFLE_ERROR_LENGTH);
    assert_int_equal(riffle_histogram(1, 2, (char *)pairs + 1, counts, NULL), RIFFLE_ERROR_INVALID_ARGUMENT);
    assert_int_equal(riffle_histogram(8, 1, counts, counts, NULL), RIFFLE_ERROR_INVALID_ARGUMENT);
    assert_int_equal(counts[0], 5);
    assert_int_equal(riffle_simulate_histogram(1, 1, pairs, NULL, NULL), RIFFLE_ERROR_INVALID_ARGUMENT);
}

int main(void) {
    seed = test_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_are_the_definitions),
        cmocka_unit_test(the_machine_counts_alike),
        cmocka_unit_test(bad_calls_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
