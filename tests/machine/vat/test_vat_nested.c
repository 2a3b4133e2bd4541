/* SPDX-License-Identifier: Apache-2.0
 *
 * Double translation (section 2.6.1): cold walks of every pair of heights, a guest and a host that follow the definition word by
 * word, and faults by layer.
 */
#include "vat_support.h"

static uint64_t seed;

static const riffle_vat_policy POLICIES[] = {RIFFLE_VAT_POLICY_LRU,   RIFFLE_VAT_POLICY_ISLRU,
                                             RIFFLE_VAT_POLICY_MIN,   RIFFLE_VAT_POLICY_ISMIN,
                                             RIFFLE_VAT_POLICY_RRMIN, RIFFLE_VAT_POLICY_LIS};
enum { POLICY_COUNT = sizeof POLICIES / sizeof POLICIES[0], LAYERS = 65 };

static riffle_vat *nested(riffle_vat_policy policy, const riffle_vat_options *guest,
                          const riffle_vat_options *host) {
    riffle_vat *vat = NULL;
    if (riffle_vat_create_nested(policy, guest, host, &vat) != RIFFLE_OK) fail_msg("%s", riffle_error_detail());
    return vat;
}

static void give(riffle_vat *vat, const uint64_t *addresses, size_t count) {
    if (riffle_vat_access(vat, addresses, count) != RIFFLE_OK) fail_msg("%s", riffle_error_detail());
}

static riffle_vat_counts guest_counts(riffle_vat *vat) {
    riffle_vat_counts counts = {99, 99, 99};
    if (riffle_vat_count(vat, &counts) != RIFFLE_OK) fail_msg("%s", riffle_error_detail());
    return counts;
}

static riffle_vat_counts host_counts(riffle_vat *vat) {
    riffle_vat_counts counts = {99, 99, 99};
    if (riffle_vat_count_host(vat, &counts, NULL, 0) != RIFFLE_OK) fail_msg("%s", riffle_error_detail());
    return counts;
}

/* All pairs of heights: a host's cache of one node keeps nothing, so all (d + 1)(e + 1) nodes are fetched, of which one root is the
 * guest's and d + 1 the host's: (d + 1)(e + 1) + d, without the roots, 24 for d = e = 4. */
static void cold_walks(void **state) {
    (void)state;
    for (unsigned d = 1; d <= 6; d++) {
        for (unsigned e = 1; e <= 6; e++) {
            const riffle_vat_options guest = {4, 64, d, d + 1, 1}, host = {4, 64, e + 8, 1, 1};
            riffle_vat *vat = nested(RIFFLE_VAT_POLICY_LRU, &guest, &host);
            give(vat, (uint64_t[]){0}, 1);
            uint64_t layer[LAYERS], root[LAYERS];
            assert_int_equal(riffle_vat_count_layers(vat, layer, LAYERS), RIFFLE_OK);
            riffle_vat_counts counts;
            assert_int_equal(riffle_vat_count_host(vat, &counts, root, LAYERS), RIFFLE_OK);
            assert_int_equal(counts.accesses, d + 1);
            assert_int_equal(counts.faults, (d + 1) * (e + 9));
            assert_int_equal(root[e + 8], d + 1);
            const uint64_t references = guest_counts(vat).faults - layer[d] + counts.faults - root[e + 8];
            assert_int_equal(references, (d + 1) * (e + 9) - 1);
            riffle_vat_free(vat);
        }
    }
    riffle_vat *vat = nested(RIFFLE_VAT_POLICY_LRU, NULL, &(riffle_vat_options){.cache = 1});
    give(vat, (uint64_t[]){12345}, 1);
    assert_int_equal(guest_counts(vat).faults - 1 + host_counts(vat).faults - 5, 24);
    riffle_vat_free(vat);
}

/* ---------------------------------------------------------------- by word */

/* The guest's memory by definition: a list of nodes and places. */
typedef struct naive_host {
    naive_cache guest, host;
    naive_node node[4096];
    uint64_t place[4096], count, next, table_next, table_end;
} naive_host;

