/* SPDX-License-Identifier: Apache-2.0
 *
 * Pseudo-random permutations that are computed, not stored: a keyed Feistel network on the bits of the
 * index (Luby, Rackoff: How to construct pseudorandom permutations, 1988), walked until it lands below n
 * (Black, Rogaway: Ciphers with arbitrary finite domains, 2002). Not for secrets: the rounds are made for
 * speed and for even statistics.
 *
 * THE DEFINITION, for n >= 2 (below that there is one permutation). It is a promise: the same on every
 * machine, engine and release. docs/spec.md says the same with examples.
 *
 *   Keys. h is the first number of splitmix64 started at the seed; s0, s1, ..., s8 are the first nine of
 *   splitmix64 started at h + n mod 2^64 (so that one seed gives unrelated permutations of different
 *   lengths). Round r has the keys p[r] = s[r] mod 2^32 and q[r] = s[r] / 2^32, rounded down. swap = s8 mod 2.
 *
 *   Bits. b = max(8, ceil(log2 n)). An index of b bits has a low half of b/2 (rounded down) bits and a high
 *   half of the other bits: x = high * 2^(width of low) + low.
 *
 *   Mixing, in 32-bit arithmetic.  y = (x ^ p[r]) * 0x85EBCA6B,
 *   f(r, x) = ((y ^ (y >> 15)) + q[r]) * 0xC2B2AE35. Its top w bits are used, where w is the width of the
 *   half that they change.
 *
 *   Network. For r = 0, 2, 4, 6:  high ^= top bits of f(r, low);  low ^= top bits of f(r + 1, high).
 *
 *   Walk. Apply the network to i, and again to its result, until the result is below n.
 *
 *   Swap. If swap is 1, the results 0 and 1 change places.
 *
 * A network of 8 bits or more has an even sign, hence the swap: without it half of all permutations of
 * n = 2^b would be out of reach. Why 8 bits at least: on 2 to 4 bits the rounds are too few different
 * functions, and a chi-square test over all permutations of 4 to 6 elements sees it. Why 8 rounds: with 6 the
 * mean number of fixed points was 0.6% high at n = 300, 2.7 standard deviations; with 8 nothing shows.
 *
 * The inverse is the same network with the halves in each other's roles and the rounds in opposite order.
 */
#include <inttypes.h>

#include "base/processor/vectors.h"
#include "base/splitmix.h"
#include "base/status.h"
#include "perm/kind.h"

static feistel network_of(const riffle_perm *perm) {
    return feistel_create(perm->n, perm->random.round_key, perm->random.inverted);
}

#define ALWAYS_INLINE static inline __attribute__((always_inline))

/* Values that are on their way at once: a round waits for two multiplications, one behind the other, so several vectors are to be
 * in it. SSE2, which every x86-64 has, lacks the 32-bit vector multiplication that the rounds live on: there more than a few are code
 * alone. */
enum { LANES = 64 };
#if defined(__x86_64__)
enum { LANES_PORTABLE = 16 };
#else
enum { LANES_PORTABLE = LANES };
#endif

/* Straight-line 32-bit arithmetic on independent values: the loops are made for the vectorizer. */
ALWAYS_INLINE void run_some(const feistel *net, size_t count, uint64_t *values) {
    const uint32_t a_mask = (UINT32_C(1) << net->a_width) - 1, b_mask = (UINT32_C(1) << net->b_width) - 1;
    uint32_t a[LANES], b[LANES];
    for (size_t k = 0; k < count; k++) {
        a[k] = (uint32_t)(values[k] >> net->a_shift) & a_mask;
        b[k] = (uint32_t)(values[k] >> net->b_shift) & b_mask;
    }
    FEISTEL_UNROLL
    for (unsigned r = 0; r < FEISTEL_ROUNDS; r += 2) {
        for (size_t k = 0; k < count; k++) a[k] ^= feistel_mix(net, r, b[k], net->a_width);
        for (size_t k = 0; k < count; k++) b[k] ^= feistel_mix(net, r + 1, a[k], net->b_width);
    }
    for (size_t k = 0; k < count; k++)
        values[k] = (uint64_t)a[k] << net->a_shift | (uint64_t)b[k] << net->b_shift;
}

ALWAYS_INLINE void run_network(const feistel *shared, size_t lanes, size_t count, uint64_t *values) {
    const feistel net = *shared; /* a copy, which no store to `values` can change */
    size_t k = 0;
    for (; k + lanes <= count; k += lanes) run_some(&net, lanes, values + k);
    if (lanes == LANES) run_some(&net, count - k, values + k);
    if (lanes < LANES)
        for (; k < count; k++) run_some(&net, 1, values + k);
}

