/* SPDX-License-Identifier: Apache-2.0
 *
 * The replacement policies of the VAT model against their definitions, against the optimum found by trying
 * everything, and against each other: the theorems of section 2.3, on thousands of traces.
 */
#include <math.h>

#include "vat_support.h"

#include "machine/vat/policies/rrmin.h"

static uint64_t seed;

/* ------------------------------------------------------------------- cases */

typedef struct trace_case {
    riffle_vat_options options;
    trace_kind kind;
    uint64_t *trace;
    size_t count;
} trace_case;

/* A tree of at most 2^bits pages, now and then 2^60, a cache of up to `cache` nodes more than a path's, and a
 * trace. */
static trace_case random_case(rng *r, unsigned bits, uint64_t cache, size_t count) {
    trace_case c = {.kind = (trace_kind)rng_below(r, TRACE_KINDS)};
    const bool sparse = rng_below(r, 8) == 0;
    const unsigned fanout_bits = 1 + (unsigned)rng_below(r, 3);
    const unsigned most = (sparse ? 60 : bits) / fanout_bits;
    c.options.fanout = 1ULL << fanout_bits;
    c.options.page = 1ULL << rng_below(r, 4);
    c.options.height = sparse ? most : 1 + (unsigned)rng_below(r, most);
    c.options.cache = c.options.height + 1 + rng_below(r, cache);
    const uint64_t pages = 1ULL << (c.options.height * fanout_bits);
    c.count = 1 + rng_below(r, count);
    c.trace = trace_create(r, c.kind, &c.options, 1 + rng_below(r, pages), c.count);
    return c;
}

/* Fails with what it takes to see the case again. */
static void check(const trace_case *c, unsigned round, bool holds, const char *what) {
    if (holds) return;
    fail_msg("seed %llu, round %u: K %llu, P %llu, d %u, W %llu, trace kind %d of %zu: not %s",
             (unsigned long long)seed, round, (unsigned long long)c->options.fanout,
             (unsigned long long)c->options.page, c->options.height, (unsigned long long)c->options.cache,
             (int)c->kind, c->count, what);
}

#define CHECK(c, round, condition) check(c, round, condition, #condition)

static uint64_t translate_one(riffle_vat *vat, uint64_t address) {
    riffle_vat_counts before, after;
    assert_int_equal(riffle_vat_count(vat, &before), RIFFLE_OK);
    assert_int_equal(riffle_vat_access(vat, &address, 1), RIFFLE_OK);
    assert_int_equal(riffle_vat_count(vat, &after), RIFFLE_OK);
    assert_int_equal(after.accesses, before.accesses + 1);
    return after.faults - before.faults;
}

/* ------------------------------------------------------------ definitions */

/* The layers that a translation would have to insert, from the highest missing node down. */
static unsigned from_highest_missing(const naive_cache *cache, uint64_t address) {
    unsigned layer = cache->options.height + 1;
    while (layer > 0 && naive_has(cache, naive_node_of(cache, address, layer - 1))) layer--;
    return layer;
}

static void follow_naive(trace_case *c, riffle_vat_policy policy, unsigned round) {
    riffle_vat *vat = NULL;
    assert_int_equal(riffle_vat_create(policy, &c->options, &vat), RIFFLE_OK);
    naive_cache naive = naive_create(&c->options);
    for (size_t i = 0; i < c->count; i++) {
        const uint64_t before = naive.faults;
        const unsigned missing = from_highest_missing(&naive, c->trace[i]);
        naive_access(&naive, policy, c->trace[i]);
        const uint64_t faults = translate_one(vat, c->trace[i]);
        CHECK(c, round, faults == naive.faults - before);
        if (policy == RIFFLE_VAT_POLICY_LRU) CHECK(c, round, faults == missing); /* Lemma 2.8 */
        const bool promised = policy == RIFFLE_VAT_POLICY_ISLRU && c->options.cache > c->options.height;
        CHECK(c, round, !promised || naive_is_segment(&naive));
    }
    free(naive.node);
    riffle_vat_free(vat);
}

