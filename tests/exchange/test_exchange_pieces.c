/* SPDX-License-Identifier: Apache-2.0
 *
 * Messages in the order of pieces, whole and cut at pages, against the definition; and the moves that keep the order of src.
 */
#include "riffle/exchange.h"

#include "support.h"

enum { MAX_RANKS = 9 };

static uint64_t seed;

typedef struct parts {
    unsigned count;
    riffle_exchange *of[MAX_RANKS];
    uint32_t *places[MAX_RANKS]; /* copies, for a part that is finished has none */
} parts;

/* The turn-th message of a rank to another one. */
static const riffle_exchange_message *message_of(const riffle_exchange *from, unsigned to, unsigned turn) {
    size_t count;
    const riffle_exchange_message *const list = riffle_exchange_sends(from, &count);
    for (size_t k = 0; k < count; k++)
        if (list[k].rank == to && turn-- == 0) return &list[k];
    return NULL;
}

static uint64_t count_to(const riffle_exchange *from, unsigned to) {
    uint64_t sum = 0;
    const riffle_exchange_message *m;
    for (unsigned turn = 0; (m = message_of(from, to, turn)) != NULL; turn++) sum += m->count;
    return sum;
}

/* Ranks' places for rank q: of each they lie in order of the ranks, end to end. */
static void finish(const parts *x, unsigned q, uint64_t n) {
    uint64_t counts[MAX_RANKS], sum = 0;
    uint32_t *const came = calloc(n + 1, sizeof *came);
    assert_non_null(came);
    for (unsigned p = 0; p < x->count; p++) {
        uint64_t before = 0;
        for (unsigned to = 0; to < q; to++) before += count_to(x->of[p], to);
        counts[p] = count_to(x->of[p], q);
        memcpy(came + sum, x->places[p] + before, counts[p] * sizeof *came);
        sum += counts[p];
    }
    if (riffle_exchange_finish(x->of[q], counts, came) != RIFFLE_OK) fail_msg("%s", riffle_error_detail());
    free(came);
}

static uint64_t block_of(uint64_t n, unsigned count) { return (n + count - 1) / count; }

static parts plan_all(const riffle_perm *perm, unsigned count, const riffle_exchange_options *options) {
    const uint64_t n = riffle_perm_length(perm);
    parts x = {.count = count};
    for (unsigned p = 0; p < count; p++) {
        if (riffle_exchange_create(perm, count, p, options, &x.of[p]) != RIFFLE_OK)
            fail_msg("%s", riffle_error_detail());
        const size_t bytes = riffle_perm_length(riffle_exchange_pack(x.of[p])) * sizeof(uint32_t);
        assert_int_equal(riffle_exchange_place_bytes(x.of[p]), sizeof(uint32_t));
        x.places[p] = malloc(bytes + 1);
        assert_non_null(x.places[p]);
        memcpy(x.places[p], riffle_exchange_places(x.of[p]), bytes);
    }
    for (unsigned q = 0; q < count; q++) finish(&x, q, n);
    return x;
}

static void free_all(parts *x) {
    for (unsigned p = 0; p < x->count; p++) {
        riffle_exchange_free(x->of[p]);
        free(x->places[p]);
    }
}

/* got = what comes to rank q of the ranks' packed arrays. Messages of pages begin with pages on both sides, ahead of the others. */
static void deliver(const parts *x, unsigned q, uint64_t *const *packed, uint64_t page, uint64_t *got) {
    unsigned turns[MAX_RANKS] = {0};
    size_t count;
    uint64_t first = 0;
    const riffle_exchange_message *const list = riffle_exchange_receives(x->of[q], &count);
    bool is_over = false;
    for (size_t k = 0; k < count; k++) {
        const riffle_exchange_message *const sent = message_of(x->of[list[k].rank], q, turns[list[k].rank]++);
        assert_non_null(sent);
        assert_int_equal(sent->count, list[k].count);
        assert_int_equal(list[k].first, first);
        if (page > 0) {
            is_over |= sent->count < page;
            assert_int_equal(sent->count % page != 0, is_over);
            if (!is_over) assert_true(sent->first % page == 0 && list[k].first % page == 0);
        }
        memcpy(got + first, packed[list[k].rank] + sent->first, sent->count * sizeof *got);
        first += sent->count;
    }
}

static void expect_moved(const riffle_perm *perm, const parts *x, uint64_t page, const char *what) {
    const uint64_t n = riffle_perm_length(perm), block = block_of(n, x->count);
    uint64_t *const room = calloc((uint64_t)x->count * block + 1, sizeof *room), *packed[MAX_RANKS];
    uint64_t *const got = calloc(block + 1, sizeof *got);
    riffle_perm *inverse;
    assert_int_equal(riffle_perm_invert(perm, &inverse), RIFFLE_OK);
    for (unsigned p = 0; p < x->count; p++) {
        const riffle_perm *const pack = riffle_exchange_pack(x->of[p]);
        packed[p] = room + p * block;
        for (uint64_t i = 0; i < riffle_perm_length(pack); i++)
            packed[p][riffle_perm_at(pack, i)] = p * block + i + 1;
    }
    for (unsigned q = 0; q < x->count; q++) {
        const riffle_perm *const unpack = riffle_exchange_unpack(x->of[q]);
        deliver(x, q, packed, page, got);
        for (uint64_t k = 0; k < riffle_perm_length(unpack); k++) {
            const uint64_t to = q * block + riffle_perm_at(unpack, k);
            if (got[k] != riffle_perm_at(inverse, to) + 1)
                fail_msg("seed %llu: %s of %llu over %u ranks: rank %u has a wrong element at %llu",
                         (unsigned long long)seed, what, (unsigned long long)n, x->count, q,
                         (unsigned long long)to);
        }
    }
    riffle_perm_free(inverse);
    free(room);
    free(got);
}

