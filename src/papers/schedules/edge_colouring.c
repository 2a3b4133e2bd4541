/* SPDX-License-Identifier: Apache-2.0
 *
 * Both sides keep their edges in lists that stand one behind the other, `degree` positions a node. Edge number
 * p is the one at position p of the left lists, and q = enters[p] is its position in the right ones.
 *
 * Edges 2i and 2i + 1 of either side are a pair at one node. A walk from pair to pair, left and right in turn,
 * that gives its edges to the two halves in turn leaves one edge of every pair in each half. There it stands at
 * p / 2 and q / 2, so the lists of the halves need no counting and no sorting.
 *
 * Lists are in the order of the nodes at the other end, and halving keeps that: the pairs that a walk visits
 * one after the other lie close together.
 */
#include "papers/schedules/edge_colouring.h"

#include <stdlib.h>
#include <string.h>

enum { TASK_EDGES = 1 << 15 }; /* smaller graphs are not worth a task */

/* Marks in partner[] once a pair of left edges is dealt with: its first or its second edge is in the first
 * half. An even number of edges below 2^32 leaves both free. */
static const uint32_t FIRST_FIRST = UINT32_MAX - 1, SECOND_FIRST = UINT32_MAX;

/* A graph that is still to be coloured, in arrays of nodes * degree entries. */
typedef struct part {
    uint32_t degree;
    uint16_t *edge;      /* which of its node's edges p was in the whole graph */
    uint32_t *enters;    /* q of p */
    uint32_t *partner;   /* scratch */
    uint16_t *next_edge; /* where the halves go */
    uint32_t *next_enters;
    uint32_t colour; /* the first of its `degree` colours */
} part;

/* The state that all parts share. */
typedef struct colouring {
    uint32_t nodes;
    uint32_t degree;
    bool tasks;
    uint16_t *colour;
} colouring;

static size_t align_word(size_t bytes) { return (bytes + 7) / 8 * 8; }

size_t edge_colouring_workspace_bytes(uint32_t nodes, uint32_t degree) {
    const size_t edges = (size_t)nodes * degree;
    return 3 * align_word(edges * sizeof(uint32_t)) + 2 * align_word(edges * sizeof(uint16_t));
}

/* ---------------------------------------------------------------- Euler splits */

/* partner[p] = the edge paired with p on the right. next_enters holds the inverse of enters meanwhile. */
static void find_partners(const part *g, uint32_t edges) {
    uint32_t *const left = g->next_enters;
    for (uint32_t p = 0; p < edges; p++) left[g->enters[p]] = p;
    for (uint32_t p = 0; p < edges; p++) g->partner[p] = left[g->enters[p] ^ 1];
}

static bool is_marked(const uint32_t *partner, uint32_t p) { return partner[p & ~UINT32_C(1)] >= FIRST_FIRST; }

/* Gives p to the first half and its left pair's other edge to the second. */
static void mark(uint32_t *partner, uint32_t p) { partner[p & ~UINT32_C(1)] = FIRST_FIRST + (p & 1); }

/* Walks all cycles of pairs: an edge of the first half, its right partner in the second, that one's left
 * partner in the first again. Each cycle is walked both ways at once until the ways meet: two loads are in
 * flight, not one. */
static void walk_cycles(uint32_t *partner, uint32_t edges) {
    for (uint32_t start = 0; start < edges; start += 2) {
        if (is_marked(partner, start)) continue;
        uint32_t second = partner[start], first = partner[start + 1];
        mark(partner, start);
        while (!is_marked(partner, second)) {
            const uint32_t ahead = partner[second ^ 1];
            mark(partner, second ^ 1);
            second = ahead;
            if (is_marked(partner, first)) break;
            const uint32_t behind = partner[first ^ 1];
            mark(partner, first);
            first = behind;
        }
    }
}

static void deal_pairs(const part *g, uint32_t edges) {
    const uint32_t half = edges / 2;
    for (uint32_t i = 0; i < half; i++) {
        const uint32_t first = 2 * i + (g->partner[2 * i] == SECOND_FIRST ? 1 : 0), second = first ^ 1;
        g->next_enters[i] = g->enters[first] / 2;
        g->next_edge[i] = g->edge[first];
        g->next_enters[half + i] = g->enters[second] / 2;
        g->next_edge[half + i] = g->edge[second];
    }
}

