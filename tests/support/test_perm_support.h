/* SPDX-License-Identifier: Apache-2.0
 *
 * Code that the tests of permutations share: permutations as plain tables, checked against each other.
 */
#ifndef RIFFLE_TEST_PERM_SUPPORT_H
#define RIFFLE_TEST_PERM_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "riffle.h"
#include "rounds.h"

static inline uint64_t next_random(uint64_t *state) { /* xorshift64*, not the library's own generator */
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return *state * UINT64_C(2685821657736338717);
}

/** Succeeds, or prints the library's reason and fails the test. */
static inline void assert_ok(riffle_status status) {
    if (status != RIFFLE_OK) fail_msg("%s: %s", riffle_status_string(status), riffle_error_detail());
}

static inline void assert_fails(riffle_status status, riffle_status expected, const char *detail) {
    assert_string_equal(status != RIFFLE_OK ? riffle_error_detail() : "(no failure)", detail);
    assert_int_equal(status, expected);
}

/** All values of perm through riffle_perm_map, in pieces of odd sizes, which must agree with
 *  riffle_perm_at. Free it. */
static inline uint64_t *values_of(const riffle_perm *perm) {
    uint64_t n = riffle_perm_length(perm), state = n + 1;
    uint64_t *values = malloc((n + 1) * sizeof *values);
    memset(values, 0xA5, (n + 1) * sizeof *values);
    for (uint64_t first = 0; first < n;) {
        size_t count = (size_t)(next_random(&state) % (n < 5000 ? 100 : 5000) + 1);
        if (count > n - first) count = (size_t)(n - first);
        assert_ok(riffle_perm_map(perm, first, count, values + first));
        first += count;
    }
    assert_int_equal(values[n], UINT64_C(0xA5A5A5A5A5A5A5A5)); /* nothing written past the end */
    for (uint64_t i = 0; i < n; i++) {
        if (riffle_perm_at(perm, i) != values[i])
            fail_msg("n = %lu: at(%lu) differs from map", (unsigned long)n, (unsigned long)i);
    }
    assert_int_equal(riffle_perm_at(perm, n), UINT64_MAX);
    return values;
}

/** perm is a permutation and has exactly these values. */
static inline void assert_values(const riffle_perm *perm, const uint64_t *expected) {
    uint64_t n = riffle_perm_length(perm), *values = values_of(perm);
    char *seen = calloc(n + 1, 1);
    for (uint64_t i = 0; i < n; i++) {
        assert_true(values[i] < n);
        assert_false(seen[values[i]]);
        seen[values[i]] = 1;
        if (values[i] != expected[i])
            fail_msg("n = %lu: P(%lu) is %lu, not %lu", (unsigned long)n, (unsigned long)i,
                     (unsigned long)values[i], (unsigned long)expected[i]);
    }
    free(seen);
    free(values);
}

static inline void assert_same(const riffle_perm *a, const riffle_perm *b) {
    assert_int_equal(riffle_perm_length(a), riffle_perm_length(b));
    uint64_t *values = values_of(b);
    assert_values(a, values);
    free(values);
}

static inline riffle_perm *parse(const char *spec, uint64_t n) {
    riffle_perm *perm = NULL;
    riffle_status status = riffle_perm_parse(spec, n, &perm);
    if (status != RIFFLE_OK) fail_msg("'%s', n = %lu: %s", spec, (unsigned long)n, riffle_error_detail());
    return perm;
}

/** Compose, frees nothing. */
static inline riffle_perm *then(const riffle_perm *first, const riffle_perm *second) {
    riffle_perm *both = NULL;
    assert_ok(riffle_perm_compose(first, second, &both));
    return both;
}

static inline riffle_perm *inverse_of(const riffle_perm *perm) {
    riffle_perm *inverse = NULL;
    assert_ok(riffle_perm_invert(perm, &inverse));
    return inverse;
}

/** A uniformly random table. */
static inline riffle_perm *random_table(uint64_t n, uint64_t *state) {
    uint64_t *entries = malloc((n + 1) * sizeof *entries);
    for (uint64_t i = 0; i < n; i++) {
        uint64_t j = next_random(state) % (i + 1);
        entries[i] = entries[j];
        entries[j] = i;
    }
    riffle_perm *perm = NULL;
    assert_ok(riffle_perm_table_u64(n, entries, &perm));
    free(entries);
    return perm;
}

/** A random permutation of 0..n-1 of any kind. */
static inline riffle_perm *any_perm(uint64_t n, uint64_t *state) {
    riffle_perm *perm = NULL;
    uint64_t r = next_random(state) >> 8;
    int power_of_two = n != 0 && (n & (n - 1)) == 0;
    switch (next_random(state) % (power_of_two ? 8 : 5)) {
    case 0: assert_ok(riffle_perm_rotate(n, (int64_t)r, &perm)); break;
    case 1: {
        riffle_perm *rotation = NULL, *reverse = NULL;
        assert_ok(riffle_perm_rotate(n, -(int64_t)r, &rotation));
        assert_ok(riffle_perm_reverse(n, &reverse));
        perm = then(rotation, reverse);
        riffle_perm_free(rotation);
        riffle_perm_free(reverse);
        break;
    }
    case 2: assert_ok(riffle_perm_random(n, r, &perm)); break;
    case 3: perm = random_table(n, state); break;
    case 4: { /* a random factorization, in random order */
        uint64_t shape[RIFFLE_MAX_RANK], rest = n;
        unsigned order[RIFFLE_MAX_RANK] = {0}, rank = 0;
        for (uint64_t f = 2; f <= rest && rank < 12; f++)
            for (; rest % f == 0 && rank < 12; rest /= f) shape[rank++] = f;
        shape[rank++] = rest; /* 0 for n = 0, else 1 or what is left */
        for (unsigned k = 0; k < rank; k++) {
            unsigned j = (unsigned)(next_random(state) % (k + 1));
            uint64_t dimension = shape[k];
            shape[k] = shape[j];
            shape[j] = dimension;
        }
        while (rank > 1 && next_random(state) % 3 == 0) { /* coarser */
            rank--;
            shape[rank - 1] *= shape[rank];
        }
        for (unsigned k = 0; k < rank; k++) {
            unsigned j = (unsigned)(next_random(state) % (k + 1));
            order[k] = order[j];
            order[j] = k;
        }
        assert_ok(riffle_perm_axes(rank, shape, order, &perm));
        break;
    }
    case 5: assert_ok(riffle_perm_random_affine(n, r, &perm)); break;
    case 6: assert_ok(riffle_perm_bit_reversal(n, &perm)); break;
    default: assert_ok(riffle_perm_shuffle(n, &perm)); break;
    }
    return perm;
}

static const uint64_t small_lengths[] = {0,  1,  2,  3,  4,   5,    7,    8,    12,  16,
                                         17, 30, 64, 97, 360, 1000, 1024, 4096, 5040};
enum { SMALL_LENGTHS = sizeof small_lengths / sizeof *small_lengths };

#endif
