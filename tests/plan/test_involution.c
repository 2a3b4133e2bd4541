/* SPDX-License-Identifier: Apache-2.0
 *
 * Involutions against the definition P(P(x)) = x: which permutations are, and the numbering of their orbits on cosets, each
 * coset listed once.
 */
#include "support.h"

#include "perm/gf2_span.h"
#include "plan/affine/involution.h"

static uint64_t seed;

static uint64_t apply(const perm_affine *p, uint64_t x) { return gf2_apply(&p->a, x) ^ p->c; }

static uint64_t random_index(rng *r, unsigned m) { return rng_next(r) & (((uint64_t)1 << m) - 1); }

static perm_affine random_affine(rng *r, unsigned m) {
    perm_affine p = {.a = {.m = m}, .c = random_index(r, m)};
    gf2_matrix inverse;
    do {
        for (unsigned j = 0; j < m; j++) p.a.column[j] = random_index(r, m);
    } while (!gf2_invert(&p.a, &inverse, NULL));
    return p;
}

static void shuffle(rng *r, unsigned m, unsigned *bits) {
    for (unsigned j = 0; j < m; j++) bits[j] = j;
    for (unsigned j = m; j > 1; j--) {
        const unsigned k = (unsigned)rng_below(r, j), held = bits[j - 1];
        bits[j - 1] = bits[k];
        bits[k] = held;
    }
}

/* Every second time one cycle of all bits, the longest there is. */
static perm_affine random_bits(rng *r, unsigned m) {
    perm_affine p = {.a = {.m = m}, .c = rng_below(r, 4) == 0 ? 0 : random_index(r, m)};
    unsigned to[RIFFLE_MAX_BITS];
    shuffle(r, m, to);
    const bool cyclic = rng_below(r, 2) == 0;
    for (unsigned j = 0; j < m; j++)
        p.a.column[cyclic ? to[j] : j] = (uint64_t)1 << to[cyclic ? (j + 1) % m : j];
    return p;
}

/* Exchanges of pairs of bits, with a complement that they leave: 0, A r + r, or any. */
static perm_affine random_exchange(rng *r, unsigned m) {
    perm_affine p = {.a = gf2_identity(m)};
    unsigned bits[RIFFLE_MAX_BITS];
    shuffle(r, m, bits);
    const unsigned pairs = (unsigned)rng_below(r, m / 2 + 1);
    for (unsigned k = 0; k < pairs; k++) {
        p.a.column[bits[2 * k]] = (uint64_t)1 << bits[2 * k + 1];
        p.a.column[bits[2 * k + 1]] = (uint64_t)1 << bits[2 * k];
    }
    const uint64_t kind = rng_below(r, 3), x = random_index(r, m);
    if (kind > 0) p.c = gf2_apply(&p.a, x) ^ x;
    for (unsigned k = 2 * pairs; k < m && kind == 2; k++) p.c ^= (rng_next(r) & 1) << bits[k];
    return p;
}

/* then(first(x)). */
static perm_affine compose(const perm_affine *first, const perm_affine *then) {
    return (perm_affine){gf2_multiply(&then->a, &first->a), apply(then, first->c)};
}

/* g^-1, then j, then g: every involution is one of these. */
static perm_affine conjugate(const perm_affine *j, const perm_affine *g) {
    perm_affine back;
    gf2_invert(&g->a, &back.a, NULL);
    back.c = gf2_apply(&back.a, g->c);
    const perm_affine there = compose(&back, j);
    return compose(&there, g);
}

static perm_affine random_involution(rng *r, unsigned m) {
    const perm_affine j = random_exchange(r, m), g = random_affine(r, m);
    return rng_below(r, 2) == 0 ? j : conjugate(&j, &g);
}

/* An involution after a map that adds a vector to others: an involution on cosets of few vectors, and mostly no other. */
static perm_affine random_near_involution(rng *r, unsigned m) {
    perm_affine p = random_involution(r, m);
    uint64_t u = random_index(r, m), functional = random_index(r, m);
    if (__builtin_parityll(u & functional) != 0) functional ^= u & -u;
    const uint64_t moved = gf2_apply(&p.a, u);
    for (unsigned j = 0; j < m; j++)
        if ((functional >> j & 1) != 0) p.a.column[j] ^= moved;
    return p;
}