/* The first or second half of a part that has been split; what held the part is scratch for its halves. */
static part half_of(const part *g, uint32_t nodes, unsigned which) {
    const uint32_t degree = g->degree / 2;
    const size_t offset = which * (size_t)nodes * degree;
    return (part){.degree = degree,
                  .edge = g->next_edge + offset,
                  .enters = g->next_enters + offset,
                  .partner = g->partner + offset,
                  .next_edge = g->edge + offset,
                  .next_enters = g->enters + offset,
                  .colour = g->colour + which * degree};
}

/* ------------------------------------------------------------ perfect matchings */

static const uint32_t UNMATCHED = UINT32_MAX;

/* xorshift64*, as good as chance here: a number below n. */
static uint32_t random_below(uint64_t *state, uint32_t n) {
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return (uint32_t)(((*state * UINT64_C(0x2545f4914f6cdd1d) >> 32) * n) >> 32);
}

/* Walks at random from an unmatched left node to an unmatched right one, leaving a matched node by any edge
 * but the one it was entered by. left_by[u] is the edge by which u was left last: that erases loops. */
static void walk_to_unmatched(const part *g, uint32_t u, const uint32_t *matched, uint32_t *left_by,
                              uint64_t *random) {
    uint32_t p = u * g->degree + random_below(random, g->degree);
    left_by[u] = p;
    for (;;) {
        const uint32_t back = matched[g->enters[p] / g->degree];
        if (back == UNMATCHED) return;
        u = back / g->degree;
        p = u * g->degree + random_below(random, g->degree - 1);
        if (p >= back) p++;
        left_by[u] = p;
    }
}

/* Matches left node u along the walk: each edge in turn takes its right node from the edge that had it. */
static void match_along(const part *g, uint32_t u, uint32_t *matched, const uint32_t *left_by) {
    for (;;) {
        const uint32_t p = left_by[u], v = g->enters[p] / g->degree, before = matched[v];
        matched[v] = p;
        if (before == UNMATCHED) return;
        u = before / g->degree;
    }
}

/* A perfect matching: matched[v] is right node v's edge, hole[u] left node u's. */
static void match_all(const part *g, uint32_t nodes, uint32_t *matched, uint32_t *hole) {
    uint64_t random = UINT64_C(0x9e3779b97f4a7c15) ^ ((uint64_t)g->colour << 32 | g->degree);
    memset(matched, 0xff, nodes * sizeof *matched);
    for (uint32_t u = 0; u < nodes; u++) {
        walk_to_unmatched(g, u, matched, hole, &random);
        match_along(g, u, matched, hole);
    }
    for (uint32_t v = 0; v < nodes; v++) hole[matched[v] / g->degree] = matched[v];
}

/* Takes the matched edges out of all lists. right_hole[v] is the position on the right of v's matched edge. */
static void close_holes(part *g, uint32_t nodes, const uint32_t *hole, const uint32_t *right_hole) {
    uint32_t to = 0;
    for (uint32_t u = 0; u < nodes; u++) {
        for (uint32_t p = u * g->degree; p < (u + 1) * g->degree; p++) {
            if (p == hole[u]) continue;
            const uint32_t q = g->enters[p], v = q / g->degree;
            g->enters[to] = q - v - (q > right_hole[v] ? 1 : 0);
            g->edge[to++] = g->edge[p];
        }
    }
    g->degree--;
}

static uint16_t *colour_of(const colouring *c, const part *g, uint32_t u, uint32_t p) {
    return &c->colour[(size_t)u * c->degree + g->edge[p]];
}

/* Gives a perfect matching the part's last colour and takes it out of the part. The degree is odd, above 1. */
static void remove_matching(const colouring *c, part *g) {
    uint32_t *const matched = g->partner, *const hole = g->partner + c->nodes;
    match_all(g, c->nodes, matched, hole);
    for (uint32_t u = 0; u < c->nodes; u++) {
        *colour_of(c, g, u, hole[u]) = (uint16_t)(g->colour + g->degree - 1);
    }
    for (uint32_t v = 0; v < c->nodes; v++) matched[v] = g->enters[matched[v]];
    close_holes(g, c->nodes, hole, matched);
}