static void run_portable(const feistel *net, size_t count, uint64_t *values) {
    run_network(net, LANES_PORTABLE, count, values);
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) static void run_avx2(const feistel *net, size_t count, uint64_t *values) {
    run_network(net, LANES, count, values);
}
__attribute__((target("avx512f,avx512vl,avx512dq"))) static void run_avx512(const feistel *net, size_t count,
                                                                            uint64_t *values) {
    run_network(net, LANES, count, values);
}

#endif

static void run(const feistel *net, size_t count, uint64_t *values) {
    static void (*const runs[VECTOR_SETS])(const feistel *, size_t, uint64_t *) = {
        [VECTORS_PORTABLE] = run_portable,
#if defined(__x86_64__)
        [VECTORS_AVX2] = run_avx2,
        [VECTORS_AVX512] = run_avx512,
#endif
    };
    runs[vectors_for(LOOPS_RANDOM)](net, count, values);
}

/* Runs the network on a block, then again on those that are not below n, closed up, until none is left.
 * Whatever is below n when it is written stays. */
static void walk(const feistel *net, uint64_t n, unsigned count, uint64_t *values) {
    run(net, count, values);
    if (n >> net->bits != 0) return; /* n = 2^bits: nothing walks out */
    uint64_t walking[PERM_BLOCK];
    uint16_t where[PERM_BLOCK];
    unsigned left = 0;
    for (unsigned k = 0; k < count; k++) {
        walking[left] = values[k];
        where[left] = (uint16_t)k;
        left += values[k] >= n;
    }
    while (left > 0) {
        run(net, left, walking);
        unsigned still = 0;
        for (unsigned k = 0; k < left; k++) {
            uint64_t value = walking[k];
            uint16_t place = where[k];
            values[place] = value;
            walking[still] = value;
            where[still] = place;
            still += value >= n;
        }
        left = still;
    }
}

static void swap_zero_and_one(uint64_t swap, size_t count, uint64_t *values) {
    if (swap == 0) return;
    for (size_t k = 0; k < count; k++) values[k] ^= values[k] <= 1 ? swap : 0;
}

static void random_apply(const riffle_perm *perm, size_t count, uint64_t *values) {
    if (count == 0) return;
    feistel net = network_of(perm);
    for (size_t done = 0; done < count; done += PERM_BLOCK) {
        unsigned block = count - done < PERM_BLOCK ? (unsigned)(count - done) : PERM_BLOCK;
        if (perm->random.inverted) swap_zero_and_one(perm->random.swap, block, values + done);
        walk(&net, perm->n, block, values + done);
        if (!perm->random.inverted) swap_zero_and_one(perm->random.swap, block, values + done);
    }
}

static riffle_status create(uint64_t n, uint64_t seed, bool inverted, riffle_perm **out) {
    if (n <= 1) return rotation_create(n, false, 0, out);
    riffle_perm *perm;
    riffle_status status = perm_create(PERM_RANDOM, n, &perm);
    if (status != RIFFLE_OK) return status;
    perm->random = (perm_random){.seed = seed, .inverted = inverted};
    uint64_t state = seed;
    state = splitmix_next(&state) + n;
    for (unsigned r = 0; r < FEISTEL_ROUNDS; r++) perm->random.round_key[r] = splitmix_next(&state);
    perm->random.swap = splitmix_next(&state) & 1;
    *out = perm;
    return RIFFLE_OK;
}

riffle_status riffle_perm_random(uint64_t n, uint64_t seed, riffle_perm **out) {
    RETURN_IF_NULL(out);
    riffle_status status = perm_check_length("random", n);
    return status == RIFFLE_OK ? create(n, seed, false, out) : status;
}

static riffle_status random_invert(const riffle_perm *perm, riffle_perm **out) {
    return create(perm->n, perm->random.seed, !perm->random.inverted, out);
}

static riffle_status random_compose(const riffle_perm *first, const riffle_perm *then, riffle_perm **out) {
    bool opposite = first->random.inverted != then->random.inverted;
    if (first->random.seed != then->random.seed || !opposite) return RIFFLE_OK;
    return rotation_create(first->n, false, 0, out);
}

const perm_operations random_operations = {
    .apply = random_apply,
    .invert = random_invert,
    .compose = random_compose,
};
