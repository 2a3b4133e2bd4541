/* SPDX-License-Identifier: Apache-2.0
 *
 * A basis is minimum if no cycle outside may take the place of a heavier one in it. Cycle C may take that of B_i where B_i is one of those whose
 * sum C is. Let A be the matrix of the basis over the edges of no spanning forest, and S its inverse. Row e of S says in which B_i's place edge e
 * puts cycles: those of the sum of the rows of a cycle's edges are the B_i whose sum it is.
 *
 * For a root x and any shortest-path tree from it, each cycle through x is the sum of the cycles x - u - v - x of its edges uv, and none of
 * these is heavier than it. So if none of them, for all roots and edges, may take the place of a heavier B_i, no cycle may. That holds for any
 * choice among shortest paths. The sums of rows along paths are added up in words of 64 cycles of the basis each.
 */
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "base/threads/team.h"
#include "base/threads/threads.h"
#include "cycles/earliest.h"
#include "cycles/search.h"

enum { ROOTS_AT_ONCE = 4, ROOTS_A_THREAD = 16 };

typedef struct given {
    const cycles_graph *graph;
    uint64_t cycles;
    const uint64_t *first, *edge;
    cycles_weight *weight; /* each cycle's */
    uint64_t *rows;        /* S */
    size_t words;          /* a row's */
} given;

/* A cycle that is lighter than one whose place it may take. */
typedef struct better {
    bool any;
    uint32_t root, edge;
    uint64_t cycle;
} better;

typedef struct prover {
    cycles_search search;
    uint64_t *sums; /* each vertex's, over its path */
    better found;
    bool has_room;
} prover;

typedef struct proof {
    const given *g;
    prover *provers;
    uint64_t *taken;
} proof;

/* --------------------------------------------------------- what cycles are */

/* Each vertex has an even number of the edges, and no edge comes twice. */
static riffle_status check_cycle(const given *g, uint64_t k, unsigned char *odd, unsigned char *used) {
    const uint64_t begin = g->first[k], end = g->first[k + 1];
    bool is_even = true, is_once = true;
    for (uint64_t i = begin; i < end; i++) {
        const uint32_t e = (uint32_t)g->edge[i];
        is_once &= used[e]++ == 0;
        odd[g->graph->ends[e][0]] ^= 1;
        odd[g->graph->ends[e][1]] ^= 1;
        g->weight[k] += g->graph->weight[e];
    }
    for (uint64_t i = begin; i < end; i++) {
        const uint32_t e = (uint32_t)g->edge[i];
        is_even &= odd[g->graph->ends[e][0]] == 0 && odd[g->graph->ends[e][1]] == 0;
    }
    for (uint64_t i = begin; i < end; i++) {
        const uint32_t e = (uint32_t)g->edge[i];
        used[e] = odd[g->graph->ends[e][0]] = odd[g->graph->ends[e][1]] = 0;
    }
    if (is_even && is_once) return RIFFLE_OK;
    return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "cycle %llu: %s", (unsigned long long)k,
                is_once ? "its edges are not closed" : "has an edge twice");
}

static riffle_status check_numbers(const given *g) {
    for (uint64_t k = 0; k < g->cycles; k++) {
        if (g->first[k + 1] < g->first[k] || g->first[0] != 0)
            return fail(RIFFLE_ERROR_INVALID_ARGUMENT,
                        "first: cycle %llu begins behind its end, or the first not at 0",
                        (unsigned long long)k);
        for (uint64_t i = g->first[k]; i < g->first[k + 1]; i++)
            if (g->edge[i] >= g->graph->edges)
                return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "cycle %llu: has the edge %llu; edges are below %u",
                            (unsigned long long)k, (unsigned long long)g->edge[i], g->graph->edges);
    }
    return RIFFLE_OK;
}

static riffle_status check_cycles(const given *g) {
    unsigned char *const odd = calloc((size_t)g->graph->vertices + g->graph->edges + 1, 1);
    riffle_status status = odd == NULL ? fail_memory("degrees", g->graph->vertices) : check_numbers(g);
    for (uint64_t k = 0; k < g->cycles && status == RIFFLE_OK; k++) {
        status = check_cycle(g, k, odd, odd + g->graph->vertices);
        if (status == RIFFLE_OK && k > 0 && g->weight[k] < g->weight[k - 1])
            status = fail(RIFFLE_ERROR_INVALID_ARGUMENT,
                          "cycle %llu: is lighter than the one before; cycles come by weight",
                          (unsigned long long)k);
    }
    free(odd);
    return status;
}

