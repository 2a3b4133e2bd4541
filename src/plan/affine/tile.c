/* SPDX-License-Identifier: Apache-2.0 */
#include "plan/affine/tile.h"

#include <string.h>

#include "base/arithmetic.h"
#include "perm/gf2_span.h"
#include "plan/affine/cells.h"

static const uint64_t ONE = 1;

perm_affine affine_on_units(const perm_affine *p, const affine_arrays *arrays) {
    const unsigned within = arrays->element_bits;
    perm_affine all = {gf2_identity(arrays->run_bits), p->c << within};
    for (unsigned j = 0; j < p->a.m; j++) all.a.column[within + j] = p->a.column[j] << within;
    return all;
}

/* The span that a tile must have in place for P to be an involution on tiles: (A^2 + I) x + (A + I) c for all x. */
static gf2_span core_of(const perm_affine *p) {
    gf2_span core = {0};
    gf2_span_add(&core, gf2_apply(&p->a, p->c) ^ p->c);
    for (unsigned j = 0; j < p->a.m; j++) gf2_span_add(&core, gf2_apply(&p->a, p->a.column[j]) ^ ONE << j);
    return core;
}

/* The policy's, in bits of units. */
typedef struct tile_bounds {
    unsigned most, segment, enough;
} tile_bounds;

static tile_bounds bounds_of(const affine_tile_policy *policy, unsigned unit_bits) {
    const unsigned segment = policy->segment_bits, enough = policy->enough_bits;
    return (tile_bounds){policy->tile_bits - unit_bits, segment > unit_bits ? segment - unit_bits : 0,
                         enough > unit_bits ? enough - unit_bits : 0};
}

unsigned affine_preimages(const gf2_matrix *inverse, unsigned part_bits, uint64_t *out) {
    gf2_span outside = {0};
    unsigned run = inverse->m;
    for (unsigned j = 0; j < inverse->m; j++) {
        const uint64_t within = gf2_span_reduce(&outside, inverse->column[j]);
        out[j] = within >> part_bits == 0 ? within : 0;
        if (out[j] == 0) gf2_span_add(&outside, within);
        if (out[j] == 0) run = min(run, j);
    }
    return run;
}

unsigned affine_run_bits(const gf2_matrix *a, unsigned part_bits) {
    gf2_matrix inverse;
    uint64_t preimage[RIFFLE_MAX_BITS];
    gf2_invert(a, &inverse, NULL);
    return affine_preimages(&inverse, part_bits, preimage);
}

/* S: unit vectors and preimages in turn. In place both or none, on top of the core, for then A S = S. */
static gf2_span grow_tile(const perm_affine *p, const uint64_t *preimage, unsigned part_bits,
                          const tile_bounds *bounds, bool in_place) {
    const unsigned bits = bounds->most;
    gf2_span tile = {0};
    if (in_place) tile = core_of(p);
    for (unsigned j = 0; j < part_bits && tile.count < bits; j++) {
        if (j >= bounds->segment && tile.count >= bounds->enough) break;
        const gf2_span before = tile;
        gf2_span_add(&tile, ONE << j);
        const bool has_room = tile.count < bits;
        const bool grew =
            has_room ? gf2_span_add(&tile, preimage[j]) : gf2_span_reduce(&tile, preimage[j]) != 0;
        if (in_place && !has_room && grew) return before;
    }
    return tile;
}

bool affine_tile_takes_in_place(const perm_affine *p, const affine_arrays *arrays,
                                const affine_tile_policy *policy, unsigned segment_bits) {
    if (core_of(p).count == 0) return true;
    const perm_affine all = affine_on_units(p, arrays);
    const unsigned wanted = segment_bits - arrays->unit_bits;
    const tile_bounds bounds = bounds_of(policy, arrays->unit_bits);
    gf2_matrix inverse;
    gf2_invert(&all.a, &inverse, NULL);
    const gf2_span tile = grow_tile(&all, inverse.column, all.a.m, &bounds, true);
    if (tile.count > bounds.most) return false;
    for (unsigned j = 0; j < wanted && j < all.a.m; j++)
        if (gf2_span_reduce(&tile, ONE << j) != 0) return false;
    return true;
}

/* A basis of a side's subspace: unit vectors as far as they lie in it, in order, and then vectors that have
 * none of their bits, by their leading bits. Returns the number of unit vectors. */
static unsigned choose_basis(const gf2_span *tile, const gf2_matrix *map, uint64_t *basis) {
    gf2_span side = {0}, rest = {0};
    unsigned count = 0, units = 0;
    for (unsigned k = 0; k < 64; k++)
        if (tile->by_leading_bit[k] != 0) gf2_span_add(&side, gf2_apply(map, tile->by_leading_bit[k]));
    while (units < map->m && gf2_span_reduce(&side, ONE << units) == 0) units++;
    for (unsigned k = 0; k < units; k++) basis[count++] = ONE << k;
    for (unsigned k = 0; k < 64; k++) gf2_span_add(&rest, side.by_leading_bit[k] >> units << units);
    for (unsigned k = 0; k < 64; k++)
        if (rest.by_leading_bit[k] != 0) basis[count++] = rest.by_leading_bit[k];
    return units;
}

