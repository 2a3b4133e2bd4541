/* SPDX-License-Identifier: Apache-2.0
 *
 * Points that may be corners: read from the input once, with their indices, in lists that grow.
 */
#ifndef RIFFLE_HULL_CPU_CANDIDATES_H
#define RIFFLE_HULL_CPU_CANDIDATES_H

#include "hull/points.h"

typedef struct hull_candidate {
    union {
        hull_f64 f64;
        hull_i64 i64; /* for int64 and uint64 */
    } at;
    uint32_t index;
    uint32_t key; /* solve.c's: its bucket */
} hull_candidate;

typedef struct hull_list {
    hull_candidate *items;
    uint64_t count, room;
} hull_list;

/** Makes room for at least `room` candidates, and keeps those that are there. */
riffle_status hull_list_reserve(hull_list *list, uint64_t room);

void hull_list_free(hull_list *list);

/** Appends point i; there is room. */
static inline void hull_list_add(hull_list *list, const hull_points *points, uint64_t i) {
    hull_candidate *const to = &list->items[list->count++];
    to->index = (uint32_t)i;
    if (hull_is_i64(points->type))
        to->at.i64 = hull_i64_at(points, i);
    else
        to->at.f64 = hull_f64_at(points, i);
}

#endif
