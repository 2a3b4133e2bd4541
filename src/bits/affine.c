/* SPDX-License-Identifier: Apache-2.0 */
#include "bits/affine.h"

#include <string.h>

#include "base/arithmetic.h"
#include "move/cpu/passes/affine_lines/affine_lines.h"
#include "perm/gf2_span.h"

enum { LINES_AHEAD = 32 };

static const uint64_t IN_LINE = (1 << BITS_OF_LINE) - 1, IN_BYTE = (1 << BITS_OF_BYTE) - 1;

static uint64_t unit(unsigned j) { return (uint64_t)1 << j; }

/* ------------------------------------------------------------ planning */

/* A basis of S, the line's vectors first, each of the others a line's first bit; what is not in it numbers tiles. */
typedef struct tiling {
    const gf2_matrix *a, *back;
    gf2_span s;
    unsigned most;
    uint64_t line[BITS_MOST_TILE]; /* the others */
    unsigned lines;
    uint64_t read, write; /* sums of the tiles' vectors so far */
} tiling;

static void take_vector(tiling *t, uint64_t v, bits_affine *out) {
    if (!gf2_span_add(&t->s, v)) return;
    v &= ~IN_LINE;
    if (t->s.count <= t->most) {
        t->line[t->lines++] = v;
        return;
    }
    t->read ^= v, t->write ^= gf2_apply(t->a, v);
    out->read_step[out->tile_bits] = t->read >> BITS_OF_BYTE;
    out->write_step[out->tile_bits++] = t->write;
}

static void take_vectors(tiling *t, bits_affine *out) {
    for (unsigned j = 0; j < BITS_OF_LINE; j++) gf2_span_add(&t->s, unit(j));
    for (unsigned j = 0; j < BITS_OF_LINE; j++) take_vector(t, t->back->column[j], out);
    for (unsigned j = BITS_OF_LINE; j < t->a->m; j++) {
        take_vector(t, unit(j), out);
        take_vector(t, t->back->column[j], out);
    }
}

/* Lines that follow each other in memory should in the stage: an echelon form, reduced, from the lowest vector on. */
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

/* The lines that a tile writes, and T: its columns are what A makes of the basis of S, in coordinates of the basis of A S. */
static gf2_matrix plan_lines(const tiling *t, bits_affine *out) {
    gf2_span written = {0};
    gf2_matrix local = {.m = BITS_OF_LINE + t->lines};
    uint64_t line[BITS_MOST_TILE];
    unsigned lines = 0;
    for (unsigned j = 0; j < BITS_OF_LINE; j++) gf2_span_add(&written, unit(j));
    for (unsigned j = 0; j < local.m; j++) {
        const uint64_t y = gf2_apply(t->a, j < BITS_OF_LINE ? unit(j) : t->line[j - BITS_OF_LINE]) & ~IN_LINE;
        if (gf2_span_add(&written, y)) line[lines++] = y;
    }
    put_in_order(line, lines);
    written = (gf2_span){0};
    for (unsigned j = 0; j < BITS_OF_LINE; j++) gf2_span_add(&written, unit(j));
    for (unsigned j = 0; j < lines; j++) gf2_span_add(&written, line[j]);
    for (unsigned j = 0; j < local.m; j++) {
        const uint64_t y = gf2_apply(t->a, j < BITS_OF_LINE ? unit(j) : t->line[j - BITS_OF_LINE]);
        local.column[j] = gf2_span_coordinates(&written, y);
    }
    for (unsigned k = 0; k < 1U << lines; k++) {
        out->read[k] = affine_combine(t->line, lines, k) >> BITS_OF_BYTE;
        out->write[k] = affine_combine(line, lines, k) >> BITS_OF_BYTE;
    }
    out->line_bits = lines;
    return local;
}

static bool is_identity(const gf2_matrix *a) {
    for (unsigned j = 0; j < a->m; j++)
        if (a->column[j] != unit(j)) return false;
    return true;
}

/* From a place in the stage to one in dst: lines go where the tile's are. */
static uint64_t place_in_dst(const bits_affine *plan, uint64_t place) {
    return plan->write[place >> BITS_OF_LANE] ^ (place & AFFINE_LANE_MASK);
}

static void write_to_lines(const bits_affine *plan, affine_lines_schedule *s) {
    for (unsigned j = 0; j < s->width; j++) s->write_line[j] = place_in_dst(plan, s->write_line[j]);
    for (unsigned j = 0; j < s->tile_bits; j++) s->write_step[j] = place_in_dst(plan, s->write_step[j]);
    for (unsigned k = 0; k >> s->width == 0; k++) s->write_offset[k] = place_in_dst(plan, s->write_offset[k]);
    s->near.is_near = false;
    s->stream = plan->stream;
}

