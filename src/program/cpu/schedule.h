/* SPDX-License-Identifier: Apache-2.0
 *
 * A pass made ready for the host: where the rows of a tile are in memory, and its stages as stages on lines, in groups
 * (lines.h).
 *
 *     src  --rows-->  tile in a buffer: 2^t elements in order of their coordinates  --rows-->  dst
 *                          for each group, for each micro tile, for each stage of the group
 */
#ifndef RIFFLE_PROGRAM_CPU_SCHEDULE_H
#define RIFFLE_PROGRAM_CPU_SCHEDULE_H

#include "program/cpu/own.h"
#include "program/pass.h"

enum { TILE_BYTES_LOG2 = 18 };

/** One side of a tile that is moved: runs of neighbours in memory, whose elements lie anywhere in the tile. */
typedef struct moved_rows {
    size_t count;
    uint64_t *index;     /**< a row adds this to the tile's first index */
    uint32_t *cell;      /**< the coordinates of its first element */
    uint32_t *lane_cell; /**< lane l adds this to them */
} moved_rows;

typedef struct line_pass {
    const program_pass *pass;
    unsigned element_bits, line_bits; /**< log2 of an element's bytes, of a tile's lines */
    size_t rows;
    uint64_t *row; /**< a row adds this to the tile's first index; row r lies at place r of the tile */
    moved_rows moved;
    line_stage *stages;
    size_t groups;
    line_group *group;
} line_pass;

/** *out is to be given to line_pass_free in any case. `own` has the users' operations; NULL where there are none. */
riffle_status line_pass_make(const program_pass *pass, riffle_type type, const line_operations *operations,
                             const own_operations *own, line_pass *out);

void line_pass_free(line_pass *pass);

#endif
