/* SPDX-License-Identifier: Apache-2.0
 *
 * Bit transpositions as launches on the memory machine, which compares them with the host's: elements of all widths, edges of tiles, both orders,
 * batches, and addresses at no word; no race, and lines that are read and written whole.
 */
#include "bits_support.h"
#include "predicted_support.h"

static uint64_t seed;

typedef struct call {
    uint64_t n, width, batch;
    size_t offset;
    riffle_bit_order order;
} call;

static riffle_report *simulated_report(const call *c, rng *r, bool to_planes) {
    const size_t bytes = (size_t)(c->batch * (to_planes ? riffle_bits_bytes(c->n, c->width)
                                                        : c->width * riffle_bits_bytes(c->n, 1)));
    guarded from = guarded_create(bytes, c->offset);
    const riffle_bits_options options = {.order = c->order, .batch = c->batch};
    const riffle_machine_options on = {.latency = 1 + (unsigned)rng_below(r, 400),
                                       .shared_latency = 1 + (unsigned)rng_below(r, 3),
                                       .dmms = 1 + (unsigned)rng_below(r, 2) * 4};
    riffle_report *report = NULL;
    fill_random(r, from.data, bytes);
    const riffle_status status = (to_planes ? riffle_simulate_bitshuffle : riffle_simulate_bitunshuffle)(
        c->n, c->width, from.data, &options, &on, &report);
    if (status != RIFFLE_OK)
        fail_msg("seed %llu: %llu elements of %llu bits: %s", (unsigned long long)seed,
                 (unsigned long long)c->n, (unsigned long long)c->width, riffle_error_detail());
    guarded_free(&from);
    return report;
}

static void check(const call *c, rng *r) {
    for (unsigned to_planes = 0; to_planes < 2; to_planes++) {
        riffle_report *const report = simulated_report(c, r, to_planes != 0);
        assert_int_equal(riffle_report_hazards(report), 0);
        assert_predicted(BOUND_BITS, report, to_planes != 0 ? "to planes" : "to elements", seed);
        riffle_report_free(report);
    }
}

static void edges_of_tiles(void **state) {
    static const uint64_t lengths[] = {0, 1, 7, 31, 32, 33, 1023, 1024, 1025, 8193};
    static const uint64_t widths[] = {8, 16, 24, 32, 64, 96, 136};
    rng r = {seed};
    (void)state;
    for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++)
        for (size_t w = 0; w < sizeof widths / sizeof *widths; w++) {
            if (!test_takes(l + w)) continue;
            check(&(call){lengths[l], widths[w], 1 + rng_below(&r, 2), rng_below(&r, 2) * rng_below(&r, 16),
                          (riffle_bit_order)rng_below(&r, 2)},
                  &r);
        }
}

/* A row's vectors lie in its order, turned: no two lanes meet in a bank, by vectors and by elements. */
static void accesses_are_good(void **state) {
    static const uint64_t widths[] = {8, 16, 32, 64};
    rng r = {seed + 1};
    (void)state;
    for (unsigned k = 0; k < 4 * sizeof widths / sizeof *widths; k++) {
        const call c = {k % 4 < 2 ? 8192 : 4096, widths[k / 4], 1, 0, RIFFLE_BIT_ORDER_LITTLE};
        riffle_report *const report = simulated_report(&c, &r, k % 2 != 0);
        assert_int_equal(riffle_report_uncoalesced(report, 0), 0);
        assert_int_equal(riffle_report_conflicts(report, 0), 0);
        riffle_report_free(report);
    }
}

static void bad_calls_are_refused(void **state) {
    unsigned char bytes[8] = {0};
    riffle_report *report = NULL;
    (void)state;
    assert_int_equal(riffle_simulate_bitshuffle(8, 4, bytes, NULL, NULL, &report), RIFFLE_ERROR_UNSUPPORTED);
    assert_string_equal(riffle_error_detail(),
                        "elements of 4 bits; GPUs transpose those of whole bytes, so do it on the host");
    assert_int_equal(riffle_simulate_bitshuffle(8, 9, bytes, NULL, NULL, &report),
                     RIFFLE_ERROR_INVALID_ARGUMENT);
    assert_int_equal(riffle_simulate_bitshuffle(8, 8, NULL, NULL, NULL, &report),
                     RIFFLE_ERROR_INVALID_ARGUMENT);
    assert_int_equal(riffle_simulate_bitunshuffle(8, 8, bytes, NULL, NULL, NULL),
                     RIFFLE_ERROR_INVALID_ARGUMENT);
    assert_int_equal(riffle_simulate_bitunshuffle(RIFFLE_MAX_LENGTH + 1, 8, bytes, NULL, NULL, &report),
                     RIFFLE_ERROR_LENGTH);
    assert_null(report);
}

int main(void) {
    seed = test_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(edges_of_tiles),
        cmocka_unit_test(accesses_are_good),
        cmocka_unit_test(bad_calls_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