/* An affine map is known by what it does to 0 and the unit vectors. */
static bool undoes_itself(const perm_affine *p) {
    bool all = apply(p, apply(p, 0)) == 0;
    for (unsigned j = 0; j < p->a.m; j++) all &= apply(p, apply(p, (uint64_t)1 << j)) == (uint64_t)1 << j;
    return all;
}

static void require(bool claim, const char *what, unsigned round) {
    if (!claim) fail_msg("seed %llu, round %u: %s", (unsigned long long)seed, round, what);
}

/* ------------------------------------------------------------- predicates */

static void involutions_are_told_from_others(void **state) {
    (void)state;
    rng r = {seed};
    for (unsigned round = 0; round < test_rounds(1000); round++) {
        const unsigned m = (unsigned)rng_below(&r, RIFFLE_MAX_BITS + 1);
        perm_affine p = random_involution(&r, m);
        require(involution_is(&p), "an involution is denied", round);
        require(undoes_itself(&p), "the test's involution is none", round);
        p.c ^= random_index(&r, m);
        require(involution_is(&p) == undoes_itself(&p), "with another complement", round);
        p = random_bits(&r, m);
        require(involution_is(&p) == undoes_itself(&p), "a bit permutation", round);
        p = random_affine(&r, m);
        require(involution_is(&p) == undoes_itself(&p), "an affine permutation", round);
    }
}

/* ----------------------------------------------------------------- orbits */

/* A subspace and its independent vectors. */
typedef struct part {
    gf2_span span;
    unsigned count;
    uint64_t vector[RIFFLE_MAX_BITS];
} part;

static void part_add(part *s, uint64_t v) {
    if (gf2_span_add(&s->span, v)) s->vector[s->count++] = v;
}

/* A part of vectors: those that P P moves; e_0 to e_(segment-1) and their images; and now and then a random vector and its
 * image: A maps the span onto itself. */
static part random_part(rng *r, const perm_affine *p, unsigned segment) {
    part s = {.count = 0};
    part_add(&s, apply(p, p->c));
    for (unsigned j = 0; j < p->a.m; j++) part_add(&s, gf2_apply(&p->a, p->a.column[j]) ^ (uint64_t)1 << j);
    for (unsigned j = 0; j < segment; j++) {
        part_add(&s, (uint64_t)1 << j);
        part_add(&s, p->a.column[j]);
    }
    if (p->a.m > 0 && rng_below(r, 4) == 0) {
        const uint64_t v = random_index(r, p->a.m);
        part_add(&s, v);
        part_add(&s, gf2_apply(&p->a, v));
    }
    return s;
}

/* Any vector of coset z. */
static uint64_t coset_at(const involution_orbits *o, uint64_t z) {
    uint64_t x = o->origin;
    for (unsigned i = 0; i < o->bits; i++) x ^= (z >> i & 1) != 0 ? o->basis[i] : 0;
    return x;
}

static void check_ascent(const involution_orbits *o, unsigned first, unsigned end, unsigned round) {
    for (unsigned i = first + 1; i < end; i++) {
        const uint64_t both = o->basis[i - 1] ^ o->basis[i];
        require(o->basis[i] > o->basis[i - 1] && both > o->basis[i - 1], "leading bits do not ascend", round);
    }
}

/* Where c begins, and near. */
static unsigned first_of_c(const involution_orbits *o) { return o->bits - o->moved - (o->far != 0); }
static unsigned first_of_near(const involution_orbits *o) { return o->plain + o->moved; }

static void check_order(const involution_orbits *o, unsigned round) {
    require(first_of_c(o) >= first_of_near(o), "the fields of a number", round);
    require(o->far == 0 || o->far == (uint64_t)1 << (o->bits - 1), "the far bit is not the last", round);
    check_ascent(o, 0, o->plain, round);
    check_ascent(o, first_of_near(o), first_of_c(o), round);
    check_ascent(o, first_of_c(o), first_of_c(o) + o->moved, round);
}