void bits_affine_plan(const perm_affine *affine, bool stream, bits_affine *out) {
    gf2_matrix back;
    bits_factors factors;
    gf2_invert(&affine->a, &back, NULL);
    memset(out, 0, sizeof *out);
    out->stream = stream;
    out->array_bytes = unit(affine->a.m - BITS_OF_BYTE);
    out->complement = affine->c;
    tiling t = {.a = &affine->a, .back = &back, .most = min((unsigned)BITS_MOST_TILE, affine->a.m)};
    take_vectors(&t, out);
    put_in_order(t.line, t.lines);
    const gf2_matrix local = plan_lines(&t, out);
    bits_factor(&local, &factors);
    out->mix = factors.mix;
    out->has_first = factors.is_within;
    out->has_last = !is_identity(&factors.last);
    for (unsigned k = 0; !out->has_first && k >> out->line_bits == 0; k++)
        out->from[k] = gf2_apply(&factors.back, (uint64_t)k << BITS_OF_LANE) & ~AFFINE_LANE_MASK;
    for (unsigned k = 0; out->has_first && k >> out->line_bits == 0; k++)
        out->from[k] = (uint64_t)k << BITS_OF_LANE;
    affine_lines_plan(&(perm_affine){.a = factors.first}, 0, false, &out->first);
    affine_lines_plan(&(perm_affine){.a = factors.last}, 0, false, &out->last);
    write_to_lines(out, &out->last);
}

/* ------------------------------------------------------------ moving */

typedef struct tile {
    const bits_affine *plan;
    const bits_loops *loops;
    affine_lines_range *bytes;
    affine_lines_schedule last; /* with what this tile adds */
    uint8_t *stage, *other;
} tile;

/* Where a tile is: its array, its first byte in src, and the bit of dst that its first bit goes to. */
typedef struct tile_place {
    uint64_t array, x, y;
} tile_place;

static tile_place place_of(const bits_affine *plan, uint64_t k) {
    const uint64_t number = k & (unit(plan->tile_bits) - 1), steps = number ^ number >> 1;
    return (tile_place){.array = (k >> plan->tile_bits) * plan->array_bytes,
                        .x = affine_combine(plan->read_step, plan->tile_bits, steps),
                        .y = plan->complement ^ affine_combine(plan->write_step, plan->tile_bits, steps)};
}

/* Reads lines `first` to `end` - 1 of a tile, side by side, since lines a power of two apart drive each other out of the caches; and has those fetched
 * that come some lines later. */
static void read_lines(const bits_affine *plan, uint8_t *stage, const uint8_t *src, uint64_t x, unsigned first,
                       unsigned end) {
    const unsigned last = (1U << plan->line_bits) - 1;
    for (unsigned k = first; k < end; k++) {
        __builtin_prefetch(src + (x ^ plan->read[min(k + LINES_AHEAD, last)]));
        memcpy(stage + (size_t)k * BITS_LINE_BYTES, src + (x ^ plan->read[k]), BITS_LINE_BYTES);
    }
}

static void mix_bits(const tile *t, uint8_t *to, const uint8_t *from, uint64_t y) {
    t->loops->mix(&t->plan->mix, t->plan->mix.parts[y & IN_BYTE], to, from, t->plan->from,
                  1U << t->plan->line_bits);
}

/* All that is done in the stage; t->stage has the lines, and then what is to be written. */
static void move_in_stage(tile *t, uint64_t y) {
    uint8_t *const lines = t->stage;
    if (t->plan->has_first) {
        t->bytes(&t->plan->first, t->other, lines, 0, unit(t->plan->first.tile_bits));
        mix_bits(t, lines, t->other, y);
    } else {
        mix_bits(t, t->other, lines, y);
        t->stage = t->other, t->other = lines;
    }
}

/* Writes lines, and reads those of the next tile meanwhile, some at a time. */
static void move_last(tile *t, uint8_t *dst, uint64_t y, const uint8_t *src, uint64_t next_x) {
    enum { TURNS = 64 };
    const unsigned lines = 1U << t->plan->line_bits;
    const uint64_t tiles = unit(t->last.tile_bits);
    t->last.complement = y >> BITS_OF_BYTE;
    for (unsigned turn = 0; turn < TURNS; turn++) {
        const team_share part = team_share_of(tiles, (team_member){turn, TURNS});
        read_lines(t->plan, t->other, src, next_x, lines * turn / TURNS, lines * (turn + 1) / TURNS);
        if (part.first < part.end) t->bytes(&t->last, dst, t->stage, part.first, part.end - part.first);
    }
}

void bits_affine_run(const bits_affine *plan, uint64_t arrays, uint8_t *dst, const uint8_t *src,
                     team_member me) {
    _Alignas(64) uint8_t stages[2][BITS_MOST_LINES * BITS_LINE_BYTES];
    const team_share mine = team_share_of(arrays << plan->tile_bits, me);
    if (mine.first == mine.end) return;
    tile t = {.plan = plan,
              .loops = bits_loops_best(),
              .bytes = affine_lines_ranges[vectors_for(LOOPS_AFFINE)],
              .last = plan->last,
              .stage = stages[0],
              .other = stages[1]};
    tile_place next = place_of(plan, mine.first);
    read_lines(plan, t.stage, src + next.array, next.x, 0, 1U << plan->line_bits);
    for (uint64_t k = mine.first; k < mine.end; k++) {
        const tile_place here = next;
        next = k + 1 < mine.end ? place_of(plan, k + 1) : here;
        move_in_stage(&t, here.y);
        move_last(&t, dst + here.array, here.y, src + next.array, next.x);
        uint8_t *const lines = t.other;
        t.other = t.stage, t.stage = lines;
    }
}
