/* SPDX-License-Identifier: Apache-2.0
 *
 * Grouping on the host, in two loops over entries. Entries are cut into parts, as many as threads were planned; each part has a table of
 * a number for each group, and one behind them for entries that name none:
 *
 *     counting      how many entries of the part each group gets
 *     laying out    where the part's first entry of each group goes
 *     scattering    where its next one goes; it is left out once that is the end of what the group keeps
 *
 * Columns are scattered one after the other, each as if it were alone: keys are shorter than places, so they are read again.
 */
#ifndef RIFFLE_GROUP_CPU_WORK_H
#define RIFFLE_GROUP_CPU_WORK_H

#include "base/threads/team.h"
#include "group/plan.h"

enum {
    GROUP_BATCH = 1024,    /* entries whose groups are found at a time */
    GROUP_TABLE_UNIT = 16, /* numbers of a table, which threads write to, are a multiple */
};

typedef struct group_work {
    const riffle_group_plan *plan;
    const riffle_group_arrays *arrays;
    unsigned parts;
    uint64_t *next;     /**< the parts' tables, of group_table_length numbers each */
    uint64_t *begins;   /**< the same before rows were scattered; NULL: there is one column */
    uint64_t *end;      /**< where what each group keeps ends; 0 behind them */
    uint64_t *first;    /**< where each group begins, and where the last one's padding ends */
    void *places;       /**< receives places of index_bytes bytes: the caller's, or the check's own */
    size_t index_bytes; /**< 0: there are none */
    char *lines; /**< lines of rows on their way out, one for each part and group; NULL: rows go straight out */
} group_work;

/** Numbers of a part's table, a whole count of lines. */
static inline size_t group_table_length(const riffle_group_plan *plan) {
    return ((size_t)plan->rule.groups + GROUP_TABLE_UNIT) / GROUP_TABLE_UNIT * GROUP_TABLE_UNIT;
}

/** Bytes of all parts' lines; 0 where rows go straight out. */
size_t group_lines_bytes(const riffle_group_plan *plan, unsigned parts);

/** Finds the groups of so many entries, GROUP_BATCH at most. */
void group_find(const riffle_group_plan *plan, const void *keys, uint64_t first, size_t count,
                uint32_t *groups);

/** Adds so many entries to the counts of their groups. */
void group_count(const riffle_group_plan *plan, const void *keys, uint64_t first, size_t count,
                 uint64_t *counts);

/** Scatters a part's entries. */
void group_scatter(const group_work *work, unsigned part, team_share entries);

/** Reads the result once more; RIFFLE_ERROR_DAMAGED if it is not what it should be. The work has places. */
riffle_status group_check(const group_work *work);

#endif
