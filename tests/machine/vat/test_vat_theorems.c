/* SPDX-License-Identifier: Apache-2.0
 *
 * Theorem 2.32 and Lemmas 2.34 and 2.36 on traces: algorithms of external memory converted, consecutive and random translations by
 * the definitions, and T_EM.
 */
#include "vat_support.h"

#include <math.h>

#include "machine/vat/costs.h"

static uint64_t seed;

/* The blocks that LRU fetches with room for `room` of them, by scanning. */
static uint64_t naive_transfers(const uint64_t *trace, size_t count, uint64_t block, uint64_t room) {
    uint64_t *held = malloc(room * sizeof *held), size = 0, fetched = 0;
    assert_non_null(held);
    for (size_t i = 0; i < count; i++) {
        const uint64_t number = trace[i] / block;
        uint64_t at = 0;
        while (at < size && held[at] != number) at++;
        if (at == size) {
            fetched++;
            if (size < room) size++;
            at = size - 1;
        }
        memmove(held + 1, held, at * sizeof *held);
        held[0] = number;
    }
    free(held);
    return fetched;
}

/* MIN with W + 1 nodes faults no more often than W/d blocks a layer are fetched, whatever the trace. */
static void the_theorem_holds_on_traces(void **state) {
    (void)state;
    rng r = {seed};
    for (unsigned round = 0; round < test_rounds(150); round++) {
        const unsigned k = 1 + (unsigned)rng_below(&r, 3), d = 1 + (unsigned)rng_below(&r, 6 / k + 1);
        const riffle_vat_options options = {1U << k, 1U << rng_below(&r, 4), d, d * (1 + rng_below(&r, 8)) + 1,
                                            1};
        const size_t count = 1 + rng_below(&r, 500);
        uint64_t *trace = trace_create(&r, (trace_kind)rng_below(&r, TRACE_KINDS), &options,
                                       1 + rng_below(&r, 1ULL << (k * d)), count);
        uint64_t sum = 0, block = options.page;
        for (unsigned layer = 0; layer <= d; layer++, block <<= k)
            sum += naive_transfers(trace, count, block, options.cache / d);
        const uint64_t min = faults_of(&r, RIFFLE_VAT_POLICY_MIN, options, options.cache + 1, trace, count);
        if (min > sum)
            fail_msg("seed %llu, round %u: MIN takes %llu faults, the layers %llu", (unsigned long long)seed,
                     round, (unsigned long long)min, (unsigned long long)sum);
        free(trace);
    }
}

static void conversions_by_hand(void **state) {
    (void)state;
    /* K = 4, P = 16 cells, d = 3, a = 4 */
    const riffle_vat_options options = {4, 128, 3, 12, 1};
    double terms[5] = {9, 9, 9, 9, 9};
    assert_int_equal(riffle_vat_program_transfers(RIFFLE_VAT_PROGRAM_SEQUENTIAL_SCAN, 1000, &options, terms, 5),
                     RIFFLE_OK);
    assert_true(terms[0] == 2 + 62 && terms[1] == 2 + 15 && terms[2] == 2 + 3 && terms[3] == 2 &&
                terms[4] == 0);
    assert_int_equal(riffle_vat_program_transfers(RIFFLE_VAT_PROGRAM_RANDOM_SCAN, 1024, &options, terms, 3),
                     RIFFLE_OK);
    assert_true(terms[0] == 4 + 960 && terms[1] == 4 + 768 && terms[2] == 4);
    /* One square of 16 cells of each matrix is a block: (256/16)^(3/2) products of 3. Then blocks of 64; then all. */
    assert_int_equal(
        riffle_vat_program_transfers(RIFFLE_VAT_PROGRAM_MULTIPLY_RECURSIVE, 256, &options, terms, 4),
        RIFFLE_OK);
    assert_true(terms[0] == 64 * 3 && terms[1] == 8 * 3 && terms[2] == 3 && terms[3] == 3);
    assert_true(vat_io_multiply(32, 16, 256) == 3 * 4096.);
    assert_int_equal(riffle_vat_program_transfers(RIFFLE_VAT_PROGRAM_HEAPIFY, 0, &options, terms, 4),
                     RIFFLE_OK);
    assert_true(terms[0] == 0 && terms[3] == 0);
}

/* The formula bounds the recursive product's blocks, counted by scanning, at every layer: with its constant. */
typedef struct recorded {
    uint64_t *address;
    size_t count;
} recorded;

