/* SPDX-License-Identifier: Apache-2.0 */
#include "plan/affine/lines.h"

#include <string.h>

#include "base/processor/vectors.h"
#include "perm/gf2_span.h"

/* A linear map on byte indices: the element's matrix above, the identity below. */
typedef struct byte_map {
    const gf2_matrix *a;
    unsigned element_bits;
} byte_map;

static uint64_t byte_apply(const byte_map *map, uint64_t x) {
    uint64_t within = ((uint64_t)1 << map->element_bits) - 1;
    return gf2_apply(map->a, x >> map->element_bits) << map->element_bits | (x & within);
}

static unsigned leading_bit(uint64_t v) { return 63 - (unsigned)__builtin_clzll(v); }

/* Splits W = A^-1 E into b_1..b_k, independent of E, and a basis of I, inside E. Elimination from the
 * highest bit down leaves exactly the vectors of I with no bit above the lane's. */
static unsigned split_lines(const byte_map *inverse, uint64_t *b, uint64_t *inside, unsigned *inside_count) {
    uint64_t lines[64] = {0}; /* by leading bit */
    unsigned k = 0;
    *inside_count = 0;
    for (unsigned j = 0; j < AFFINE_LINE_BITS; j++) {
        uint64_t w = byte_apply(inverse, (uint64_t)1 << j);
        for (uint64_t high = w & ~AFFINE_LANE_MASK; high != 0;) {
            uint64_t pivot = lines[leading_bit(high)];
            if (pivot == 0) break;
            w ^= pivot;
            high = w & ~AFFINE_LANE_MASK;
        }
        if ((w & ~AFFINE_LANE_MASK) != 0) {
            lines[leading_bit(w)] = w;
            b[k++] = w;
        } else {
            inside[(*inside_count)++] = w;
        }
    }
    return k;
}

/* The unit vectors of the lane that complete I to E. */
static void complete_lane(const uint64_t *inside, unsigned inside_count, uint64_t *a) {
    gf2_span lane = {0};
    for (unsigned j = 0; j < inside_count; j++) gf2_span_add(&lane, inside[j]);
    unsigned found = 0;
    for (unsigned j = 0; j < AFFINE_LINE_BITS; j++) {
        if (gf2_span_add(&lane, (uint64_t)1 << j)) a[found++] = (uint64_t)1 << j;
    }
}

/* A basis of a complement of S being found, each vector the next bit of tiles' numbers. */
typedef struct numbering {
    const byte_map *map, *inverse;
    gf2_span covered;
    uint64_t read, write; /* the sums of the vectors so far */
} numbering;

static void number_by(numbering *n, uint64_t vector, affine_lines_schedule *out) {
    if (!gf2_span_add(&n->covered, vector)) return;
    out->read_step[out->tile_bits] = n->read ^= vector;
    out->write_step[out->tile_bits++] = n->write ^= byte_apply(n->map, vector);
}

/* e_j, or what A takes to it. */
static uint64_t read_vector(unsigned j) { return (uint64_t)1 << j; }
static uint64_t write_vector(const numbering *n, unsigned j) {
    return byte_apply(n->inverse, (uint64_t)1 << j) & ~AFFINE_LANE_MASK;
}

/* The vectors that make the tiles of a group, those of runs of src first. */
static void number_group(numbering *n, unsigned bits, unsigned read_bits, unsigned write_bits, unsigned most,
                         affine_lines_schedule *out) {
    for (unsigned j = 0; j < read_bits && AFFINE_LINE_BITS + j < bits; j++)
        if (out->tile_bits < most) number_by(n, read_vector(AFFINE_LINE_BITS + j), out);
    out->run_bits = out->tile_bits;
    for (unsigned j = 0; j < write_bits && AFFINE_LINE_BITS + j < bits; j++)
        if (out->tile_bits < most) number_by(n, write_vector(n, AFFINE_LINE_BITS + j), out);
    out->group_bits = out->tile_bits;
}

/* None where lines come in long runs without. */
static void number_streamed_group(numbering *n, unsigned bits, affine_lines_schedule *out) {
    const numbering before = *n;
    number_group(n, bits, AFFINE_READ_RUN_BITS, AFFINE_WRITE_RUN_BITS, AFFINE_GROUP_MOST_LINE_BITS - out->width,
                 out);
    if (out->group_bits + out->width >= AFFINE_GROUP_LEAST_LINE_BITS) return;
    *n = before;
    out->group_bits = out->run_bits = out->tile_bits = 0;
}

/* Runs of src and of dst share what lines there may be. */
static void number_squares(numbering *n, unsigned bits, affine_lines_schedule *out) {
    const unsigned most = AFFINE_SQUARES_MOST_LINE_BITS - out->width, half = (most + 1) / 2;
    const unsigned run = half < AFFINE_SQUARES_RUN_BITS ? half : AFFINE_SQUARES_RUN_BITS;
    number_group(n, bits, run, AFFINE_SQUARES_RUN_BITS, most, out);
}

/* Loops in pieces of 16 bytes read groups. With AVX-512 tiles go from register to register, and groups were not measured. */
static bool loops_read_groups(void) {
    const vector_set set = vectors_for(LOOPS_AFFINE);
    return set == VECTORS_SSSE3 || set == VECTORS_AVX2 || set == VECTORS_NEON;
}

