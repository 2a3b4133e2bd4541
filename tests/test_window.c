/* SPDX-License-Identifier: Apache-2.0
 *
 * The groups that windows go to: counted against a slow count, and of permutations whose answer is known.
 */
#include "support.h"

#include "models/window.h"

static uint64_t seed;

static size_t count_slowly(const uint64_t *place, size_t count, unsigned group) {
    size_t groups = 0;
    for (size_t i = 0; i < count; i++) {
        size_t before = 0;
        while (before < i && place[before] / group != place[i] / group) before++;
        groups += before == i;
    }
    return groups;
}

static void groups_are_counted_once(void **state) {
    (void)state;
    rng r = {seed};
    uint64_t place[WINDOW_ELEMENTS];
    for (unsigned trial = 0; trial < 60; trial++) {
        const size_t count = trial == 0 ? 0 : trial == 1 ? WINDOW_ELEMENTS : (size_t)rng_below(&r, 1000);
        const uint64_t range = (uint64_t)1 << rng_below(&r, 41);
        const unsigned group = 1u << rng_below(&r, 6);
        for (size_t i = 0; i < count; i++) place[i] = rng_below(&r, range);
        if (window_groups(place, count, group) != count_slowly(place, count, group))
            fail_msg("seed %llu: trial %u", (unsigned long long)seed, trial);
    }
}

static double sample(const char *spec, uint64_t n) {
    riffle_perm *perm;
    double groups = -1;
    assert_int_equal(riffle_perm_parse(spec, n, &perm), RIFFLE_OK);
    assert_int_equal(window_sample(window_read_perm, perm, n, 32, &groups), RIFFLE_OK);
    riffle_perm_free(perm);
    return groups;
}

static void known_permutations_have_known_groups(void **state) {
    (void)state;
    const double one_in_32 = 1.0 / 32;
    assert_true(sample("identity", 1 << 20) < 1.1 * one_in_32); /* windows begin within groups */
    assert_true(sample("reverse", 1 << 20) < 1.1 * one_in_32);
    assert_true(sample("rotate:12345", 100000) < 1.1 * one_in_32);
    assert_true(sample("shuffle", 1 << 20) < 2.1 * one_in_32);
    assert_true(sample("transpose:4096x4096", 1 << 24) > 0.999);
    assert_true(sample("random:7", (uint64_t)1 << 32) > 0.999);
    assert_true(sample("identity", 0) == 0);
    assert_true(sample("reverse", 1) == 1);
}

/* Notes how far windows go, and whether they stay below the length that `from` holds. */
static uint64_t last_read;

static riffle_status read_below(const void *from, uint64_t first, size_t count, uint64_t *out) {
    const uint64_t n = *(const uint64_t *)from;
    assert_true(first + count <= n);
    for (size_t k = 0; k < count; k++) out[k] = first + k;
    last_read = first + count;
    return RIFFLE_OK;
}

static riffle_status read_nothing(const void *from, uint64_t first, size_t count, uint64_t *out) {
    (void)from, (void)first, (void)count, (void)out;
    return RIFFLE_ERROR_DEVICE;
}

static void windows_spread_over_the_array(void **state) {
    (void)state;
    const uint64_t lengths[] = {0, 1, 4095, 4096, 4097, 5000, 1 << 20, RIFFLE_MAX_LENGTH};
    double groups = -1;
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        assert_int_equal(window_sample(read_below, &lengths[i], lengths[i], 32, &groups), RIFFLE_OK);
        assert_true(last_read + WINDOW_SAMPLES >
                    lengths[i]); /* the last one ends at the end, but for rounding */
    }
    groups = -1;
    assert_int_equal(window_sample(read_nothing, NULL, 100, 32, &groups), RIFFLE_ERROR_DEVICE);
    assert_true(groups == -1);
}

int main(void) {
    seed = test_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(groups_are_counted_once),
        cmocka_unit_test(known_permutations_have_known_groups),
        cmocka_unit_test(windows_spread_over_the_array),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