static void lru_and_islru_follow_their_definitions_at_every_translation(void **state) {
    (void)state;
    rng r = {seed};
    for (unsigned round = 0; round < test_rounds(600); round++) {
        trace_case c = random_case(&r, 9, 40, 200);
        if (rng_below(&r, 3) == 0) c.options.cache = 1 + rng_below(&r, c.options.height + 1);
        follow_naive(&c, RIFFLE_VAT_POLICY_LRU, round);
        follow_naive(&c, RIFFLE_VAT_POLICY_ISLRU, round);
        free(c.trace);
    }
}

static void min_and_ismin_follow_their_definitions(void **state) {
    (void)state;
    rng r = {seed};
    for (unsigned round = 0; round < test_rounds(100); round++) {
        trace_case c = random_case(&r, 8, 40, 120);
        const uint64_t ismin =
            faults_of(&r, RIFFLE_VAT_POLICY_ISMIN, c.options, c.options.cache, c.trace, c.count);
        CHECK(&c, round, ismin == naive_offline(&c.options, RIFFLE_VAT_POLICY_ISMIN, c.trace, c.count));
        if (rng_below(&r, 3) == 0) c.options.cache = 1 + rng_below(&r, c.options.height + 1);
        const uint64_t min = faults_of(&r, RIFFLE_VAT_POLICY_MIN, c.options, c.options.cache, c.trace, c.count);
        CHECK(&c, round, min == naive_offline(&c.options, RIFFLE_VAT_POLICY_MIN, c.trace, c.count));
        free(c.trace);
    }
}

/* --------------------------------------------------------------- optimum */

/* Nodes of a tiny tree as bits of a set: the layers from the root down, one after the other. */
enum { TINY_NODES = 15, TINY_SETS = 1 << TINY_NODES, UNREACHED = 255 };

typedef struct tiny_tree {
    unsigned nodes;
    unsigned parent[TINY_NODES + 1]; /* the root's is itself */
} tiny_tree;

static unsigned tiny_node(const riffle_vat_options *o, uint64_t address, unsigned layer) {
    unsigned first = 0, width = 1;
    uint64_t reach = o->page;
    for (unsigned k = 0; k < layer; k++) reach *= o->fanout;
    for (unsigned k = o->height; k > layer; k--, width *= (unsigned)o->fanout) first += width;
    return first + (unsigned)(address / reach);
}

static tiny_tree tiny_tree_of(const riffle_vat_options *o) {
    tiny_tree tree = {.nodes = 1};
    for (unsigned depth = 0, width = 1; depth < o->height; depth++)
        width *= (unsigned)o->fanout, tree.nodes += width;
    for (unsigned node = 1; node < tree.nodes; node++) tree.parent[node] = (node - 1) / (unsigned)o->fanout;
    return tree;
}

static bool tiny_is_segment(const tiny_tree *tree, unsigned set) {
    for (unsigned node = 1; node < tree->nodes; node++) {
        if ((set >> node & 1) != 0 && (set >> tree->parent[node] & 1) == 0) return false;
    }
    return true;
}

/* faults[S] is the least with which S can be stored now; using a node turns it into `after`. */
static void tiny_use(const tiny_tree *tree, unsigned node, unsigned cache, bool segment,
                     const unsigned char *faults, unsigned char *after) {
    memset(after, UNREACHED, TINY_SETS);
    for (unsigned set = 0; set < 1U << tree->nodes; set++) {
        if (faults[set] == UNREACHED) continue;
        if ((set >> node & 1) != 0) {
            if (faults[set] < after[set]) after[set] = faults[set];
            continue;
        }
        const bool full = (unsigned)__builtin_popcount(set) == cache;
        for (unsigned victim = 0; victim < tree->nodes; victim++) {
            if (full && (set >> victim & 1) == 0) continue;
            const unsigned next = (full ? set & ~(1U << victim) : set) | 1U << node;
            if (segment && !tiny_is_segment(tree, next)) continue;
            if (faults[set] + 1 < after[next]) after[next] = (unsigned char)(faults[set] + 1);
        }
    }
}

