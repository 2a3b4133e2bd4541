/* SPDX-License-Identifier: Apache-2.0
 *
 * The rational canonical form by what it promises: parts that make up the space, each the images of one vector, with
 * polynomials that divide each other and that similar matrices share.
 */
#include "perm/gf2_cyclic.h"

#include "affine_support.h"
#include "perm/gf2_span.h"

static uint64_t seed;

static void require(bool claim, const char *what, unsigned round) {
    if (!claim) fail_msg("seed %llu, round %u: %s", (unsigned long long)seed, round, what);
}

static uint64_t rest_of(uint64_t p, uint64_t q) {
    while (p != 0 && gf2_degree(p) >= gf2_degree(q)) p ^= q << (gf2_degree(p) - gf2_degree(q));
    return p;
}

/* Each part's vectors, d of them, and p(A) w = 0; together a basis. */
static void check_parts(const gf2_matrix *a, const gf2_part *part, unsigned count, unsigned round) {
    gf2_span all = {0};
    for (unsigned k = 0; k < count; k++) {
        uint64_t v = part[k].generator, sum = 0;
        for (unsigned i = 0; i <= gf2_degree(part[k].polynomial); i++, v = gf2_apply(a, v)) {
            if ((part[k].polynomial >> i & 1) != 0) sum ^= v;
            if (i < gf2_degree(part[k].polynomial))
                require(gf2_span_add(&all, v), "parts are dependent", round);
        }
        require(sum == 0, "the polynomial is not the vector's", round);
    }
    require(all.count == a->m, "the parts do not make up the space", round);
}

/* Blocks of random sizes, some of them twice, seen through a random basis. */
static gf2_matrix random_blocks(rng *r, unsigned m) {
    gf2_matrix blocks = {.m = m};
    perm_affine block = {.a.m = 0};
    for (unsigned at = 0; at < m; at += block.a.m) {
        const bool again = block.a.m > 0 && at + block.a.m <= m && rng_below(r, 2) == 0;
        if (!again) block = random_affine(r, 1 + (unsigned)rng_below(r, m - at < 6 ? m - at : 6));
        for (unsigned j = 0; j < block.a.m; j++) blocks.column[at + j] = block.a.column[j] << at;
    }
    return blocks;
}

static gf2_matrix through(const gf2_matrix *a, const gf2_matrix *basis) {
    gf2_matrix back;
    gf2_invert(basis, &back, NULL);
    const gf2_matrix there = gf2_multiply(a, &back);
    return gf2_multiply(basis, &there);
}

static void check_matrix(rng *r, const gf2_matrix *a, unsigned round) {
    gf2_part part[RIFFLE_MAX_BITS], again[RIFFLE_MAX_BITS];
    const unsigned count = gf2_invariant_parts(a, part);
    check_parts(a, part, count, round);
    for (unsigned k = 1; k < count; k++)
        require(rest_of(part[k - 1].polynomial, part[k].polynomial) == 0,
                "a polynomial does not divide the one before", round);
    const perm_affine basis = random_affine(r, a->m);
    const gf2_matrix similar = through(a, &basis.a);
    require(gf2_invariant_parts(&similar, again) == count, "a similar matrix has other parts", round);
    for (unsigned k = 0; k < count; k++)
        require(part[k].polynomial == again[k].polynomial, "a similar matrix has other polynomials", round);
}

static void matrices_are_parted(void **state) {
    (void)state;
    rng r = {seed};
    for (unsigned round = 0; round < test_rounds(600); round++) {
        const unsigned m = round % (RIFFLE_MAX_BITS + 1);
        const perm_affine any = random_affine(&r, m);
        check_matrix(&r, &any.a, round);
        const perm_affine bits = random_bits(&r, m), basis = random_affine(&r, m);
        check_matrix(&r, &bits.a, round);
        gf2_matrix blocks = random_blocks(&r, m);
        blocks = through(&blocks, &basis.a);
        check_matrix(&r, &blocks, round);
    }
}

static void cycles_of_bits_are_parts(void **state) {
    (void)state;
    rng r = {seed + 1};
    unsigned refused = 0;
    for (unsigned round = 0; round < test_rounds(500); round++) {
        const unsigned m = 1 + round % RIFFLE_MAX_BITS;
        const perm_affine bits = random_bits(&r, m), any = random_affine(&r, m);
        gf2_part part[RIFFLE_MAX_BITS];
        unsigned count = gf2_unit_parts(&bits.a, part);
        check_parts(&bits.a, part, count, round);
        for (unsigned k = 0; k < count; k++) {
            require((part[k].generator & (part[k].generator - 1)) == 0, "no unit vector", round);
            require(part[k].polynomial == ((uint64_t)1 << gf2_degree(part[k].polynomial) | 1), "no cycle",
                    round);
        }
        count = gf2_unit_parts(&any.a, part);
        refused += count == 0;
        if (count > 0) check_parts(&any.a, part, count, round);
        for (unsigned k = 0; k < count; k++)
            require(gf2_is_reciprocal(part[k].polynomial), "not reciprocal", round);
    }
    assert_true(refused > 0);
}

static void polynomials_read_from_both_ends(void **state) {
    (void)state;
    static const uint64_t same[] = {1, 3, 5, 7, 0x1b, 0x1f, 0x11, (uint64_t)1 << 40 | 1},
                          other[] = {2, 6, 0xb, 0xd, 0x13};
    for (unsigned k = 0; k < sizeof same / sizeof *same; k++) assert_true(gf2_is_reciprocal(same[k]));
    for (unsigned k = 0; k < sizeof other / sizeof *other; k++) assert_false(gf2_is_reciprocal(other[k]));
}

int main(void) {
    seed = test_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(matrices_are_parted),
        cmocka_unit_test(cycles_of_bits_are_parts),
        cmocka_unit_test(polynomials_read_from_both_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