static uint64_t round_up(uint64_t x, uint64_t to) { return (x + to - 1) / to * to; }

static uint64_t naive_place(naive_host *n, naive_node node) {
    for (uint64_t k = 0; k < n->count; k++) {
        if (naive_same(n->node[k], node)) return n->place[k];
    }
    const uint64_t page = n->guest.options.page, table = 8 * n->guest.options.fanout;
    uint64_t place;
    if (node.layer == 0) {
        place = round_up(n->next, page);
        n->next = place + page;
    } else {
        if (n->table_next == n->table_end) {
            const uint64_t frame = page > table ? page : table;
            n->table_next = round_up(n->next, frame);
            n->table_end = n->next = n->table_next + frame;
        }
        place = n->table_next;
        n->table_next += table;
    }
    assert_true(n->count < 4096);
    n->node[n->count] = node;
    n->place[n->count++] = place;
    return place;
}

static void naive_translate(naive_host *n, riffle_vat_policy policy, uint64_t address) {
    const bool splinters = n->host.options.page < n->guest.options.page;
    for (unsigned layer = n->guest.options.height + 1; layer-- > 0;) {
        const naive_node node = naive_node_of(&n->guest, address, layer);
        if (!naive_use(&n->guest, policy, node)) continue;
        const uint64_t place = naive_place(n, node);
        if (layer > 0 || !splinters) naive_access(&n->host, policy, place);
    }
    if (splinters)
        naive_access(&n->host, policy,
                     naive_place(n, naive_node_of(&n->guest, address, 0)) + address % n->guest.options.page);
}

static void guests_and_hosts_follow_the_definition(void **state) {
    (void)state;
    rng r = {seed};
    for (unsigned round = 0; round < test_rounds(200); round++) {
        const riffle_vat_policy policy = round % 2 == 0 ? RIFFLE_VAT_POLICY_LRU : RIFFLE_VAT_POLICY_ISLRU;
        const unsigned k = 1 + (unsigned)rng_below(&r, 2), d = 1 + (unsigned)rng_below(&r, 4);
        const riffle_vat_options guest = {1U << k, 16U << rng_below(&r, 6), d, d + 1 + rng_below(&r, 20), 1};
        const riffle_vat_options host = {1U << k, 32U << rng_below(&r, 4), 14, 15 + rng_below(&r, 40), 1};
        const size_t count = 1 + rng_below(&r, 200);
        uint64_t *trace = trace_create(&r, (trace_kind)rng_below(&r, TRACE_KINDS), &guest,
                                       1 + rng_below(&r, 1U << (k * d)), count);
        naive_host naive = {.guest = naive_create(&guest), .host = naive_create(&host)};
        riffle_vat *vat = nested(policy, &guest, &host);
        give(vat, trace, count);
        for (size_t i = 0; i < count; i++) naive_translate(&naive, policy, trace[i]);
        if (guest_counts(vat).faults != naive.guest.faults || host_counts(vat).faults != naive.host.faults)
            fail_msg("seed %llu, round %u: %llu and %llu faults instead of %llu and %llu",
                     (unsigned long long)seed, round, (unsigned long long)guest_counts(vat).faults,
                     (unsigned long long)host_counts(vat).faults, (unsigned long long)naive.guest.faults,
                     (unsigned long long)naive.host.faults);
        riffle_vat_free(vat);
        free(naive.guest.node);
        free(naive.host.node);
        free(trace);
    }
}

