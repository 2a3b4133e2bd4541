/* SPDX-License-Identifier: Apache-2.0
 *
 * In place: a tile and its image, or two tiles that stay, are copied aside by whole segments and come back in the order in which
 * they are written (plan/affine/tile.h). Aside a unit lies at its position on the side that reads, so what a position on the
 * side that writes wants is at a linear map of it.
 *
 *     array --segments--> aside --units--> array
 */
#include <string.h>

#include "base/element_size.h"
#include "move/cpu/passes/loops.h"
#include "perm/gf2_span.h"

enum { SEGMENT_BITS = 8 }; /* units of a segment that are written at a time, at most */

typedef struct tiles {
    const affine_tile_schedule *s;
    char *array, *aside;
    unsigned read_bits, write_bits; /* units that lie one behind the other */
    uint32_t
        from[AFFINE_TILE_MAX_BITS]; /* bit i of a position that is written adds this to the one that was read */
    uint32_t unit_from[1 << SEGMENT_BITS]; /* the same for the first positions */
} tiles;

/* How many of the first vectors are unit vectors. */
static unsigned units_of(const affine_tile_side *side, unsigned bits) {
    unsigned count = 0;
    while (count < bits && side->index[count] == (uint64_t)1 << count) count++;
    return count;
}

static uint64_t combine(const uint64_t *vectors, uint64_t selection) {
    uint64_t sum = 0;
    for (; selection != 0; selection &= selection - 1) sum ^= vectors[__builtin_ctzll(selection)];
    return sum;
}

static void prepare(const affine_tile_schedule *s, tiles *out) {
    gf2_span cells = {0};
    out->s = s;
    for (unsigned i = 0; i < s->tile_bits; i++) gf2_span_add(&cells, s->read.cell[i]);
    for (unsigned i = 0; i < s->tile_bits; i++)
        out->from[i] = (uint32_t)gf2_span_coordinates(&cells, s->write.cell[i]);
    out->read_bits = units_of(&s->read, s->tile_bits);
    out->write_bits = units_of(&s->write, s->tile_bits);
    if (out->write_bits > SEGMENT_BITS) out->write_bits = SEGMENT_BITS;
    out->unit_from[0] = 0;
    for (uint32_t k = 1; k < 1u << out->write_bits; k++)
        out->unit_from[k] = out->unit_from[k & (k - 1)] ^ out->from[__builtin_ctz(k)];
}

static void copy_aside(const tiles *t, uint64_t x0, char *aside) {
    const affine_tile_schedule *const s = t->s;
    const size_t bytes = (size_t)1 << t->read_bits << s->arrays.unit_bits;
    uint64_t x = x0;
    for (uint64_t k = 0; k >> (s->tile_bits - t->read_bits) == 0; k++) {
        if (k > 0) x = x0 ^ combine(s->read.index + t->read_bits, k);
        memcpy(aside + k * bytes, t->array + (x << s->arrays.unit_bits), bytes);
    }
}

ALWAYS_INLINE void write_units(const tiles *t, uint64_t y, uint32_t from, const char *aside,
                               size_t unit_bytes) {
    const uint32_t within = (uint32_t)y & ((1u << t->write_bits) - 1);
    char *const to = t->array + (y ^ within) * unit_bytes;
    for (uint32_t k = 0; k < 1u << t->write_bits; k++)
        memcpy(to + (k ^ within) * unit_bytes, aside + (from ^ t->unit_from[k]) * unit_bytes, unit_bytes);
}

static void copy_back(const tiles *t, uint64_t y0, const char *aside) {
    const affine_tile_schedule *const s = t->s;
    for (uint64_t k = 0; k >> (s->tile_bits - t->write_bits) == 0; k++) {
        const uint64_t y = y0 ^ combine(s->write.index + t->write_bits, k);
        uint32_t from = 0;
        for (uint64_t rest = k; rest != 0; rest &= rest - 1)
            from ^= t->from[t->write_bits + (unsigned)__builtin_ctzll(rest)];
        CALL_FOR_ELEMENT_SIZE((size_t)1 << s->arrays.unit_bits, write_units, t, y, from, aside)
    }
}

static uint64_t start_of(const affine_tile_side *side, uint64_t tile) {
    return side->origin ^ combine(side->block, tile);
}

/* As the kernel numbers them (move/kernels/affine/affine_tile.cu). */
static void move_block(const tiles *t, uint64_t block) {
    const affine_tile_schedule *const s = t->s;
    const involution_orbits *const o = &s->orbits;
    const size_t bytes = (size_t)1 << s->tile_bits << s->arrays.unit_bits;
    const uint64_t fixed_blocks = (o->fixed + 1) / 2,
                   orbit = block < fixed_blocks ? 2 * block : block - fixed_blocks + o->fixed;
    const unsigned count = o->fixed == 1 && block == 0 ? 1 : 2;
    uint64_t tile[2] = {involution_coset(o, orbit)};
    if (count == 2)
        tile[1] = block < fixed_blocks ? involution_coset(o, orbit + 1) : involution_image(o, tile[0]);
    for (unsigned k = 0; k < count; k++) copy_aside(t, start_of(&s->read, tile[k]), t->aside + k * bytes);
    for (unsigned k = 0; k < count; k++) copy_back(t, start_of(&s->write, tile[k]), t->aside + k * bytes);
}

void cpu_affine_tile(const cpu_move *move, team_member me) {
    const affine_tile_schedule *const s = &move->p->affine_tile;
    tiles t = {.aside = (char *)move->staging + me.number * affine_tile_pair_bytes(s)};
    prepare(s, &t);
    const team_share mine = team_share_of(s->arrays.count * s->run_blocks, me);
    for (uint64_t k = mine.first; k < mine.end; k++) {
        t.array = (char *)move->dst + ((k / s->run_blocks * s->arrays.stride) << s->arrays.unit_bits);
        move_block(&t, k % s->run_blocks);
    }
}