/* ------------------------------------------------------------- independence */

static riffle_status invert(const given *g, const riffle_call_options *options) {
    const size_t words = g->cycles * g->words;
    uint64_t *const a = calloc(words + 1, sizeof *a);
    if (a == NULL) return fail_memory("cycles as rows", words * sizeof *a);
    for (uint64_t k = 0; k < g->cycles; k++)
        for (uint64_t i = g->first[k]; i < g->first[k + 1]; i++) {
            const uint32_t edge = (uint32_t)g->edge[i];
            cycles_write_row(g->graph, &edge, 1, a + k * g->words);
        }
    const riffle_f2_matrix from = {g->cycles, g->cycles, g->words, a},
                           to = {g->cycles, g->cycles, g->words, g->rows};
    riffle_status status = riffle_f2_inverse(&to, &from, options);
    if (status == RIFFLE_ERROR_SINGULAR)
        status = fail(RIFFLE_ERROR_INVALID_ARGUMENT, "cycles: are not independent; one is a sum of others");
    free(a);
    return status;
}

/* ------------------------------------------------------------------ weights */

static const uint64_t *row_of(const given *g, uint32_t edge) {
    return g->graph->column[edge] == CYCLES_NONE ? NULL : g->rows + g->graph->column[edge] * g->words;
}

static uint64_t word_of(const uint64_t *row, size_t w) { return row == NULL ? 0 : row[w]; }

/* The heaviest cycle of the basis that is one of the sum; those come by weight. */
static bool find_last(const given *g, const uint64_t *a, const uint64_t *b, const uint64_t *row,
                      uint64_t *out) {
    for (size_t w = g->words; w-- > 0;) {
        const uint64_t bits = word_of(a, w) ^ word_of(b, w) ^ word_of(row, w);
        if (bits == 0) continue;
        *out = w * 64 + 63 - (unsigned)__builtin_clzll(bits);
        return true;
    }
    return false;
}

static void sum_paths(const given *g, prover *p) {
    const cycles_search *const s = &p->search;
    for (uint32_t k = 0; k < s->count; k++) {
        const uint32_t v = s->vertices[k];
        uint64_t *const to = p->sums + v * g->words;
        memset(to, 0, g->words * sizeof *to);
        if (k == 0) continue;
        const uint64_t *const from = p->sums + cycles_other(g->graph, s->edge[v], v) * g->words,
                              *const row = row_of(g, s->edge[v]);
        for (size_t w = 0; w < g->words; w++) to[w] = from[w] ^ word_of(row, w);
    }
}

/* Looks at the cycles of one root. */
static void look_from(const given *g, prover *p, uint32_t root) {
    const cycles_search *const s = &p->search;
    sum_paths(g, p);
    for (uint32_t k = 0; k < s->count; k++) {
        const uint32_t v = s->vertices[k];
        for (uint64_t a = g->graph->first[v]; a < g->graph->first[v + 1]; a++) {
            const cycles_arc arc = g->graph->arcs[a];
            if (arc.to < v) continue; /* from its other end */
            const cycles_weight weight =
                s->length[v].weight + s->length[arc.to].weight + g->graph->weight[arc.edge];
            uint64_t last;
            if (weight >= g->weight[g->cycles - 1]) continue;
            if (!find_last(g, p->sums + v * g->words, p->sums + arc.to * g->words, row_of(g, arc.edge), &last))
                continue;
            if (weight < g->weight[last]) p->found = (better){true, root, arc.edge, last};
        }
    }
}

/* A loop is a cycle of its own. */
static riffle_status check_loops(const given *g) {
    for (uint32_t e = 0; e < g->graph->edges; e++) {
        uint64_t last;
        if (!cycles_is_loop(g->graph, e) || !find_last(g, row_of(g, e), NULL, NULL, &last)) continue;
        if (g->graph->weight[e] < g->weight[last])
            return fail(RIFFLE_ERROR_INVALID_ARGUMENT,
                        "cycle %llu: a lighter one may take its place, the loop that edge %u is",
                        (unsigned long long)last, e);
    }
    return RIFFLE_OK;
}

