/* SPDX-License-Identifier: Apache-2.0
 *
 * Affine permutations as products of involutions: all of GL(3, 2) and GL(4, 2) with complements, and random ones of every
 * length. How many factors there are is compared with what can be counted otherwise.
 */
#include "plan/affine/factor.h"

#include "affine_support.h"
#include "perm/gf2_cyclic.h"
#include "plan/affine/involution.h"

static uint64_t seed;

static void fail_case(const perm_affine *p, const char *what) {
    char spec[1024];
    riffle_perm *perm = perm_of(p);
    riffle_perm_print(perm, spec, sizeof spec, NULL);
    fail_msg("seed %llu: %s: %s", (unsigned long long)seed, spec, what);
}

static bool same(const perm_affine *p, const perm_affine *q) {
    bool equal = p->a.m == q->a.m && p->c == q->c;
    for (unsigned j = 0; j < p->a.m && equal; j++) equal = p->a.column[j] == q->a.column[j];
    return equal;
}

/* then(first(x)). */
static perm_affine compose(const perm_affine *first, const perm_affine *then) {
    return (perm_affine){gf2_multiply(&then->a, &first->a), affine_at(then, first->c)};
}

static unsigned check_factors(const perm_affine *p) {
    const perm_affine identity = {.a = gf2_identity(p->a.m)};
    perm_affine factor[FACTOR_MOST], product = identity;
    const unsigned count = affine_factor(p, factor);
    for (unsigned k = 0; k < count; k++) {
        const perm_affine twice = compose(&factor[k], &factor[k]);
        if (!same(&twice, &identity)) fail_case(p, "a factor is no involution");
        if (same(&factor[k], &identity)) fail_case(p, "a factor does nothing");
        product = compose(&product, &factor[k]);
    }
    if (!same(&product, p)) fail_case(p, "the factors make another permutation");
    if ((count <= 1) != involution_is(p)) fail_case(p, "one factor is not for involutions");
    if ((count == 0) != same(p, &identity)) fail_case(p, "no factor is not for the identity");
    return count;
}

/* By definition: some B has B A = A^-1 B. */
static bool is_similar_to_inverse(const gf2_matrix *a, const gf2_matrix *all, unsigned count) {
    gf2_matrix inverse;
    gf2_invert(a, &inverse, NULL);
    for (unsigned k = 0; k < count; k++) {
        const gf2_matrix one = gf2_multiply(&all[k], a), other = gf2_multiply(&inverse, &all[k]);
        if (memcmp(one.column, other.column, sizeof one.column) == 0) return true;
    }
    return false;
}

static unsigned list_group(unsigned m, gf2_matrix *out) {
    unsigned count = 0;
    gf2_matrix a = {.m = m}, inverse;
    for (uint64_t word = 0; word >> (m * m) == 0; word++) {
        for (unsigned j = 0; j < m; j++) a.column[j] = word >> (j * m) & (((uint64_t)1 << m) - 1);
        if (!gf2_invert(&a, &inverse, NULL)) continue;
        if (out != NULL) out[count] = a;
        count++;
    }
    return count;
}

/* Every matrix of 3 bits, every complement; 120 of the 168 are similar to their inverses. */
static void all_of_three_bits(void **state) {
    (void)state;
    gf2_matrix all[168];
    unsigned similar = 0;
    assert_int_equal(list_group(3, NULL), 168);
    list_group(3, all);
    for (unsigned k = 0; k < 168; k++) {
        const bool is_similar = is_similar_to_inverse(&all[k], all, 168);
        similar += is_similar;
        for (uint64_t c = 0; c < 8; c++) {
            const perm_affine p = {all[k], c};
            if ((check_factors(&p) <= 2) != is_similar)
                fail_case(&p, "two factors are for those similar to their inverse");
        }
    }
    assert_int_equal(similar, 120);
}

static void all_of_four_bits(void **state) {
    (void)state;
    gf2_matrix *const all = malloc(20160 * sizeof *all);
    assert_non_null(all);
    rng r = {seed};
    assert_int_equal(list_group(4, all), 20160);
    for (unsigned k = 0; k < 20160; k++) {
        const perm_affine linear = {all[k], 0}, p = {all[k], 1 + rng_below(&r, 15)};
        const unsigned count = check_factors(&linear), moved = check_factors(&p);
        if ((count <= 2) != (moved <= 2)) fail_case(&p, "a complement changes what takes two");
        if (k % 97 == 0 && (count <= 2) != is_similar_to_inverse(&all[k], all, 20160))
            fail_case(&linear, "two factors are for those similar to their inverse");
    }
    free(all);
}

/* The inverse's polynomials are A's, read from the other end. */
static bool has_reciprocal_parts(const gf2_matrix *a) {
    gf2_part part[RIFFLE_MAX_BITS];
    const unsigned count = gf2_invariant_parts(a, part);
    for (unsigned k = 0; k < count; k++)
        if (!gf2_is_reciprocal(part[k].polynomial)) return false;
    return true;
}

/* A and A^-1 side by side, seen through a random basis: similar to its inverse. */
static perm_affine random_balanced(rng *r, unsigned m) {
    const perm_affine half = random_affine(r, m / 2), basis = random_affine(r, m);
    gf2_matrix inverse, back;
    perm_affine p = {.a = gf2_identity(m), .c = random_index(r, m)};
    gf2_invert(&half.a, &inverse, NULL);
    gf2_invert(&basis.a, &back, NULL);
    for (unsigned j = 0; j < m / 2; j++) {
        p.a.column[j] = half.a.column[j];
        p.a.column[m / 2 + j] = inverse.column[j] << m / 2;
    }
    p.a = gf2_multiply(&basis.a, &p.a);
    p.a = gf2_multiply(&p.a, &back);
    return p;
}

static void random_matrices_of_every_length(void **state) {
    (void)state;
    rng r = {seed + 1};
    unsigned of_three = 0;
    for (unsigned round = 0; round < test_rounds(3000); round++) {
        const unsigned m = round % (RIFFLE_MAX_BITS + 1);
        const perm_affine any = random_affine(&r, m), balanced = random_balanced(&r, m),
                          involution = random_involution(&r, m);
        const unsigned count = check_factors(&any);
        if ((count <= 2) != has_reciprocal_parts(&any.a)) fail_case(&any, "the number of factors");
        if (check_factors(&balanced) > 2) fail_case(&balanced, "three factors of one similar to its inverse");
        if (check_factors(&involution) > 1) fail_case(&involution, "an involution is factored");
        of_three += count == 3;
    }
    assert_true(of_three > 0);
}

/* Factors of bits are of bits, one cycle of all of them too. */
static void bits_stay_bits(void **state) {
    (void)state;
    rng r = {seed + 2};
    for (unsigned round = 0; round < test_rounds(3000); round++) {
        const unsigned m = round % (RIFFLE_MAX_BITS + 1);
        perm_affine p = random_bits(&r, m);
        if (round % 3 == 0 && m > 0) p.a = named_affine("shuffle", m).a;
        perm_affine factor[FACTOR_MOST];
        if (check_factors(&p) > 2) fail_case(&p, "three factors of a permutation of bits");
        for (unsigned k = affine_factor(&p, factor); k > 0; k--)
            if (!gf2_is_bit_permutation(&factor[k - 1].a)) fail_case(&p, "a factor mixes bits");
    }
}

int main(void) {
    seed = test_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_of_three_bits),
        cmocka_unit_test(all_of_four_bits),
        cmocka_unit_test(random_matrices_of_every_length),
        cmocka_unit_test(bits_stay_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