static void check_form(const involution_orbits *o, const part *s, unsigned m, unsigned round) {
    uint64_t leading = 0;
    for (unsigned j = 0; j < 64; j++) leading |= (uint64_t)(s->span.by_leading_bit[j] != 0) << j;
    require(o->bits + s->count == m, "as many bits as there are cosets", round);
    require(2 * o->moved <= o->bits, "too many bits move", round);
    require((o->origin & leading) == 0, "the origin has a leading bit of the subspace", round);
    gf2_span all = s->span;
    for (unsigned i = 0; i < o->bits; i++) {
        require((o->basis[i] & leading) == 0, "a basis vector has a leading bit of the subspace", round);
        require(gf2_span_add(&all, o->basis[i]), "the basis is dependent", round);
    }
    check_order(o, round);
}

/* P on the numbers of cosets, as the header has it. */
static void check_image(const involution_orbits *o, uint64_t z, uint64_t image, unsigned round) {
    require(image == involution_image(o, z), "P(z) is another coset", round);
    require(o->fixed == 0 || (image == z) == (z >> first_of_c(o) == 0), "c does not say what moves", round);
    require(o->fixed > 0 || (image ^ z) >> (o->bits - 1) == 1,
            "the last bit does not tell a coset from its image", round);
}

/* number[x]: of the coset that x lies in, each coset listed in full. */
static uint64_t *number_cosets(const involution_orbits *o, const part *s, unsigned m, unsigned round) {
    const uint64_t n = (uint64_t)1 << m;
    uint64_t *number = malloc(n * sizeof *number);
    assert_non_null(number);
    for (uint64_t x = 0; x < n; x++) number[x] = n;
    for (uint64_t z = 0; z >> o->bits == 0; z++) {
        uint64_t x = coset_at(o, z);
        for (uint64_t step = 0; step >> s->count == 0; step++) {
            if (step > 0) x ^= s->vector[__builtin_ctzll(step)];
            require(number[x] == n, "two numbers for one coset", round);
            number[x] = z;
        }
    }
    return number;
}

static void check_orbits(const involution_orbits *o, const perm_affine *p, const uint64_t *number,
                         unsigned round) {
    unsigned char *seen = calloc((size_t)1 << o->bits, 1);
    assert_non_null(seen);
    require(o->fixed <= o->orbits, "counts out of order", round);
    require(2 * o->orbits - o->fixed == (uint64_t)1 << o->bits, "the counts do not add up", round);
    for (uint64_t b = 0; b < o->orbits; b++) {
        const uint64_t z = involution_coset(o, b);
        require(z >> o->bits == 0, "no coset's number", round);
        const uint64_t image = number[apply(p, coset_at(o, z))];
        require((image == z) == (b < o->fixed), "the fixed cosets do not come first", round);
        require(seen[z]++ == 0, "a coset comes twice", round);
        if (image != z) require(seen[image]++ == 0, "an image comes twice", round);
    }
    free(seen);
}

/* All elements of a fixed coset stay or none does, where P leaves the subspace alone; the former come first. */
static void check_still(const involution_orbits *o, const perm_affine *p, const part *s, unsigned round) {
    bool is_left_alone = undoes_itself(p);
    for (unsigned k = 0; k < s->count; k++) is_left_alone &= gf2_apply(&p->a, s->vector[k]) == s->vector[k];
    require(o->still <= o->fixed && (is_left_alone || o->still == 0), "orbits that stay", round);
    if (!is_left_alone) return;
    for (uint64_t b = 0; b < o->fixed; b++) {
        const uint64_t x = coset_at(o, b);
        require((apply(p, x) == x) == (b < o->still), "what stays does not come first", round);
    }
    for (unsigned i = 0; i < o->bits; i++)
        require((gf2_apply(&p->a, o->basis[i]) == o->basis[i]) ==
                    (i < first_of_near(o) || (o->far >> i & 1) != 0),
                "plain and image move as one, and no others do", round);
}

