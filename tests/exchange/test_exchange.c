/* SPDX-License-Identifier: Apache-2.0
 *
 * Exchanges among ranks that one process simulates, against the plain definition: every form of a spec, lengths off every edge, 1 to 16
 * ranks and more, each layout; what is sent against the cost that was told before, and what is refused.
 */
#include "riffle/exchange.h"

#include <limits.h>

#include "support.h"

static uint64_t seed;

enum { MAX_RANKS = 64 };

/* The parts of all ranks, and where a layout says that elements are, by the plain definition. */
typedef struct ranks {
    unsigned count;
    riffle_exchange *part[MAX_RANKS];
    uint64_t src_count[MAX_RANKS], dst_count[MAX_RANKS];
    uint64_t *packed[MAX_RANKS], *got[MAX_RANKS], *dst[MAX_RANKS];
} ranks;

static unsigned owner_of(const riffle_exchange_layout *l, uint64_t n, unsigned count, uint64_t i) {
    if (l->kind == RIFFLE_EXCHANGE_LAYOUT_OWNERS) return l->owner[i / ((n + l->chunks - 1) / l->chunks)];
    if (l->kind == RIFFLE_EXCHANGE_LAYOUT_BLOCKS) return (unsigned)(i / ((n + count - 1) / count));
    uint64_t inner = 1;
    for (unsigned k = l->axis + 1; k < l->rank; k++) inner *= l->shape[k];
    const uint64_t along = l->shape[l->axis];
    return (unsigned)(i / inner % along / ((along + count - 1) / count));
}

/* For each rank the indices of its elements in order. */
static void list_elements(const riffle_exchange_layout *l, uint64_t n, unsigned count, uint64_t **list,
                          uint64_t *counts) {
    for (unsigned p = 0; p < count; p++) {
        counts[p] = 0;
        list[p] = malloc((n + 1) * sizeof **list);
        assert_non_null(list[p]);
    }
    for (uint64_t i = 0; i < n; i++) {
        const unsigned p = owner_of(l, n, count, i);
        list[p][counts[p]++] = i;
    }
}

static const riffle_exchange_message *message_to(const riffle_exchange *x, unsigned rank) {
    size_t count;
    const riffle_exchange_message *list = riffle_exchange_sends(x, &count);
    for (size_t k = 0; k < count; k++)
        if (list[k].rank == rank) return &list[k];
    return NULL;
}

/* All that ranks send to rank q of their arrays, in order of the ranks. */
static uint64_t gather(const ranks *r, unsigned q, uint64_t *const *from, uint64_t *to, uint64_t *counts) {
    uint64_t sum = 0;
    for (unsigned p = 0; p < r->count; p++) {
        const riffle_exchange_message *m = message_to(r->part[p], q);
        counts[p] = m != NULL ? m->count : 0;
        if (m != NULL) memcpy(to + sum, from[p] + m->first, m->count * sizeof *to);
        sum += counts[p];
    }
    return sum;
}

static void finish(ranks *r, uint64_t n) {
    uint64_t counts[MAX_RANKS], *places[MAX_RANKS], *kept = malloc((n + 1) * r->count * sizeof *kept);
    assert_non_null(kept);
    uint64_t *came = malloc((n + 1) * sizeof *came);
    uint32_t *narrow = malloc((n + 1) * sizeof *narrow);
    assert_true(came != NULL && narrow != NULL);
    for (unsigned p = 0; p < r->count; p++) {
        const uint32_t *const own = riffle_exchange_places(r->part[p]);
        assert_int_equal(riffle_exchange_place_bytes(r->part[p]), sizeof *own);
        places[p] = kept + p * (n + 1);
        for (uint64_t i = 0; i < r->src_count[p]; i++) places[p][i] = own[i];
    }
    for (unsigned q = 0; q < r->count; q++) {
        assert_int_equal(gather(r, q, places, came, counts), r->dst_count[q]);
        for (uint64_t i = 0; i < r->dst_count[q]; i++) narrow[i] = (uint32_t)came[i];
        if (riffle_exchange_finish(r->part[q], counts, narrow) != RIFFLE_OK)
            fail_msg("%s", riffle_error_detail());
        assert_null(riffle_exchange_places(r->part[q]));
        assert_int_equal(riffle_exchange_place_bytes(r->part[q]), 0);
    }
    free(narrow);
    free(came);
    free(kept);
}

