/* SPDX-License-Identifier: Apache-2.0
 *
 * Cosets are written as vectors with a 0 at every leading bit of the subspace's echelon form, one vector a
 * coset, and unit vectors at the other bits are a basis of them. On them N = A + I is what moves: P(x) is x
 * plus N x + c, and N N = 0 since P is its own inverse, so N's image lies in its kernel. A coset x is fixed
 * where N x = c. Where c is in the image, such an x is the origin, and P adds N to what is counted from there:
 * nothing to the kernel, and to vectors that complete the kernel their images, independent of each other.
 * Elsewhere a functional that is 0 on the image and 1 on c tells every coset from where it goes.
 */
#include "plan/affine/involution.h"

#include "perm/gf2_span.h"

/* N on the cosets. source[i], for i < image.count, are sent to independent vectors, those that made `image`
 * grow; with kernel[i], i < nullity, they are a basis. */
typedef struct displacement {
    const gf2_matrix *a;
    gf2_span subspace, image;
    unsigned nullity;
    uint64_t source[RIFFLE_MAX_BITS];
    uint64_t kernel[RIFFLE_MAX_BITS];
} displacement;

static uint64_t unit(unsigned bit) { return (uint64_t)1 << bit; }

static uint64_t combine(const uint64_t *vectors, uint64_t selection) {
    uint64_t sum = 0;
    for (; selection != 0; selection &= selection - 1) sum ^= vectors[__builtin_ctzll(selection)];
    return sum;
}

static uint64_t displace(const displacement *d, uint64_t v) {
    return gf2_span_reduce(&d->subspace, gf2_apply(d->a, v) ^ v);
}

/* True if the unit vector stands for a coset. */
static bool is_free(const displacement *d, unsigned bit) { return d->subspace.by_leading_bit[bit] == 0; }

/* A unit vector whose image adds nothing new makes, with the sources of the same image, a vector of the kernel,
 * and it is that vector's leading bit, for the sources so far are lower. */
static displacement displacement_on(const gf2_matrix *a, const uint64_t *subspace, unsigned count) {
    displacement d = {.a = a};
    for (unsigned k = 0; k < count; k++) gf2_span_add(&d.subspace, subspace[k]);
    for (unsigned j = 0; j < a->m; j++) {
        if (!is_free(&d, j)) continue;
        const uint64_t moved = displace(&d, unit(j));
        if (gf2_span_add(&d.image, moved))
            d.source[d.image.count - 1] = unit(j);
        else
            d.kernel[d.nullity++] = unit(j) ^ combine(d.source, gf2_span_coordinates(&d.image, moved));
    }
    return d;
}

/* c lies in the image. The basis is the sources' images, what completes them to the kernel, the sources. */
static void number_from_fixed(const displacement *d, uint64_t c, involution_orbits *out) {
    const unsigned moved = d->image.count;
    gf2_span inside = {0};
    for (unsigned i = 0; i < moved; i++) {
        out->basis[i] = displace(d, d->source[i]);
        out->basis[d->nullity + i] = d->source[i];
        gf2_span_add(&inside, out->basis[i]);
    }
    for (unsigned i = 0; i < d->nullity; i++) {
        const unsigned next = inside.count;
        if (gf2_span_add(&inside, d->kernel[i])) out->basis[next] = d->kernel[i];
    }
    out->origin = combine(d->source, gf2_span_coordinates(&d->image, c));
    out->moved = moved;
    out->fixed = out->direct = unit(d->nullity);
    out->orbits = out->fixed;
    if (moved > 0) out->orbits += (unit(moved) - 1) << (d->nullity - 1);
}

/* A functional that is 0 on the image and 1 on c, which lies outside: the part of c in what the echelon form of
 * both reaches. Bit j is its value on the unit vector j. */
static uint64_t functional_of(const displacement *d, uint64_t c) {
    gf2_span both = d->image;
    gf2_span_add(&both, c);
    uint64_t functional = 0;
    for (unsigned j = 0; j < d->a->m; j++) {
        if (!is_free(d, j)) continue;
        const uint64_t inside = unit(j) ^ gf2_span_reduce(&both, unit(j));
        functional |= (gf2_span_coordinates(&both, inside) >> d->image.count & 1) << j;
    }
    return functional;
}

