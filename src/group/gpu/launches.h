/* SPDX-License-Identifier: Apache-2.0
 *
 * Groups as launches, on a GPU and on the memory machine. There are four ways:
 *
 *     staged    short rows, few groups    count - scan - lay out - move, tile by tile through shared memory
 *     twice     short rows, many groups   the same by the lowest byte of a group's number, and then by the other
 *     one       few keys, few groups      count, lay out and find places at once - move rows along them
 *     wide      all others                clear, count - scan - lay out - find places - move rows along them
 *
 * Rows are moved twice where nobody asks for places, padding, a capacity or a second column.
 *
 * Keys are counted once for all columns. The first short one says how long tiles are: columns whose tiles are as long are staged one after the other, and
 * all others go along places.
 *
 * A check reads the rows once more, along places, which the plan has then whether or not they are wanted.
 */
#ifndef RIFFLE_GROUP_GPU_LAUNCHES_H
#define RIFFLE_GROUP_GPU_LAUNCHES_H

#include "check/check.h"
#include "group/plan.h"

typedef enum group_way { GROUP_STAGED, GROUP_TWICE, GROUP_ONE, GROUP_WIDE } group_way;

/** A workspace, and how entries are cut into chunks. */
typedef struct group_layout {
    group_way way;
    bool
        has_places; /**< the workspace has places, of 4 bytes, since the caller wants none and rows are moved by them */
    uint32_t tile_entries; /**< 0: no rows are moved in tiles */
    uint64_t chunk_entries;
    uint32_t chunks;
    uint32_t columns, stride; /**< columns of a chunk's row, and its numbers */
    size_t counts, tiles, totals, first, end, places,
        record; /**< where they begin; a record of each column is there where the plan has a check */
    size_t passes, rows, names; /**< where columns of two passes begin and end, and what the first makes */
    size_t bytes;
} group_layout;

group_layout group_lay_out(const riffle_group_plan *plan, unsigned multiprocessors);

/** Where a column's record begins in the workspace. */
static inline size_t group_record(const group_layout *layout, unsigned column) {
    return layout->record + column * (size_t)CHECK_RECORD_BYTES;
}

/** Appends the launches of an execution, between arrays of the device. */
void group_append(const riffle_group_plan *plan, const riffle_group_arrays *arrays, void *workspace,
                  launch_list *out);

/** Appends its check alone, of at least one entry; the workspace is as the execution left it. */
void group_append_check(const riffle_group_plan *plan, const riffle_group_arrays *arrays, void *workspace,
                        launch_list *out);

#endif
