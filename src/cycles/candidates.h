/* SPDX-License-Identifier: Apache-2.0
 *
 * Isometric cycles: those that have, for any two of their vertices, the shortest path between them. A minimum cycle basis is among
 * them, and there are at most vertices * edges, with as many edges in all (Amaldi, Iuliano, Jurkiewicz, Mehlhorn, Rizzi 2009).
 */
#ifndef RIFFLE_CYCLES_CANDIDATES_H
#define RIFFLE_CYCLES_CANDIDATES_H

#include "cycles/trees.h"

typedef struct cycles_list {
    uint64_t count;
    uint64_t *first;       /**< where a cycle's edges begin; count + 1 numbers */
    uint32_t *edges;       /**< one after another around each cycle */
    cycles_weight *weight; /**< each cycle's */
    uint64_t room, edges_room;
    uint64_t looked_at; /**< cycles of two paths and an edge, isometric or not */
} cycles_list;

/** Finds the isometric cycles of at most the trees' limit, in the order of their least vertices, and loops. The list is the same for any number of
 *  threads. cycles_list_free frees it. */
riffle_status cycles_candidates(const cycles_trees *trees, unsigned threads, cycles_list *out);
void cycles_list_free(cycles_list *list);

/** Appends a cycle; false without memory. */
bool cycles_list_add(cycles_list *list, const uint32_t *edges, uint32_t count, cycles_weight weight);

#endif
