/* SPDX-License-Identifier: Apache-2.0 */
#include "bits/cpu/mix.h"

#include <string.h>

#include "perm/gf2_span.h"

static const uint64_t IN_BYTE = (1 << BITS_OF_BYTE) - 1;

static uint64_t unit(unsigned j) { return (uint64_t)1 << j; }
static uint64_t byte_unit(unsigned j) { return unit(j + BITS_OF_BYTE); }

/* ------------------------------------------------------------ a byte's bits, as steps */

/* 3 x 3 matrices are numbers of 9 bits, a column in 3 of them. */
enum { MATRICES = 1 << 9, GENERATORS = 9 };

static unsigned column_of(unsigned matrix, unsigned j) { return matrix >> 3 * j & 7; }

/* A generator applied to a place: bits i and j change places, or j is added to i. */
static unsigned generator_at(unsigned g, unsigned place) {
    static const uint8_t pair[GENERATORS][2] = {{0, 1}, {0, 2}, {1, 2}, {0, 1}, {0, 2},
                                                {1, 2}, {1, 0}, {2, 0}, {2, 1}};
    const unsigned i = pair[g][0], j = pair[g][1], differ = (place >> i ^ place >> j) & 1;
    return g < 3 ? place ^ (differ << i | differ << j) : place ^ (place >> j & 1) << i;
}

static unsigned generator_times(unsigned g, unsigned matrix) {
    unsigned product = 0;
    for (unsigned j = 0; j < 3; j++) product |= generator_at(g, column_of(matrix, j)) << 3 * j;
    return product;
}

static bits_step step_of(unsigned g) {
    bits_step step = {0};
    for (unsigned place = 0; place < 8; place++)
        if (generator_at(g, place) > place) {
            step.distance = generator_at(g, place) - place;
            step.mask |= unit(place) * 0x0101010101010101;
        }
    return step;
}

/* The fewest steps, by breadth first. */
static bits_steps steps_of(unsigned wanted) {
    enum { IDENTITY = 1 | 2 << 3 | 4 << 6 };
    uint16_t before[MATRICES] = {0}, queue[MATRICES];
    uint8_t by[MATRICES];
    unsigned first = 0, end = 0;
    bits_steps steps = {0};
    queue[end++] = IDENTITY, before[IDENTITY] = IDENTITY;
    while (before[wanted] == 0) {
        const unsigned matrix = queue[first++];
        for (unsigned g = 0; g < GENERATORS; g++) {
            const unsigned next = generator_times(g, matrix);
            if (before[next] != 0) continue;
            before[next] = (uint16_t)matrix, by[next] = (uint8_t)g;
            queue[end++] = (uint16_t)next;
        }
    }
    for (unsigned matrix = wanted; matrix != IDENTITY; matrix = before[matrix]) steps.count++;
    unsigned k = steps.count;
    for (unsigned matrix = wanted; matrix != IDENTITY; matrix = before[matrix])
        steps.step[--k] = step_of(by[matrix]);
    return steps;
}

/* ------------------------------------------------------------ which bytes go into one */

typedef struct splitting {
    unsigned k;
    uint64_t b[BITS_OF_BYTE];  /* bytes */
    uint64_t lo[BITS_OF_BYTE]; /* l_i for i < k, then what is inside */
    uint64_t f[BITS_OF_BYTE];  /* where T sends them: f, then g */
    uint64_t a[BITS_OF_BYTE];
} splitting;

static void split(const gf2_matrix *t, const gf2_matrix *inverse, splitting *s) {
    gf2_span high = {0};
    uint64_t inside[BITS_OF_BYTE], w[BITS_OF_BYTE];
    unsigned inside_count = 0;
    s->k = 0;
    for (unsigned i = 0; i < BITS_OF_BYTE; i++) {
        uint64_t v = inverse->column[i];
        if (!gf2_span_add(&high, v >> BITS_OF_BYTE)) {
            const uint64_t parts = gf2_span_coordinates(&high, v >> BITS_OF_BYTE);
            for (unsigned j = 0; j < s->k; j++) v ^= (parts >> j & 1) != 0 ? w[j] : 0;
            inside[inside_count++] = v;
        } else {
            w[s->k] = v;
            s->b[s->k] = v >> BITS_OF_BYTE;
            s->lo[s->k++] = v & IN_BYTE;
        }
    }
    gf2_span lane = {0};
    for (unsigned j = 0; j < inside_count; j++) {
        s->lo[s->k + j] = w[s->k + j] = inside[j];
        gf2_span_add(&lane, inside[j]);
    }
    for (unsigned j = 0, found = 0; j < BITS_OF_BYTE; j++)
        if (gf2_span_add(&lane, unit(j))) s->a[found++] = unit(j);
    for (unsigned i = 0; i < BITS_OF_BYTE; i++) s->f[i] = gf2_apply(t, w[i]);
}

