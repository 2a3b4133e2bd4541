/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows that are brought back, as all doors see it: checked once, done on the host or by one launch.
 */
#ifndef RIFFLE_GROUP_UNGROUP_H
#define RIFFLE_GROUP_UNGROUP_H

#include "device/arrays.h"
#include "riffle/group.h"

/** The arrays of a call, as device/arrays.h has them; the last is the result. */
enum { UNGROUP_ROWS, UNGROUP_PLACES, UNGROUP_WEIGHTS, UNGROUP_TO, UNGROUP_ARRAYS };

/** Bytes of a number that is summed up; 0 where none is. */
static inline size_t ungroup_number_bytes(riffle_ungroup_sum sum) {
    if (sum == RIFFLE_UNGROUP_SUM_NONE) return 0;
    return sum == RIFFLE_UNGROUP_SUM_F64 ? 8 : sum == RIFFLE_UNGROUP_SUM_F32 ? 4 : 2;
}

/** Bytes of a weight; 0 where nothing is summed up. */
static inline size_t ungroup_weight_bytes(riffle_ungroup_sum sum) {
    if (sum == RIFFLE_UNGROUP_SUM_NONE) return 0;
    return sum == RIFFLE_UNGROUP_SUM_F64 ? sizeof(double) : sizeof(float);
}

/** Refuses what is no task. Fills *out with the task, whose keys_per_row are at least 1 then. */
riffle_status ungroup_check_task(const riffle_ungroup_task *task, riffle_ungroup_task *out);

/** Refuses what is no task, and arrays that are not there, not aligned, or overlap. Fills *out with the task, whose keys_per_row are at least
 *  1 then. */
riffle_status ungroup_check(const riffle_ungroup_task *task, const riffle_ungroup_arrays *arrays,
                            riffle_ungroup_task *out);

/** Appends the launch, between arrays of the device. */
void ungroup_append(const riffle_ungroup_task *task, const riffle_ungroup_arrays *arrays, launch_list *out);

/** A place, where RIFFLE_GROUP_NOWHERE has 8 bytes. */
static inline uint64_t ungroup_place(const riffle_ungroup_task *task, const void *places, uint64_t entry) {
    if (task->index_bytes == 8) return ((const uint64_t *)places)[entry];
    const uint32_t place = ((const uint32_t *)places)[entry];
    return place == UINT32_MAX ? RIFFLE_GROUP_NOWHERE : place;
}

/** Brings back rows first to end, of which all places are known to be right. */
void ungroup_rows(const riffle_ungroup_task *task, const riffle_ungroup_arrays *arrays, uint64_t first,
                  uint64_t end);

#endif
