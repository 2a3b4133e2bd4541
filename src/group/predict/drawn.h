/* SPDX-License-Identifier: Apache-2.0
 *
 * Entries that are drawn, all groups alike, and are too many to be followed: how many each column of a pass has, in all and before one of the
 * entries, and the column of an entry by itself. Numbers are drawn as chance spreads them, so that columns begin at any cell of an address group.
 */
#ifndef RIFFLE_GROUP_PREDICT_DRAWN_H
#define RIFFLE_GROUP_PREDICT_DRAWN_H

#include "group/predict/known.h"

/** The group of a drawn entry, whose number is one of the rows' keys. */
static inline uint32_t group_drawn(const group_subject *subject, uint64_t entry) {
    return group_part(splitmix_next(&entry), subject->plan->rule.groups);
}

/** Draws totals of a pass. */
void group_draw_totals(const group_subject *subject, const group_pass *pass);

/** The column of an entry of a pass. */
uint32_t group_draw_column(const group_subject *subject, const group_pass *pass, uint64_t entry);

/** Draws how many entries of each column come before an entry. */
void group_draw_before(const group_subject *subject, const group_pass *pass, uint64_t entry, uint64_t *out);

#endif
