/* SPDX-License-Identifier: Apache-2.0 */
#include "bits/gpu/warp_map.h"

#include "base/arithmetic.h"
#include "base/splitmix.h"
#include "perm/gf2_span.h"

enum { PLACES = WARP_MAP_PLACES, BITS = 2 * PLACES, TRIALS = 4 };

static const uint64_t IN_WORD = (1 << PLACES) - 1, ALL = (1 << BITS) - 1;

static uint64_t unit(unsigned j) { return (uint64_t)1 << j; }

static bool is_odd(uint64_t x) { return __builtin_parityll(x) != 0; }

/* ------------------------------------------------------------------- words */

/* A basis of words, and their span: coordinates are numbers of lanes. */
typedef struct words {
    uint64_t vector[PLACES];
    gf2_span span;
} words;

static void words_add(words *w, uint64_t v) {
    if (w->span.count < PLACES && gf2_span_add(&w->span, v)) w->vector[w->span.count - 1] = v;
}

static uint64_t words_sum(const words *w, uint64_t lane) {
    uint64_t sum = 0;
    for (; lane != 0; lane &= lane - 1) sum ^= w->vector[__builtin_ctzll(lane)];
    return sum;
}

typedef struct sides {
    const gf2_matrix *t;
    words in, out;
} sides;

/* T times (lane, place). */
static uint64_t image(const sides *s, uint64_t x) {
    const uint64_t y = gf2_apply(s->t, words_sum(&s->in, x >> PLACES) ^ (x & IN_WORD));
    return gf2_span_coordinates(&s->out.span, y & ~IN_WORD) << PLACES | (y & IN_WORD);
}

static void choose_words(sides *s) {
    gf2_matrix back;
    gf2_invert(s->t, &back, NULL);
    for (unsigned j = 0; j < PLACES; j++) words_add(&s->in, back.column[j] & ~IN_WORD);
    for (unsigned j = PLACES; j < s->t->m; j++) words_add(&s->in, unit(j));
    for (unsigned j = 0; j < PLACES; j++) words_add(&s->out, s->t->column[j] & ~IN_WORD);
    for (unsigned j = 0; j < PLACES; j++) words_add(&s->out, gf2_apply(s->t, s->in.vector[j]) & ~IN_WORD);
}

/* ------------------------------------------------------------------- bases */

/* Vectors of a space that are independent of `span`, which takes them in. */
static unsigned extend(gf2_span *span, unsigned count, const uint64_t *vector, uint64_t *out) {
    unsigned found = 0;
    for (unsigned k = 0; k < count; k++)
        if (gf2_span_add(span, vector[k])) out[found++] = vector[k];
    return found;
}

static gf2_span span_of(unsigned count, const uint64_t *vector) {
    gf2_span span = {0};
    for (unsigned k = 0; k < count; k++) gf2_span_add(&span, vector[k]);
    return span;
}

/* Vectors whose places stay, independent of each other modulo L and, after T, again modulo L: what lane each has on one side can be the lane it has on the
 * other. How many there are. */
static unsigned find_fixed(const sides *s, uint64_t fixed[BITS]) {
    uint64_t units[BITS], moved[BITS], f[BITS], lanes[BITS], after[BITS], both[BITS];
    uint64_t inside[BITS], first[BITS], second[BITS], a[BITS], b[BITS];
    for (unsigned k = 0; k < BITS; k++) {
        units[k] = unit(k);
        moved[k] = (image(s, unit(k)) ^ unit(k)) & IN_WORD;
    }
    const unsigned stay = gf2_kernel(BITS, units, moved, f);
    for (unsigned k = 0; k < stay; k++) {
        lanes[k] = f[k] >> PLACES;
        after[k] = image(s, f[k]) >> PLACES;
        both[k] = lanes[k] | after[k] << PLACES;
    }
    const unsigned in_both = gf2_kernel(stay, f, both, inside), in_first = gf2_kernel(stay, f, lanes, first),
                   in_second = gf2_kernel(stay, f, after, second);
    gf2_span sum = span_of(in_both, inside), other = sum;
    const unsigned as = extend(&sum, in_first, first, a), bs = extend(&other, in_second, second, b);
    unsigned count = 0;
    for (unsigned k = 0; k < min(as, bs); k++) fixed[count++] = a[k] ^ b[k];
    for (unsigned k = 0; k < bs; k++) gf2_span_add(&sum, b[k]);
    return count + extend(&sum, stay, f, fixed + count);
}

/* Numbers lanes so that N leaves those vectors as they are. */
static void number_lanes(sides *s) {
    uint64_t fixed[BITS];
    sides out = {.t = s->t};
    const unsigned count = find_fixed(s, fixed);
    for (unsigned k = 0; k < count; k++) {
        words_add(&out.in, words_sum(&s->in, fixed[k] >> PLACES));
        words_add(&out.out, words_sum(&s->out, image(s, fixed[k]) >> PLACES));
    }
    for (unsigned j = 0; j < PLACES; j++) words_add(&out.in, s->in.vector[j]);
    for (unsigned j = 0; j < PLACES; j++) words_add(&out.out, s->out.vector[j]);
    *s = out;
}

/* ------------------------------------------------------------------- steps */

/* Transvections x -> x + f(x) v, the first that is done first. */
typedef struct transvections {
    unsigned count, cost;
    uint64_t v[BITS_AFFINE_STEPS], f[BITS_AFFINE_STEPS];
} transvections;

/* Instructions of a word, about. */
static unsigned cost_of(uint64_t v) {
    return 2U + (v >> PLACES != 0 ? 3U : 0U) + ((v & 24) != 0 ? 1U : 0U) +
           3U * (unsigned)__builtin_popcountll(v & 7);
}

