/* SPDX-License-Identifier: Apache-2.0
 *
 * Permutations that tests of affine ones share: random ones of every kind, and the named ones.
 */
#ifndef RIFFLE_TESTS_AFFINE_SUPPORT_H
#define RIFFLE_TESTS_AFFINE_SUPPORT_H

#include "perm/perm.h"
#include "support.h"

static inline uint64_t affine_at(const perm_affine *p, uint64_t x) { return gf2_apply(&p->a, x) ^ p->c; }

static inline uint64_t random_index(rng *r, unsigned m) { return rng_next(r) & (((uint64_t)1 << m) - 1); }

static inline perm_affine random_affine(rng *r, unsigned m) {
    perm_affine p = {.a = {.m = m}, .c = random_index(r, m)};
    gf2_matrix inverse;
    do {
        for (unsigned j = 0; j < m; j++) p.a.column[j] = random_index(r, m);
    } while (!gf2_invert(&p.a, &inverse, NULL));
    return p;
}

/** Every second time only some low bits change places; every second time nothing is complemented. */
static inline perm_affine random_bits(rng *r, unsigned m) {
    perm_affine p = {.a = gf2_identity(m), .c = rng_below(r, 2) == 0 ? 0 : random_index(r, m)};
    for (uint64_t j = rng_below(r, 2) == 0 ? m : rng_below(r, m + 1); j > 1; j--) {
        const uint64_t k = rng_below(r, j), held = p.a.column[j - 1];
        p.a.column[j - 1] = p.a.column[k];
        p.a.column[k] = held;
    }
    return p;
}

/** Exchanges of pairs of index bits, complemented where that leaves them involutions. */
static inline perm_affine random_exchange(rng *r, unsigned m) {
    const perm_affine order = random_bits(r, m);
    perm_affine p = {.a = gf2_identity(m)};
    for (uint64_t pairs = rng_below(r, m / 2 + 1); pairs > 0; pairs--) {
        const uint64_t one = order.a.column[2 * pairs - 2], other = order.a.column[2 * pairs - 1];
        p.a.column[__builtin_ctzll(one)] = other;
        p.a.column[__builtin_ctzll(other)] = one;
    }
    const uint64_t x = random_index(r, m);
    p.c = gf2_apply(&p.a, x) ^ x;
    for (unsigned j = 0; j < m; j++)
        if (p.a.column[j] == (uint64_t)1 << j) p.c |= x & p.a.column[j];
    return p;
}

/** Any involution: one of bits, every second time seen through another basis. */
static inline perm_affine random_involution(rng *r, unsigned m) {
    const perm_affine bits = random_exchange(r, m), basis = random_affine(r, m);
    if (rng_below(r, 2) == 0) return bits;
    perm_affine p = {.a = gf2_multiply(&basis.a, &bits.a), .c = gf2_apply(&basis.a, bits.c)};
    gf2_matrix back;
    gf2_invert(&basis.a, &back, NULL);
    p.a = gf2_multiply(&p.a, &back);
    return p;
}

/** An involution after a map that adds a vector to others: an involution on cosets of few vectors, and mostly no other. */
static inline perm_affine random_near_involution(rng *r, unsigned m) {
    perm_affine p = random_involution(r, m);
    uint64_t u = random_index(r, m), functional = random_index(r, m);
    if (__builtin_parityll(u & functional) != 0) functional ^= u & -u;
    const uint64_t moved = gf2_apply(&p.a, u);
    for (unsigned j = 0; j < m; j++)
        if ((functional >> j & 1) != 0) p.a.column[j] ^= moved;
    return p;
}

/** The affine form of a spec that has one. */
static inline perm_affine named_affine(const char *spec, unsigned m) {
    riffle_perm *perm = parse_or_fail(spec, (uint64_t)1 << m);
    perm_affine p;
    assert_true(perm_as_affine(perm, &p));
    riffle_perm_free(perm);
    return p;
}

enum { NAMED_SPECS = 7, NAMED_INVOLUTIONS = 3, SPEC_BYTES = 64 };

/** The k-th of the permutations with a name, for n = 2^m; the first NAMED_INVOLUTIONS are their own inverse. */
static inline void name_spec(unsigned k, unsigned m, char spec[SPEC_BYTES]) {
    static const char *const fixed[] = {"identity", "reverse", "bit-reversal", "shuffle", "unshuffle"};
    const unsigned rows = k == 5 ? m / 2 : m / 3;
    if (k < 5)
        snprintf(spec, SPEC_BYTES, "%s", fixed[k]);
    else
        snprintf(spec, SPEC_BYTES, "transpose:%llux%llu", 1ULL << rows, 1ULL << (m - rows));
}

static inline riffle_perm *perm_of(const perm_affine *p) {
    uint64_t rows[RIFFLE_MAX_BITS];
    riffle_perm *perm = NULL;
    for (unsigned k = 0; k < p->a.m; k++) rows[k] = gf2_row(&p->a, k);
    if (riffle_perm_affine(p->a.m, rows, p->c, &perm) != RIFFLE_OK) fail_msg("%s", riffle_error_detail());
    return perm;
}

#endif
