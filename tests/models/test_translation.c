/* SPDX-License-Identifier: Apache-2.0
 *
 * The planner's expectations of address translation, beside what the model's LRU cache counts.
 */
#include "support.h"

#include <math.h>

#include "models/move_cost.h"
#include "models/translation.h"
#include "riffle/vat.h"

static uint64_t seed;

static double faults_of(riffle_vat *vat, uint64_t accesses) {
    riffle_vat_counts counts;
    assert_int_equal(riffle_vat_count(vat, &counts), RIFFLE_OK);
    return (double)counts.faults / (double)accesses;
}

/* Faults an access of random ones among `pages` pages, once the cache is warm. */
static double count_random(const riffle_vat_options *options, uint64_t pages) {
    enum { ACCESSES = 1 << 17 };
    rng r = {seed};
    riffle_vat *vat;
    assert_int_equal(riffle_vat_create(RIFFLE_VAT_POLICY_LRU, options, &vat), RIFFLE_OK);
    double before = 0;
    for (unsigned round = 0; round < 2; round++) {
        before = faults_of(vat, 1);
        for (unsigned k = 0; k < ACCESSES; k++) {
            const uint64_t address = rng_below(&r, pages) * options->page;
            assert_int_equal(riffle_vat_access(vat, &address, 1), RIFFLE_OK);
        }
    }
    const double faults = faults_of(vat, 1) - before;
    riffle_vat_free(vat);
    return faults / (double)ACCESSES;
}

static void random_accesses_fault_as_often_as_counted(void **state) {
    (void)state;
    for (unsigned bits = 4; bits <= 18; bits += 2) {
        for (uint64_t entries = 64; entries <= 4096; entries *= 4) {
            const riffle_vat_options options = {.fanout = 64, .page = 4096, .height = 4, .cache = entries};
            const translation_cache cache = {.entries = (double)entries, .page = 4096, .fanout = 64};
            const double expected = translation_random(4096.0 * (double)(1u << bits), &cache);
            const double counted = count_random(&options, (uint64_t)1 << bits);
            if (counted < expected - 0.1 * expected - 0.05 || counted > expected + 0.1 * expected + 0.05)
                fail_msg("seed %llu: 2^%u pages, %llu entries: expected %g, counted %g",
                         (unsigned long long)seed, bits, (unsigned long long)entries, expected, counted);
        }
    }
}

static void what_is_within_reach_does_not_fault(void **state) {
    (void)state;
    const translation_cache cache = {.entries = 1536, .page = 4096, .fanout = 512};
    assert_true(translation_random(0.9 * translation_reach(&cache), &cache) == 0);
    assert_true(translation_random(2 * translation_reach(&cache), &cache) > 0.4);
    assert_true(translation_random(ldexp(1, 40), &cache) > 1); /* the level above no longer fits either */
    assert_true(translation_runs(1024, 64, ldexp(1, 30), &cache) < 0.02);
    assert_true(translation_runs(8192, 64, ldexp(1, 30), &cache) > 0.8);
}

/* More passes read longer runs of fewer pages: no more faults each, but more traffic. */
static void passes_trade_faults_for_traffic(void **state) {
    (void)state;
    const translation_cache cache = {.entries = 1536, .page = 4096, .fanout = 512};
    const move_cost two = move_cost_bucket((uint64_t)1 << 30, 4, 16, 2, &cache);
    const move_cost three = move_cost_bucket((uint64_t)1 << 30, 4, 16, 3, &cache);
    const move_cost direct = move_cost_gather((uint64_t)1 << 30, 4, 4, &cache);
    assert_true(three.faults < two.faults && two.faults < direct.faults);
    assert_true(three.work > two.work && two.work > direct.work);
    assert_true(move_cost_sum(&three) < move_cost_sum(&direct));
}

static void a_core_s_small_pages_are_its_cache(void **state) {
    (void)state;
    const riffle_vat_preset core = {.entries_4k = 3072, .entries_2m = 512, .entries_upper = 64};
    const translation_cache cache = translation_of(&core);
    assert_true(cache.entries == 3072 && cache.page == 4096 && cache.fanout == 512);
    assert_true(translation_reach(&cache) == 12 << 20);
}

int main(void) {
    seed = test_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_accesses_fault_as_often_as_counted),
        cmocka_unit_test(what_is_within_reach_does_not_fault),
        cmocka_unit_test(passes_trade_faults_for_traffic),
        cmocka_unit_test(a_core_s_small_pages_are_its_cache),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