/* Every choice of every eviction, by dynamic programming over the sets that the cache may hold. */
static uint64_t optimum(const riffle_vat_options *o, bool segment, const uint64_t *trace, size_t count) {
    static unsigned char now[TINY_SETS], after[TINY_SETS];
    const tiny_tree tree = tiny_tree_of(o);
    memset(now, UNREACHED, sizeof now);
    now[0] = 0;
    for (size_t i = 0; i < count; i++) {
        for (unsigned layer = o->height + 1; layer-- > 0;) {
            tiny_use(&tree, tiny_node(o, trace[i], layer), (unsigned)o->cache, segment, now, after);
            memcpy(now, after, sizeof now);
        }
    }
    unsigned char least = UNREACHED;
    for (size_t set = 0; set < TINY_SETS; set++) least = now[set] < least ? now[set] : least;
    return least;
}

static void min_and_ismin_are_the_optimum_of_all_choices(void **state) {
    (void)state;
    static const struct {
        uint64_t fanout;
        unsigned height;
    } trees[] = {{2, 1}, {2, 2}, {2, 3}, {4, 1}, {8, 1}};
    rng r = {seed};
    for (unsigned round = 0; round < test_rounds(150); round++) {
        const size_t which = rng_below(&r, sizeof trees / sizeof trees[0]);
        trace_case c = {.options = {.fanout = trees[which].fanout, .height = trees[which].height, .page = 2},
                        .kind = (trace_kind)rng_below(&r, TRACE_KINDS),
                        .count = 1 + rng_below(&r, 24)};
        const uint64_t pages = c.options.height == 1 ? c.options.fanout : 1ULL << c.options.height;
        c.options.cache = c.options.height + 1 + rng_below(&r, 4);
        c.trace = trace_create(&r, c.kind, &c.options, pages, c.count);
        const uint64_t ismin =
            faults_of(&r, RIFFLE_VAT_POLICY_ISMIN, c.options, c.options.cache, c.trace, c.count);
        CHECK(&c, round, ismin == optimum(&c.options, true, c.trace, c.count));
        if (rng_below(&r, 3) == 0) c.options.cache = 1 + rng_below(&r, c.options.height + 1);
        const uint64_t min = faults_of(&r, RIFFLE_VAT_POLICY_MIN, c.options, c.options.cache, c.trace, c.count);
        CHECK(&c, round, min == optimum(&c.options, false, c.trace, c.count));
        free(c.trace);
    }
}

/* --------------------------------------------------------------- theorems */

static void check_theorems(rng *r, const trace_case *c, unsigned round) {
    const uint64_t w = c->options.cache, d = c->options.height;
    const uint64_t *t = c->trace;
    const uint64_t lru = faults_of(r, RIFFLE_VAT_POLICY_LRU, c->options, w, t, c->count);
    const uint64_t islru = faults_of(r, RIFFLE_VAT_POLICY_ISLRU, c->options, w, t, c->count);
    const uint64_t min = faults_of(r, RIFFLE_VAT_POLICY_MIN, c->options, w, t, c->count);
    const uint64_t ismin = faults_of(r, RIFFLE_VAT_POLICY_ISMIN, c->options, w, t, c->count);
    const uint64_t rrmin = faults_of(r, RIFFLE_VAT_POLICY_RRMIN, c->options, w, t, c->count);
    const uint64_t lis = faults_of(r, RIFFLE_VAT_POLICY_LIS, c->options, w, t, c->count);
    const uint64_t ismin_more = faults_of(r, RIFFLE_VAT_POLICY_ISMIN, c->options, w + d, t, c->count);
    /* Theorem 2.14 */
    CHECK(c, round, min <= ismin && ismin <= islru && islru <= lru);
    CHECK(c, round, lru <= 2 * faults_of(r, RIFFLE_VAT_POLICY_MIN, c->options, w / 2, t, c->count));
    /* Lemma 2.15, Theorem 2.16 */
    CHECK(c, round, faults_of(r, RIFFLE_VAT_POLICY_LRU, c->options, w + d, t, c->count) <= islru);
    CHECK(c, round, ismin_more <= min);
    /* Lemmas 2.17 and 2.18: no worse than MIN, no better than the optimum with their cells. */
    CHECK(c, round, rrmin <= min && lis <= rrmin && ismin_more <= lis);
    CHECK(c, round, faults_of(r, RIFFLE_VAT_POLICY_MIN, c->options, w + 1, t, c->count) <= rrmin);
}

