/* SPDX-License-Identifier: Apache-2.0
 *
 * Where entries go, known before groups are made: followed one after the other, of keys that are there or that are drawn. Where very many are
 * drawn, each group has its share of the entries before a block, and only the block's are followed.
 */
#ifndef RIFFLE_GROUP_PREDICT_KNOWN_H
#define RIFFLE_GROUP_PREDICT_KNOWN_H

#include "device/predict/pattern.h"
#include "group/plan.h"

/** Groups laid out, and where each entry goes. */
typedef struct group_known {
    uint64_t *total;       /**< entries of each group, and behind them those outside */
    uint64_t *first, *end; /**< where each begins, and where what it keeps ends; groups + 1, and groups */
    uint32_t *group; /**< each entry's, `groups` for one outside; NULL where they are too many to be followed */
    uint64_t *place; /**< each entry's, as if its group had no end; of those in a group */
} group_known;

/** All that patterns are given of groups, beside a launch. */
typedef struct group_subject {
    const riffle_group_plan *plan;
    const void *keys;   /**< the host's; NULL: drawn, all groups alike and none outside */
    group_known *known; /**< made when it is first asked for */
} group_subject;

void group_known_free(group_known *known);

/** Makes it, if it is not there; RIFFLE_ERROR_OUT_OF_MEMORY. */
riffle_status group_know(const group_subject *subject);

/** Neighbouring entries, as group_known has them. */
typedef struct group_entries {
    uint64_t first, count;
    const uint32_t *group;
    const uint64_t *place;
    void *own;
} group_entries;

/** Entries of what is known, from `first` on and before `end`; RIFFLE_ERROR_OUT_OF_MEMORY. They are to be freed. */
riffle_status group_entries_of(const group_subject *subject, uint64_t first, uint64_t end, group_entries *out);
void group_entries_free(group_entries *entries);

/** True if an entry in that group has a place. */
static inline bool group_is_kept(const group_subject *subject, uint32_t group, uint64_t place) {
    return group < subject->plan->rule.groups &&
           (subject->plan->capacity == UINT64_MAX || place < subject->known->end[group]);
}

#endif
