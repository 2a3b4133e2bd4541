/* SPDX-License-Identifier: Apache-2.0
 *
 * A graph as searches read it: for each vertex its arcs, one behind the other, and weights as integers.
 *
 *     first     0 . 3 . 5 ...            vertex v has arcs first[v] to first[v + 1]
 *     arcs      |to edge|to edge|...     each edge is two arcs; a loop is none
 *
 * Weights are whole numbers of units of 2^unit. Sums of any edges, each once, are less than 2^125.
 */
#ifndef RIFFLE_CYCLES_GRAPH_H
#define RIFFLE_CYCLES_GRAPH_H

#include <stdbool.h>

#include "riffle/cycles.h"

typedef unsigned __int128 cycles_weight;

/** No vertex, no edge, no column. */
#define CYCLES_NONE UINT32_MAX

typedef struct cycles_arc {
    uint32_t to, edge;
} cycles_arc;

typedef struct cycles_graph {
    uint32_t vertices, edges;
    uint32_t (*ends)[2];
    uint64_t *first;
    cycles_arc *arcs;
    cycles_weight *weight; /**< each edge's */
    cycles_weight total;   /**< the sum of all */
    cycles_weight lightest, heaviest;
    int unit;
    uint32_t components;
    uint32_t dimension; /**< the cycle space's */
    uint32_t *
        column; /**< the coordinate that an edge is in the cycle space; CYCLES_NONE for the edges of a spanning forest */
} cycles_graph;

/** Reads and checks what the caller has. cycles_graph_free frees it. */
riffle_status cycles_graph_create(const riffle_cycles_graph *from, cycles_graph *out);
void cycles_graph_free(cycles_graph *graph);

/** The other end of an edge. */
static inline uint32_t cycles_other(const cycles_graph *graph, uint32_t edge, uint32_t vertex) {
    return graph->ends[edge][0] ^ graph->ends[edge][1] ^ vertex;
}

static inline bool cycles_is_loop(const cycles_graph *graph, uint32_t edge) {
    return graph->ends[edge][0] == graph->ends[edge][1];
}

/** A weight as a double, rounded. */
double cycles_as_double(const cycles_graph *graph, cycles_weight weight);

#endif