/* P: b_i become bits u_i of a line's number. The unit vectors beside the pivots of span(b) stay, but for those that make room: they
 * take the places of pivots within lines. Returns P^-1. */
static gf2_matrix gather_labels(const splitting *s, unsigned m, unsigned *u) {
    gf2_span span = {0};
    gf2_matrix back = gf2_identity(m);
    uint64_t taken = 0, pivots = 0;
    for (unsigned i = 0; i < s->k; i++) gf2_span_add(&span, s->b[i]);
    for (unsigned bit = 0; bit < m; bit++) pivots |= span.by_leading_bit[bit] != 0 ? unit(bit) : 0;
    for (unsigned i = 0; i < s->k; i++) { /* single bits keep their places */
        const bool is_single = (s->b[i] & (s->b[i] - 1)) == 0 && s->b[i] >> BITS_OF_LANE != 0;
        u[i] = is_single ? (unsigned)__builtin_ctzll(s->b[i]) : m;
        if (is_single) taken |= s->b[i];
    }
    const uint64_t lines = pivots >> BITS_OF_LANE << BITS_OF_LANE;
    uint64_t inner = pivots & ~lines;
    for (unsigned i = 0; i < s->k; i++) {
        if (u[i] < m) continue;
        const uint64_t own = lines & ~taken;
        if (own != 0) {
            u[i] = (unsigned)__builtin_ctzll(own);
        } else { /* a line's bit that is no pivot changes places with a pivot */
            const unsigned pivot = (unsigned)__builtin_ctzll(inner);
            u[i] = BITS_OF_LANE + (unsigned)__builtin_ctzll(~((taken | pivots) >> BITS_OF_LANE));
            back.column[pivot] = unit(u[i]);
            inner &= inner - 1;
        }
        taken |= unit(u[i]);
    }
    for (unsigned i = 0; i < s->k; i++) back.column[u[i]] = s->b[i];
    return back;
}

/* Bytes moved as `bytes` says, their bits as they are. */
static gf2_matrix with_bits(const gf2_matrix *bytes) {
    gf2_matrix all = gf2_identity(bytes->m + BITS_OF_BYTE);
    for (unsigned j = 0; j < bytes->m; j++) all.column[j + BITS_OF_BYTE] = bytes->column[j] << BITS_OF_BYTE;
    return all;
}

/* ------------------------------------------------------------ the steps between */

/* A byte's bits in the coordinates of three vectors. */
static void coordinates(const uint64_t *vectors, uint8_t *out) {
    for (unsigned parts = 0; parts < 8; parts++) {
        uint64_t sum = 0;
        for (unsigned i = 0; i < 3; i++) sum ^= (parts >> i & 1) != 0 ? vectors[i] : 0;
        out[sum] = (uint8_t)parts;
    }
}

static void plan_flips(const gf2_matrix *t, bits_mix *mix) {
    for (unsigned i = 0; i < BITS_OF_BYTE; i++) {
        bits_flip *const flip = &mix->flip[i];
        for (unsigned j = BITS_OF_LANE; j < t->m - BITS_OF_BYTE; j++)
            flip->lines |= (uint32_t)(mix->parts[t->column[j + BITS_OF_BYTE] & IN_BYTE] >> i & 1)
                           << (j - BITS_OF_LANE);
        for (unsigned j = 0; j < mix->count; j++) flip->lines &= ~mix->label[1U << j];
        for (unsigned lane = 0; lane < BITS_LINE_BYTES; lane++) {
            const uint64_t lo = gf2_apply(t, (uint64_t)lane << BITS_OF_BYTE) & IN_BYTE;
            flip->lanes[lane] = (mix->parts[lo] >> i & 1) != 0 ? 0xff : 0;
            mix->flips |= (unsigned)(flip->lanes[lane] & 1) << i;
        }
        mix->flips |= (unsigned)(flip->lines != 0) << i;
    }
}