/* c lies outside the image. The basis is one of the functional's kernel, its leading bits in order, and c. */
static void number_without_fixed(const displacement *d, uint64_t c, involution_orbits *out) {
    const uint64_t functional = functional_of(d, c), lowest = functional & -functional;
    unsigned next = 0;
    for (unsigned j = 0; j < d->a->m; j++) {
        if (!is_free(d, j) || unit(j) == lowest) continue;
        out->basis[next++] = unit(j) ^ ((functional >> j & 1) != 0 ? lowest : 0);
    }
    out->basis[next] = c;
    out->direct = out->orbits = unit(next);
}

void involution_plan(const perm_affine *p, const uint64_t *subspace, unsigned count, involution_orbits *out) {
    const displacement d = displacement_on(&p->a, subspace, count);
    const uint64_t c = gf2_span_reduce(&d.subspace, p->c);
    *out = (involution_orbits){.bits = p->a.m - count};
    if (gf2_span_reduce(&d.image, c) == 0)
        number_from_fixed(&d, c, out);
    else
        number_without_fixed(&d, c, out);
}

uint64_t involution_coset(const involution_orbits *o, uint64_t b) {
    if (b < o->direct) return b;
    const unsigned low = o->bits - o->moved - 1;
    const uint64_t rest = b - o->direct, c = 1 + (rest >> low), h = rest & (unit(low) - 1);
    const uint64_t below = unit(63 - (unsigned)__builtin_clzll(c)) - 1;
    return c << (low + 1) | (h & ~below) << 1 | (h & below);
}

/* ---------------------------------------------------------------- factors */

bool involution_is(const perm_affine *p) {
    for (unsigned j = 0; j < p->a.m; j++) {
        if (gf2_apply(&p->a, p->a.column[j]) != unit(j)) return false;
    }
    return gf2_apply(&p->a, p->c) == p->c;
}

/* Bits b_0 -> b_1 -> ... -> b_(L-1) -> b_0, as `start` is sent round by a, turn by two reflections of the
 * polygon: i -> -i, then i -> 1 - i. */
static void reflect_cycle(const gf2_matrix *a, unsigned start, gf2_matrix *first, gf2_matrix *second) {
    unsigned cycle[RIFFLE_MAX_BITS], length = 0;
    unsigned bit = start;
    do {
        cycle[length++] = bit;
        bit = (unsigned)__builtin_ctzll(a->column[bit]);
    } while (bit != start);
    for (unsigned i = 0; i < length; i++) {
        first->column[cycle[i]] = unit(cycle[(length - i) % length]);
        second->column[cycle[i]] = unit(cycle[(length + 1 - i) % length]);
    }
}

/* Writes the bits of `sum` on a cycle as a bit of c1 plus one of c2, where c1 is fixed by the first reflection
 * and c2 by the second. One edge of each by turns makes the cycle's bits a path. It starts at a bit that the
 * first leaves, where c1 may be 0; then each bit settles the other part, and the edge carries that part on. */
static void split_sum(uint64_t sum, uint64_t start, perm_affine *first, perm_affine *second) {
    perm_affine *given = first, *settled = second;
    uint64_t here = start, end;
    bool value = false;
    do {
        if (value) given->c |= here;
        value ^= (sum & here) != 0;
        if (value) settled->c |= here;
        end = here;
        here = gf2_apply(&settled->a, here);
        perm_affine *const other = given;
        given = settled;
        settled = other;
    } while (here != end);
}

/* second(first(x)) has the complement second->a first->c + second->c, and second->a leaves second->c: so it is
 * c if first->c + second->c is second->a c. */
bool involution_factor(const perm_affine *p, perm_affine *first, perm_affine *second) {
    if (!gf2_is_bit_permutation(&p->a)) return false;
    *second = (perm_affine){.a = gf2_identity(p->a.m)};
    *first = *second;
    if (involution_is(p)) {
        *first = *p;
        return true;
    }
    for (uint64_t left = unit(p->a.m) - 1; left != 0;) {
        const unsigned start = (unsigned)__builtin_ctzll(left);
        reflect_cycle(&p->a, start, &first->a, &second->a);
        split_sum(gf2_apply(&second->a, p->c), unit(start), first, second);
        for (uint64_t bit = unit(start); (left & bit) != 0; bit = gf2_apply(&p->a, bit)) left &= ~bit;
    }
    return true;
}
