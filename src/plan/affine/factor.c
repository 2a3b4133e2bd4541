/* SPDX-License-Identifier: Apache-2.0 */
#include "plan/affine/factor.h"

#include "perm/gf2_cyclic.h"
#include "perm/gf2_span.h"
#include "plan/affine/involution.h"

/* Maps by what they make of a basis of all parts, one column a vector. */
typedef struct factors {
    gf2_matrix basis, mirrored /* by s */, turned /* by C s */, rest /* by C^-1 A */;
} factors;

static uint64_t unit(unsigned bit) { return (uint64_t)1 << bit; }

/* The sum of polynomial's vectors of a part, whose basis begins at column `first`. */
static uint64_t vector_of(const gf2_matrix *basis, unsigned first, uint64_t polynomial) {
    uint64_t sum = 0;
    for (; polynomial != 0; polynomial &= polynomial - 1)
        sum ^= basis->column[first + (unsigned)__builtin_ctzll(polynomial)];
    return sum;
}

/* v x and v / x modulo q, whose last and first coefficients are 1. */
static uint64_t times_x(uint64_t v, uint64_t q) { return v << 1 >> gf2_degree(q) == 1 ? v << 1 ^ q : v << 1; }
static uint64_t over_x(uint64_t v, uint64_t q) { return ((v & 1) != 0 ? v ^ q : v) >> 1; }

static void add_part(factors *f, const gf2_matrix *a, gf2_part part) {
    const unsigned first = f->basis.m, degree = gf2_degree(part.polynomial);
    const uint64_t p = part.polynomial, q = gf2_is_reciprocal(p) ? p : unit(degree) | 1;
    uint64_t v = part.generator, power = 1; /* power of 1/x modulo q */
    for (unsigned i = 0; i < degree; i++, v = gf2_apply(a, v)) f->basis.column[f->basis.m++] = v;
    for (unsigned i = 0; i < degree; i++, power = over_x(power, q)) {
        f->mirrored.column[first + i] = vector_of(&f->basis, first, power);
        f->turned.column[first + i] = vector_of(&f->basis, first, times_x(power, q));
        f->rest.column[first + i] = f->basis.column[first + i];
    }
    f->rest.column[first + degree - 1] = vector_of(&f->basis, first, over_x(p ^ unit(degree), q));
}

/* The map that sends the basis there, as a matrix. */
static gf2_matrix map_of(const gf2_matrix *inverse_basis, const gf2_matrix *images) {
    gf2_matrix all = *images;
    all.m = inverse_basis->m;
    return gf2_multiply(&all, inverse_basis);
}

/* Adds what an involution fixes, each vector moved by `map`; `fixed` gets the vectors themselves. */
static void add_fixed(const gf2_matrix *involution, const gf2_matrix *map, gf2_span *sum, uint64_t *fixed) {
    const gf2_matrix units = gf2_identity(involution->m);
    uint64_t moved[RIFFLE_MAX_BITS], kernel[RIFFLE_MAX_BITS];
    for (unsigned j = 0; j < units.m; j++) moved[j] = involution->column[j] ^ units.column[j];
    const unsigned count = gf2_kernel(units.m, units.column, moved, kernel);
    for (unsigned k = 0; k < count; k++)
        if (gf2_span_add(sum, gf2_apply(map, kernel[k]))) fixed[sum->count - 1] = kernel[k];
}

/* Divides c: later->a earlier->c + later->c is c, and each fixes its own. */
static void divide_sum(uint64_t c, perm_affine *earlier, perm_affine *later) {
    const gf2_matrix identity = gf2_identity(later->a.m);
    gf2_span sum = {0};
    uint64_t fixed[RIFFLE_MAX_BITS];
    add_fixed(&later->a, &identity, &sum, fixed);
    const unsigned of_later = sum.count;
    add_fixed(&earlier->a, &later->a, &sum, fixed);
    for (uint64_t by = gf2_span_coordinates(&sum, c); by != 0; by &= by - 1) {
        const unsigned k = (unsigned)__builtin_ctzll(by);
        *(k < of_later ? &later->c : &earlier->c) ^= fixed[k];
    }
}

static bool is_identity(const perm_affine *p) {
    for (unsigned j = 0; j < p->a.m; j++)
        if (p->a.column[j] != unit(j)) return false;
    return p->c == 0;
}

unsigned affine_factor(const perm_affine *p, perm_affine out[FACTOR_MOST]) {
    if (is_identity(p)) return 0;
    if (involution_is(p)) {
        out[0] = *p;
        return 1;
    }
    gf2_part part[RIFFLE_MAX_BITS];
    unsigned parts = gf2_unit_parts(&p->a, part);
    if (parts == 0) parts = gf2_invariant_parts(&p->a, part);
    factors f = {.basis.m = 0};
    for (unsigned k = 0; k < parts; k++) add_part(&f, &p->a, part[k]);
    gf2_matrix inverse;
    gf2_invert(&f.basis, &inverse, NULL);
    perm_affine rest = {.a = map_of(&inverse, &f.rest)};
    perm_affine mirror = {.a = map_of(&inverse, &f.mirrored)}, turn = {.a = map_of(&inverse, &f.turned)};
    divide_sum(p->c, &mirror, &turn);
    unsigned count = 0;
    if (!is_identity(&rest)) out[count++] = rest;
    out[count++] = mirror;
    out[count++] = turn;
    return count;
}
