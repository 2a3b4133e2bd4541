/* SPDX-License-Identifier: Apache-2.0
 *
 * One rank's own part against the plain definition, by divisions, in arrays up to the longest and among up to 2^20 ranks.
 */
#include "riffle/exchange.h"

#include "support.h"

static uint64_t least(uint64_t a, uint64_t b) { return a < b ? a : b; }

/* For each rank its message, or one of no elements. */
static riffle_exchange_message *messages_by_rank(const riffle_exchange *part, unsigned ranks) {
    riffle_exchange_message *const out = calloc(ranks, sizeof *out);
    size_t count;
    const riffle_exchange_message *const list = riffle_exchange_sends(part, &count);
    assert_non_null(out);
    for (size_t k = 0; k < count; k++) out[list[k].rank] = list[k];
    return out;
}

/* Elements stand in their rank's message in their own order. */
static void compare_part(const riffle_perm *perm, unsigned ranks, unsigned rank) {
    const uint64_t n = riffle_perm_length(perm), block = (n + ranks - 1) / ranks,
                   first = least(rank * block, n), own = least(block, n - first);
    riffle_exchange *part = NULL;
    assert_int_equal(riffle_exchange_create(perm, ranks, rank, NULL, &part), RIFFLE_OK);
    const riffle_perm *const pack = riffle_exchange_pack(part);
    const void *const places = riffle_exchange_places(part);
    const bool is_narrow = riffle_exchange_place_bytes(part) == 4;
    riffle_exchange_message *const sends = messages_by_rank(part, ranks);
    assert_non_null(places);
    assert_true(is_narrow == (block <= (uint64_t)1 << 32));
    assert_int_equal(riffle_perm_length(pack), own);
    for (uint64_t i = 0; i < own; i++) {
        const uint64_t to = riffle_perm_at(perm, first + i), packed = riffle_perm_at(pack, i);
        const uint64_t place =
            is_narrow ? ((const uint32_t *)places)[packed] : ((const uint64_t *)places)[packed];
        riffle_exchange_message *const message = &sends[to / block];
        if (message->count == 0 || packed != message->first || place != to % block)
            fail_msg("element %llu of rank %u of %u goes to %llu", (unsigned long long)i, rank, ranks,
                     (unsigned long long)to);
        message->first++;
        message->count--;
    }
    for (unsigned p = 0; p < ranks; p++) assert_int_equal(sends[p].count, 0);
    free(sends);
    riffle_exchange_free(part);
}

static void parts_are_as_divisions_say(void **state) {
    static const struct {
        const char *spec;
        uint64_t n;
        unsigned ranks;
    } cases[] = {{"rotate:123456789012", RIFFLE_MAX_LENGTH - 87, RIFFLE_MAX_RANKS},
                 {"reverse", RIFFLE_MAX_LENGTH - 87, RIFFLE_MAX_RANKS - 3},
                 {"reverse", RIFFLE_MAX_LENGTH, RIFFLE_MAX_RANKS - 1},
                 {"axes:3x1000x1000x7:3,1,0,2", 21000000, 4096},
                 {"random:5", 99991, 7},
                 {"random:5", 64, 9},
                 {"transpose:25x40", 1000, 1000},
                 {"reverse", 5, 3}};
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        riffle_perm *const perm = parse_or_fail(cases[k].spec, cases[k].n);
        const unsigned ranks = cases[k].ranks;
        compare_part(perm, ranks, 0);
        compare_part(perm, ranks, ranks / 3);
        compare_part(perm, ranks, ranks - 1);
        riffle_perm_free(perm);
    }
}

/* Rank 1 has 2^34 elements, whose places want 8 bytes; rank 0 has the rest, and reversed it goes to rank 1's first ones. */
static void places_of_long_parts_are_wide(void **state) {
    enum { CHUNKS = (1 << 17) + 1, REST = 100 };
    static uint32_t owner[CHUNKS];
    const uint64_t n = ((uint64_t)1 << 34) + REST;
    riffle_perm *const perm = parse_or_fail("reverse", n);
    riffle_exchange *part = NULL;
    size_t count;
    (void)state;
    for (size_t k = 0; k + 1 < CHUNKS; k++) owner[k] = 1;
    const riffle_exchange_layout layout = {
        .kind = RIFFLE_EXCHANGE_LAYOUT_OWNERS, .chunks = CHUNKS, .owner = owner};
    const riffle_exchange_options options = {.src = layout, .dst = layout};
    assert_int_equal(riffle_exchange_create(perm, 2, 0, &options, &part), RIFFLE_OK);
    assert_int_equal(riffle_exchange_place_bytes(part), sizeof(uint64_t));
    const riffle_exchange_message *const sends = riffle_exchange_sends(part, &count);
    assert_true(count == 1 && sends[0].rank == 1 && sends[0].count == REST);
    const uint64_t *const places = riffle_exchange_places(part);
    for (uint64_t i = 0; i < REST; i++) assert_int_equal(places[i], REST - 1 - i);
    uint64_t back[REST];
    for (uint64_t i = 0; i < REST; i++) back[i] = REST - 1 - i;
    assert_int_equal(riffle_exchange_finish(part, (const uint64_t[]){0, REST}, back), RIFFLE_OK);
    for (uint64_t i = 0; i < REST; i++)
        assert_int_equal(riffle_perm_at(riffle_exchange_unpack(part), i), back[i]);
    riffle_exchange_free(part);
    riffle_perm_free(perm);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places_of_long_parts_are_wide),
        cmocka_unit_test(parts_are_as_divisions_say),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
