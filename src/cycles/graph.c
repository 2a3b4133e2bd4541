/* SPDX-License-Identifier: Apache-2.0 */
#include "cycles/graph.h"

#include <stdlib.h>

#include "base/status.h"
#include "cycles/weights.h"

static riffle_status check(const riffle_cycles_graph *from) {
    if (from->vertices > RIFFLE_CYCLES_MAX_VERTICES)
        return fail(RIFFLE_ERROR_LENGTH, "graph: %llu vertices; there are %llu at most",
                    (unsigned long long)from->vertices, (unsigned long long)RIFFLE_CYCLES_MAX_VERTICES);
    if (from->edges > RIFFLE_CYCLES_MAX_EDGES)
        return fail(RIFFLE_ERROR_LENGTH, "graph: %llu edges; there are %llu at most",
                    (unsigned long long)from->edges, (unsigned long long)RIFFLE_CYCLES_MAX_EDGES);
    if (from->edges > 0 && from->ends == NULL)
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "ends: NULL; pass two vertices for each edge");
    for (uint64_t k = 0; k < 2 * from->edges; k++)
        if (from->ends[k] >= from->vertices)
            return fail(RIFFLE_ERROR_INVALID_ARGUMENT,
                        "ends: edge %llu has the vertex %llu; vertices are below %llu",
                        (unsigned long long)k / 2, (unsigned long long)from->ends[k],
                        (unsigned long long)from->vertices);
    return RIFFLE_OK;
}

static riffle_status make_room(cycles_graph *graph) {
    const size_t n = graph->vertices, m = graph->edges;
    graph->ends = calloc(m + 1, sizeof *graph->ends);
    graph->first = calloc(n + 2, sizeof *graph->first);
    graph->arcs = calloc(2 * m + 1, sizeof *graph->arcs);
    graph->weight = calloc(m + 1, sizeof *graph->weight);
    graph->column = calloc(m + 1, sizeof *graph->column);
    if (graph->ends != NULL && graph->first != NULL && graph->arcs != NULL && graph->weight != NULL &&
        graph->column != NULL)
        return RIFFLE_OK;
    return fail_memory("a graph", m * (sizeof *graph->ends + 2 * sizeof *graph->arcs + sizeof *graph->weight +
                                       sizeof *graph->column) +
                                      n * sizeof *graph->first);
}

/* By counting; first[v + 1] is where v's next arc goes meanwhile. */
static void sort_arcs(cycles_graph *graph) {
    uint64_t *const next = graph->first + 1;
    for (uint32_t e = 0; e < graph->edges; e++)
        for (unsigned side = 0; side < 2 && !cycles_is_loop(graph, e); side++) next[graph->ends[e][side] + 1]++;
    for (uint32_t v = 0; v < graph->vertices; v++) next[v + 1] += next[v];
    for (uint32_t e = 0; e < graph->edges; e++)
        for (unsigned side = 0; side < 2 && !cycles_is_loop(graph, e); side++)
            graph->arcs[next[graph->ends[e][side]]++] = (cycles_arc){graph->ends[e][1 - side], e};
}

static uint32_t find_root(uint32_t *parent, uint32_t v) {
    while (parent[v] != v) {
        parent[v] = parent[parent[v]];
        v = parent[v];
    }
    return v;
}

/* A spanning forest, by joining: each edge within a tree is a coordinate of the cycle space. */
static riffle_status span(cycles_graph *graph) {
    uint32_t *const parent = malloc(((size_t)graph->vertices + 1) * sizeof *parent);
    if (parent == NULL) return fail_memory("a spanning forest", graph->vertices * sizeof *parent);
    graph->components = graph->vertices;
    graph->dimension = 0;
    for (uint32_t v = 0; v < graph->vertices; v++) parent[v] = v;
    for (uint32_t e = 0; e < graph->edges; e++) {
        const uint32_t a = find_root(parent, graph->ends[e][0]), b = find_root(parent, graph->ends[e][1]);
        graph->column[e] = a == b ? graph->dimension++ : CYCLES_NONE;
        if (a != b) graph->components--;
        parent[a] = b;
    }
    free(parent);
    return RIFFLE_OK;
}

riffle_status cycles_graph_create(const riffle_cycles_graph *from, cycles_graph *out) {
    riffle_status status = check(from);
    if (status != RIFFLE_OK) return status;
    cycles_graph graph = {.vertices = (uint32_t)from->vertices, .edges = (uint32_t)from->edges};
    status = make_room(&graph);
    if (status == RIFFLE_OK) {
        for (uint32_t e = 0; e < graph.edges; e++)
            for (unsigned side = 0; side < 2; side++)
                graph.ends[e][side] = (uint32_t)from->ends[2 * (size_t)e + side];
        status = cycles_read_weights(from, &graph);
    }
    if (status == RIFFLE_OK) status = span(&graph);
    if (status == RIFFLE_OK) {
        sort_arcs(&graph);
        *out = graph;
    } else {
        cycles_graph_free(&graph);
    }
    return status;
}

void cycles_graph_free(cycles_graph *graph) {
    free(graph->ends);
    free(graph->first);
    free(graph->arcs);
    free(graph->weight);
    free(graph->column);
}
