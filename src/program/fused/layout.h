/* SPDX-License-Identifier: Apache-2.0
 *
 * Which element of a tile each thread holds in which register. A layout is a basis of the tile: bit k of a
 * register's number adds held[k], bit k of a thread's number thread[k]. Vectors are in the coordinates u of a pass
 * (program/pass.h).
 *
 *      place in the tile:   | thread: warp, lane | register |
 *
 * Between two layouts lies an exchange through shared memory. Three kinds of them are cheap, for they need no table:
 * the register bits change places with as many lane bits, or the last register bits with warp bits, or all three go round.
 */
#ifndef RIFFLE_PROGRAM_FUSED_LAYOUT_H
#define RIFFLE_PROGRAM_FUSED_LAYOUT_H

#include <stdbool.h>

#include "program/kernels/fused.h"
#include "program/pass.h"

enum {
    LAYOUT_LANE_BITS = 5,
    LAYOUT_TILE_BITS = FUSED_THREADS_LOG2 + FUSED_HELD_LOG2,
};

typedef struct layout {
    unsigned held_bits, thread_bits;
    uint64_t held[FUSED_HELD_LOG2];
    uint64_t thread[FUSED_THREADS_LOG2];
} layout;

/** A side of a pass, and a basis of the tile that suits it: place[j] of vector[j] has bit pivot[j], in which no other
 *  vector of the tile has a place. The first `units` places are e_0, e_1, ... */
typedef struct layout_side {
    unsigned units;
    uint64_t vector[LAYOUT_TILE_BITS];
    uint64_t place[LAYOUT_TILE_BITS];
} layout_side;

/** The side whose coordinates u have these places: bits of a tile, `count` of them. */
void layout_side_make(const uint64_t *places, unsigned count, layout_side *out);

/** Where u lies, for u in the tile. */
uint64_t layout_place(const uint64_t *places, uint64_t u);

/** The register bits and the first lane bits exchanged; false where there are too few lanes. */
bool layout_swap_lanes(const layout *from, layout *to);
/** The last `count` register bits and warp bits from `first` on exchanged; false where there are too few. */
bool layout_swap_warps(const layout *from, unsigned count, unsigned first, layout *to);

/** Register bits become lane bits, the last lane bits warp bits, and the warp bits the last register bits; false where there
 *  are fewer registers than lanes, or no warps. */
bool layout_cycle(const layout *from, layout *to);

/** Fills up `out`, whose first `held` registers are chosen, to a basis of the tile with candidates, in turn: first
 *  registers, then threads. */
void layout_complete(layout *out, unsigned held, const uint64_t *candidates, unsigned count);

/** The coordinates of v in the layout: registers are the low bits. */
uint32_t layout_coordinates(const layout *l, uint64_t v);

/** True if a warp's accesses of one register, of `vector_bits` neighbours each, are whole segments of 2^segment_bits
 *  elements, and vectors are aligned, where the places are a side's. */
bool layout_is_coalesced(const layout *l, const uint64_t *places, unsigned vector_bits, unsigned segment_bits);

#endif
