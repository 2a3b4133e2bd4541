/* SPDX-License-Identifier: Apache-2.0 */
#include "multigpu/chunks.h"

#include "base/arithmetic.h"
#include "perm/gf2_span.h"

static const uint64_t ONE = 1;

/* In place there are launches for pairs of times, so times are fewer. */
static const unsigned MOST_BITS = MULTIGPU_CHUNK_BITS, MOST_BITS_IN_PLACE = MULTIGPU_CHUNK_BITS / 2;

/* Units and their places, as both steps have them. */
typedef struct frame {
    const perm_affine *sending;
    unsigned part_bits; /* that a place has */
    unsigned told_bits; /* the lowest of these, which tell units of a message apart */
    uint64_t within;    /* all bits of a place */
} frame;

static frame frame_of(const perm_affine *sending, unsigned r, const affine_tile_schedule *s) {
    const unsigned part_bits = s->arrays.run_bits - s->arrays.rank_bits;
    return (frame){sending, part_bits, part_bits - r, (ONE << part_bits) - 1};
}

/* Where a unit of that place in src is sent to. */
static uint64_t sent_to(const frame *f, uint64_t place) {
    return gf2_apply(&f->sending->a, place & f->within) & f->within;
}

/* All that tiles add to places of the workspace: the functionals are 0 there. */
static gf2_span within_tiles(const frame *f, const affine_tile_schedule *schedule, bool in_place) {
    gf2_span out = {0};
    for (unsigned k = 0; k < schedule[0].tile_bits; k++)
        gf2_span_add(&out, schedule[0].write.index[k] & f->within);
    for (unsigned k = 0; k < schedule[1].tile_bits; k++) gf2_span_add(&out, schedule[1].read.index[k]);
    for (unsigned k = 0; in_place && k < schedule[1].tile_bits; k++)
        gf2_span_add(&out, sent_to(f, schedule[1].write.index[k]));
    return out;
}

/* All places: tiles, then messages, which are all alike, and then the bits within one, of which the last few tell the time. */
static gf2_span all_places(const frame *f, const gf2_span *tiles) {
    gf2_span out = *tiles;
    for (unsigned j = f->told_bits; j < f->part_bits; j++) gf2_span_add(&out, ONE << j);
    return out;
}

static unsigned add_messages(const frame *f, gf2_span *places) {
    const unsigned before = places->count;
    for (unsigned j = 0; j < f->told_bits; j++) gf2_span_add(places, ONE << j);
    return places->count - before;
}

/* Chunks of an eighth, of which the last is halved again and again, since nothing is sent while its last one is moved. */
static void choose_ends(unsigned bits, multigpu_chunks *out) {
    const unsigned all = 1u << bits, step = max(all / 8, 1u);
    out->count = 0;
    for (unsigned end = step; end < all; end += min(step, max((all - end) / 2, 1u)))
        out->end[out->count++] = end;
    out->end[out->count++] = all;
}

unsigned multigpu_time_of(const multigpu_chunks *chunks, uint64_t place) {
    return (unsigned)(gf2_span_coordinates(&chunks->places, place) >> chunks->first);
}

static unsigned chunk_at(const multigpu_chunks *chunks, unsigned time) {
    unsigned c = 0;
    while (time >= chunks->end[c]) c++;
    return c;
}

unsigned multigpu_chunk_of(const multigpu_chunks *chunks, const multigpu_cells *cells, uint64_t cell,
                           unsigned write_time) {
    unsigned read_time = 0;
    for (uint64_t rest = cell; rest != 0; rest &= rest - 1) {
        read_time ^= cells->read[__builtin_ctzll(rest)];
        write_time ^= cells->write[__builtin_ctzll(rest)];
    }
    return max(chunk_at(chunks, read_time), chunk_at(chunks, write_time));
}

/* -------------------------------------------------------------- numbers of tiles */