/* The receives of each rank are the sends of the others. */
static void expect_messages(const ranks *r) {
    for (unsigned q = 0; q < r->count; q++) {
        size_t count;
        const riffle_exchange_message *list = riffle_exchange_receives(r->part[q], &count);
        uint64_t first = 0;
        for (size_t k = 0; k < count; k++) {
            const riffle_exchange_message *sent = message_to(r->part[list[k].rank], q);
            assert_non_null(sent);
            assert_true(k == 0 || list[k - 1].rank < list[k].rank);
            assert_int_equal(list[k].first, first);
            assert_int_equal(list[k].count, sent->count);
            first += list[k].count;
        }
        assert_int_equal(first, r->dst_count[q]);
    }
}

static void apply(const riffle_perm *perm, uint64_t *dst, const uint64_t *src) {
    for (uint64_t i = 0; i < riffle_perm_length(perm); i++) dst[riffle_perm_at(perm, i)] = src[i];
}

static uint64_t *poisoned(uint64_t count) {
    uint64_t *const out = malloc((count + 1) * sizeof *out);
    assert_non_null(out);
    memset(out, POISON_VALUE, (count + 1) * sizeof *out);
    return out;
}

/* Elements and messages between ranks, and the most of one, which a cost is to tell. */
static void expect_cost(const ranks *r, const riffle_perm *perm, const riffle_exchange_options *options,
                        const char *what) {
    riffle_exchange_cost told, is = {.coset_bits = riffle_exchange_coset_bits(r->part[0])};
    uint64_t got[MAX_RANKS] = {0};
    unsigned heard[MAX_RANKS] = {0};
    for (unsigned p = 0; p < r->count; p++) {
        size_t count;
        const riffle_exchange_message *list = riffle_exchange_sends(r->part[p], &count);
        uint64_t sent = 0;
        unsigned messages = 0;
        for (size_t k = 0; k < count; k++) {
            if (list[k].rank == p) continue;
            sent += list[k].count;
            messages++;
            got[list[k].rank] += list[k].count;
            heard[list[k].rank]++;
        }
        is.volume += sent;
        is.messages += messages;
        is.most_sent = sent > is.most_sent ? sent : is.most_sent;
        is.most_messages = messages > is.most_messages ? messages : is.most_messages;
    }
    assert_int_equal(riffle_exchange_cost_of(perm, r->count, options, &told), RIFFLE_OK);
    for (unsigned p = 0; p < r->count; p++)
        is.most_messages = heard[p] > is.most_messages ? heard[p] : is.most_messages;
    for (unsigned p = 0; p < r->count; p++) is.most_sent = got[p] > is.most_sent ? got[p] : is.most_sent;
    if (told.volume != is.volume || told.messages != is.messages || told.most_sent != is.most_sent ||
        told.most_messages != is.most_messages || told.coset_bits != is.coset_bits)
        fail_msg("seed %llu: %s over %u ranks: %llu elements in %llu messages, most %llu in %u; told %llu in "
                 "%llu, %llu "
                 "in %u",
                 (unsigned long long)seed, what, r->count, (unsigned long long)is.volume,
                 (unsigned long long)is.messages, (unsigned long long)is.most_sent, is.most_messages,
                 (unsigned long long)told.volume, (unsigned long long)told.messages,
                 (unsigned long long)told.most_sent, told.most_messages);
}

