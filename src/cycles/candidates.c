/* SPDX-License-Identifier: Apache-2.0
 *
 * Each isometric cycle is, from each of its vertices, two shortest paths and an edge between their ends. It is looked for from its
 * least vertex alone, the root: among the edges that join two branches of the root's tree, of vertices whose paths have no lesser vertex.
 *
 *     root - c1 - c2 - u            c[0], c[1], ... around the cycle, edge[i] from c[i] to the next
 *        \               | edge     the edge is opposite to the root
 *         ck-1 - ... --- v
 *
 * It is isometric if it is so from all vertices. That is tried going round: the edge opposite to c[i+1] is the one opposite to c[i] or
 * comes after it. With c[j] the last vertex to which the way forward from c[i+1] is shortest, the way to c[j+1] is
 *     back, through c[i], if the path from c[j+1] reaches c[i+1] by edge[i]: then edge[j] is opposite;
 *     forward, if the path from c[i+1] reaches c[j+1] by edge[j]: then j + 1 is tried;
 *     neither: the cycle is not isometric.
 * In both cases the rest of the way is known to be shortest, so each question is one edge in a tree.
 */
#include "cycles/candidates.h"

#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "base/threads/team.h"
#include "base/threads/threads.h"

enum { ROOTS_AT_ONCE = 8, ROOTS_A_THREAD = 64 };

/* A vertex, as it is known while the tree of one root is gone through. */
typedef struct place {
    cycles_weight weight; /* its path's */
    uint32_t root;        /* the place is this root's; another number: the vertex has none */
    uint32_t branch;      /* the first vertex of its path, the root's own NONE */
    uint32_t parent, edge;
    uint32_t depth;
} place;

typedef struct walker {
    place *places;
    uint32_t *around, *edges; /* a cycle */
    bool has_room;
} walker;

typedef struct found {
    const cycles_trees *trees;
    walker *walkers;    /* each thread's */
    cycles_list *lists; /* each piece's: of ROOTS_AT_ONCE roots */
    uint64_t pieces;
    uint64_t *taken;
} found;

static uint32_t edge_in(const cycles_trees *trees, uint32_t root, uint32_t vertex) {
    return cycles_tree_edge(&trees->tree[root], vertex);
}

/* One step of the way round, from the root to the first vertex of a branch: few cycles pass that are not isometric. The edge joins the branch to
 * `beyond`. */
static bool turns(const cycles_trees *trees, const walker *w, uint32_t branch, uint32_t beyond, uint32_t edge) {
    if (branch == CYCLES_NONE) return true;
    return edge_in(trees, beyond, branch) == w->places[branch].edge || edge_in(trees, branch, beyond) == edge;
}

/* True if the cycle of `length` vertices is isometric, opposite to whose first is edge j. */
static bool is_isometric(const cycles_trees *trees, const walker *w, uint32_t length, uint32_t j) {
    const uint32_t *const around = w->around, *const edges = w->edges;
    for (uint32_t i = 1; i < length; i++) {
        if (j < i) j = i;
        for (; j + 1 < i + length; j++) {
            const uint32_t here = around[i], next = around[(j + 1) % length];
            if (edge_in(trees, next, here) == edges[i - 1]) break;
            if (edge_in(trees, here, next) != edges[j % length]) return false;
        }
    }
    return true;
}

/* Writes the cycle from the root to u, along the edge and back from v. Returns its length. */
static uint32_t walk_around(const walker *w, uint32_t u, uint32_t v, uint32_t edge) {
    const uint32_t before = w->places[u].depth, length = before + w->places[v].depth + 1;
    uint32_t at = u;
    for (uint32_t k = before; k > 0; k--, at = w->places[at].parent) {
        w->around[k] = at;
        w->edges[k - 1] = w->places[at].edge;
    }
    w->around[0] = at;
    w->edges[before] = edge;
    at = v;
    for (uint32_t k = before + 1; k < length; k++, at = w->places[at].parent) {
        w->around[k] = at;
        w->edges[k] = w->places[at].edge;
    }
    return length;
}

static bool look_at(const cycles_trees *trees, walker *w, uint32_t u, uint32_t v, uint32_t edge,
                    cycles_list *list) {
    const place *const a = &w->places[u], *const b = &w->places[v];
    const cycles_weight weight = a->weight + b->weight + trees->graph->weight[edge];
    if (a->branch == b->branch || weight > trees->limit) return true;
    list->looked_at++;
    if (!turns(trees, w, a->branch, v, edge) || !turns(trees, w, b->branch, u, edge)) return true;
    const uint32_t length = walk_around(w, u, v, edge);
    return !is_isometric(trees, w, length, a->depth) || cycles_list_add(list, w->edges, length, weight);
}

