/* SPDX-License-Identifier: Apache-2.0
 *
 * A part is split off at a time. On what is left there is a vector w whose polynomial p is that of all: from two vectors of
 * any polynomials one with their least common multiple is made. With f the functional that is 1 on A^(d-1) w and 0 on the
 * others of w's images, the vectors v with f(A^i v) = 0 for all i < d are what is left next: A leaves them among
 * themselves, since A^d is a sum of lower powers on all that is left; and w's part has none of them, since the matrix
 * f(A^(i + j) w) has a triangle of zeros above a diagonal of ones.
 */
#include "perm/gf2_cyclic.h"

#include "perm/gf2_span.h"

static uint64_t unit(unsigned bit) { return (uint64_t)1 << bit; }

/* ------------------------------------------------------------ polynomials */

/* *rest is what is left of p divided by q. */
static uint64_t divide(uint64_t p, uint64_t q, uint64_t *rest) {
    uint64_t quotient = 0;
    while (p != 0 && gf2_degree(p) >= gf2_degree(q)) {
        const unsigned shift = gf2_degree(p) - gf2_degree(q);
        quotient |= unit(shift);
        p ^= q << shift;
    }
    *rest = p;
    return quotient;
}

static uint64_t quotient_of(uint64_t p, uint64_t q) {
    uint64_t rest;
    return divide(p, q, &rest);
}

static uint64_t common_polynomial(uint64_t p, uint64_t q) {
    while (q != 0) {
        uint64_t rest;
        divide(p, q, &rest);
        p = q;
        q = rest;
    }
    return p;
}

/* p without the primes of h. */
static uint64_t without_primes(uint64_t p, uint64_t h) {
    for (uint64_t g = common_polynomial(p, h); g != 1; g = common_polynomial(p, h)) p = quotient_of(p, g);
    return p;
}

bool gf2_is_reciprocal(uint64_t p) {
    uint64_t reversed = 0;
    for (unsigned i = 0; i <= gf2_degree(p); i++) reversed |= (p >> i & 1) << (gf2_degree(p) - i);
    return reversed == p;
}

/* ---------------------------------------------------------------- vectors */

/* p(A) v. */
static uint64_t apply_polynomial(const gf2_matrix *a, uint64_t p, uint64_t v) {
    uint64_t sum = 0;
    for (; p != 0; p >>= 1, v = gf2_apply(a, v))
        if ((p & 1) != 0) sum ^= v;
    return sum;
}

/* Adds v's images to the span, as far as they make it grow. Returns v's polynomial, if the span was empty. */
static uint64_t add_images(const gf2_matrix *a, uint64_t v, gf2_span *s) {
    for (; gf2_span_add(s, v); v = gf2_apply(a, v)) {
    }
    return unit(s->count) | gf2_span_coordinates(s, v);
}

static uint64_t polynomial_of(const gf2_matrix *a, uint64_t v) {
    gf2_span images = {0};
    return add_images(a, v, &images);
}

/* The primes of h are those that divide q more often than p: one vector keeps q's powers of these, the other p's of the
 * others, and as these have no prime in common the sum's polynomial is their product. */
static gf2_part join(const gf2_matrix *a, gf2_part p, gf2_part q) {
    const uint64_t h = quotient_of(q.polynomial, common_polynomial(p.polynomial, q.polynomial));
    if (h == 1) return p;
    const uint64_t of_p = without_primes(p.polynomial, h), rest_of_p = quotient_of(p.polynomial, of_p);
    const uint64_t rest_of_q = without_primes(q.polynomial, h);
    const uint64_t v =
        apply_polynomial(a, rest_of_p, p.generator) ^ apply_polynomial(a, rest_of_q, q.generator);
    return (gf2_part){v, polynomial_of(a, v)};
}

/* ------------------------------------------------------------------ parts */

typedef struct subspace {
    unsigned count;
    uint64_t vector[RIFFLE_MAX_BITS]; /* independent */
} subspace;

static gf2_part longest_part(const gf2_matrix *a, const subspace *left) {
    gf2_part best = {left->vector[0], polynomial_of(a, left->vector[0])};
    for (unsigned k = 1; k < left->count && gf2_degree(best.polynomial) < left->count; k++)
        best = join(a, best, (gf2_part){left->vector[k], polynomial_of(a, left->vector[k])});
    return best;
}

/* f(v), f(A v), ..., as bits: f is the coordinate of the part's last image in a basis of what is left. */
static uint64_t values_of(const gf2_matrix *a, const gf2_span *basis, unsigned degree, uint64_t v) {
    uint64_t values = 0;
    for (unsigned i = 0; i < degree; i++, v = gf2_apply(a, v))
        values |= (gf2_span_coordinates(basis, v) >> (degree - 1) & 1) << i;
    return values;
}

static void split_off(const gf2_matrix *a, gf2_part part, subspace *left) {
    const unsigned degree = gf2_degree(part.polynomial);
    uint64_t values[RIFFLE_MAX_BITS];
    gf2_span basis = {0};
    add_images(a, part.generator, &basis);
    for (unsigned k = 0; k < left->count; k++) gf2_span_add(&basis, left->vector[k]);
    for (unsigned k = 0; k < left->count; k++) values[k] = values_of(a, &basis, degree, left->vector[k]);
    left->count = gf2_kernel(left->count, left->vector, values, left->vector);
}

unsigned gf2_invariant_parts(const gf2_matrix *a, gf2_part out[RIFFLE_MAX_BITS]) {
    unsigned count = 0;
    subspace left = {.count = a->m};
    for (unsigned j = 0; j < a->m; j++) left.vector[j] = unit(j);
    while (left.count > 0) {
        out[count] = longest_part(a, &left);
        split_off(a, out[count++], &left);
    }
    return count;
}

unsigned gf2_unit_parts(const gf2_matrix *a, gf2_part out[RIFFLE_MAX_BITS]) {
    unsigned count = 0;
    gf2_span covered = {0};
    for (unsigned j = 0; j < a->m; j++) {
        if (gf2_span_reduce(&covered, unit(j)) == 0) continue;
        const gf2_part part = {unit(j), polynomial_of(a, unit(j))};
        const unsigned before = covered.count;
        add_images(a, unit(j), &covered);
        if (covered.count != before + gf2_degree(part.polynomial) || !gf2_is_reciprocal(part.polynomial))
            return 0;
        out[count++] = part;
    }
    return count;
}