static void every_coset_lies_in_one_orbit(void **state) {
    (void)state;
    rng r = {seed};
    unsigned none_fixed = 0, all_fixed = 0, some_fixed = 0, some_still = 0, some_within = 0;
    for (unsigned round = 0; round < test_rounds(600); round++) {
        const unsigned m = (unsigned)rng_below(&r, 15);
        const perm_affine p = round % 3 == 0 ? random_near_involution(&r, m) : random_involution(&r, m);
        const part s = random_part(&r, &p, (unsigned)rng_below(&r, m + 1) >> rng_below(&r, 3));
        involution_orbits o;
        memset(&o, POISON_VALUE, sizeof o);
        involution_plan(&p, s.vector, s.count, &o);
        check_form(&o, &s, m, round);
        uint64_t *number = number_cosets(&o, &s, m, round);
        for (uint64_t x = 0; x >> m == 0; x++) check_image(&o, number[x], number[apply(&p, x)], round);
        check_orbits(&o, &p, number, round);
        check_still(&o, &p, &s, round);
        free(number);
        some_still += o.still > 0;
        some_within += o.still < o.fixed;
        none_fixed += o.fixed == 0;
        all_fixed += o.fixed == o.orbits;
        some_fixed += o.fixed > 0 && o.fixed < o.orbits;
    }
    assert_true(none_fixed > 0 && all_fixed > 0 && some_fixed > 0 && some_still > 0 && some_within > 0);
}

/* Too many cosets to list: random ones, told apart by their coordinates. */
static void orbits_of_long_arrays(void **state) {
    (void)state;
    rng r = {seed};
    for (unsigned round = 0; round < test_rounds(300); round++) {
        const unsigned m = 15 + (unsigned)rng_below(&r, RIFFLE_MAX_BITS - 14);
        const perm_affine p = round % 3 == 0 ? random_near_involution(&r, m) : random_involution(&r, m);
        const part s = random_part(&r, &p, (unsigned)rng_below(&r, 8));
        involution_orbits o;
        involution_plan(&p, s.vector, s.count, &o);
        check_form(&o, &s, m, round);
        require(2 * o.orbits - o.fixed == (uint64_t)1 << o.bits, "the counts do not add up", round);
        gf2_span all = s.span;
        for (unsigned i = 0; i < o.bits; i++) gf2_span_add(&all, o.basis[i]);
        for (unsigned trial = 0; trial < 64; trial++) {
            const uint64_t b = rng_below(&r, o.orbits), z = involution_coset(&o, b);
            const uint64_t to = apply(&p, coset_at(&o, z)) ^ o.origin;
            const uint64_t image = gf2_span_coordinates(&all, to) >> s.count;
            check_image(&o, z, image, round);
            require((image == z) == (b < o.fixed), "the fixed cosets do not come first", round);
            require(image >= z, "the representative is not the one with a 0", round);
        }
    }
}

static void whole_subspaces_and_empty_ones(void **state) {
    (void)state;
    rng r = {seed};
    for (unsigned m = 0; m <= RIFFLE_MAX_BITS; m++) {
        const perm_affine p = random_involution(&r, m);
        const gf2_matrix all = gf2_identity(m);
        involution_orbits o;
        involution_plan(&p, all.column, m, &o);
        assert_true(o.bits == 0 && o.orbits == 1 && o.fixed == 1 && o.origin == 0);
        involution_plan(&p, NULL, 0, &o);
        assert_int_equal(o.bits, m);
        assert_int_equal(2 * o.orbits - o.fixed, (uint64_t)1 << m);
    }
}

/* Reversed, or with a segment's bits taken out, neighbouring numbers are neighbouring segments. */
static void low_bits_come_first(void **state) {
    (void)state;
    enum { M = 20, SEGMENT = 5 };
    perm_affine p = {.a = gf2_identity(M)};
    for (unsigned reversed = 0; reversed < 2; reversed++) {
        p.c = reversed != 0 ? (1 << M) - 1 : 0;
        involution_orbits o;
        involution_plan(&p, p.a.column, SEGMENT, &o);
        for (unsigned i = 0; i < M - SEGMENT - reversed; i++) {
            assert_int_equal(o.basis[i], (uint64_t)1 << (SEGMENT + i));
        }
    }
}

int main(void) {
    seed = test_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(involutions_are_told_from_others),
        cmocka_unit_test(every_coset_lies_in_one_orbit),
        cmocka_unit_test(orbits_of_long_arrays),
        cmocka_unit_test(whole_subspaces_and_empty_ones),
        cmocka_unit_test(low_bits_come_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