/* Counting in between changes nothing, and a guest counts as it does without a host. */
static void every_policy_has_a_host(void **state) {
    (void)state;
    rng r = {seed};
    for (unsigned p = 0; p < POLICY_COUNT; p++) {
        const riffle_vat_options guest = {4, 32, 5, 9, 1}, host = {4, 32, 9, 12, 1};
        const size_t count = 600, half = 251;
        uint64_t *trace = trace_create(&r, TRACE_PHASES, &guest, 500, count);
        riffle_vat *at_once = nested(POLICIES[p], &guest, &host), *halves = nested(POLICIES[p], &guest, &host);
        give(at_once, trace, count);
        give(halves, trace, half);
        const riffle_vat_counts first = guest_counts(halves), first_host = host_counts(halves);
        give(halves, trace + half, count - half);
        assert_int_equal(guest_counts(at_once).faults, faults_of(&r, POLICIES[p], guest, 9, trace, count));
        assert_int_equal(guest_counts(halves).faults, guest_counts(at_once).faults);
        assert_int_equal(host_counts(halves).faults, host_counts(at_once).faults);
        assert_true(first.faults <= guest_counts(halves).faults && first_host.accesses == first.faults);
        assert_int_equal(host_counts(halves).accesses, guest_counts(halves).faults);
        riffle_vat_free(at_once);
        riffle_vat_free(halves);
        free(trace);
    }
}

/* Programs whose upper bounds hold for LRU, on machines of any shape. */
static void counts_lie_within_the_bounds(void **state) {
    (void)state;
    static const riffle_vat_program programs[] = {
        RIFFLE_VAT_PROGRAM_SEQUENTIAL_SCAN, RIFFLE_VAT_PROGRAM_RANDOM_SCAN, RIFFLE_VAT_PROGRAM_PERMUTE,
        RIFFLE_VAT_PROGRAM_TRANSPOSE_ROWS, RIFFLE_VAT_PROGRAM_MULTIPLY_ROWS};
    rng r = {seed};
    for (unsigned round = 0; round < test_rounds(100); round++) {
        const riffle_vat_program program = programs[round % 5];
        const uint64_t n = 1 + rng_below(&r, program == RIFFLE_VAT_PROGRAM_MULTIPLY_ROWS ? 300 : 3000);
        const unsigned k = 1 + (unsigned)rng_below(&r, 3), page = 64U << rng_below(&r, 3);
        const riffle_vat_options guest = {1U << k, page, 15, 48 + rng_below(&r, 40), 1};
        const riffle_vat_options host = {1U << k, page << rng_below(&r, 3), 16, 48 + rng_below(&r, 40), 1};
        uint64_t *array = calloc(riffle_vat_program_elements(program, n) + 1, sizeof *array), checksum;
        riffle_vat *vat = nested(RIFFLE_VAT_POLICY_LRU, &guest, &host);
        riffle_vat_cost both, one;
        assert_int_equal(riffle_vat_program_prepare(program, n, seed, array), RIFFLE_OK);
        if (riffle_vat_program_replay(program, n, seed, array, vat, &checksum) != RIFFLE_OK ||
            riffle_vat_program_cost_nested(program, n, &guest, &host, 1 << 15, 64, &both) != RIFFLE_OK ||
            riffle_vat_program_cost(program, n, &guest, 1 << 15, 64, &one) != RIFFLE_OK)
            fail_msg("%s", riffle_error_detail());
        const double faults = (double)(guest_counts(vat).faults + host_counts(vat).faults);
        if (!(both.vat_least <= faults && faults <= both.vat_most))
            fail_msg("seed %llu, round %u, %s of %llu: %.0f faults, not from %g to %g",
                     (unsigned long long)seed, round, riffle_vat_program_string(program), (unsigned long long)n,
                     faults, both.vat_least, both.vat_most);
        assert_true(both.ram == one.ram && both.em == one.em && both.vat_most > one.vat_most);
        riffle_vat_free(vat);
        free(array);
    }
}

/* By hand: 8 pages of 512 elements and five tables, one a layer of the tree, each of the guest's at most 14 faults asks for a place in
 * 8 + 2 * 4 frames, one level of the host; and the host's path above has 4 nodes. */