/* Element i is i + 1, so that each array tells where its elements are from. */
static void move(ranks *r, uint64_t **src_list, uint64_t n) {
    for (unsigned p = 0; p < r->count; p++) {
        for (uint64_t k = 0; k < r->src_count[p]; k++) src_list[p][k]++;
        r->packed[p] = poisoned(r->src_count[p]);
        apply(riffle_exchange_pack(r->part[p]), r->packed[p], src_list[p]);
    }
    for (unsigned q = 0; q < r->count; q++) {
        uint64_t counts[MAX_RANKS];
        r->got[q] = poisoned(n);
        r->dst[q] = poisoned(r->dst_count[q]);
        gather(r, q, r->packed, r->got[q], counts);
        apply(riffle_exchange_unpack(r->part[q]), r->dst[q], r->got[q]);
    }
}

static void expect_moved(const ranks *r, const riffle_perm *perm, uint64_t **dst_list, const char *what) {
    const uint64_t n = riffle_perm_length(perm);
    uint64_t *const wanted = poisoned(n);
    for (uint64_t i = 0; i < n; i++) wanted[riffle_perm_at(perm, i)] = i + 1;
    for (unsigned p = 0; p < r->count; p++) {
        const unsigned block = riffle_exchange_block(r->part[p]);
        for (uint64_t k = 0; k < r->dst_count[p]; k++)
            if (r->dst[p][k] != wanted[dst_list[block][k]])
                fail_msg("seed %llu: %s of %llu over %u ranks: rank %u has a wrong element at %llu",
                         (unsigned long long)seed, what, (unsigned long long)n, r->count, p,
                         (unsigned long long)k);
    }
    free(wanted);
}

static void release(ranks *r, uint64_t **src_list, uint64_t **dst_list) {
    for (unsigned p = 0; p < r->count; p++) {
        riffle_exchange_free(r->part[p]);
        free(src_list[p]);
        free(dst_list[p]);
        free(r->packed[p]);
        free(r->got[p]);
        free(r->dst[p]);
    }
}

static void expect_exchange(const riffle_perm *perm, unsigned count, const riffle_exchange_options *options,
                            const char *what) {
    const riffle_exchange_options asked =
        options != NULL ? *options : (riffle_exchange_options){.relabel = false};
    const uint64_t n = riffle_perm_length(perm);
    uint64_t *src_list[MAX_RANKS], *dst_list[MAX_RANKS];
    ranks r = {.count = count};
    list_elements(&asked.src, n, count, src_list, r.src_count);
    list_elements(&asked.dst, n, count, dst_list, r.dst_count);
    for (unsigned p = 0; p < count; p++)
        if (riffle_exchange_create(perm, count, p, options, &r.part[p]) != RIFFLE_OK)
            fail_msg("%s: %s", what, riffle_error_detail());
    if (riffle_exchange_places(r.part[0]) != NULL) finish(&r, n);
    expect_messages(&r);
    move(&r, src_list, n);
    expect_moved(&r, perm, dst_list, what);
    expect_cost(&r, perm, options, what);
    release(&r, src_list, dst_list);
}

static void expect_spec(const char *spec, uint64_t n, unsigned count, const riffle_exchange_options *options) {
    riffle_perm *perm = parse_or_fail(spec, n);
    expect_exchange(perm, count, options, spec);
    riffle_perm_free(perm);
}

static void any_number_of_ranks_moves_any_spec(void **state) {
    static const struct {
        const char *spec;
        uint64_t n;
    } cases[] = {{"identity", 0},
                 {"identity", 1},
                 {"identity", 1000},
                 {"reverse", 1000},
                 {"rotate:37", 997},
                 {"rotate:-5", 3},
                 {"bit-reversal", 1024},
                 {"shuffle", 512},
                 {"unshuffle", 512},
                 {"transpose:30x41", 1230},
                 {"transpose:32x64", 2048},
                 {"axes:3x5x7x11:2,0,3,1", 1155},
                 {"axes:4x8x2x16:2,0,3,1", 1024},
                 {"bits:3,1,2,0,5,4,9,7,8,6", 1024},
                 {"affine:1,2,7^1", 8},
                 {"random:7", 1009},
                 {"random-affine:9", 1024},
                 {"~random-affine:9", 1024},
                 {"~random:7", 1009},
                 {"table:[3,1,2,0,4]", 5},
                 {"bit-reversal|rotate:3", 1024},
                 {"reverse", 16}};
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        for (unsigned count = 1; count <= 17; count++) expect_spec(cases[k].spec, cases[k].n, count, NULL);
        expect_spec(cases[k].spec, cases[k].n, MAX_RANKS, NULL);
    }
}

