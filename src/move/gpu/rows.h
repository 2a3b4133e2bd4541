/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RIFFLE_MOVE_GPU_ROWS_H
#define RIFFLE_MOVE_GPU_ROWS_H

#include "move/gpu/launch.h"

/** True if a scatter or gather is for the kernels that move rows: elements of 4 and 8 bytes with maps of 4-byte
 *  entries have the papers' own. */
bool launch_moves_rows(const indexed_schedule *s);

/** The largest power of two, at most 16, that divides elem_bytes (not 0): what arrays must be aligned to, and
 *  what such kernels access. */
size_t launch_unit_bytes(size_t elem_bytes);

uint64_t launch_rows_blocks(const indexed_schedule *s, const launch_limits *limits);

/** The launch that moves rows by a scatter or gather, along `map` on the device, but for its
 *  grid. */
void launch_rows(const pass *p, const launch_limits *limits, const void *map, launch_list *out);

/** Rows along a map that is on the device and nowhere else. */
typedef struct rows_move {
    bool scatters;
    uint64_t rows, rows_read; /**< the map's, and those of the array that is read */
    size_t row_bytes, entry_bytes;
    uint64_t limit, *out_of_range; /**< as device/kernels/rows.h says */
} rows_move;

launch *launch_rows_move(const rows_move *move, const launch_limits *limits, const void *map, launch_list *out);
uint64_t launch_rows_move_blocks(const rows_move *move, const launch_limits *limits);

#endif