static void bounds_by_hand(void **state) {
    (void)state;
    const uint64_t bytes = (uint64_t)1 << 21;
    riffle_vat_cost cost = {9, 9, 9, 9};
    assert_int_equal(riffle_vat_program_cost_nested(RIFFLE_VAT_PROGRAM_SEQUENTIAL_SCAN, 4096, NULL, NULL,
                                                    1 << 15, 64, &cost),
                     RIFFLE_OK);
    assert_true(cost.ram == 4096 && cost.vat_least == 12 + 5 && cost.vat_most == 14 * 2 + 4);
    assert_int_equal(
        riffle_vat_program_cost_nested(RIFFLE_VAT_PROGRAM_HEAPIFY, 1, NULL, NULL, 1 << 15, 64, &cost),
        RIFFLE_OK);
    assert_true(cost.vat_least == 0); /* it accesses nothing */
    const riffle_vat_cost before = cost;
    const riffle_vat_options huge = {.page = bytes, .height = 3}, shallow = {.cache = 4}, odd = {.fanout = 3};
    const struct {
        const riffle_vat_options *guest, *host;
        riffle_status status;
        const char *words;
    } cases[] = {{&huge, NULL, RIFFLE_ERROR_UNSUPPORTED, "host's pages of 4096 bytes hold no page"},
                 {NULL, &shallow, RIFFLE_ERROR_INVALID_ARGUMENT, "holds no translation path"},
                 {&shallow, NULL, RIFFLE_ERROR_INVALID_ARGUMENT, "holds no translation path"},
                 {NULL, &odd, RIFFLE_ERROR_INVALID_ARGUMENT, "fanout 3"}};
    for (unsigned k = 0; k < 4; k++) {
        assert_int_equal(riffle_vat_program_cost_nested(RIFFLE_VAT_PROGRAM_PERMUTE, 9, cases[k].guest,
                                                        cases[k].host, 1 << 15, 64, &cost),
                         cases[k].status);
        assert_non_null(strstr(riffle_error_detail(), cases[k].words));
        assert_memory_equal(&cost, &before, sizeof cost);
    }
}

/* Larger pages of the host, of the guest, of both: fewer levels, fewer references of a walk. */
static void larger_pages_shorten_walks(void **state) {
    (void)state;
    const uint64_t small = 4096, huge = (uint64_t)1 << 21;
    const struct {
        uint64_t guest, host;
        unsigned d, e, references;
    } cases[] = {
        {small, small, 4, 4, 24}, {small, huge, 4, 3, 19}, {huge, small, 3, 4, 19}, {huge, huge, 3, 3, 15}};
    for (unsigned k = 0; k < 4; k++) {
        const riffle_vat_options guest = {512, cases[k].guest, cases[k].d, 100, 1};
        const riffle_vat_options host = {512, cases[k].host, cases[k].e, 1, 1};
        riffle_vat *vat = nested(RIFFLE_VAT_POLICY_ISLRU, &guest, &host);
        give(vat, (uint64_t[]){(uint64_t)1 << 40}, 1);
        assert_int_equal(guest_counts(vat).faults - 1 + host_counts(vat).faults - (cases[k].d + 1),
                         cases[k].references);
        riffle_vat_free(vat);
    }
}

/* ------------------------------------------------------------------ layers */

