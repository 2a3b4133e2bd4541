/* SPDX-License-Identifier: Apache-2.0
 *
 * Where entries go, known before groups are made: followed one after the other, of keys that are there or that are drawn. Where very many are
 * drawn, what lies before a block is drawn as a whole, and only the block's entries are followed.
 *
 * Groups that are made in two passes have columns in each (group/kernels/table.h): the lowest bytes of groups' numbers, then the others. The entries
 * of the second pass are what the first one made, in its order. All others have one pass, whose columns are the groups.
 */
#ifndef RIFFLE_GROUP_PREDICT_KNOWN_H
#define RIFFLE_GROUP_PREDICT_KNOWN_H

#include "device/predict/pattern.h"
#include "group/kernels/table.h"
#include "group/plan.h"

/** Columns laid out, and where each entry goes. */
typedef struct group_pass {
    uint64_t entries;      /**< that come to the pass */
    uint32_t columns;      /**< groups that it keeps apart */
    bool is_second;        /**< the other bytes of groups' numbers are its columns */
    uint64_t *total;       /**< entries of each column, and behind them those outside */
    uint64_t *first, *end; /**< where each begins, and where what it keeps ends; columns + 1, and columns */
    uint32_t *
        group; /**< each entry's column, `columns` for one outside; NULL where they are too many to be followed */
    uint64_t *place; /**< each entry's, as if its column had no end; of those in a column */
} group_pass;

enum { GROUP_PASSES = 2 };

/** The passes of a plan; a second is there where it is asked for. */
typedef struct group_known {
    group_pass pass[GROUP_PASSES];
} group_known;

/** All that patterns are given of groups, beside a launch. */
typedef struct group_subject {
    const riffle_group_plan *plan;
    const void *keys;   /**< the host's; NULL: drawn, all groups alike and none outside */
    group_known *known; /**< made when it is first asked for; zeros before */
} group_subject;

void group_known_free(group_known *known);

/** Makes the pass of a kernel's table, and the one before it, if they are not there; NULL: of the groups themselves.
 *  RIFFLE_ERROR_OUT_OF_MEMORY. */
riffle_status group_know(const group_subject *subject, const group_table *table, const group_pass **out);

/** Neighbouring entries, as group_pass has them. */
typedef struct group_entries {
    uint64_t first, count;
    const uint32_t *group;
    const uint64_t *place;
    void *own;
} group_entries;

/** Entries of a pass, from `first` on and before `end`; RIFFLE_ERROR_OUT_OF_MEMORY. They are to be freed. */
riffle_status group_entries_of(const group_subject *subject, const group_pass *pass, uint64_t first,
                               uint64_t end, group_entries *out);
void group_entries_free(group_entries *entries);

/** True if an entry in that column has a place. */
static inline bool group_is_kept(const group_subject *subject, const group_pass *pass, uint32_t group,
                                 uint64_t place) {
    return group < pass->columns && (subject->plan->capacity == UINT64_MAX || place < pass->end[group]);
}

#endif
