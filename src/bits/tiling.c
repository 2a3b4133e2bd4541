/* SPDX-License-Identifier: Apache-2.0 */
#include "bits/tiling.h"

#include <string.h>

#include "base/arithmetic.h"
#include "perm/gf2_span.h"

static const uint64_t IN_LINE = (1 << BITS_OF_LINE) - 1;

static uint64_t unit(unsigned j) { return (uint64_t)1 << j; }

/* A basis of S, the line's vectors first, each of the others a line's first bit; what is not in it numbers tiles. */
typedef struct tiling {
    const gf2_matrix *a, *back;
    gf2_span s;
    unsigned most;
    bits_tiling *out;
} tiling;

static void take_vector(tiling *t, uint64_t v) {
    bits_tiling *const out = t->out;
    if (!gf2_span_add(&t->s, v)) return;
    v &= ~IN_LINE;
    if (t->s.count <= t->most) {
        out->line[out->line_bits++] = v;
        return;
    }
    out->read_tile[out->tile_bits] = v;
    out->write_tile[out->tile_bits++] = gf2_apply(t->a, v);
}

static void take_vectors(tiling *t) {
    for (unsigned j = 0; j < BITS_OF_LINE; j++) gf2_span_add(&t->s, unit(j));
    for (unsigned j = 0; j < BITS_OF_LINE; j++) take_vector(t, t->back->column[j]);
    for (unsigned j = BITS_OF_LINE; j < t->a->m; j++) {
        take_vector(t, unit(j));
        take_vector(t, t->back->column[j]);
    }
}

/* Lines that follow each other in memory should in the tile: an echelon form, reduced, from the lowest vector on. */
static void put_in_order(uint64_t *v, unsigned count) {
    gf2_span span = {0};
    for (unsigned j = 0; j < count; j++) gf2_span_add(&span, v[j]);
    unsigned found = 0;
    for (unsigned bit = 0; bit < RIFFLE_MAX_BITS; bit++) {
        if (span.by_leading_bit[bit] == 0) continue;
        uint64_t least = span.by_leading_bit[bit];
        for (unsigned low = bit; low-- > 0;)
            if ((least >> low & 1) != 0) least ^= span.by_leading_bit[low];
        v[found++] = least;
    }
}

/* A times a vector of the basis of S. */
static uint64_t image(const tiling *t, unsigned j) {
    return gf2_apply(t->a, j < BITS_OF_LINE ? unit(j) : t->out->line[j - BITS_OF_LINE]);
}

/* The lines that a tile writes, and A in places: what it makes of the basis of S, in coordinates of the basis of A S. */
static void see_locally(const tiling *t) {
    bits_tiling *const out = t->out;
    gf2_span written = {0};
    unsigned lines = 0;
    out->local.m = BITS_OF_LINE + out->line_bits;
    for (unsigned j = 0; j < BITS_OF_LINE; j++) gf2_span_add(&written, unit(j));
    for (unsigned j = 0; j < out->local.m; j++) {
        const uint64_t y = image(t, j) & ~IN_LINE;
        if (gf2_span_add(&written, y)) out->written[lines++] = y;
    }
    put_in_order(out->written, lines);
    written = (gf2_span){0};
    for (unsigned j = 0; j < BITS_OF_LINE; j++) gf2_span_add(&written, unit(j));
    for (unsigned j = 0; j < lines; j++) gf2_span_add(&written, out->written[j]);
    for (unsigned j = 0; j < out->local.m; j++)
        out->local.column[j] = gf2_span_coordinates(&written, image(t, j));
}

void bits_tiling_of(const gf2_matrix *a, bits_tiling *out) {
    gf2_matrix back;
    gf2_invert(a, &back, NULL);
    memset(out, 0, sizeof *out);
    tiling t = {.a = a, .back = &back, .most = min((unsigned)BITS_MOST_TILE, a->m), .out = out};
    take_vectors(&t);
    put_in_order(out->line, out->line_bits);
    see_locally(&t);
}