static void layers_are_what_the_definition_inserts(void **state) {
    (void)state;
    rng r = {seed};
    for (unsigned round = 0; round < test_rounds(60); round++) {
        const riffle_vat_policy policy = POLICIES[round % POLICY_COUNT];
        const riffle_vat_options options = {2, 16, 7, 8 + rng_below(&r, 30), 1};
        const size_t count = 1 + rng_below(&r, 300);
        uint64_t *trace = trace_create(&r, (trace_kind)(round % TRACE_KINDS), &options, 128, count);
        riffle_vat *vat = NULL;
        assert_int_equal(riffle_vat_create(policy, &options, &vat), RIFFLE_OK);
        give(vat, trace, count);
        uint64_t layer[LAYERS + 3], sum = 0, expected[LAYERS] = {0};
        memset(layer, 0xee, sizeof layer);
        assert_int_equal(riffle_vat_count_layers(vat, layer, LAYERS + 2), RIFFLE_OK);
        for (unsigned k = 0; k < LAYERS + 2; k++) sum += layer[k];
        assert_int_equal(sum, guest_counts(vat).faults);
        assert_true(layer[8] == 0 && layer[LAYERS + 1] == 0 && layer[LAYERS + 2] == 0xeeeeeeeeeeeeeeee);
        naive_cache naive = naive_create(&options);
        for (size_t i = 0; i < count; i++) {
            for (unsigned k = 8; k-- > 0;)
                expected[k] += naive_use(&naive, policy, naive_node_of(&naive, trace[i], k));
        }
        if (policy <= RIFFLE_VAT_POLICY_ISLRU) assert_memory_equal(layer, expected, sizeof expected);
        riffle_vat_free(vat);
        free(naive.node);
        free(trace);
    }
}

/* ------------------------------------------------------------------ errors */

static void refused(riffle_status expected, const char *words, riffle_status status) {
    assert_int_equal(status, expected);
    if (strstr(riffle_error_detail(), words) == NULL) fail_msg("%s", riffle_error_detail());
}

static void what_cannot_be_is_refused(void **state) {
    (void)state;
    const riffle_status bad = RIFFLE_ERROR_INVALID_ARGUMENT;
    riffle_vat *vat = NULL;
    riffle_vat_counts counts;
    uint64_t layer[2];
    const riffle_vat_options usual = {0}, narrow = {4, 16, 4, 9, 1}, tiny = {4, 32, 1, 9, 1};
    refused(bad, "holds no table of the guest",
            riffle_vat_create_nested(RIFFLE_VAT_POLICY_LRU, &usual, &(riffle_vat_options){.page = 2048}, &vat));
    refused(bad, "height",
            riffle_vat_create_nested(RIFFLE_VAT_POLICY_LRU, &usual, &(riffle_vat_options){.height = 9}, &vat));
    refused(RIFFLE_ERROR_UNSUPPORTED, "min keeps no addresses within a page",
            riffle_vat_create_nested(RIFFLE_VAT_POLICY_MIN, &(riffle_vat_options){.page = 1 << 21, .height = 3},
                                     &usual, &vat));
    refused(bad, "out", riffle_vat_create_nested(RIFFLE_VAT_POLICY_LRU, &usual, &usual, NULL));
    assert_null(vat);
    assert_int_equal(riffle_vat_create(RIFFLE_VAT_POLICY_LRU, NULL, &vat), RIFFLE_OK);
    refused(bad, "has no host", riffle_vat_count_host(vat, &counts, layer, 2));
    refused(bad, "faults", riffle_vat_count_layers(vat, NULL, 2));
    refused(bad, "out", riffle_vat_count_host(vat, NULL, layer, 2));
    riffle_vat_free(vat);
    for (unsigned p = 0; p < 3; p += 2) { /* LRU as it is fed, MIN when it counts */
        vat = nested(POLICIES[p], &narrow, &tiny);
        const uint64_t far[] = {0, 1023};
        if (p == 0) {
            refused(bad, "outgrown the host's tree of 2^7 bytes", riffle_vat_access(vat, far, 2));
            refused(bad, "refused an access before", riffle_vat_access(vat, far, 1));
        } else {
            give(vat, far, 2);
        }
        assert_int_equal(riffle_vat_count(vat, &counts), bad);
        riffle_vat_free(vat);
    }
}

int main(void) {
    seed = test_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cold_walks),
        cmocka_unit_test(guests_and_hosts_follow_the_definition),
        cmocka_unit_test(every_policy_has_a_host),
        cmocka_unit_test(counts_lie_within_the_bounds),
        cmocka_unit_test(bounds_by_hand),
        cmocka_unit_test(larger_pages_shorten_walks),
        cmocka_unit_test(layers_are_what_the_definition_inserts),
        cmocka_unit_test(what_cannot_be_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
