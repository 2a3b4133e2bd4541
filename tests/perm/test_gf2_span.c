/* SPDX-License-Identifier: Apache-2.0
 *
 * Subspaces over GF(2) against their definition: for small ones every sum of the vectors is written down.
 */
#include "perm/gf2_span.h"

#include "support.h"

static uint64_t seed;

static void require(bool claim, const char *what, unsigned round) {
    if (!claim) fail_msg("seed %llu, round %u: %s", (unsigned long long)seed, round, what);
}

enum { MOST_VECTORS = 8 };

/* The vectors that made a span grow, and how many. */
typedef struct grown {
    gf2_span span;
    unsigned count;
    uint64_t vector[64];
} grown;

static void add(grown *g, uint64_t v) {
    if (gf2_span_add(&g->span, v)) g->vector[g->count++] = v;
}

static uint64_t sum_of(const grown *g, uint64_t selection) {
    uint64_t sum = 0;
    for (unsigned k = 0; k < g->count; k++) sum ^= (selection >> k & 1) != 0 ? g->vector[k] : 0;
    return sum;
}

static bool contains(const grown *g, uint64_t v) {
    for (uint64_t selection = 0; selection >> g->count == 0; selection++)
        if (sum_of(g, selection) == v) return true;
    return false;
}

/* Vectors of few bits, so that sums of some are often others. */
static uint64_t random_vector(rng *r, uint64_t mask) { return rng_next(r) & mask; }

static void vectors_add_if_they_are_new(void **state) {
    (void)state;
    rng r = {seed};
    for (unsigned round = 0; round < test_rounds(300); round++) {
        const uint64_t mask = rng_next(&r) & rng_next(&r) & rng_next(&r);
        grown g = {0};
        for (unsigned k = 0; k < MOST_VECTORS; k++) {
            const uint64_t v = random_vector(&r, mask);
            const bool inside = contains(&g, v);
            const unsigned before = g.span.count;
            add(&g, v);
            require(g.span.count == before + !inside, "the dimension", round);
            require(g.count == g.span.count, "what it says of a vector", round);
            require(contains(&g, v), "a vector that was added is not inside", round);
        }
    }
}

/* The rest differs from the vector by what lies inside, has no bit that leads a vector of the form, and is the
 * same for all vectors of a coset. */
static void a_rest_stands_for_its_coset(void **state) {
    (void)state;
    rng r = {seed};
    for (unsigned round = 0; round < test_rounds(300); round++) {
        grown g = {0};
        const uint64_t mask = rng_next(&r) & rng_next(&r);
        for (unsigned k = 0; k < MOST_VECTORS; k++) add(&g, random_vector(&r, mask));
        const uint64_t v = rng_next(&r), rest = gf2_span_reduce(&g.span, v);
        require(contains(&g, v ^ rest), "the rest is of another coset", round);
        for (unsigned bit = 0; bit < 64; bit++)
            if (g.span.by_leading_bit[bit] != 0) require((rest >> bit & 1) == 0, "a bit is left", round);
        const uint64_t inside = sum_of(&g, rng_next(&r));
        require(gf2_span_reduce(&g.span, v ^ inside) == rest, "a coset has two rests", round);
        require(gf2_span_reduce(&g.span, inside) == 0, "a vector inside has a rest", round);
    }
}

static void vectors_are_led_by_their_own_bit(void **state) {
    (void)state;
    rng r = {seed};
    for (unsigned round = 0; round < test_rounds(300); round++) {
        grown g = {0};
        for (unsigned k = 0; k < MOST_VECTORS; k++) add(&g, rng_next(&r));
        unsigned count = 0;
        for (unsigned bit = 0; bit < 64; bit++) {
            const uint64_t v = g.span.by_leading_bit[bit];
            if (v == 0) continue;
            count++;
            require(v >> bit == 1, "another bit leads", round);
            require(contains(&g, v), "the form has a vector from outside", round);
            require(sum_of(&g, g.span.parts[bit]) == v, "its parts do not add up", round);
        }
        require(count == g.span.count, "the form's size", round);
    }
}

/* Also where the span is everything. */
static void coordinates_add_up(void **state) {
    (void)state;
    rng r = {seed};
    for (unsigned round = 0; round < test_rounds(300); round++) {
        grown g = {0};
        const bool whole = rng_below(&r, 2) == 0;
        while (g.count < (whole ? 64 : MOST_VECTORS)) add(&g, rng_next(&r));
        const uint64_t selection = g.count == 64 ? rng_next(&r) : rng_next(&r) & (((uint64_t)1 << g.count) - 1);
        const uint64_t v = sum_of(&g, selection);
        require(gf2_span_coordinates(&g.span, v) == selection, "other coordinates", round);
        require(gf2_span_reduce(&g.span, v) == 0, "a sum is outside", round);
        require(!gf2_span_add(&g.span, v), "a sum is new", round);
    }
}

static void nothing_spans_nothing(void **state) {
    (void)state;
    gf2_span s = {0};
    assert_int_equal(gf2_span_reduce(&s, 5), 5);
    assert_int_equal(gf2_span_reduce(&s, 0), 0);
    assert_int_equal(gf2_span_coordinates(&s, 0), 0);
    assert_false(gf2_span_add(&s, 0));
    assert_int_equal(s.count, 0);
    assert_true(gf2_span_add(&s, UINT64_MAX));
    assert_false(gf2_span_add(&s, UINT64_MAX));
    assert_int_equal(gf2_span_reduce(&s, (uint64_t)1 << 63), UINT64_MAX >> 1);
}

int main(void) {
    seed = test_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vectors_add_if_they_are_new),
        cmocka_unit_test(a_rest_stands_for_its_coset),
        cmocka_unit_test(vectors_are_led_by_their_own_bit),
        cmocka_unit_test(coordinates_add_up),
        cmocka_unit_test(nothing_spans_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
