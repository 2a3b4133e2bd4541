/* SPDX-License-Identifier: Apache-2.0
 *
 * One search for shortest paths from a vertex (Dijkstra's), and what a thread needs for many.
 */
#ifndef RIFFLE_CYCLES_SEARCH_H
#define RIFFLE_CYCLES_SEARCH_H

#include "cycles/graph.h"

/** The length of a path. Lengths are compared by weight first. */
typedef struct cycles_length {
    cycles_weight weight;
    uint64_t tie;
} cycles_length;

/** Each arc's length, ties by a seed; 0: every tie is 1, and any shortest path does. NULL without memory; free() frees it. */
cycles_length *cycles_arc_lengths(const cycles_graph *graph, uint64_t seed);

typedef struct cycles_waiting {
    cycles_length length;
    uint32_t vertex;
} cycles_waiting;

typedef struct cycles_search {
    const cycles_graph *graph;
    const cycles_length *arc_length;
    cycles_length *length; /**< the path's to a vertex that is seen */
    uint32_t *edge;        /**< that reaches it */
    uint32_t *seen;        /**< the search that saw the vertex last */
    uint32_t *done;        /**< the search in which its path is final */
    uint32_t *vertices;    /**< by distance */
    uint32_t count, number;
    cycles_waiting *heap;
    size_t waiting, room;
    bool has_ties; /**< two paths are alike */
} cycles_search;

/** The arcs' lengths belong to the caller. */
riffle_status cycles_search_create(const cycles_graph *graph, const cycles_length *arc_length,
                                   cycles_search *out);
void cycles_search_free(cycles_search *search);

/** Searches from a root all vertices within `radius`. has_ties stays set once it is. */
riffle_status cycles_search_from(cycles_search *search, uint32_t root, cycles_weight radius);

#endif