static void the_theorems_hold_on_small_trees(void **state) {
    (void)state;
    rng r = {seed};
    for (unsigned round = 0; round < test_rounds(4000); round++) {
        trace_case c = random_case(&r, 6, 12, 150);
        check_theorems(&r, &c, round);
        free(c.trace);
    }
}

static void the_theorems_hold_on_middling_trees(void **state) {
    (void)state;
    rng r = {seed};
    for (unsigned round = 0; round < test_rounds(150); round++) {
        trace_case c = random_case(&r, 14, 300, 4000);
        check_theorems(&r, &c, round);
        free(c.trace);
    }
}

/* Remark 2.11. */
static void islru_is_no_worse_than_lru_where_no_path_fits(void **state) {
    (void)state;
    rng r = {seed};
    for (unsigned round = 0; round < test_rounds(500); round++) {
        trace_case c = random_case(&r, 10, 1, 200);
        const uint64_t cache = 1 + rng_below(&r, c.options.height);
        const uint64_t lru = faults_of(&r, RIFFLE_VAT_POLICY_LRU, c.options, cache, c.trace, c.count);
        CHECK(&c, round, faults_of(&r, RIFFLE_VAT_POLICY_ISLRU, c.options, cache, c.trace, c.count) <= lru);
        free(c.trace);
    }
}

static void distinct_nodes_fault_once_in_a_cache_for_all(void **state) {
    (void)state;
    rng r = {seed};
    const riffle_vat_options options = {.fanout = 4, .page = 16, .height = 3};
    uint64_t trace[3 * 64];
    for (size_t i = 0; i < 3 * 64; i++) trace[i] = i * 37 % 64 * 16;
    for (int policy = RIFFLE_VAT_POLICY_LRU; policy <= RIFFLE_VAT_POLICY_LIS; policy++) {
        assert_int_equal(faults_of(&r, (riffle_vat_policy)policy, options, 85, trace, 3 * 64), 64 + 16 + 4 + 1);
    }
}

/* ------------------------------------------------------------ construction */

static bool is_at_or_below(const vat_trace *trace, uint32_t node, uint32_t above) {
    while (node != above && node != VAT_NONE) node = trace->node[node].parent;
    return node == above;
}

/* Section 2.3.7: a bijection from what MIN stores to the regular cells, which maps nodes to ancestors. */
static bool is_bijection_to_ancestors(const vat_rrmin *rrmin) {
    if (rrmin->regular.size != rrmin->min.stored.size) return false;
    for (uint32_t node = 0; node < rrmin->trace->nodes; node++) {
        if (!vat_heap_has(&rrmin->min.stored, node)) continue;
        const uint32_t image = rrmin->image[node];
        if (image == VAT_NONE || !vat_segment_has(&rrmin->regular, image)) return false;
        if (rrmin->witness[image] != node || !is_at_or_below(rrmin->trace, node, image)) return false;
    }
    return true;
}