static riffle_status record(void *context, const uint64_t *addresses, const bool *stores, size_t count) {
    recorded *r = context;
    (void)stores;
    memcpy(r->address + r->count, addresses, count * sizeof *addresses);
    r->count += count;
    return RIFFLE_OK;
}

static void products_move_no_more_blocks_than_said(void **state) {
    (void)state;
    const uint64_t n = 256;
    uint64_t array[3 * 256], checksum;
    recorded all = {.address = malloc(4 * 4096 * sizeof(uint64_t))};
    assert_non_null(all.address);
    const riffle_vat_program program = RIFFLE_VAT_PROGRAM_MULTIPLY_RECURSIVE;
    assert_int_equal(riffle_vat_program_prepare(program, n, seed, array), RIFFLE_OK);
    assert_int_equal(riffle_vat_program_feed(program, n, seed, array, record, &all, &checksum), RIFFLE_OK);
    assert_int_equal(all.count, 4 * 4096);
    for (unsigned b = 0; b < 10; b++) {
        for (uint64_t room = 1; room < 40; room += 1 + room / 3) {
            const double most = vat_io_multiply((double)(room << b), (double)(1 << b), (double)n);
            const uint64_t counted = naive_transfers(all.address, all.count, 8U << b, room);
            if ((double)counted >
                most + (room < 3 ? 4096 : 0)) /* C is used twice then, before and behind A and B */
                fail_msg("blocks of 2^%u, room for %llu: %llu blocks, not %g", b, (unsigned long long)room,
                         (unsigned long long)counted, most);
        }
    }
    free(all.address);
}

/* ---------------------------------------------------------------- patterns */

static riffle_vat_pattern_counts pattern_of(const riffle_vat_options *options, const uint64_t *trace,
                                            size_t count) {
    riffle_vat_pattern *pattern = NULL;
    riffle_vat_pattern_counts counts;
    memset(&counts, 0xee, sizeof counts);
    assert_int_equal(riffle_vat_pattern_create(options, &pattern), RIFFLE_OK);
    assert_int_equal(riffle_vat_pattern_access(pattern, trace, count / 2), RIFFLE_OK);
    assert_int_equal(riffle_vat_pattern_access(pattern, trace + count / 2, count - count / 2), RIFFLE_OK);
    assert_int_equal(riffle_vat_pattern_count(pattern, &counts), RIFFLE_OK);
    riffle_vat_pattern_free(pattern);
    return counts;
}

/* Faults since each part was last used, by looking back over the whole trace; bounds on both sides of LRU's faults. */
static void patterns_are_by_definition(void **state) {
    (void)state;
    rng r = {seed};
    for (unsigned round = 0; round < test_rounds(150); round++) {
        const unsigned k = 1 + (unsigned)rng_below(&r, 3), d = 1 + (unsigned)rng_below(&r, 6 / k + 1);
        const riffle_vat_options options = {1U << k, 1U << rng_below(&r, 4), d, d + 1 + rng_below(&r, 20), 1};
        const size_t count = 1 + rng_below(&r, 300);
        uint64_t *trace = trace_create(&r, (trace_kind)rng_below(&r, TRACE_KINDS), &options,
                                       1 + rng_below(&r, 1ULL << (k * d)), count);
        const riffle_vat_pattern_counts counts = pattern_of(&options, trace, count);
        naive_cache lru = naive_create(&options);
        uint64_t faults[301], rested[65] = {0}, up = 0, down = 0;
        for (size_t i = 0; i < count; i++) {
            for (unsigned layer = 0; layer <= d; layer++) {
                size_t last = i;
                while (last > 0 && !naive_same(naive_node_of(&lru, trace[last - 1], layer),
                                               naive_node_of(&lru, trace[i], layer)))
                    last--;
                rested[layer] += last == 0 || lru.faults - faults[last - 1] >= options.cache;
            }
            naive_access(&lru, RIFFLE_VAT_POLICY_LRU, trace[i]);
            faults[i] = lru.faults;
            up += i > 0 && trace[i] / options.page > trace[i - 1] / options.page;
            down += i > 0 && trace[i] / options.page < trace[i - 1] / options.page;
        }
        assert_int_equal(counts.accesses, count);
        assert_int_equal(counts.faults, lru.faults);
        assert_memory_equal(counts.rested, rested, sizeof rested);
        assert_true(counts.ascending == up && counts.descending == down);
        for (unsigned layer = 0; layer <= d; layer++) {
            if (rested[layer] * (layer + 1) > lru.faults)
                fail_msg("seed %llu, round %u: Lemma 2.36 at layer %u", (unsigned long long)seed, round, layer);
        }
        assert_true(counts.rat_least <= lru.faults);
        assert_int_equal(counts.rat_least, rested[counts.rat_layer] * (counts.rat_layer + 1));
        if (up == 0 || down == 0) assert_true((double)lru.faults <= counts.cat_most);
        free(lru.node);
        free(trace);
    }
}

