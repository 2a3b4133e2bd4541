/* SPDX-License-Identifier: Apache-2.0
 *
 * Plans of groups, and the engines that they are for. An entry is one key of a row: entry e is key e % keys_per_row of row
 * e / keys_per_row, and has one place.
 */
#ifndef RIFFLE_GROUP_PLAN_H
#define RIFFLE_GROUP_PLAN_H

#include "device/plan.h"
#include "group/number.h"
#include "riffle/group.h"

typedef struct group_engine group_engine;

struct riffle_group_plan {
    plan_base base;
    const group_engine *engine;
    uint64_t n, keys_per_row, entries;
    size_t row_bytes; /**< the first column's */
    riffle_type key_type;
    group_rule rule;
    uint64_t multiple; /**< at least 1 */
    uint64_t capacity; /**< UINT64_MAX: no limit */
    size_t index_bytes;
    riffle_check check;
    uint64_t room;                                 /**< rows of the result, at most */
    unsigned multiprocessors;                      /**< a device's */
    unsigned columns;                              /**< the first and all others */
    size_t column_bytes[RIFFLE_GROUP_MAX_COLUMNS]; /**< the others' */
};

/** An engine's operations on a plan. */
struct group_engine {
    /** Sets threads and workspace_bytes; all else is there. */
    riffle_status (*create)(riffle_group_plan *plan, const riffle_group_options *options);
    /** riffle_group_execute, whose arrays have been checked. */
    riffle_status (*execute)(const riffle_group_plan *plan, const riffle_group_arrays *arrays);
};

extern const group_engine cpu_group_engine, device_group_engine;

/** riffle_group_plan_create, on a device that is not the current GPU: with RIFFLE_ENGINE_CUDA the memory machine; or NULL. */
riffle_status group_plan_create(uint64_t n, size_t row_bytes, riffle_type key_type, uint64_t groups,
                                riffle_engine engine, const device *on, const riffle_group_options *options,
                                riffle_group_plan **out);

/** A column of an execution, the first one or another: bytes of a row, and its arrays. */
typedef struct group_column {
    size_t row_bytes;
    void *rows;
    const void *from_rows;
} group_column;
size_t group_column_bytes(const riffle_group_plan *plan, unsigned column);
group_column group_column_at(const riffle_group_plan *plan, const riffle_group_arrays *arrays, unsigned column);

/** Columns that lie one behind the other, of so many rows each: bytes of the first `count`, where the next one begins. */
size_t group_columns_bytes(const riffle_group_plan *plan, uint64_t rows, unsigned count);

/** Lists the arrays of columns that lie so in two pieces of memory. A column of no bytes has none. */
void group_columns_in(const riffle_group_plan *plan, void *rows, const void *from_rows,
                      riffle_group_column columns[RIFFLE_GROUP_MAX_COLUMNS], riffle_group_arrays *out);

/** The plan and the arrays by which a column would be grouped if there were no other. The plan has no base. */
typedef struct group_alone {
    riffle_group_plan plan;
    riffle_group_arrays arrays;
} group_alone;
void group_column_alone(const riffle_group_plan *plan, const riffle_group_arrays *arrays, unsigned column,
                        group_alone *out);

/** The arrays of an execution, as device/arrays.h has them; results are those from rows on. Columns besides the first are read from arrays
 *  before these, and written to arrays behind them. */
enum {
    GROUP_FROM_ROWS,
    GROUP_KEYS,
    GROUP_ROWS,
    GROUP_OFFSETS,
    GROUP_COUNTS,
    GROUP_PLACES,
    GROUP_LEFT_OUT,
    GROUP_ARRAYS,
    GROUP_MOST_ARRAYS = GROUP_ARRAYS + 2 * RIFFLE_GROUP_MAX_COLUMNS
};

/** Fills the table, of group_arrays_count arrays. */
void group_arrays_of(const riffle_group_plan *plan, const riffle_group_arrays *arrays,
                     call_array all[GROUP_MOST_ARRAYS]);
static inline unsigned group_arrays_count(const riffle_group_plan *plan) {
    return GROUP_ARRAYS + 2 * (plan->columns - 1);
}

/** Refuses arrays that are not there, not aligned, or overlap. */
riffle_status group_check_arrays(const riffle_group_plan *plan, const riffle_group_arrays *arrays);

/** Numbers of left_out. */
enum { GROUP_OUTSIDE, GROUP_OVERFLOWED, GROUP_LEFT_OUTS };

/** True for rows of 1, 2, 4, 8 or 16 bytes: aligned to their length, none lies in two lines, and a thread of a GPU holds it. */
static inline bool group_is_short(size_t row_bytes) {
    return row_bytes > 0 && array_alignment(row_bytes) == row_bytes;
}
static inline bool group_rows_are_short(const riffle_group_plan *plan) {
    return group_is_short(plan->row_bytes);
}

/** How many of `count` rows a group keeps, and how many it takes with its padding. */
static inline uint64_t group_kept(const riffle_group_plan *plan, uint64_t count) {
    return count < plan->capacity ? count : plan->capacity;
}
static inline uint64_t group_padded(const riffle_group_plan *plan, uint64_t kept) {
    return group_round_up(kept, plan->multiple);
}

#endif
