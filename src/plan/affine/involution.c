/* SPDX-License-Identifier: Apache-2.0
 *
 * Cosets are written as vectors with a 0 at every leading bit of the subspace's echelon form, one vector a
 * coset, and unit vectors at the other bits are a basis of them. On them N = A + I is what moves: P(x) is x
 * plus N x + c, and N N = 0 since P is its own inverse, so N's image lies in its kernel. A coset x is fixed
 * where N x = c. Where c is in the image, such an x is the origin, and P adds N to what is counted from there:
 * nothing to the kernel, and to vectors that complete the kernel their images, independent of each other.
 * Elsewhere c is independent of the images, and is one more vector of the kernel: the bit that it has in the numbers
 * changes always.
 */
#include "plan/affine/involution.h"

#include "perm/gf2_span.h"

/* N on the cosets. source[i], for i < image.count, are sent to independent vectors, those that made `image`
 * grow. The part of the kernel that is sent to something in the subspace is `near`, its images inside it independent as well;
 * with still[i], which are sent to 0, all three are a basis. Where vectors of the subspace move themselves none is near. */
typedef struct displacement {
    const gf2_matrix *a;
    bool leaves_subspace;
    gf2_span subspace, image, inside;
    unsigned near_count, still_count;
    uint64_t source[RIFFLE_MAX_BITS];
    uint64_t near[RIFFLE_MAX_BITS];
    uint64_t still[RIFFLE_MAX_BITS];
} displacement;

static uint64_t unit(unsigned bit) { return (uint64_t)1 << bit; }

static uint64_t combine(const uint64_t *vectors, uint64_t selection) {
    uint64_t sum = 0;
    for (; selection != 0; selection &= selection - 1) sum ^= vectors[__builtin_ctzll(selection)];
    return sum;
}

static uint64_t move(const gf2_matrix *a, uint64_t v) { return gf2_apply(a, v) ^ v; }

static uint64_t displace(const displacement *d, uint64_t v) {
    return gf2_span_reduce(&d->subspace, move(d->a, v));
}

/* A vector of the kernel, with a leading bit above those of the near ones so far. */
static void add_kernel(displacement *d, uint64_t v) {
    const uint64_t inside = d->leaves_subspace ? move(d->a, v) : 0;
    if (gf2_span_add(&d->inside, inside))
        d->near[d->near_count++] = v;
    else
        d->still[d->still_count++] = v ^ combine(d->near, gf2_span_coordinates(&d->inside, inside));
}

/* A unit vector whose image adds nothing new makes, with the sources of the same image, a vector of the kernel,
 * and it is that vector's leading bit, for the sources so far are lower. */
static displacement displacement_on(const perm_affine *p, const uint64_t *subspace, unsigned count) {
    const gf2_matrix *const a = &p->a;
    displacement d = {.a = a, .leaves_subspace = involution_is(p)};
    for (unsigned k = 0; k < count; k++) {
        gf2_span_add(&d.subspace, subspace[k]);
        d.leaves_subspace &= move(a, subspace[k]) == 0;
    }
    for (unsigned j = 0; j < a->m; j++) {
        if (d.subspace.by_leading_bit[j] != 0) continue;
        const uint64_t moved = displace(&d, unit(j));
        if (gf2_span_add(&d.image, moved))
            d.source[d.image.count - 1] = unit(j);
        else
            add_kernel(&d, unit(j) ^ combine(d.source, gf2_span_coordinates(&d.image, moved)));
    }
    return d;
}

/* A coset that P fixes, element by element if there is such a one. */
static uint64_t choose_origin(const displacement *d, uint64_t c) {
    const uint64_t rest = gf2_span_reduce(&d->subspace, c);
    const uint64_t x = combine(d->source, gf2_span_coordinates(&d->image, rest));
    const uint64_t within = move(d->a, x) ^ c;
    if (gf2_span_reduce(&d->inside, within) != 0) return x;
    return x ^ combine(d->near, gf2_span_coordinates(&d->inside, within));
}

/* z's bits from the lowest: vectors of the kernel that complete the others, the sources' images, what is near, the sources,
 * and c where it lies outside the image. */
static void number(const displacement *d, uint64_t c, bool is_far, involution_orbits *out) {
    uint64_t images[RIFFLE_MAX_BITS];
    gf2_span inside = {0};
    out->moved = d->image.count;
    for (unsigned i = 0; i < out->moved; i++) {
        images[i] = displace(d, d->source[i]);
        gf2_span_add(&inside, images[i]);
    }
    if (is_far) gf2_span_add(&inside, c);
    for (unsigned i = 0; i < d->still_count; i++)
        if (gf2_span_add(&inside, d->still[i])) out->basis[out->plain++] = d->still[i];
    unsigned next = out->plain;
    for (unsigned i = 0; i < out->moved; i++) out->basis[next++] = images[i];
    for (unsigned i = 0; i < d->near_count; i++) out->basis[next++] = d->near[i];
    for (unsigned i = 0; i < out->moved; i++) out->basis[next++] = d->source[i];
    if (is_far) out->basis[next] = c;
}

void involution_plan(const perm_affine *p, const uint64_t *subspace, unsigned count, involution_orbits *out) {
    const displacement d = displacement_on(p, subspace, count);
    const uint64_t c = gf2_span_reduce(&d.subspace, p->c);
    const bool is_far = gf2_span_reduce(&d.image, c) != 0;
    *out = (involution_orbits){.bits = p->a.m - count};
    number(&d, c, is_far, out);
    if (is_far) {
        out->far = out->orbits = unit(out->bits - 1);
        return;
    }
    out->origin = choose_origin(&d, p->c);
    out->fixed = out->orbits = unit(out->bits - out->moved);
    if (out->moved > 0) out->orbits += (unit(out->moved) - 1) << (out->bits - out->moved - 1);
    if (d.leaves_subspace && move(&p->a, out->origin) == p->c) out->still = unit(out->plain + out->moved);
}

uint64_t involution_coset(const involution_orbits *o, uint64_t b) {
    if (o->far != 0 || b < o->fixed) return b;
    const unsigned low = o->bits - o->moved - 1;
    const uint64_t rest = b - o->fixed, c = 1 + (rest >> low), h = rest & (unit(low) - 1);
    const uint64_t below = unit(o->plain + 63 - (unsigned)__builtin_clzll(c)) - 1;
    return c << (low + 1) | (h & ~below) << 1 | (h & below);
}

bool involution_is(const perm_affine *p) {
    for (unsigned j = 0; j < p->a.m; j++) {
        if (gf2_apply(&p->a, p->a.column[j]) != unit(j)) return false;
    }
    return gf2_apply(&p->a, p->c) == p->c;
}
