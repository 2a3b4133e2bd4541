/* SPDX-License-Identifier: Apache-2.0
 *
 * How a tile's stages are done: a list of phases. A phase is a layout, the stages whose directions lie in its
 * registers, and how the tile came into the layout. Stages that commute may change places.
 */
#ifndef RIFFLE_PROGRAM_FUSED_PHASES_H
#define RIFFLE_PROGRAM_FUSED_PHASES_H

#include "program/fused/layout.h"

/** How the tile comes into a phase's layout. */
typedef enum phase_kind { PHASE_READ, PHASE_LANES, PHASE_WARPS, PHASE_CYCLE, PHASE_EXCHANGE } phase_kind;

/** The part of a stage's instructions that fits a layout. */
typedef enum stage_fit {
    FIT_NONE,
    FIT_ORDER,
    FIT_ALONG,
    FIT_EACH,
    FIT_WITHIN,
    FIT_TWIDDLE,
    FIT_GROUP
} stage_fit;

typedef struct phase {
    phase_kind kind;
    unsigned warp_count, warp_first; /**< for PHASE_WARPS */
    layout layout;
    size_t first, count; /**< its stages: order[first .. first + count) */
} phase;

/** The tile of a pass, made ready: vectors u, and what lies where. Where elements are held in pairs, all is said of
 *  pairs, and a stage within them has 0 bits. */
typedef struct phase_tile {
    unsigned bits;                      /**< bits of the tile, at most LAYOUT_TILE_BITS */
    unsigned held_bits;                 /**< bits of a thread's elements */
    bool is_full;                       /**< a thread holds as many as it can */
    bool reads_aligned, writes_aligned; /**< tiles begin at multiples of 16 bytes */
    unsigned unit_bits;                 /**< log2 of an element's bytes */
    const uint64_t *read, *write;       /**< places by bits of u, the tile's and then those of its number */
    uint64_t read_origin, write_origin;
    layout_side read_side, write_side;
    unsigned number_bits;
    uint64_t number[RIFFLE_MAX_BITS]; /**< u by bits of the tile's number */
    const program_stage *stages;
    size_t stage_count;
} phase_tile;

typedef struct phase_list {
    size_t count, capacity;
    phase *phases;
    size_t *order; /**< order of all stages */
} phase_list;

/** Tells how the stage can be done in the layout; *mask gets its direction in registers' numbers. */
stage_fit phase_fit(const phase_tile *t, const layout *l, const program_stage *stage, uint32_t *mask);

/** True if the layout can be read (written), by accesses of 16 bytes or of one element. */
bool phase_has_vectors(const phase_tile *t, const layout *l, const uint64_t *places);
bool phase_is_writable(const phase_tile *t, const layout *l);

/** Plans all stages of the tile. *out is to be given to phases_free. */
riffle_status phases_plan(const phase_tile *t, phase_list *out);

void phases_free(phase_list *list);

#endif
