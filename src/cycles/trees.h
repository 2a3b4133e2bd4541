/* SPDX-License-Identifier: Apache-2.0
 *
 * Shortest-path trees from each vertex, out to a limit, by one order of paths in which no two are alike: by weight, and then by the
 * sum of a number that each edge has at random (from a fixed seed). If two paths are alike all the same, the search says so, and is
 * made again from another seed. So there is one shortest path between two vertices, the same from either end, and parts of it
 * are shortest paths.
 *
 * For a vertex v of the tree of root r, the edge by which v is reached is also the first edge of the path from v to r.
 */
#ifndef RIFFLE_CYCLES_TREES_H
#define RIFFLE_CYCLES_TREES_H

#include "cycles/graph.h"

typedef struct cycles_tree {
    uint32_t count;     /**< vertices within the limit, the root too */
    uint32_t mask;      /**< the table's places less one; CYCLES_NONE: it has one for each vertex */
    uint32_t *vertices; /**< by their distance, the root first */
    uint32_t *table;    /**< the edge that reaches each vertex; or pairs of a vertex and its edge */
} cycles_tree;

typedef struct cycles_trees {
    const cycles_graph *graph;
    cycles_tree *tree;   /**< each vertex's */
    cycles_weight limit; /**< vertices are within half of it; all ones: of everything */
    uint64_t reached;    /**< vertices in all trees */
} cycles_trees;

/** Makes the trees of vertices within limit / 2. cycles_trees_free frees them. */
riffle_status cycles_trees_create(const cycles_graph *graph, cycles_weight limit, unsigned threads,
                                  cycles_trees *out);
void cycles_trees_free(cycles_trees *trees);

/** The edge that reaches a vertex in a tree; CYCLES_NONE for its root, and for what is not in it. */
static inline uint32_t cycles_tree_edge(const cycles_tree *tree, uint32_t vertex) {
    if (tree->mask == CYCLES_NONE) return tree->table[vertex];
    for (uint32_t place = vertex & tree->mask;; place = (place + 1) & tree->mask) {
        const uint32_t *const pair = tree->table + 2 * (size_t)place;
        if (pair[0] == vertex) return pair[1];
        if (pair[0] == CYCLES_NONE) return CYCLES_NONE;
    }
}

#endif