/* A scan is a CAT once there are tau accesses a page; one that turns round is none. */
static void consecutive_translations(void **state) {
    (void)state;
    uint64_t trace[64];
    riffle_vat_options options = {2, 8, 5, 12, 4};
    for (uint64_t i = 0; i < 64; i++) trace[i] = 2 * i;
    assert_true(pattern_of(&options, trace, 64).is_cat);
    assert_false(pattern_of(&options, trace, 19).is_cat); /* fewer than tau d = 20 */
    options.tau = 4.5;
    assert_false(pattern_of(&options, trace, 64).is_cat);
    options.tau = 4;
    trace[63] = 0;
    const riffle_vat_pattern_counts turned = pattern_of(&options, trace, 64);
    assert_true(!turned.is_cat && turned.descending == 1 && turned.pages == 16);
    const riffle_vat_pattern_counts none = pattern_of(&options, trace, 0);
    assert_true(none.accesses == 0 && none.pages == 0 && none.rat_least == 0);
}

/* ------------------------------------------------------------------ errors */

static void refused(riffle_status expected, const char *words, riffle_status status) {
    assert_int_equal(status, expected);
    if (strstr(riffle_error_detail(), words) == NULL) fail_msg("%s", riffle_error_detail());
}

static void what_cannot_be_is_refused(void **state) {
    (void)state;
    const riffle_status bad = RIFFLE_ERROR_INVALID_ARGUMENT;
    double terms[2], time = 7;
    riffle_vat_pattern *pattern = NULL;
    riffle_vat_pattern_counts counts;
    refused(bad, "no program", riffle_vat_program_transfers(RIFFLE_VAT_PROGRAM_COUNT, 1, NULL, terms, 2));
    refused(bad, "holds no translation path",
            riffle_vat_program_transfers(RIFFLE_VAT_PROGRAM_PERMUTE, 1, &(riffle_vat_options){.cache = 4},
                                         terms, 2));
    refused(bad, "transfers is NULL",
            riffle_vat_program_transfers(RIFFLE_VAT_PROGRAM_PERMUTE, 1, NULL, NULL, 2));
    refused(bad, "fanout", riffle_vat_pattern_create(&(riffle_vat_options){.fanout = 3}, &pattern));
    refused(bad, "out is NULL", riffle_vat_pattern_create(NULL, NULL));
    assert_null(pattern);
    assert_int_equal(riffle_vat_pattern_create(&(riffle_vat_options){2, 8, 1, 9, 1}, &pattern), RIFFLE_OK);
    refused(bad, "beyond the tree's 2^4 bytes", riffle_vat_pattern_access(pattern, (uint64_t[]){16}, 1));
    refused(bad, "addresses is NULL", riffle_vat_pattern_access(pattern, NULL, 1));
    refused(bad, "out is NULL", riffle_vat_pattern_count(pattern, NULL));
    refused(bad, "pattern is NULL", riffle_vat_pattern_count(NULL, &counts));
    refused(bad, "pattern is NULL", riffle_vat_pattern_access(NULL, NULL, 0));
    riffle_vat_pattern_free(pattern);
    riffle_vat_pattern_free(NULL);
    const double sizes[] = {4, 4}, times[] = {1, 2, 3};
    refused(bad, "more than the one before", riffle_vat_em_time(9, 2, sizes, times, &time));
    refused(bad, "no number from 0 on", riffle_vat_em_time(NAN, 1, sizes, times, &time));
    refused(bad, "sizes is NULL", riffle_vat_em_time(9, 1, NULL, times, &time));
    refused(bad, "times is NULL", riffle_vat_em_time(9, 1, sizes, NULL, &time));
    assert_true(time == 7);
    assert_int_equal(riffle_vat_em_time(9, 1, sizes, times, &time), RIFFLE_OK);
    assert_true(time == 4 * 1 + 5 * 2);
}

int main(void) {
    seed = test_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_theorem_holds_on_traces),
        cmocka_unit_test(conversions_by_hand),
        cmocka_unit_test(products_move_no_more_blocks_than_said),
        cmocka_unit_test(patterns_are_by_definition),
        cmocka_unit_test(consecutive_translations),
        cmocka_unit_test(what_cannot_be_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