static void affine_maps_move_over_powers_of_two(void **state) {
    rng r = {seed};
    (void)state;
    for (unsigned round = 0; round < test_rounds(150); round++) {
        const unsigned m = (unsigned)rng_below(&r, 11), k = (unsigned)rng_below(&r, (m < 6 ? m : 6) + 1);
        riffle_perm *perm = NULL, *turn = NULL;
        assert_int_equal(riffle_perm_random_affine((uint64_t)1 << m, rng_next(&r), &perm), RIFFLE_OK);
        const riffle_exchange_options options = {.relabel = round % 2 == 1};
        expect_exchange(perm, 1u << k, &options, "random-affine");
        unsigned to[RIFFLE_MAX_BITS];
        for (unsigned b = 0; b < m; b++) {
            const unsigned other = (unsigned)rng_below(&r, b + 1);
            to[b] = other == b ? b : to[other];
            to[other] = b;
        }
        assert_int_equal(riffle_perm_bits(m, to, &turn), RIFFLE_OK);
        expect_exchange(turn, 1u << k, &options, "bits");
        riffle_perm_free(turn);
        riffle_perm_free(perm);
    }
}

/* k global bits that change places with local ones: (1 - 2^-k) of the array, whatever else is permuted. */
static void swapped_global_bits_cost_what_they_must(void **state) {
    enum { M = 20, K = 4 };
    (void)state;
    for (unsigned k = 0; k <= K; k++) {
        unsigned to[M];
        for (unsigned b = 0; b < M; b++) to[b] = b;
        for (unsigned b = 0; b < k; b++) {
            to[M - 1 - b] = b;
            to[b] = M - 1 - b;
        }
        riffle_perm *perm = NULL;
        riffle_exchange_cost cost;
        assert_int_equal(riffle_perm_bits(M, to, &perm), RIFFLE_OK);
        assert_int_equal(riffle_exchange_cost_of(perm, 1 << K, NULL, &cost), RIFFLE_OK);
        assert_int_equal(cost.volume, ((uint64_t)1 << M) - ((uint64_t)1 << (M - k)));
        assert_int_equal(cost.coset_bits, k);
        riffle_perm_free(perm);
    }
}

/* Ranks that only change their names send nothing once they are relabelled. */
static void relabelled_ranks_send_least(void **state) {
    (void)state;
    riffle_perm *perm = parse_or_fail("bits:0,1,2,3,4,5,9,8,7,6", 1024);
    riffle_exchange_cost cost;
    assert_int_equal(riffle_exchange_cost_of(perm, 16, NULL, &cost), RIFFLE_OK);
    assert_true(cost.volume > 0);
    const riffle_exchange_options options = {.relabel = true};
    assert_int_equal(riffle_exchange_cost_of(perm, 16, &options, &cost), RIFFLE_OK);
    assert_int_equal(cost.volume, 0);
    assert_int_equal(cost.messages, 0);
    expect_exchange(perm, 16, &options, "relabelled");
    riffle_perm_free(perm);
}