static void watch_rrmin(const trace_case *c, unsigned round, uint64_t *moved_below) {
    vat_trace trace = vat_trace_of(vat_tree_of((unsigned)__builtin_ctzll(c->options.fanout),
                                               (unsigned)__builtin_ctzll(c->options.page), c->options.height));
    vat_walk walk;
    vat_rrmin rrmin;
    assert_int_equal(vat_trace_append(&trace, c->trace, c->count), RIFFLE_OK);
    assert_int_equal(vat_walk_create(&trace, &walk), RIFFLE_OK);
    assert_int_equal(vat_rrmin_create(&trace, c->options.cache, &rrmin), RIFFLE_OK);
    while (vat_walk_step(&walk)) {
        vat_rrmin_begin(&rrmin);
        for (unsigned layer = c->options.height + 1; layer-- > 0;) {
            const uint32_t rr = rrmin.rr;
            vat_rrmin_move move;
            CHECK(c, round, vat_rrmin_use(&rrmin, walk.node[layer], walk.use[layer], &move) == RIFFLE_OK);
            CHECK(c, round, is_bijection_to_ancestors(&rrmin));
            CHECK(c, round, move.held == VAT_NONE || move.held != rr);
            CHECK(c, round, rrmin.rr == VAT_NONE || !vat_segment_has(&rrmin.regular, rrmin.rr));
            CHECK(c, round, vat_segment_has(&rrmin.regular, walk.node[layer]) || rrmin.rr == walk.node[layer]);
            *moved_below += move.inserted != VAT_NONE && move.inserted != walk.node[layer];
        }
    }
    vat_rrmin_free(&rrmin);
    vat_walk_free(&walk);
    vat_trace_free(&trace);
}

static void rrmin_keeps_a_bijection_to_ancestors_at_every_step(void **state) {
    (void)state;
    rng r = {seed};
    uint64_t moved_below = 0;
    for (unsigned round = 0; round < test_rounds(1000); round++) {
        trace_case c = random_case(&r, 6, 12, 150);
        watch_rrmin(&c, round, &moved_below);
        free(c.trace);
    }
    assert_true(moved_below > 0); /* the chain of witnesses has been followed */
}

/* ------------------------------------------------------------------ errors */

static void expect_refusal(riffle_vat_policy policy, riffle_vat_options options, const char *detail) {
    riffle_vat *vat = NULL;
    assert_int_equal(riffle_vat_create(policy, &options, &vat), RIFFLE_ERROR_INVALID_ARGUMENT);
    assert_null(vat);
    if (strstr(riffle_error_detail(), detail) == NULL)
        fail_msg("\"%s\" not in: %s", detail, riffle_error_detail());
}

static void bad_options_are_refused(void **state) {
    (void)state;
    expect_refusal(RIFFLE_VAT_POLICY_LRU, (riffle_vat_options){.fanout = 3}, "fanout: 3 is no power of two");
    expect_refusal(RIFFLE_VAT_POLICY_LRU, (riffle_vat_options){.fanout = 1},
                   "fanout: 1 is no power of two from 2");
    expect_refusal(RIFFLE_VAT_POLICY_MIN, (riffle_vat_options){.page = 4095}, "page: 4095 bytes");
    expect_refusal(RIFFLE_VAT_POLICY_MIN, (riffle_vat_options){.height = 6}, "height: 6 layers");
    expect_refusal(RIFFLE_VAT_POLICY_MIN, (riffle_vat_options){.fanout = 2, .page = 1, .height = 65},
                   "at most 64 fit");
    expect_refusal(RIFFLE_VAT_POLICY_LRU, (riffle_vat_options){.height = UINT32_MAX}, "at most 5 fit");
    expect_refusal(RIFFLE_VAT_POLICY_LRU, (riffle_vat_options){.cache = (1ULL << 31) + 1}, "more than 2^31");
    expect_refusal(RIFFLE_VAT_POLICY_LRU, (riffle_vat_options){.tau = -1}, "tau: -1");
    expect_refusal(RIFFLE_VAT_POLICY_LRU, (riffle_vat_options){.tau = (double)NAN}, "tau:");
    expect_refusal(RIFFLE_VAT_POLICY_LRU, (riffle_vat_options){.tau = (double)INFINITY}, "tau:");
    expect_refusal((riffle_vat_policy)6, (riffle_vat_options){0}, "policy: there is none with the number 6");
}

/* Proposition 2.3. */
static void an_initial_segment_needs_room_for_a_path(void **state) {
    (void)state;
    rng r = {seed};
    const uint64_t trace[] = {0, 1, 2, 1, 0, 4096};
    for (int k = RIFFLE_VAT_POLICY_LRU; k <= RIFFLE_VAT_POLICY_LIS; k++) {
        const riffle_vat_policy policy = (riffle_vat_policy)k;
        const bool needs = policy >= RIFFLE_VAT_POLICY_ISMIN;
        if (needs) expect_refusal(policy, (riffle_vat_options){.cache = 4}, "take at least 5");
        assert_true(faults_of(&r, policy, (riffle_vat_options){0}, needs ? 5 : 4, trace, 6) >= 6);
    }
}

