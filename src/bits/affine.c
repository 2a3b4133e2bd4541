/* SPDX-License-Identifier: Apache-2.0 */
#include "bits/affine.h"

#include <string.h>

#include "base/arithmetic.h"
#include "bits/tiling.h"
#include "move/cpu/passes/affine_lines/affine_lines.h"

enum { LINES_AHEAD = 32 };

static const uint64_t IN_BYTE = (1 << BITS_OF_BYTE) - 1;

static uint64_t unit(unsigned j) { return (uint64_t)1 << j; }

/* ------------------------------------------------------------ planning */

/* Lines of both sides, and steps from tile to tile in the order of a Gray code. */
static void plan_lines(const bits_tiling *tiling, bits_affine *out) {
    uint64_t read = 0, write = 0;
    out->line_bits = tiling->line_bits;
    out->tile_bits = tiling->tile_bits;
    for (unsigned k = 0; k < 1U << tiling->line_bits; k++) {
        out->read[k] = affine_combine(tiling->line, tiling->line_bits, k) >> BITS_OF_BYTE;
        out->write[k] = affine_combine(tiling->written, tiling->line_bits, k) >> BITS_OF_BYTE;
    }
    for (unsigned k = 0; k < tiling->tile_bits; k++) {
        out->read_step[k] = (read ^= tiling->read_tile[k]) >> BITS_OF_BYTE;
        out->write_step[k] = write ^= tiling->write_tile[k];
    }
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
    bits_tiling tiling;
    bits_factors factors;
    memset(out, 0, sizeof *out);
    out->stream = stream;
    out->array_bytes = unit(affine->a.m - BITS_OF_BYTE);
    out->complement = affine->c;
    bits_tiling_of(&affine->a, &tiling);
    plan_lines(&tiling, out);
    bits_factor(&tiling.local, &factors);
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
