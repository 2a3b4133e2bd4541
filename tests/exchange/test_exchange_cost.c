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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples_are_from_all_of_a_part),
        cmocka_unit_test(one_rank_that_gets_all_has_the_most),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