static void layouts_may_differ(void **state) {
    static const uint64_t shape[] = {6, 8, 10}, turned[] = {10, 6, 8}, even[] = {8, 4, 16},
                          even_turned[] = {16, 8, 4};
    uint32_t owner[48], owner_dst[480];
    rng r = {seed + 1};
    (void)state;
    for (unsigned count = 1; count <= 16; count++) {
        for (unsigned k = 0; k < 48; k++) owner[k] = (uint32_t)rng_below(&r, count);
        for (unsigned k = 0; k < 480; k++) owner_dst[k] = (uint32_t)rng_below(&r, count);
        const riffle_exchange_layout layouts[] = {
            {.kind = RIFFLE_EXCHANGE_LAYOUT_BLOCKS},
            {RIFFLE_EXCHANGE_LAYOUT_AXIS, 3, shape, 0, 0, NULL},
            {RIFFLE_EXCHANGE_LAYOUT_AXIS, 3, shape, 1, 0, NULL},
            {RIFFLE_EXCHANGE_LAYOUT_AXIS, 3, turned, 2, 0, NULL},
            {.kind = RIFFLE_EXCHANGE_LAYOUT_OWNERS, .chunks = 48, .owner = owner},
            {.kind = RIFFLE_EXCHANGE_LAYOUT_OWNERS, .chunks = 47, .owner = owner},
            {.kind = RIFFLE_EXCHANGE_LAYOUT_OWNERS, .chunks = 480, .owner = owner_dst}};
        for (size_t a = 0; a < sizeof layouts / sizeof *layouts; a++)
            for (size_t b = 0; b < sizeof layouts / sizeof *layouts; b++) {
                const riffle_exchange_options options = {.src = layouts[a], .dst = layouts[b]};
                expect_spec("axes:6x8x10:2,0,1", 480, count, &options);
            }
        const riffle_exchange_options columns = {
            .src = {RIFFLE_EXCHANGE_LAYOUT_AXIS, 3, even, 1, 0, NULL},
            .dst = {RIFFLE_EXCHANGE_LAYOUT_AXIS, 3, even_turned, 1, 0, NULL}};
        expect_spec("axes:8x4x16:2,0,1", 512, count, &columns);
        expect_spec("identity", 512, count, &(riffle_exchange_options){.src = columns.src});
        expect_spec("random:3", 512, count, &columns);
    }
}

/* ------------------------------------------------------------------ large P, and what is refused */

static void thousands_of_ranks_have_closed_forms(void **state) {
    riffle_exchange_cost cost;
    riffle_perm *perm = parse_or_fail("bit-reversal", (uint64_t)1 << 40);
    (void)state;
    assert_int_equal(riffle_exchange_cost_of(perm, 4096, NULL, &cost), RIFFLE_OK);
    assert_int_equal(cost.coset_bits, 12);
    assert_int_equal(cost.volume, ((uint64_t)1 << 40) - ((uint64_t)1 << 28));
    assert_int_equal(cost.most_messages, 4095);
    riffle_perm_free(perm);
    perm = parse_or_fail("transpose:1000000x1000000", 1000000000000);
    assert_int_equal(riffle_exchange_cost_of(perm, 10000, NULL, &cost), RIFFLE_OK);
    assert_int_equal(cost.volume, 1000000000000 - (uint64_t)10000 * 100 * 100);
    assert_int_equal(cost.messages, (uint64_t)10000 * 9999);
    assert_int_equal(cost.most_sent, 100 * (1000000 - 100));
    riffle_perm_free(perm);
    perm = parse_or_fail("random:1", (uint64_t)1 << 36);
    assert_int_equal(riffle_exchange_cost_of(perm, 4, NULL, &cost), RIFFLE_OK);
    assert_int_equal(cost.basis, RIFFLE_EXCHANGE_BASIS_SAMPLED);
    const double share = (double)cost.volume / (double)((uint64_t)1 << 36);
    assert_true(share > 0.74 && share < 0.76);
    riffle_perm_free(perm);
}