static void an_address_beyond_the_tree_is_named(void **state) {
    (void)state;
    const riffle_vat_options options = {.fanout = 4, .page = 16, .height = 2};
    const uint64_t addresses[] = {255, 16, 0, 256, 3};
    for (int policy = RIFFLE_VAT_POLICY_LRU; policy <= RIFFLE_VAT_POLICY_LIS; policy++) {
        riffle_vat *vat = NULL;
        riffle_vat_counts counts;
        assert_int_equal(riffle_vat_create((riffle_vat_policy)policy, &options, &vat), RIFFLE_OK);
        assert_int_equal(riffle_vat_access(vat, addresses, 1), RIFFLE_OK);
        assert_int_equal(riffle_vat_access(vat, addresses + 1, 4), RIFFLE_ERROR_INVALID_ARGUMENT);
        assert_string_equal(riffle_error_detail(),
                            "access 3: the address 0x100 is beyond the tree's 2^8 bytes");
        assert_int_equal(riffle_vat_count(vat, &counts), RIFFLE_OK);
        assert_int_equal(counts.accesses, 3);
        assert_int_equal(counts.faults, 3 + 2 + 1);
        assert_int_equal(riffle_vat_access(vat, addresses + 4, 1), RIFFLE_OK);
        assert_int_equal(riffle_vat_count(vat, &counts), RIFFLE_OK);
        assert_int_equal(counts.accesses, 4);
        assert_int_equal(counts.faults, 3 + 2 + 1);
        riffle_vat_free(vat);
    }
}

static void a_tree_may_cover_all_addresses(void **state) {
    (void)state;
    rng r = {seed};
    const uint64_t trace[] = {0, UINT64_MAX, 1ULL << 63, UINT64_MAX - 1, UINT64_MAX};
    const riffle_vat_options bytes = {.fanout = 2, .page = 1, .height = 64};
    const riffle_vat_options pages = {.fanout = 1ULL << 32, .page = 1ULL << 32, .height = 1};
    for (int k = RIFFLE_VAT_POLICY_LRU; k <= RIFFLE_VAT_POLICY_LIS; k++) {
        const riffle_vat_policy policy = (riffle_vat_policy)k;
        /* The root; 64 below it for each of the first two; 63 below a shared one; 1. */
        assert_int_equal(faults_of(&r, policy, bytes, 1000, trace, 5), 1 + 64 + 64 + 63 + 1);
        assert_int_equal(faults_of(&r, policy, pages, 4, trace, 5), 4);
    }
}

static void an_empty_trace_costs_nothing_and_zero_means_the_defaults(void **state) {
    (void)state;
    const uint64_t last = (1ULL << 48) - 1, beyond = 1ULL << 48;
    for (int policy = RIFFLE_VAT_POLICY_LRU; policy <= RIFFLE_VAT_POLICY_LIS; policy++) {
        riffle_vat *vat = NULL;
        riffle_vat_counts counts;
        const riffle_vat_options options = {.tau = 2.5};
        assert_int_equal(riffle_vat_create((riffle_vat_policy)policy, policy % 2 ? NULL : &options, &vat),
                         RIFFLE_OK);
        assert_int_equal(riffle_vat_access(vat, &last, 0), RIFFLE_OK);
        assert_int_equal(riffle_vat_count(vat, &counts), RIFFLE_OK);
        assert_int_equal(counts.accesses + counts.faults, 0);
        assert_int_equal(riffle_vat_access(vat, &last, 1), RIFFLE_OK);
        assert_int_equal(riffle_vat_access(vat, &beyond, 1), RIFFLE_ERROR_INVALID_ARGUMENT);
        assert_int_equal(riffle_vat_count(vat, &counts), RIFFLE_OK);
        assert_int_equal(counts.faults, 5);
        assert_true(counts.cost == (policy % 2 ? 5.0 : 12.5));
        riffle_vat_free(vat);
    }
    riffle_vat_free(NULL);
}