/* Places a vertex of the root's tree; false if a lesser vertex than the root is on its path. */
static bool place_vertex(const cycles_trees *trees, walker *w, uint32_t root, uint32_t v) {
    if (v == root) {
        w->places[v] = (place){.root = root, .branch = CYCLES_NONE, .parent = CYCLES_NONE, .edge = CYCLES_NONE};
        return true;
    }
    const uint32_t edge = edge_in(trees, root, v), parent = cycles_other(trees->graph, edge, v);
    const place *const above = &w->places[parent];
    if (v < root || above->root != root) return false;
    w->places[v] = (place){.weight = above->weight + trees->graph->weight[edge],
                           .root = root,
                           .branch = parent == root ? v : above->branch,
                           .parent = parent,
                           .edge = edge,
                           .depth = above->depth + 1};
    return true;
}

/* Each edge is looked at from the end that comes later in the tree. */
static bool look_from(const cycles_trees *trees, walker *w, uint32_t root, cycles_list *list) {
    const cycles_graph *const graph = trees->graph;
    const cycles_tree *const tree = &trees->tree[root];
    for (uint32_t k = 0; k < tree->count; k++) {
        const uint32_t v = tree->vertices[k];
        if (!place_vertex(trees, w, root, v)) continue;
        for (uint64_t a = graph->first[v]; a < graph->first[v + 1]; a++) {
            const cycles_arc arc = graph->arcs[a];
            if (w->places[arc.to].root != root || arc.edge == w->places[v].edge) continue;
            if (!look_at(trees, w, arc.to, v, arc.edge, list)) return false;
        }
    }
    return true;
}

static void look_from_some(const void *context, team_member me) {
    const found *const f = context;
    walker *const w = &f->walkers[me.number];
    while (w->has_room) {
        const team_share one = team_take(f->pieces, 1, f->taken);
        if (one.first == one.end) return;
        const uint64_t end = (one.first + 1) * ROOTS_AT_ONCE, n = f->trees->graph->vertices;
        for (uint64_t root = one.first * ROOTS_AT_ONCE; root < end && root < n && w->has_room; root++)
            w->has_room = look_from(f->trees, w, (uint32_t)root, &f->lists[one.first]);
    }
}

static bool add_loops(const cycles_graph *graph, cycles_weight limit, cycles_list *list) {
    for (uint32_t e = 0; e < graph->edges; e++)
        if (cycles_is_loop(graph, e) && graph->weight[e] <= limit &&
            !cycles_list_add(list, &e, 1, graph->weight[e]))
            return false;
    return true;
}

/* One list of all, in the order of roots. */
static bool join(const found *f, cycles_list *all) {
    for (uint64_t p = 0; p < f->pieces; p++) {
        const cycles_list *const one = &f->lists[p];
        all->looked_at += one->looked_at;
        for (uint64_t k = 0; k < one->count; k++)
            if (!cycles_list_add(all, one->edges + one->first[k], (uint32_t)(one->first[k + 1] - one->first[k]),
                                 one->weight[k]))
                return false;
    }
    return add_loops(f->trees->graph, f->trees->limit, all);
}

static bool make_walker(const cycles_graph *graph, walker *w) {
    const size_t n = (size_t)graph->vertices + 1;
    w->places = malloc(n * sizeof *w->places);
    w->around = malloc(2 * n * sizeof *w->around);
    w->edges = w->around == NULL ? NULL : w->around + n;
    for (size_t v = 0; v < n && w->places != NULL; v++) w->places[v].root = CYCLES_NONE;
    return w->has_room = w->places != NULL && w->around != NULL;
}

static bool find(found *f, unsigned threads, cycles_list *all) {
    bool has_room = f->walkers != NULL && f->lists != NULL;
    for (unsigned k = 0; k < threads && has_room; k++) has_room = make_walker(f->trees->graph, &f->walkers[k]);
    if (has_room) team_run(threads, look_from_some, f);
    for (unsigned k = 0; k < threads && has_room; k++) has_room = f->walkers[k].has_room;
    return has_room && join(f, all);
}

riffle_status cycles_candidates(const cycles_trees *trees, unsigned threads, cycles_list *out) {
    const unsigned useful = threads_for(trees->graph->vertices, ROOTS_A_THREAD, threads_most(threads));
    uint64_t taken = 0;
    cycles_list all = {0};
    found f = {.trees = trees,
               .pieces = (trees->graph->vertices + ROOTS_AT_ONCE - 1) / ROOTS_AT_ONCE,
               .taken = &taken};
    f.walkers = calloc(useful, sizeof *f.walkers);
    f.lists = calloc(f.pieces + 1, sizeof *f.lists);
    const bool has_room = find(&f, useful, &all);
    for (unsigned k = 0; k < useful && f.walkers != NULL; k++) {
        free(f.walkers[k].places);
        free(f.walkers[k].around);
    }
    for (uint64_t p = 0; p < f.pieces && f.lists != NULL; p++) cycles_list_free(&f.lists[p]);
    free(f.walkers);
    free(f.lists);
    if (has_room) {
        *out = all;
        return RIFFLE_OK;
    }
    cycles_list_free(&all);
    return fail_memory("isometric cycles",
                       all.edges_room * sizeof *all.edges + trees->graph->vertices * sizeof(place));
}