static void explanations_say_the_cost(void **state) {
    char *text = NULL;
    size_t bytes = 0;
    FILE *const stream = open_memstream(&text, &bytes);
    riffle_perm *perm = parse_or_fail("bit-reversal", 1 << 20);
    const riffle_exchange_link link = {50e9, 2e-6};
    (void)state;
    assert_non_null(stream);
    assert_int_equal(riffle_exchange_explain(perm, 8, 16, NULL, &link, stream), RIFFLE_OK);
    assert_int_equal(fclose(stream), 0);
    static const char *const wanted[] = {"16 ranks",
                                         "cosets of 2^4 = 16 ranks",
                                         "7864320 bytes, 93.75 %",
                                         "240 between ranks, up to 15 of a rank",
                                         "2 us",
                                         "one round"};
    for (size_t k = 0; k < sizeof wanted / sizeof *wanted; k++)
        if (strstr(text, wanted[k]) == NULL) fail_msg("'%s' is not in:\n%s", wanted[k], text);
    free(text);
    assert_int_equal(riffle_exchange_explain(perm, 0, 16, NULL, &link, stdout), RIFFLE_ERROR_INVALID_ARGUMENT);
    riffle_perm_free(perm);
}

static void expect_refusal(const riffle_perm *perm, unsigned count, unsigned rank,
                           const riffle_exchange_layout *dst, riffle_status wanted, const char *words) {
    riffle_exchange *out = NULL;
    const riffle_exchange_options options = {.dst = *dst};
    assert_int_equal(riffle_exchange_create(perm, count, rank, &options, &out), wanted);
    assert_null(out);
    if (strstr(riffle_error_detail(), words) == NULL) fail_msg("'%s' lacks '%s'", riffle_error_detail(), words);
}

static void what_does_not_suit_is_refused(void **state) {
    static const uint64_t shape[] = {3, 4}, huge[] = {(uint64_t)1 << 40, (uint64_t)1 << 40};
    static const uint32_t owner[] = {0, 2};
    const riffle_exchange_layout plain = {.kind = RIFFLE_EXCHANGE_LAYOUT_BLOCKS};
    riffle_perm *perm = parse_or_fail("reverse", 10);
    (void)state;
    expect_refusal(perm, 2, 2, &plain, RIFFLE_ERROR_INVALID_ARGUMENT, "no rank 2 among 2");
    expect_refusal(perm, 0, 0, &plain, RIFFLE_ERROR_INVALID_ARGUMENT, "not 0");
    expect_refusal(perm, RIFFLE_MAX_RANKS + 1, 0, &plain, RIFFLE_ERROR_INVALID_ARGUMENT, "1 to 1048576 ranks");
    expect_refusal(perm, 2, 0, &(riffle_exchange_layout){RIFFLE_EXCHANGE_LAYOUT_AXIS, 2, shape, 0, 0, NULL},
                   RIFFLE_ERROR_LENGTH, "12 elements, and the permutation 10");
    expect_refusal(perm, 2, 0, &(riffle_exchange_layout){RIFFLE_EXCHANGE_LAYOUT_AXIS, 2, huge, 0, 0, NULL},
                   RIFFLE_ERROR_LENGTH, "too many elements");
    expect_refusal(perm, 2, 0, &(riffle_exchange_layout){.kind = RIFFLE_EXCHANGE_LAYOUT_OWNERS, .chunks = 2},
                   RIFFLE_ERROR_INVALID_ARGUMENT, "owner is NULL; give the rank of each of 2 chunks");
    expect_refusal(perm, 2, 0, &(riffle_exchange_layout){RIFFLE_EXCHANGE_LAYOUT_AXIS, 2, shape, 2, 0, NULL},
                   RIFFLE_ERROR_INVALID_ARGUMENT, "axis 2 of 2 dimensions");
    expect_refusal(
        perm, 2, 0,
        &(riffle_exchange_layout){.kind = RIFFLE_EXCHANGE_LAYOUT_OWNERS, .chunks = 2, .owner = owner},
        RIFFLE_ERROR_INVALID_ARGUMENT, "owner[1] is 2, and the last rank is 1");
    expect_refusal(
        perm, 2, 0,
        &(riffle_exchange_layout){.kind = RIFFLE_EXCHANGE_LAYOUT_OWNERS, .chunks = 11, .owner = owner},
        RIFFLE_ERROR_INVALID_ARGUMENT, "11 chunks");
    expect_refusal(perm, 2, 0, &(riffle_exchange_layout){.kind = (riffle_exchange_layout_kind)9},
                   RIFFLE_ERROR_INVALID_ARGUMENT, "no layout 9");
    riffle_perm_free(perm);
}