/* Stretches of what comes that go to one piece of dst. */
static uint64_t count_runs(const riffle_perm *unpack, unsigned piece_bits) {
    uint64_t runs = 0, piece = UINT64_MAX;
    for (uint64_t k = 0; k < riffle_perm_length(unpack); k++) {
        const uint64_t to = riffle_perm_at(unpack, k) >> piece_bits;
        runs += to != piece;
        piece = to;
    }
    return runs;
}

/* A window gives each piece one run; a page's border may cut one of each sender. */
static void expect_runs(const parts *x, uint64_t n, unsigned piece_bits) {
    const uint64_t block = block_of(n, x->count), windows = x->count * ((block >> piece_bits) + 1);
    for (unsigned q = 0; q < x->count; q++)
        assert_true(count_runs(riffle_exchange_unpack(x->of[q]), piece_bits) <=
                    windows * ((block >> piece_bits) + 1) + x->count);
}

static void random_tables_come_by_pieces(void **state) {
    (void)state;
    rng r = {seed};
    for (unsigned round = 0; round < test_rounds(60); round++) {
        const unsigned count = 1 + (unsigned)rng_below(&r, MAX_RANKS), bits = 6 + (unsigned)rng_below(&r, 2);
        const uint64_t least = (uint64_t)count * 4 << bits, most = (uint64_t)1 << (2 * bits - 2);
        const uint64_t n = least > most ? most : least + rng_below(&r, most - least + 1);
        const uint64_t pages[] = {0, 1 + rng_below(&r, 40), 16};
        const riffle_exchange_options options = {.piece_bits = bits, .page = pages[round % 3]};
        riffle_perm *const perm = random_table(&r, n);
        parts x = plan_all(perm, count, &options);
        const bool is_cut = n / count >= (uint64_t)4 << bits;
        expect_moved(perm, &x, is_cut ? options.page : 0, "a table");
        if (is_cut) expect_runs(&x, n, bits);
        free_all(&x);
        riffle_perm_free(perm);
    }
}

/* Parts of unlike lengths, and ranks that have nothing. */
static void owners_of_chunks_bear_pieces(void **state) {
    (void)state;
    static const uint32_t owner[] = {2, 0, 0, 2, 2, 0, 2, 2};
    const riffle_exchange_layout by_owner = {
        .kind = RIFFLE_EXCHANGE_LAYOUT_OWNERS, .chunks = sizeof owner / sizeof *owner, .owner = owner};
    const riffle_exchange_options options = {.dst = by_owner, .piece_bits = 6, .page = 10};
    rng r = {seed};
    riffle_perm *const perm = random_table(&r, 1000);
    parts x = plan_all(perm, 3, &options);
    for (unsigned q = 0; q < 3; q++) {
        const uint64_t length = riffle_perm_length(riffle_exchange_unpack(x.of[q]));
        assert_int_equal(length, q == 1 ? 0 : q == 0 ? 375 : 625);
    }
    assert_null(message_of(x.of[0], 1, 0));
    assert_int_equal(count_to(x.of[0], 0) + count_to(x.of[0], 2), 334);
    free_all(&x);
    riffle_perm_free(perm);
}

/* Messages whose elements have an order of their own keep it. */
static void others_keep_the_order_of_src(void **state) {
    (void)state;
    static const struct {
        const char *spec;
        uint64_t n;
        unsigned count;
    } cases[] = {
        {"axes:10x21x10:1,2,0", 2100, 3}, {"rotate:77", 1999, 4}, {"reverse", 2000, 3}, {"random:3", 500, 3}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        riffle_perm *const perm = parse_or_fail(cases[k].spec, cases[k].n);
        const riffle_exchange_options options = {.piece_bits = 6, .page = 8};
        parts x = plan_all(perm, cases[k].count, &options), plain = plan_all(perm, cases[k].count, NULL);
        for (unsigned p = 0; p < cases[k].count; p++) {
            const riffle_perm *const a = riffle_exchange_pack(x.of[p]), *const b =
                                                                            riffle_exchange_pack(plain.of[p]);
            for (uint64_t i = 0; i < riffle_perm_length(a); i++)
                assert_int_equal(riffle_perm_at(a, i), riffle_perm_at(b, i));
            for (unsigned q = 0; q < cases[k].count; q++) assert_null(message_of(x.of[p], q, 1));
        }
        expect_moved(perm, &x, 0, cases[k].spec);
        free_all(&x);
        free_all(&plain);
        riffle_perm_free(perm);
    }
}

int main(void) {
    seed = test_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_tables_come_by_pieces),
        cmocka_unit_test(owners_of_chunks_bear_pieces),
        cmocka_unit_test(others_keep_the_order_of_src),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