/* ------------------------------------------------------------------- recursion */

static void colour_part(const colouring *c, part g) {
    if (g.degree == 1) {
        for (uint32_t u = 0; u < c->nodes; u++) *colour_of(c, &g, u, u) = (uint16_t)g.colour;
        return;
    }
    if (g.degree % 2 != 0) remove_matching(c, &g);
    const uint32_t edges = c->nodes * g.degree;
    find_partners(&g, edges);
    walk_cycles(g.partner, edges);
    deal_pairs(&g, edges);
    const part first = half_of(&g, c->nodes, 0), second = half_of(&g, c->nodes, 1);
    if (c->tasks && edges >= TASK_EDGES) {
#pragma omp task firstprivate(c, second)
        colour_part(c, second);
    } else {
        colour_part(c, second);
    }
    colour_part(c, first);
}

/* The lists of the whole graph: those on the right in the order of left nodes, and then the other way round. */
static void sort_edges(const edge_graph *graph, part *g) {
    const uint32_t degree = graph->degree, edges = graph->nodes * degree;
    uint32_t *const end = g->next_enters, *const by_right = g->partner;
    for (uint32_t v = 0; v < graph->nodes; v++) end[v] = v * degree;
    for (uint32_t e = 0; e < edges; e++) by_right[end[graph->right[e]]++] = e;
    for (uint32_t u = 0; u < graph->nodes; u++) end[u] = u * degree;
    for (uint32_t q = 0; q < edges; q++) {
        const uint32_t p = end[by_right[q] / degree]++;
        g->enters[p] = q;
        g->edge[p] = (uint16_t)(by_right[q] % degree);
    }
}

static part lay_out(const edge_graph *graph, void *workspace) {
    const size_t edges = (size_t)graph->nodes * graph->degree;
    const size_t long_array = align_word(edges * sizeof(uint32_t)),
                 short_array = align_word(edges * sizeof(uint16_t));
    char *at = workspace;
    part g = {.degree = graph->degree, .enters = (uint32_t *)(void *)at};
    g.next_enters = (uint32_t *)(void *)(at += long_array);
    g.partner = (uint32_t *)(void *)(at += long_array);
    g.edge = (uint16_t *)(void *)(at += long_array);
    g.next_edge = (uint16_t *)(void *)(at + short_array);
    sort_edges(graph, &g);
    return g;
}

void edge_colour(const edge_graph *graph, unsigned threads, void *workspace, uint16_t *colour) {
    if (graph->nodes == 0 || graph->degree == 0) return;
    const part whole = lay_out(graph, workspace);
    const colouring c = {graph->nodes, graph->degree, threads > 1, colour};
    if (!c.tasks) {
        colour_part(&c, whole);
        return;
    }
#pragma omp parallel num_threads((int)threads)
#pragma omp single
    colour_part(&c, whole);
}

/* ------------------------------------------------------------------------ tests */

/* Takes the place of (node, colour) in a table; false if it was taken or there is none. */
static bool take_place(const edge_graph *graph, unsigned char *seen, uint32_t node, uint32_t colour) {
    if (node >= graph->nodes || colour >= graph->degree) return false;
    return seen[(size_t)node * graph->degree + colour]++ == 0;
}

bool edge_colouring_is_valid(const edge_graph *graph, const uint16_t *colour) {
    /* As many edges as places: where no two take the same place every node has `degree` edges. */
    const size_t edges = (size_t)graph->nodes * graph->degree;
    unsigned char *left = calloc(edges + 1, 1), *right = calloc(edges + 1, 1);
    bool valid = left != NULL && right != NULL;
    for (size_t e = 0; valid && e < edges; e++) {
        valid = take_place(graph, left, (uint32_t)(e / graph->degree), colour[e]) &&
                take_place(graph, right, graph->right[e], colour[e]);
    }
    free(left);
    free(right);
    return valid;
}
