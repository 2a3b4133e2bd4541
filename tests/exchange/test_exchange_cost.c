/* SPDX-License-Identifier: Apache-2.0
 *
 * Costs of exchanges that are counted or estimated: what a sample looks at, and the most of a rank that gets more than any sends.
 */
#include "riffle/exchange.h"

#include "support.h"

/* Bits of the rank and within it change places, over ranks that are no power of two: half of all elements move. */
static void samples_are_from_all_of_a_part(void **state) {
    enum { M = 30 };
    unsigned to[M];
    riffle_perm *perm = NULL;
    (void)state;
    for (unsigned b = 0; b < M; b++) to[b] = b == M - 1 ? M - 5 : b == M - 5 ? M - 1 : b;
    assert_int_equal(riffle_perm_bits(M, to, &perm), RIFFLE_OK);
    for (unsigned count = 3; count <= 48; count *= 2) {
        riffle_exchange_cost cost;
        assert_int_equal(riffle_exchange_cost_of(perm, count, NULL, &cost), RIFFLE_OK);
        assert_int_equal(cost.basis, RIFFLE_EXCHANGE_BASIS_SAMPLED);
        const double share = (double)cost.volume / (double)((uint64_t)1 << M);
        if (share < 0.48 || share > 0.52) fail_msg("over %u ranks %.3f of all elements move", count, share);
    }
    riffle_perm_free(perm);
}

/* Rank 0 gets all: its messages and its part are the most, though each other rank sends one message of a few elements. */
static void one_rank_that_gets_all_has_the_most(void **state) {
    static const uint32_t owner[] = {0};
    const riffle_exchange_options options = {
        .dst = {.kind = RIFFLE_EXCHANGE_LAYOUT_OWNERS, .chunks = 1, .owner = owner}};
    riffle_perm *perm = parse_or_fail("reverse", 12);
    char *text = NULL;
    size_t bytes = 0;
    FILE *const stream = open_memstream(&text, &bytes);
    riffle_exchange_cost cost;
    (void)state;
    assert_non_null(stream);
    assert_int_equal(riffle_exchange_cost_of(perm, 4, &options, &cost), RIFFLE_OK);
    assert_int_equal(cost.most_messages, 3);
    assert_int_equal(cost.most_sent, 9);
    assert_int_equal(riffle_exchange_explain(perm, 8, 4, &options, NULL, stream), RIFFLE_OK);
    assert_int_equal(fclose(stream), 0);
    assert_non_null(strstr(text, "up to 12 on a rank"));
    assert_non_null(strstr(text, "up to 3 of a rank"));
    free(text);
    riffle_perm_free(perm);
    perm = parse_or_fail("reverse", (uint64_t)1 << 25);
    assert_int_equal(riffle_exchange_cost_of(perm, 4, &options, &cost), RIFFLE_OK);
    assert_int_equal(cost.basis, RIFFLE_EXCHANGE_BASIS_SAMPLED);
    assert_int_equal(cost.most_messages, 3);
    assert_int_equal(cost.most_sent, (uint64_t)3 << 23);
    riffle_perm_free(perm);
}

static void one_rank_is_one(void **state) {
    riffle_perm *const perm = parse_or_fail("reverse", 8);
    char *text = NULL;
    size_t bytes = 0;
    FILE *const stream = open_memstream(&text, &bytes);
    (void)state;
    assert_non_null(stream);
    assert_int_equal(riffle_exchange_explain(perm, 4, 1, NULL, NULL, stream), RIFFLE_OK);
    assert_int_equal(riffle_exchange_explain_sort(8, 4, 0, 1, NULL, stream), RIFFLE_OK);
    assert_int_equal(fclose(stream), 0);
    assert_non_null(strstr(text, "exchange:    1 rank, 8 elements"));
    assert_non_null(strstr(text, "cosets of 2^0 = 1 rank; one round"));
    assert_non_null(strstr(text, "sort:        1 rank, 8 elements"));
    free(text);
    riffle_perm_free(perm);
}

static void sorts_have_closed_forms(void **state) {
    const riffle_exchange_link link = {50e9, 2e-6};
    riffle_exchange_sort_cost cost;
    char *text = NULL;
    size_t bytes = 0;
    FILE *const stream = open_memstream(&text, &bytes);
    (void)state;
    assert_non_null(stream);
    assert_int_equal(riffle_exchange_sort_cost_of((uint64_t)1 << 36, 8, 0, 4096, &cost), RIFFLE_OK);
    assert_true(cost.volume == 0x1p36 - 0x1p24 && cost.most_sent == 0x1p24 - 0x1p12);
    assert_true(cost.messages == 4096.0 * 4095 && cost.most_messages == 4095);
    assert_true(cost.rounds == 36 && cost.most_rounds == 87);
    assert_true(cost.round_messages == 4095 + 24 && cost.round_bytes == 2 * 4095.0 * 24 + 8 * 2 * 4096);
    assert_int_equal(riffle_exchange_explain_sort((uint64_t)1 << 36, 8, 8, 4096, &link, stream), RIFFLE_OK);
    assert_int_equal(fclose(stream), 0);
    assert_non_null(strstr(
        text,
        "4096 ranks, 68719476736 elements of 8 bytes with 8 bytes that go along, up to 16777216 on a rank"));
    assert_non_null(strstr(text, "33546240 between ranks, up to 8190 of a rank"));
    assert_non_null(strstr(text, "about 36 rounds, 87 at most"));
    assert_non_null(strstr(text, "at 50 GB/s of a rank"));
    free(text);
    assert_int_equal(riffle_exchange_sort_cost_of(10, 8, 0, 4, &cost), RIFFLE_OK); /* parts of 3, 3, 3 and 1 */
    assert_true(cost.volume > 7.19 && cost.volume < 7.21 && cost.messages < 12);
    assert_int_equal(riffle_exchange_sort_cost_of(2, 8, 0, 4, &cost), RIFFLE_OK); /* two ranks have one each */
    assert_true(cost.most_messages > 0.39 && cost.most_messages < 0.4 && cost.messages == 2 * cost.most_messages);
    assert_true(cost.volume == 1 && cost.most_sent == 0.5);
    for (unsigned ranks = 1; ranks <= 3; ranks += 2) { /* nothing is sent */
        assert_int_equal(riffle_exchange_sort_cost_of(ranks == 1 ? 99 : 1, 8, 0, ranks, &cost), RIFFLE_OK);
        assert_true(cost.volume == 0 && cost.messages == 0 && cost.rounds == 0);
    }
    assert_int_equal(riffle_exchange_sort_cost_of(9, 8, 0, 0, &cost), RIFFLE_ERROR_INVALID_ARGUMENT);
    assert_int_equal(riffle_exchange_sort_cost_of(9, 8, 0, RIFFLE_MAX_RANKS + 1, &cost),
                     RIFFLE_ERROR_INVALID_ARGUMENT);
    assert_int_equal(riffle_exchange_sort_cost_of(RIFFLE_MAX_LENGTH + 1, 8, 0, 2, &cost), RIFFLE_ERROR_LENGTH);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples_are_from_all_of_a_part),
        cmocka_unit_test(one_rank_that_gets_all_has_the_most),
        cmocka_unit_test(one_rank_is_one),
        cmocka_unit_test(sorts_have_closed_forms),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
