/* SPDX-License-Identifier: Apache-2.0
 *
 * Code that tests of moves share: seeded random numbers, guarded buffers, and the plain definition dst[P(i)] = src[i] to
 * compare with.
 */
#ifndef RIFFLE_TESTS_SUPPORT_H
#define RIFFLE_TESTS_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "random_numbers.h"
#include "riffle.h"
#include "rounds.h"

/** RIFFLE_TEST_SEED, or a new seed each run; print it when a test fails. */
static inline uint64_t test_seed(void) {
    const char *given = getenv("RIFFLE_TEST_SEED");
    const uint64_t seed =
        given != NULL ? strtoull(given, NULL, 0) : (uint64_t)time(NULL) * 0x9e3779b97f4a7c15ULL;
    return seed != 0 ? seed : 1;
}

/** `bytes` bytes at a chosen offset from a line's start, with guards on both sides. */
typedef struct guarded {
    unsigned char *whole, *data;
    size_t bytes, offset;
} guarded;

enum { GUARD_BYTES = 192, GUARD_VALUE = 0xc7, POISON_VALUE = 0xa5, TEST_LINE_BYTES = 64 };

static inline guarded guarded_create(size_t bytes, size_t offset) {
    guarded g = {.bytes = bytes, .offset = offset};
    const size_t whole = (GUARD_BYTES + offset + bytes + GUARD_BYTES + TEST_LINE_BYTES - 1) / TEST_LINE_BYTES;
    g.whole = aligned_alloc(TEST_LINE_BYTES, whole * TEST_LINE_BYTES);
    assert_non_null(g.whole);
    g.data = g.whole + GUARD_BYTES + offset;
    memset(g.whole, GUARD_VALUE, GUARD_BYTES + offset);
    memset(g.data, POISON_VALUE, bytes);
    memset(g.data + bytes, GUARD_VALUE, GUARD_BYTES);
    return g;
}

static inline bool guarded_intact(const guarded *g) {
    for (size_t k = 0; k < GUARD_BYTES + g->offset; k++) {
        if (g->whole[k] != GUARD_VALUE) return false;
    }
    for (size_t k = 0; k < GUARD_BYTES; k++) {
        if (g->data[g->bytes + k] != GUARD_VALUE) return false;
    }
    return true;
}

static inline void guarded_free(guarded *g) { free(g->whole); }

static inline void fill_random(rng *r, void *data, size_t bytes) {
    unsigned char *to = data;
    for (size_t k = 0; k < bytes; k++) to[k] = (unsigned char)(rng_next(r) >> 56);
}

/** True if dst[P(i)] = src[i] for every i: the definition. */
static inline bool is_moved(const riffle_perm *perm, const void *dst, const void *src, size_t elem_bytes) {
    const uint64_t n = riffle_perm_length(perm);
    for (uint64_t i = 0; i < n; i++) {
        const char *to = (const char *)dst + riffle_perm_at(perm, i) * elem_bytes;
        if (memcmp(to, (const char *)src + i * elem_bytes, elem_bytes) != 0) return false;
    }
    return true;
}

static inline riffle_perm *parse_or_fail(const char *spec, uint64_t n) {
    riffle_perm *perm = NULL;
    if (riffle_perm_parse(spec, n, &perm) != RIFFLE_OK) fail_msg("%s: %s", spec, riffle_error_detail());
    return perm;
}

/** A uniformly random table of n entries (Fisher and Yates). */
static inline riffle_perm *random_table(rng *r, uint64_t n) {
    uint64_t *table = malloc((n + 1) * sizeof *table);
    assert_non_null(table);
    for (uint64_t i = 0; i < n; i++) table[i] = i;
    for (uint64_t i = n; i > 1; i--) {
        const uint64_t j = rng_below(r, i), held = table[i - 1];
        table[i - 1] = table[j];
        table[j] = held;
    }
    riffle_perm *perm = NULL;
    assert_int_equal(riffle_perm_table_u64(n, table, &perm), RIFFLE_OK);
    free(table);
    return perm;
}

#endif
