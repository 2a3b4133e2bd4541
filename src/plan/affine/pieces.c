/* SPDX-License-Identifier: Apache-2.0 */
#include "plan/affine/pieces.h"

#include <string.h>

#include "perm/gf2_span.h"

static const uint64_t LANES = AFFINE_PIECE_BYTES - 1, QUARTER_OF_LINE = 3 << AFFINE_PIECE_BITS;

/* from L = span(inside) + span(b), L = span(inside) + span(a). */
typedef struct subtile {
    gf2_matrix from, to;
    unsigned width, inside_count;
    uint64_t a[AFFINE_PIECE_BITS], b[AFFINE_PIECE_BITS], inside[AFFINE_PIECE_BITS];
    gf2_span covered; /* L + from L */
} subtile;

static uint64_t combine(const uint64_t *vectors, unsigned count, uint64_t selection) {
    uint64_t sum = 0;
    for (unsigned j = 0; j < count; j++) sum ^= (selection >> j & 1) != 0 ? vectors[j] : 0;
    return sum;
}

static void span_lanes(gf2_span *span) {
    for (unsigned j = 0; j < AFFINE_PIECE_BITS; j++) gf2_span_add(span, (uint64_t)1 << j);
}

/* The vectors of from L that lie in L, in echelon form; what completes L goes from the top. */
static void split_lanes(subtile *s) {
    gf2_span lanes = {0}, inside = {0};
    uint64_t image[AFFINE_PIECE_BITS], high[AFFINE_PIECE_BITS], within[AFFINE_PIECE_BITS];
    for (unsigned j = 0; j < AFFINE_PIECE_BITS; j++) {
        image[j] = s->from.column[j];
        high[j] = image[j] & ~LANES;
    }
    const unsigned count = gf2_kernel(AFFINE_PIECE_BITS, image, high, within);
    for (unsigned j = 0; j < count; j++) gf2_span_add(&inside, within[j]);
    for (unsigned bit = 0; bit < AFFINE_PIECE_BITS; bit++)
        if (inside.by_leading_bit[bit] != 0) /* its leading bit, and the rest without others' leading bits */
            s->inside[s->inside_count++] = gf2_span_reduce(&inside, (uint64_t)1 << bit) ^ (uint64_t)1 << bit;
    span_lanes(&s->covered);
    for (unsigned j = 0; j < AFFINE_PIECE_BITS; j++)
        if (gf2_span_add(&s->covered, image[j])) s->b[s->width++] = gf2_span_reduce(&inside, image[j]);
    lanes = inside;
    unsigned found = 0;
    for (unsigned bit = AFFINE_PIECE_BITS; bit-- > 0;)
        if (gf2_span_add(&lanes, (uint64_t)1 << bit)) s->a[found++] = (uint64_t)1 << bit;
}

/* The lane on src's side behind lane z, where the top bits choose among a and the others among inside. */
static uint64_t lane_in_order(const subtile *s, unsigned z) {
    uint64_t sum = combine(s->inside, s->inside_count, z);
    for (unsigned j = 0; j < s->width; j++) sum ^= (z >> (AFFINE_PIECE_BITS - 1 - j) & 1) != 0 ? s->a[j] : 0;
    return sum;
}

/* The lane on dst's side of what is in lane z behind the zips: the low bits choose among b, the last one lowest. */
static uint64_t lane_behind_zips(const subtile *s, unsigned z) {
    uint64_t sum = combine(s->inside, s->inside_count, z >> s->width);
    for (unsigned j = 0; j < s->width; j++) sum ^= (z >> (s->width - 1 - j) & 1) != 0 ? s->b[j] : 0;
    return gf2_apply(&s->to, sum);
}

/* Fills the distances between a subtile's pieces on src's side and on dst's. Returns true if lanes come in order. */
static bool fill_orders(const subtile *s, affine_pieces *out, uint64_t *read, uint64_t *write) {
    bool in_order = true;
    for (unsigned z = 0; z < AFFINE_PIECE_BYTES; z++) out->shift[lane_behind_zips(s, z)] = (uint8_t)z;
    for (unsigned r = 0; r < 1U << s->width; r++) {
        read[r] = combine(s->b, s->width, r);
        write[r] = gf2_apply(&s->to, combine(s->a, s->width, r));
        for (unsigned z = 0; z < AFFINE_PIECE_BYTES; z++) {
            out->read_order[r][z] = (uint8_t)(lane_in_order(s, z) ^ (read[r] & LANES));
            out->write_order[r][z] = out->shift[z ^ (write[r] & LANES)];
            in_order &= out->read_order[r][z] == z;
        }
    }
    return in_order;
}

/* True if subtiles that lie the two `quarter` vectors apart write lines together, piece by piece. */
static bool makes_lines(const subtile *s, const uint64_t *write, const uint64_t quarter[2]) {
    gf2_span covered = s->covered;
    for (unsigned r = 0; r < 1U << s->width; r++)
        if ((write[r] & QUARTER_OF_LINE) != 0) return false;
    return ((quarter[0] | quarter[1]) & LANES) == 0 && gf2_span_add(&covered, quarter[0]) &&
           gf2_span_add(&covered, quarter[1]);
}

/* A basis of subtiles: the quarters first where the tile is straight, then what is missing. */
static unsigned number_subtiles(subtile *s, const affine_pieces *out, const uint64_t quarter[2],
                                uint64_t basis[AFFINE_PIECE_BITS]) {
    unsigned count = 0;
    for (unsigned j = 0; j < 2 && out->is_straight; j++) {
        gf2_span_add(&s->covered, quarter[j]);
        basis[count++] = quarter[j];
    }
    for (unsigned bit = AFFINE_PIECE_BITS; bit < s->from.m; bit++) {
        uint64_t next = (uint64_t)1 << bit;
        if (!gf2_span_add(&s->covered, next)) continue;
        if (out->is_straight) next ^= combine(quarter, 2, gf2_apply(&s->to, next) >> AFFINE_PIECE_BITS);
        basis[count++] = next;
    }
    return count;
}

void affine_pieces_plan(const gf2_matrix *from, affine_pieces *out) {
    subtile s = {.from = *from};
    uint64_t read[AFFINE_SUBTILE_PIECES], write[AFFINE_SUBTILE_PIECES], basis[AFFINE_PIECE_BITS] = {0};
    gf2_invert(from, &s.to, NULL);
    memset(out, 0, sizeof *out);
    split_lanes(&s);
    out->width = s.width;
    const bool in_order = fill_orders(&s, out, read, write);
    for (unsigned r = 0; r < 1U << s.width; r++) {
        out->read_piece[r] = (uint16_t)(read[r] & ~LANES);
        out->write_piece[r] = (uint16_t)(write[r] & ~LANES);
    }
    const uint64_t quarter[2] = {from->column[AFFINE_PIECE_BITS], from->column[AFFINE_PIECE_BITS + 1]};
    out->is_straight = in_order && makes_lines(&s, write, quarter);
    out->subtiles = 1U << number_subtiles(&s, out, quarter, basis);
    for (unsigned t = 0; t < out->subtiles; t++) {
        const uint64_t from_t = combine(basis, AFFINE_PIECE_BITS, t), to_t = gf2_apply(&s.to, from_t);
        out->shift_subtile[t] = out->shift[to_t & LANES];
        out->read_subtile[t] = (uint16_t)(from_t & ~LANES);
        out->write_subtile[t] = (uint16_t)(to_t & ~LANES);
        if (out->shift_subtile[t] != 0)
            out->is_straight = false; /* the subtiles are as good for one that is not */
    }
}