/* Tiles by number, and the times that each bit of it adds. */
typedef struct numbered {
    affine_tile_schedule *schedule;
    unsigned read[RIFFLE_MAX_BITS], write[RIFFLE_MAX_BITS];
} numbered;

static void add_vector(numbered *n, unsigned to, unsigned from) {
    n->schedule->read.block[to] ^= n->schedule->read.block[from];
    n->schedule->write.block[to] ^= n->schedule->write.block[from];
    n->read[to] ^= n->read[from];
    n->write[to] ^= n->write[from];
}

static void move_vector(numbered *n, unsigned from, unsigned to) {
    affine_tile_side *const read = &n->schedule->read, *const write = &n->schedule->write;
    const uint64_t read_block = read->block[from], write_block = write->block[from];
    const unsigned read_time = n->read[from], write_time = n->write[from];
    for (unsigned k = from; k < to; k++) {
        read->block[k] = read->block[k + 1];
        write->block[k] = write->block[k + 1];
        n->read[k] = n->read[k + 1];
        n->write[k] = n->write[k + 1];
    }
    read->block[to] = read_block;
    write->block[to] = write_block;
    n->read[to] = read_time;
    n->write[to] = write_time;
}

/* The last vector below `top` that has this bit of a time becomes the one before it, and no other has the bit then. False if there is none. */
static bool lift(numbered *n, const unsigned *times, unsigned bit, unsigned top) {
    unsigned last = top;
    for (unsigned k = 0; k < top; k++)
        if ((times[k] >> bit & 1) != 0) last = k;
    if (last == top) return false;
    for (unsigned k = 0; k < n->schedule->block_bits; k++)
        if (k != last && (times[k] >> bit & 1) != 0) add_vector(n, k, last);
    move_vector(n, last, top - 1);
    return true;
}

/* The highest bits of a tile's number say what is read, from the highest bit of a time on, and those below where it is written. */
static void number_by_cells(numbered *n, unsigned bits, multigpu_cells *out) {
    const unsigned all = n->schedule->block_bits;
    unsigned top = all;
    for (unsigned b = bits; b-- > 0;) top -= lift(n, n->read, b, top);
    for (unsigned b = bits; b-- > 0;) top -= lift(n, n->write, b, top);
    *out = (multigpu_cells){.bits = all - top};
    for (unsigned k = top; k < all; k++) {
        out->read[k - top] = n->read[k];
        out->write[k - top] = n->write[k];
    }
}

void multigpu_chunks_plan(const perm_affine *sending, unsigned r, uint64_t least, bool in_place,
                          affine_tile_schedule schedule[MULTIGPU_MOST_STEPS],
                          multigpu_cells cells[MULTIGPU_MOST_STEPS], multigpu_chunks *out) {
    const frame f = frame_of(sending, r, &schedule[0]);
    const gf2_span tiles = within_tiles(&f, schedule, in_place);
    const unsigned fewest = min(schedule[0].block_bits, schedule[1].block_bits);
    *out = (multigpu_chunks){.places = all_places(&f, &tiles)};
    out->bits = min(add_messages(&f, &out->places), in_place ? MOST_BITS_IN_PLACE : MOST_BITS);
    while (out->bits > 0 && ONE << (fewest - min(fewest, out->bits)) < least) out->bits--;
    out->first = out->places.count - out->bits;
    choose_ends(out->bits, out);
    for (unsigned step = 0; step < MULTIGPU_MOST_STEPS; step++) {
        numbered n = {.schedule = &schedule[step]};
        for (unsigned k = 0; k < n.schedule->block_bits; k++) {
            n.read[k] = multigpu_time_of(out, step == 0 ? n.schedule->write.block[k] & f.within
                                                        : n.schedule->read.block[k]);
            if (step == 1 && in_place)
                n.write[k] = multigpu_time_of(out, sent_to(&f, n.schedule->write.block[k]));
        }
        number_by_cells(&n, out->bits, &cells[step]);
    }
}