static void policies_have_names(void **state) {
    (void)state;
    static const char *const names[] = {"lru", "islru", "min", "ismin", "rrmin", "lis"};
    for (int k = 0; k < 6; k++) {
        riffle_vat_policy policy = (riffle_vat_policy)99;
        assert_int_equal(riffle_vat_policy_parse(names[k], &policy), RIFFLE_OK);
        assert_int_equal(policy, k);
        assert_string_equal(riffle_vat_policy_string(policy), names[k]);
    }
    riffle_vat_policy policy = RIFFLE_VAT_POLICY_LIS;
    assert_int_equal(riffle_vat_policy_parse("LRU", &policy), RIFFLE_ERROR_INVALID_ARGUMENT);
    assert_non_null(strstr(riffle_error_detail(), "unknown policy 'LRU'; there are lru, "));
    assert_int_equal(policy, RIFFLE_VAT_POLICY_LIS);
    assert_string_equal(riffle_vat_policy_string((riffle_vat_policy)6), "unknown");
}

/* The check that ISMIN, RRMIN and LIS run at every step does find what it looks for. */
static void a_broken_initial_segment_is_an_internal_error(void **state) {
    (void)state;
    const uint64_t addresses[] = {0, 1};
    vat_trace trace = vat_trace_of(vat_tree_of(1, 0, 1));
    vat_segment segment;
    assert_int_equal(vat_trace_append(&trace, addresses, 2), RIFFLE_OK);
    assert_int_equal(trace.nodes, 3); /* the root, its child 0, its child 1 */
    assert_int_equal(vat_segment_create(&trace, &segment), RIFFLE_OK);
    assert_int_equal(vat_segment_insert(&segment, 1), RIFFLE_ERROR_INTERNAL);
    assert_non_null(strstr(riffle_error_detail(), "without its parent"));
    assert_int_equal(vat_segment_evict(&segment, 0), RIFFLE_ERROR_INTERNAL);
    assert_non_null(strstr(riffle_error_detail(), "that it did not have"));
    assert_int_equal(vat_segment_insert(&segment, 0), RIFFLE_OK);
    assert_int_equal(vat_segment_insert(&segment, 0), RIFFLE_ERROR_INTERNAL);
    assert_non_null(strstr(riffle_error_detail(), "twice"));
    assert_int_equal(vat_segment_insert(&segment, 2), RIFFLE_OK);
    assert_int_equal(vat_segment_evict(&segment, 0), RIFFLE_ERROR_INTERNAL);
    assert_non_null(strstr(riffle_error_detail(), "before its children"));
    assert_int_equal(segment.size, 2);
    vat_segment_free(&segment);
    vat_trace_free(&trace);
}

int main(void) {
    seed = test_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lru_and_islru_follow_their_definitions_at_every_translation),
        cmocka_unit_test(min_and_ismin_follow_their_definitions),
        cmocka_unit_test(min_and_ismin_are_the_optimum_of_all_choices),
        cmocka_unit_test(the_theorems_hold_on_small_trees),
        cmocka_unit_test(the_theorems_hold_on_middling_trees),
        cmocka_unit_test(islru_is_no_worse_than_lru_where_no_path_fits),
        cmocka_unit_test(distinct_nodes_fault_once_in_a_cache_for_all),
        cmocka_unit_test(rrmin_keeps_a_bijection_to_ancestors_at_every_step),
        cmocka_unit_test(bad_options_are_refused),
        cmocka_unit_test(an_initial_segment_needs_room_for_a_path),
        cmocka_unit_test(an_address_beyond_the_tree_is_named),
        cmocka_unit_test(a_tree_may_cover_all_addresses),
        cmocka_unit_test(an_empty_trace_costs_nothing_and_zero_means_the_defaults),
        cmocka_unit_test(policies_have_names),
        cmocka_unit_test(a_broken_initial_segment_is_an_internal_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
