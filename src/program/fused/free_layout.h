/* SPDX-License-Identifier: Apache-2.0
 *
 * Layouts that can do the most of the next stages.
 */
#ifndef RIFFLE_PROGRAM_FUSED_FREE_LAYOUT_H
#define RIFFLE_PROGRAM_FUSED_FREE_LAYOUT_H

#include "program/fused/phases.h"

/** Bounds of a choice: vectors that have other parts in the layout, and bits that places of registers' vectors must not
 *  have. */
typedef struct free_bounds {
    unsigned room; /**< vectors to choose, at most */
    unsigned fixed_count;
    uint64_t fixed[LAYOUT_TILE_BITS];
    const uint64_t *places; /**< NULL: no bits */
    uint64_t bits;
} free_bounds;

/** Registers' vectors for the next stages, as many of these as can be; functional[k] is 1 on vector[k], 0 where it is
 *  not wanted. */
typedef struct free_vectors {
    unsigned count, stages;
    uint64_t vector[FUSED_HELD_LOG2], functional[FUSED_HELD_LOG2];
} free_vectors;

/** Bit k of `done` is stage base + k. */
void free_choose(const phase_tile *t, const free_bounds *bounds, size_t base, uint64_t done, free_vectors *out);

/** v, changed by the chosen vectors so that the functionals are 0 on it. */
uint64_t free_clear(const free_vectors *chosen, uint64_t v);

/** A whole layout of chosen vectors. The others are those of `from` as far as possible, so that warps keep their parts of
 *  the tile where they can. */
void free_layout(const phase_tile *t, const layout *from, size_t base, uint64_t done, layout *out);

#endif