/* A basis of a complement of S: a group's, then what is missing, in turn from e_6, A^-1 e_6, e_7, A^-1 e_7, ... Within the caches dst is first:
 * lines of a tile may all want the same set of the nearest one, which those that are written next should not. */
static void number_tiles(const byte_map *map, const byte_map *inverse, unsigned bits,
                         affine_lines_schedule *out) {
    numbering n = {.map = map, .inverse = inverse};
    for (unsigned j = 0; j < AFFINE_LINE_BITS; j++) gf2_span_add(&n.covered, (uint64_t)1 << j);
    for (unsigned j = 0; j < out->width; j++) gf2_span_add(&n.covered, out->read_line[j]);
    if (loops_read_groups() && out->stream) number_streamed_group(&n, bits, out);
    if (loops_read_groups() && affine_lines_are_squares(out) && bits > AFFINE_NEAR_BITS)
        number_squares(&n, bits, out);
    for (unsigned j = AFFINE_LINE_BITS; j < bits; j++) {
        number_by(&n, out->stream ? read_vector(j) : write_vector(&n, j), out);
        number_by(&n, out->stream ? write_vector(&n, j) : read_vector(j), out);
    }
}

/* Where bytes of dst's side of a tile come from: position number * 64 + lane on either side, lanes of a line in dst's order,
 * as they lie in memory but for what y0 adds. */
static gf2_matrix positions(affine_lines_schedule *s) {
    gf2_matrix from = {.m = s->width + AFFINE_LINE_BITS};
    uint64_t from_lane[AFFINE_LINE_BYTES];
    for (unsigned q = 0; q < AFFINE_LINE_BYTES; q++) {
        uint64_t lane = 0, position = 0;
        for (unsigned j = 0; j < AFFINE_LINE_BITS; j++) {
            if ((q >> j & 1) == 0) continue;
            const bool is_line = j < s->width;
            position ^= is_line ? ((uint64_t)AFFINE_LINE_BYTES << j | (s->read_line[j] & AFFINE_LANE_MASK))
                                : s->read_lane[j];
            lane ^= s->write_lane[j];
        }
        from_lane[lane] = position;
        if ((lane & (lane - 1)) == 0 && lane != 0) s->written_lane[__builtin_ctzll(lane)] = (uint8_t)q;
    }
    for (unsigned j = 0; j < AFFINE_LINE_BITS; j++) from.column[j] = from_lane[1u << j];
    for (unsigned j = 0; j < s->width; j++)
        from.column[AFFINE_LINE_BITS + j] = s->read_lane[j] ^ from_lane[s->write_line[j] & AFFINE_LANE_MASK];
    return from;
}

/* From a position in the tile to its byte: both are linear. */
static uint16_t place_of(const uint64_t *offset, uint16_t position) {
    return (uint16_t)(offset[position >> AFFINE_LINE_BITS] ^ (position & AFFINE_LANE_MASK));
}

static void fill_near(affine_lines_schedule *s) {
    const affine_pieces *const p = &s->pieces;
    affine_near *const near = &s->near;
    near->is_near = s->tile_bits + s->width + AFFINE_LINE_BITS <= AFFINE_NEAR_BITS;
    for (unsigned t = 0; near->is_near && t < p->subtiles; t++) {
        near->read_subtile[t] = place_of(s->read_offset, p->read_subtile[t]);
        near->write_subtile[t] = place_of(s->write_offset, p->write_subtile[t]);
    }
    for (unsigned r = 0; near->is_near && r < 1u << p->width; r++) {
        near->read_piece[r] = place_of(s->read_offset, p->read_piece[r]);
        near->write_piece[r] = place_of(s->write_offset, p->write_piece[r]);
    }
}

static void fill_tables(affine_lines_schedule *s) {
    for (unsigned line = 0; line < 1u << s->width; line++) {
        s->read_offset[line] = affine_combine(s->read_line, s->width, line) & ~AFFINE_LANE_MASK;
        s->write_offset[line] = affine_combine(s->write_line, s->width, line) & ~AFFINE_LANE_MASK;
    }
    const gf2_matrix from = positions(s);
    affine_pieces_plan(&from, &s->pieces);
    fill_near(s);
}

void affine_lines_plan(const perm_affine *affine, unsigned element_bits, bool stream,
                       affine_lines_schedule *out) {
    gf2_matrix a_inverse;
    gf2_invert(&affine->a, &a_inverse, NULL);
    const byte_map map = {&affine->a, element_bits}, inverse = {&a_inverse, element_bits};

    memset(out, 0, sizeof *out);
    out->stream = stream;
    out->element_bits = element_bits;
    out->complement = affine->c << element_bits;
    uint64_t a[AFFINE_LINE_BITS], inside[AFFINE_LINE_BITS];
    unsigned inside_count;
    out->width = split_lines(&inverse, out->read_line, inside, &inside_count);
    complete_lane(inside, inside_count, a);
    for (unsigned j = 0; j < out->width; j++) {
        out->write_line[j] = byte_apply(&map, a[j]);
        out->read_lane[j] = (uint8_t)a[j];
        out->write_lane[j] = (uint8_t)byte_apply(&map, out->read_line[j]);
    }
    for (unsigned j = 0; j < inside_count; j++) {
        out->read_lane[out->width + j] = (uint8_t)inside[j];
        out->write_lane[out->width + j] = (uint8_t)byte_apply(&map, inside[j]);
    }
    number_tiles(&map, &inverse, affine->a.m + element_bits, out);
    fill_tables(out);
}