static void look_from_some(const void *context, team_member me) {
    const proof *const f = context;
    prover *const p = &f->provers[me.number];
    while (p->has_room && !p->found.any) {
        const team_share some = team_take(f->g->graph->vertices, ROOTS_AT_ONCE, f->taken);
        if (some.first == some.end) return;
        for (uint64_t root = some.first; root < some.end && p->has_room; root++) {
            p->has_room = cycles_search_from(&p->search, (uint32_t)root, ~(cycles_weight)0) == RIFFLE_OK;
            if (p->has_room) look_from(f->g, p, (uint32_t)root);
        }
    }
}

static riffle_status make_prover(const given *g, const cycles_length *lengths, prover *p) {
    const size_t words = (size_t)g->graph->vertices * g->words;
    p->sums = malloc((words + 1) * sizeof *p->sums);
    p->has_room = p->sums != NULL;
    return p->has_room ? cycles_search_create(g->graph, lengths, &p->search)
                       : fail_memory("sums of paths", words * sizeof *p->sums);
}

static riffle_status judge(const prover *provers, unsigned threads) {
    for (unsigned k = 0; k < threads; k++) {
        const better *const found = &provers[k].found;
        if (!provers[k].has_room) return fail_memory("a search for shortest paths", sizeof *provers);
        if (found->any)
            return fail(RIFFLE_ERROR_INVALID_ARGUMENT,
                        "cycle %llu: a lighter one may take its place, made of the shortest paths from vertex "
                        "%u to both ends of edge %u",
                        (unsigned long long)found->cycle, found->root, found->edge);
    }
    return RIFFLE_OK;
}

static riffle_status prove(const given *g, unsigned most) {
    uint64_t taken = 0;
    const unsigned threads = threads_for(g->graph->vertices, ROOTS_A_THREAD, most);
    prover *const provers = calloc(threads, sizeof *provers);
    cycles_length *const lengths = cycles_arc_lengths(g->graph, 0);
    riffle_status status = provers == NULL || lengths == NULL
                               ? fail_memory("a proof", g->graph->edges * 2 * sizeof *lengths)
                               : RIFFLE_OK;
    for (unsigned k = 0; k < threads && status == RIFFLE_OK; k++) status = make_prover(g, lengths, &provers[k]);
    if (status == RIFFLE_OK) {
        team_run(threads, look_from_some, &(proof){g, provers, &taken});
        status = judge(provers, threads);
    }
    for (unsigned k = 0; k < threads && provers != NULL; k++) {
        free(provers[k].sums);
        cycles_search_free(&provers[k].search);
    }
    free(provers);
    free(lengths);
    return status;
}

/* ---------------------------------------------------------------- the call */

static riffle_status check_all(given *g, const riffle_call_options *options) {
    if (g->cycles != g->graph->dimension)
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "cycles: %llu; the graph's have %u dimensions",
                    (unsigned long long)g->cycles, g->graph->dimension);
    if (g->cycles == 0) return RIFFLE_OK;
    if (g->cycles > RIFFLE_F2_MAX)
        return fail(RIFFLE_ERROR_LENGTH, "cycles: %llu; %llu are checked at most",
                    (unsigned long long)g->cycles, (unsigned long long)RIFFLE_F2_MAX);
    g->weight = calloc(g->cycles, sizeof *g->weight);
    g->rows = calloc(g->cycles * g->words, sizeof *g->rows);
    riffle_status status = g->weight == NULL || g->rows == NULL
                               ? fail_memory("a proof", g->cycles * g->words * sizeof *g->rows)
                               : RIFFLE_OK;
    if (status == RIFFLE_OK) status = check_cycles(g);
    if (status == RIFFLE_OK) status = invert(g, options);
    if (status == RIFFLE_OK) status = check_loops(g);
    if (status == RIFFLE_OK) status = prove(g, threads_most_of_call(options));
    free(g->weight);
    free(g->rows);
    return status;
}

riffle_status riffle_cycles_check(const riffle_cycles_graph *graph, uint64_t cycles, const uint64_t *first,
                                  const uint64_t *edge, const riffle_call_options *options) {
    cycles_graph made;
    RETURN_IF_NULL(graph);
    riffle_status status = cycles_graph_create(graph, &made);
    if (status != RIFFLE_OK) return status;
    given g = {&made, cycles, first, edge, NULL, NULL, riffle_f2_stride(cycles)};
    if (cycles > 0 && (first == NULL || edge == NULL))
        status = fail(RIFFLE_ERROR_INVALID_ARGUMENT, "first, edge: NULL; pass the cycles");
    else
        status = check_all(&g, options);
    cycles_graph_free(&made);
    return status;
}
