/* SPDX-License-Identifier: Apache-2.0 */
#include "cycles/trees.h"

#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "base/threads/team.h"
#include "base/threads/threads.h"
#include "cycles/search.h"

enum {
    ROOTS_AT_ONCE = 8,
    DENSE_FROM = 4, /* a table has a place for each vertex where the tree has a fourth of them */
    MOST_SEEDS = 16,
    ROOTS_A_THREAD = 64,
};

typedef struct growing {
    const cycles_graph *graph;
    cycles_trees *trees;
    cycles_search *search; /* each thread's */
    riffle_status *status;
    uint64_t *taken;
} growing;

static uint32_t places_for(uint32_t count) {
    uint32_t places = 4;
    while (places < 2 * count) places *= 2;
    return places;
}

static void put(cycles_tree *tree, uint32_t vertex, uint32_t edge) {
    if (tree->mask == CYCLES_NONE) {
        tree->table[vertex] = edge;
        return;
    }
    uint32_t place = vertex & tree->mask;
    while (tree->table[2 * (size_t)place] != CYCLES_NONE) place = (place + 1) & tree->mask;
    tree->table[2 * (size_t)place] = vertex;
    tree->table[2 * (size_t)place + 1] = edge;
}

/* Keeps what a search has found. */
static riffle_status keep(const cycles_search *s, cycles_tree *tree) {
    const bool is_dense = s->count >= s->graph->vertices / DENSE_FROM;
    const uint32_t places = is_dense ? 0 : places_for(s->count);
    const size_t table = is_dense ? s->graph->vertices : 2 * (size_t)places;
    tree->vertices = malloc((s->count + table) * sizeof *tree->vertices);
    if (tree->vertices == NULL)
        return fail_memory("shortest-path trees", (s->count + table) * sizeof *tree->vertices);
    tree->count = s->count;
    tree->mask = is_dense ? CYCLES_NONE : places - 1;
    tree->table = tree->vertices + s->count;
    memcpy(tree->vertices, s->vertices, s->count * sizeof *tree->vertices);
    memset(tree->table, 0xff, table * sizeof *tree->table);
    for (uint32_t k = 0; k < s->count; k++) put(tree, s->vertices[k], s->edge[s->vertices[k]]);
    return RIFFLE_OK;
}

static cycles_weight radius_of(cycles_weight limit) { return limit == ~(cycles_weight)0 ? limit : limit / 2; }

static void grow_some(const void *context, team_member me) {
    const growing *const w = context;
    cycles_search *const search = &w->search[me.number];
    riffle_status status = RIFFLE_OK;
    while (status == RIFFLE_OK && !search->has_ties) {
        const team_share some = team_take(w->graph->vertices, ROOTS_AT_ONCE, w->taken);
        if (some.first == some.end) break;
        for (uint64_t root = some.first; root < some.end && status == RIFFLE_OK; root++) {
            status = cycles_search_from(search, (uint32_t)root, radius_of(w->trees->limit));
            if (status == RIFFLE_OK) status = keep(search, &w->trees->tree[root]);
        }
    }
    w->status[me.number] = status;
}

static void free_trees(cycles_trees *trees) {
    for (uint32_t root = 0; root < trees->graph->vertices; root++) {
        free(trees->tree[root].vertices);
        trees->tree[root] = (cycles_tree){0};
    }
}

/* One attempt: *again if the seed has made two paths alike. */
static riffle_status grow_all(cycles_trees *trees, cycles_search *search, riffle_status *statuses,
                              unsigned threads, bool *again) {
    uint64_t taken = 0;
    riffle_status status = RIFFLE_OK;
    const growing w = {trees->graph, trees, search, statuses, &taken};
    team_run(threads, grow_some, &w);
    *again = false;
    for (unsigned k = 0; k < threads; k++) {
        *again |= search[k].has_ties;
        if (statuses[k] != RIFFLE_OK)
            status = fail_memory("shortest-path trees", trees->graph->vertices * sizeof *trees->tree);
    }
    return status;
}

static riffle_status attempt(cycles_trees *trees, uint64_t seed, unsigned threads, bool *again) {
    cycles_search *const search = calloc(threads, sizeof *search);
    riffle_status *const statuses = calloc(threads, sizeof *statuses);
    cycles_length *const lengths = cycles_arc_lengths(trees->graph, seed);
    riffle_status status =
        search == NULL || statuses == NULL || lengths == NULL
            ? fail_memory("searches for shortest paths", trees->graph->edges * 2 * sizeof *lengths)
            : RIFFLE_OK;
    for (unsigned k = 0; k < threads && status == RIFFLE_OK; k++)
        status = cycles_search_create(trees->graph, lengths, &search[k]);
    if (status == RIFFLE_OK) status = grow_all(trees, search, statuses, threads, again);
    for (unsigned k = 0; k < threads && search != NULL; k++) cycles_search_free(&search[k]);
    free(search);
    free(statuses);
    free(lengths);
    return status;
}

riffle_status cycles_trees_create(const cycles_graph *graph, cycles_weight limit, unsigned threads,
                                  cycles_trees *out) {
    cycles_trees trees = {.graph = graph, .limit = limit};
    trees.tree = calloc((size_t)graph->vertices + 1, sizeof *trees.tree);
    if (trees.tree == NULL) return fail_memory("shortest-path trees", graph->vertices * sizeof *trees.tree);
    const unsigned useful = threads_for(graph->vertices, ROOTS_A_THREAD, threads_most(threads));
    bool again = true;
    riffle_status status = RIFFLE_OK;
    for (uint64_t seed = 1; again && status == RIFFLE_OK; seed++) {
        free_trees(&trees);
        status = seed > MOST_SEEDS
                     ? fail(RIFFLE_ERROR_INTERNAL,
                            "cycles: %d seeds leave paths alike; please report the graph", MOST_SEEDS)
                     : attempt(&trees, seed << 32, useful, &again);
    }
    for (uint32_t root = 0; root < graph->vertices; root++) trees.reached += trees.tree[root].count;
    if (status == RIFFLE_OK)
        *out = trees;
    else
        cycles_trees_free(&trees);
    return status;
}

void cycles_trees_free(cycles_trees *trees) {
    if (trees->tree == NULL) return;
    free_trees(trees);
    free(trees->tree);
}