static void choose_cells(const gf2_matrix *inverse, unsigned lane_bits, affine_tile_schedule *out) {
    const unsigned bits = out->tile_bits;
    uint32_t write[AFFINE_TILE_MAX_BITS];
    gf2_span read = {0};
    for (unsigned i = 0; i < bits; i++) gf2_span_add(&read, out->read.index[i]);
    for (unsigned i = 0; i < bits; i++)
        write[i] = (uint32_t)gf2_span_coordinates(&read, gf2_apply(inverse, out->write.index[i]));
    affine_cells_plan(bits, out->arrays.unit_bits, out->vector_bits, lane_bits, write, out->read.cell);
    for (unsigned i = 0; i < bits; i++) out->write.cell[i] = affine_cell_of(out->read.cell, write[i]);
}

static void add_block(const perm_affine *all, uint64_t next, affine_tile_schedule *out) {
    out->read.block[out->block_bits] = next;
    out->write.block[out->block_bits++] = gf2_apply(&all->a, next);
}

/* The bits by which tiles go to different parts come first, so that links and local memory are busy at the same time. */
static void number_parts(const perm_affine *all, const uint64_t *preimage, unsigned part_bits,
                         unsigned read_units, const gf2_span *tile, gf2_span *covered,
                         affine_tile_schedule *out) {
    gf2_span parts = {0};
    for (unsigned k = 0; k < 64; k++)
        gf2_span_add(&parts, gf2_apply(&all->a, tile->by_leading_bit[k]) >> part_bits);
    for (unsigned j = 0; j < all->a.m; j++) {
        const uint64_t next = preimage[j] >> read_units << read_units;
        if (!gf2_span_add(&parts, gf2_apply(&all->a, next) >> part_bits)) continue;
        gf2_span_add(covered, next);
        add_block(all, next, out);
    }
}

/* A basis of a complement of S, such that tiles which come one after the other write neighbouring segments: the
 * preimages of units, in order. (Measured to be faster than neighbours that are read, or both in turn.) */
static void number_tiles(const perm_affine *all, const uint64_t *preimage, unsigned part_bits,
                         const gf2_span *tile, unsigned read_units, affine_tile_schedule *out) {
    gf2_span covered = *tile;
    if (part_bits < all->a.m) number_parts(all, preimage, part_bits, read_units, tile, &covered, out);
    for (unsigned j = 0; j < all->a.m; j++) {
        const uint64_t next = preimage[j] >> read_units << read_units;
        if (gf2_span_add(&covered, next)) add_block(all, next, out);
    }
    out->write.origin = all->c;
    out->run_blocks = ONE << out->block_bits;
}

/* In place a block takes an orbit of tiles. */
static void number_orbits(const perm_affine *all, affine_tile_schedule *out) {
    involution_plan(all, out->read.index, out->tile_bits, &out->orbits);
    out->block_bits = out->orbits.bits;
    out->run_blocks = out->orbits.orbits - out->orbits.fixed / 2; /* two fixed tiles a block */
    out->read.origin = out->orbits.origin;
    out->write.origin = gf2_apply(&all->a, out->orbits.origin) ^ all->c;
    for (unsigned j = 0; j < out->block_bits; j++) {
        out->read.block[j] = out->orbits.basis[j];
        out->write.block[j] = gf2_apply(&all->a, out->orbits.basis[j]);
    }
}

/* A tile may be smaller than the policy wants. Every thread makes as many moves all the same if they are of
 * vectors. */
static unsigned thread_bits_for(const affine_tile_policy *policy, unsigned accesses) {
    if (policy->vector_bits == AFFINE_VECTOR_BITS && accesses >= AFFINE_MOVE_BITS)
        return accesses - AFFINE_MOVE_BITS;
    return min(policy->thread_bits, accesses);
}

void affine_tile_plan(const perm_affine *p, const affine_arrays *arrays, const affine_tile_policy *policy,
                      bool in_place, affine_tile_schedule *out) {
    const perm_affine all = affine_on_units(p, arrays);
    gf2_matrix inverse;
    gf2_invert(&all.a, &inverse, NULL);
    const tile_bounds bounds = bounds_of(policy, arrays->unit_bits);
    const unsigned part_bits = arrays->run_bits - arrays->rank_bits;
    uint64_t preimage[RIFFLE_MAX_BITS];
    affine_preimages(&inverse, part_bits, preimage);
    const gf2_span tile = grow_tile(&all, preimage, part_bits, &bounds, in_place);

    memset(out, 0, sizeof *out);
    out->arrays = *arrays;
    out->in_place = in_place;
    out->tile_bits = tile.count;
    out->vector_bits = policy->vector_bits - arrays->unit_bits;
    out->thread_bits = thread_bits_for(policy, tile.count - out->vector_bits);
    const gf2_matrix identity = gf2_identity(all.a.m);
    const unsigned read_units = choose_basis(&tile, &identity, out->read.index);
    choose_basis(&tile, &all.a, out->write.index);
    choose_cells(&inverse, policy->lane_bits, out);
    if (in_place) {
        number_orbits(&all, out);
    } else {
        number_tiles(&all, preimage, part_bits, &tile, read_units, out);
    }
}