static unsigned find_kept(const uint64_t n[BITS], uint64_t kept[BITS]) {
    uint64_t units[BITS], moved[BITS];
    for (unsigned k = 0; k < BITS; k++) units[k] = unit(k), moved[k] = n[k] ^ unit(k);
    return gf2_kernel(BITS, units, moved, kept);
}

static uint64_t product(const uint64_t n[BITS], uint64_t x) {
    uint64_t y = 0;
    for (; x != 0; x &= x - 1) y ^= n[__builtin_ctzll(x)];
    return y;
}

/* f: 0 on what is kept and on v, 1 on x, which is none of their sums: a sum of kept ones would have N x kept, and so x. */
static uint64_t functional(unsigned count, const uint64_t *kept, uint64_t v, uint64_t x) {
    gf2_span basis = span_of(count, kept);
    uint64_t f = 0;
    gf2_span_add(&basis, v);
    const unsigned number = basis.count;
    gf2_span_add(&basis, x);
    for (unsigned k = 0; k < BITS; k++) gf2_span_add(&basis, unit(k));
    for (unsigned k = 0; k < BITS; k++) f |= (gf2_span_coordinates(&basis, unit(k)) >> number & 1) << k;
    return f;
}

/* A vector x that N does not keep and whose N x + x costs least, drawn from them. */
static uint64_t cheapest_vector(const uint64_t n[BITS], uint64_t *draw) {
    uint64_t best = 0, least = UINT64_MAX;
    for (uint64_t x = 1; x <= ALL; x++) {
        const uint64_t v = product(n, x) ^ x, at_random = splitmix_next(draw) >> 32;
        const uint64_t cost = (uint64_t)cost_of(v) << 32 | at_random;
        if (v == 0 || cost >= least) continue;
        least = cost;
        best = x;
    }
    return best;
}

/* Each transvection leaves N one more vector x that it keeps: N x goes back to x. */
static void factor(const uint64_t of[BITS], uint64_t *draw, transvections *out) {
    uint64_t n[BITS], kept[BITS], v[BITS], f[BITS];
    unsigned found = 0;
    out->cost = 0;
    for (unsigned k = 0; k < BITS; k++) n[k] = of[k];
    for (unsigned count; (count = find_kept(n, kept)) < BITS; found++) {
        const uint64_t x = cheapest_vector(n, draw);
        v[found] = product(n, x) ^ x;
        f[found] = functional(count, kept, v[found], x);
        for (unsigned k = 0; k < BITS; k++)
            if (is_odd(f[found] & n[k])) n[k] ^= v[found];
        out->cost += cost_of(v[found]);
    }
    out->count = found;
    for (unsigned k = 0; k < found; k++) out->v[k] = v[found - 1 - k], out->f[k] = f[found - 1 - k];
}

/* The cheapest of some factorings. */
static transvections cheapest(const uint64_t n[BITS]) {
    uint64_t draw = 1;
    transvections best;
    factor(n, &draw, &best);
    for (unsigned k = 1; k < TRIALS && best.count > 0; k++) {
        transvections other;
        factor(n, &draw, &other);
        if (other.cost < best.cost) best = other;
    }
    return best;
}

/* v[k] as the steps after it leave it. */
static uint64_t at_the_end(const transvections *t, unsigned k) {
    uint64_t v = t->v[k];
    for (unsigned j = k + 1; j < t->count; j++)
        if (is_odd(t->f[j] & v)) v ^= t->v[j];
    return v;
}

/* Steps that add each bit of the constant; new ones that do nothing else where there are none. */
static void add_constants(const sides *s, transvections *t, warp_map *out) {
    gf2_span places = {0};
    unsigned chosen[PLACES];
    const unsigned count = t->count;
    for (unsigned k = 0; k < count; k++)
        if (gf2_span_add(&places, at_the_end(t, k) & IN_WORD)) chosen[places.count - 1] = k;
    for (unsigned j = 0; j < PLACES; j++) {
        if (!gf2_span_add(&places, unit(j))) continue;
        chosen[places.count - 1] = t->count;
        t->v[t->count] = unit(j), t->f[t->count++] = 0;
    }
    for (unsigned j = 0; j < PLACES; j++)
        for (uint64_t parts = gf2_span_coordinates(&places, unit(j)); parts != 0; parts &= parts - 1) {
            const unsigned k = chosen[__builtin_ctzll(parts)];
            out->step[k].constant |= 1U << j;
            out->shift[j] ^= words_sum(&s->out, at_the_end(t, k) >> PLACES);
        }
}

static uint32_t mask_of(uint64_t f) {
    uint32_t mask = 0;
    for (unsigned p = 0; p <= IN_WORD; p++) mask |= (uint32_t)is_odd(f & p) << p;
    return mask;
}

void warp_map_of(const gf2_matrix *t, warp_map *out) {
    sides s = {.t = t};
    uint64_t n[BITS];
    *out = (warp_map){0};
    choose_words(&s);
    number_lanes(&s);
    for (unsigned k = 0; k < BITS; k++) n[k] = image(&s, unit(k));
    transvections steps = cheapest(n);
    add_constants(&s, &steps, out);
    out->steps = steps.count;
    for (unsigned k = 0; k < steps.count; k++) {
        out->step[k].lane = (uint32_t)(steps.v[k] >> PLACES);
        out->step[k].place = (uint32_t)(steps.v[k] & IN_WORD);
        out->step[k].lanes = (uint32_t)(steps.f[k] >> PLACES);
        out->step[k].places = mask_of(steps.f[k] & IN_WORD);
    }
    for (unsigned j = 0; j < PLACES; j++) out->in[j] = s.in.vector[j], out->out[j] = s.out.vector[j];
}