/* How lo is made of a and i, and what alpha says to beta and to iota; how lo' is made of f and g. */
static void plan_bytes(const gf2_matrix *t, const splitting *s, bits_mix *mix) {
    const unsigned k = s->k;
    uint64_t basis[BITS_OF_BYTE];
    uint8_t of_a[8];
    for (unsigned i = 0; i < BITS_OF_BYTE; i++) basis[i] = i < k ? s->a[i] : s->lo[i];
    coordinates(basis, of_a);
    const unsigned alpha = (1U << k) - 1;
    unsigned to_places = 0, from_places = 0;
    for (unsigned j = 0; j < BITS_OF_BYTE; j++) {
        unsigned place = of_a[unit(j)], says = 0;
        for (unsigned i = 0; i < k; i++)
            if ((place >> i & 1) != 0) says ^= mix->parts[gf2_apply(t, s->a[i]) & IN_BYTE];
        place ^= says & ~alpha;
        to_places |= place << 3 * j;
        from_places |= (unsigned)s->f[j] << 3 * j;
    }
    mix->before = steps_of(to_places);
    mix->after = steps_of(from_places);
    for (unsigned place = 0; place < 8; place++)
        for (unsigned i = 0; i < k; i++) {
            unsigned says = 0;
            for (unsigned j = 0; j < k; j++)
                if ((place >> j & 1) != 0) says ^= mix->parts[gf2_apply(t, s->a[j]) & IN_BYTE];
            if ((says >> i & 1) != 0) mix->flip[i].places |= unit(place) * 0x0101010101010101;
        }
    for (unsigned label = 0; label < 1U << k; label++)
        for (unsigned i = 0; i < k; i++)
            if ((label >> i & 1) != 0) mix->turn[label] ^= (uint8_t)s->lo[i];
}

static void plan_labels(bits_factors *out, const splitting *s, const unsigned *u) {
    for (unsigned lane = 0; lane < BITS_OF_LANE; lane++) out->is_within |= out->back.column[lane] != unit(lane);
    for (unsigned label = 0; label < 1U << s->k; label++)
        for (unsigned i = 0; i < s->k; i++)
            if ((label >> i & 1) != 0) {
                out->mix.label[label] |= 1U << (u[i] - BITS_OF_LANE);
                if (!out->is_within) out->mix.lane[label] ^= (uint8_t)(s->b[i] & (BITS_LINE_BYTES - 1));
            }
}

/* The steps as a matrix: lo' is what T says, and labels become alpha. */
static gf2_matrix matrix_of(const gf2_matrix *t, const splitting *s, const unsigned *u) {
    gf2_matrix y = gf2_identity(t->m);
    uint64_t basis[BITS_OF_BYTE];
    uint8_t of_a[8];
    for (unsigned i = 0; i < BITS_OF_BYTE; i++) basis[i] = i < s->k ? s->a[i] : s->lo[i];
    coordinates(basis, of_a);
    for (unsigned j = 0; j < t->m; j++) {
        uint64_t lo = j < BITS_OF_BYTE ? unit(j) : 0, hi = j < BITS_OF_BYTE ? 0 : unit(j);
        for (unsigned i = 0; i < s->k; i++)
            if (hi == byte_unit(u[i])) lo = s->lo[i], hi = 0;
        for (unsigned i = 0; i < s->k; i++) hi ^= (of_a[lo] >> i & 1) != 0 ? byte_unit(u[i]) : 0;
        y.column[j] = hi | (t->column[j] & IN_BYTE);
    }
    return y;
}

void bits_factor(const gf2_matrix *t, bits_factors *out) {
    gf2_matrix inverse, y_inverse;
    splitting s;
    unsigned u[BITS_OF_BYTE] = {0};
    memset(out, 0, sizeof *out);
    gf2_invert(t, &inverse, NULL);
    split(t, &inverse, &s);
    out->back = gather_labels(&s, t->m - BITS_OF_BYTE, u);
    const gf2_matrix all = with_bits(&out->back);
    const gf2_matrix rest = gf2_multiply(t, &all);
    gf2_invert(&out->back, &out->first, NULL);

    bits_mix *const mix = &out->mix;
    mix->count = s.k;
    plan_labels(out, &s, u);
    coordinates(s.f, mix->parts);
    plan_bytes(&rest, &s, mix);
    plan_flips(&rest, mix);

    const gf2_matrix y = matrix_of(&rest, &s, u);
    gf2_invert(&y, &y_inverse, NULL);
    const gf2_matrix h = gf2_multiply(&rest, &y_inverse);
    out->last.m = t->m - BITS_OF_BYTE;
    for (unsigned j = 0; j < out->last.m; j++) out->last.column[j] = h.column[j + BITS_OF_BYTE] >> BITS_OF_BYTE;
}
