/* SPDX-License-Identifier: Apache-2.0
 *
 * Colours the edges of a regular bipartite multigraph so that no two at one node share a colour: Koenig's
 * theorem (Kasagi, Nakano, Ito 2013, theorem 6), in O(E log D) for E edges of degree D.
 *
 *     even degree   an Euler split: walk along the edges and give them to two halves in turn; every node then
 *                   has half its edges in each
 *     odd degree    one perfect matching by random walks (Goel, Kapralov, Khanna 2010) gets a colour of its own
 */
#ifndef RIFFLE_PAPERS_SCHEDULES_EDGE_COLOURING_H
#define RIFFLE_PAPERS_SCHEDULES_EDGE_COLOURING_H

#include <stdbool.h>

#include "riffle.h"

enum { EDGE_COLOURING_MAX_NODES = 1 << 16, EDGE_COLOURING_MAX_DEGREE = 1 << 16 };

/** A bipartite multigraph with `nodes` nodes on each side, each of `degree` edges: edge e leaves left node e /
 *  degree and enters right node right[e]. nodes * degree < 2^32. */
typedef struct edge_graph {
    uint32_t nodes;
    uint32_t degree;
    const uint16_t *right;
} edge_graph;

/** Bytes of workspace that edge_colour needs: with the graph and the colours at most 40 an edge. */
size_t edge_colouring_workspace_bytes(uint32_t nodes, uint32_t degree);

/** Writes a colour from 0 to degree - 1 for each edge into colour[]. `workspace` is 8-byte aligned and may
 *  hold anything. Takes up to `threads` threads. The graph must be regular (only
 *  edge_colouring_is_valid looks). */
void edge_colour(const edge_graph *graph, unsigned threads, void *workspace, uint16_t *colour);

/** True if the graph is regular and no two edges at a node have the same colour. Slow and plain: for tests. */
bool edge_colouring_is_valid(const edge_graph *graph, const uint16_t *colour);

#endif
