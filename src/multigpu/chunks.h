/* SPDX-License-Identifier: Apache-2.0
 *
 * Two steps that overlap: the first sends chunk after chunk into the workspaces, and the second moves what has come meanwhile.
 *
 *     links   | chunk 0 | chunk 1 | chunk 2 | ...
 *     local             | chunk 0 | chunk 1 | chunk 2 | ...
 *
 * A place of a workspace is in the chunk that b linear functionals of its number say. They are 0 on all that a tile of either step adds to
 * its places there, so that a tile belongs to one chunk as a whole. Tiles are numbered so that the highest bits say which.
 *
 * In place a tile of the second step also waits until the chunk is gone that lay where it is written. The same functionals tell that, where they
 * are 0 on what it adds to its places in dst, too.
 */
#ifndef RIFFLE_MULTIGPU_CHUNKS_H
#define RIFFLE_MULTIGPU_CHUNKS_H

#include "multigpu/steps.h"
#include "plan/affine/tile.h"

enum { MULTIGPU_CHUNK_BITS = 6, MULTIGPU_MOST_CHUNKS = 16 };

/** Cells are tiles whose numbers have the same highest bits. Each has a time for what it reads and one for where it writes; cell bit k adds
 *  read[k] and write[k] to them (XOR). */
typedef struct multigpu_cells {
    unsigned bits;
    unsigned read[2 * MULTIGPU_CHUNK_BITS], write[2 * MULTIGPU_CHUNK_BITS];
} multigpu_cells;

typedef struct multigpu_chunks {
    unsigned bits;  /**< times are below 2^bits */
    unsigned count; /**< 1: the steps do not overlap */
    unsigned
        end[MULTIGPU_MOST_CHUNKS]; /**< chunk c has the times below end[c], but for those of chunks before it */
    gf2_span
        places; /**< all places of a workspace: coordinates from number `first` on are the time of a place */
    unsigned first;
} multigpu_chunks;

/** Cuts two steps' tiles into chunks, of `least` tiles at least, and numbers these tiles by cells. `sending` is the first step's map of units, which
 *  the schedules have. */
void multigpu_chunks_plan(const perm_affine *sending, unsigned r, uint64_t least, bool in_place,
                          affine_tile_schedule schedule[MULTIGPU_MOST_STEPS],
                          multigpu_cells cells[MULTIGPU_MOST_STEPS], multigpu_chunks *out);

/** The time of a place within a workspace. */
unsigned multigpu_time_of(const multigpu_chunks *chunks, uint64_t place);

/** The chunk after which a cell may be moved, where writes begin at that time. */
unsigned multigpu_chunk_of(const multigpu_chunks *chunks, const multigpu_cells *cells, uint64_t cell,
                           unsigned write_time);

#endif