/* A shape with a dimension of 0 has no elements, whatever the product of the others is. */
static void empty_shapes_have_any_dimensions(void **state) {
    static const uint64_t shapes[3][3] = {
        {(uint64_t)1 << 40, (uint64_t)1 << 40, 0}, {0, UINT64_MAX, 7}, {5, 0, UINT64_MAX}};
    riffle_perm *perm = parse_or_fail("identity", 0);
    (void)state;
    for (unsigned k = 0; k < 27; k++) {
        const riffle_exchange_layout cut = {RIFFLE_EXCHANGE_LAYOUT_AXIS, 3, shapes[k % 3], k / 3 % 3, 0, NULL};
        const riffle_exchange_options options = {.src = cut, .dst = cut};
        riffle_exchange *x = NULL;
        size_t sends = 9, receives = 9;
        assert_int_equal(riffle_exchange_create(perm, 3, k / 9, &options, &x), RIFFLE_OK);
        riffle_exchange_sends(x, &sends);
        if (riffle_exchange_places(x) != NULL)
            assert_int_equal(riffle_exchange_finish(x, (const uint64_t[]){0, 0, 0}, (const uint32_t[]){0}),
                             RIFFLE_OK);
        riffle_exchange_receives(x, &receives);
        assert_true(sends == 0 && receives == 0);
        riffle_exchange_free(x);
    }
    riffle_perm_free(perm);
}

/* Ranks that plan different moves are told so when their places meet. */
static void parts_that_do_not_fit_are_refused(void **state) {
    riffle_perm *perm = parse_or_fail("rotate:1", 10);
    riffle_exchange *x = NULL;
    static const uint32_t same[] = {0, 0, 1, 2, 3}, places[] = {0, 4, 1, 2, 3};
    (void)state;
    assert_int_equal(riffle_exchange_create(perm, 2, 0, NULL, &x), RIFFLE_OK);
    assert_int_equal(riffle_exchange_finish(x, (const uint64_t[]){4, 2}, places),
                     RIFFLE_ERROR_NOT_A_PERMUTATION);
    assert_non_null(strstr(riffle_error_detail(), "rank 0 has room for 5 elements"));
    assert_int_equal(riffle_exchange_finish(x, (const uint64_t[]){UINT64_MAX, 6}, places),
                     RIFFLE_ERROR_NOT_A_PERMUTATION);
    assert_int_equal(riffle_exchange_finish(x, (const uint64_t[]){4, 1}, same), RIFFLE_ERROR_NOT_A_PERMUTATION);
    assert_null(riffle_exchange_unpack(x));
    assert_int_equal(riffle_exchange_finish(x, (const uint64_t[]){4, 1}, places), RIFFLE_OK);
    assert_int_equal(riffle_exchange_finish(x, (const uint64_t[]){4, 1}, places),
                     RIFFLE_ERROR_INVALID_ARGUMENT);
    riffle_exchange_free(x);
    riffle_perm_free(perm);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_number_of_ranks_moves_any_spec),
        cmocka_unit_test(affine_maps_move_over_powers_of_two),
        cmocka_unit_test(swapped_global_bits_cost_what_they_must),
        cmocka_unit_test(relabelled_ranks_send_least),
        cmocka_unit_test(layouts_may_differ),
        cmocka_unit_test(thousands_of_ranks_have_closed_forms),
        cmocka_unit_test(explanations_say_the_cost),
        cmocka_unit_test(what_does_not_suit_is_refused),
        cmocka_unit_test(empty_shapes_have_any_dimensions),
        cmocka_unit_test(parts_that_do_not_fit_are_refused),
    };
    seed = test_seed();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
