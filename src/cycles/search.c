/* SPDX-License-Identifier: Apache-2.0 */
#include "cycles/search.h"

#include <stdlib.h>

#include "base/splitmix.h"
#include "base/status.h"

/* 2^20 edges of a path, each less than this, stay below 2^64. */
enum { TIE_BITS = 43 };

static bool is_less(const cycles_length *a, const cycles_length *b) {
    return a->weight < b->weight || (a->weight == b->weight && a->tie < b->tie);
}

cycles_length *cycles_arc_lengths(const cycles_graph *graph, uint64_t seed) {
    const uint64_t arcs = graph->first[graph->vertices];
    cycles_length *const lengths = malloc((arcs + 1) * sizeof *lengths);
    for (uint64_t k = 0; k < arcs && lengths != NULL; k++) {
        const uint32_t edge = graph->arcs[k].edge;
        uint64_t state = seed + edge;
        /* At least 1, so that edges of weight 0 make a path longer too. */
        const uint64_t tie = seed == 0 ? 1 : splitmix_next(&state) >> (64 - TIE_BITS) | 1;
        lengths[k] = (cycles_length){graph->weight[edge], tie};
    }
    return lengths;
}

static bool grow(cycles_search *s) {
    const size_t room = 2 * s->room;
    cycles_waiting *const heap = realloc(s->heap, room * sizeof *heap);
    if (heap == NULL) return false;
    s->heap = heap;
    s->room = room;
    return true;
}

static bool push(cycles_search *s, const cycles_waiting *one) {
    if (s->waiting == s->room && !grow(s)) return false;
    size_t place = s->waiting++;
    for (; place > 0 && is_less(&one->length, &s->heap[(place - 1) / 2].length); place = (place - 1) / 2)
        s->heap[place] = s->heap[(place - 1) / 2];
    s->heap[place] = *one;
    return true;
}

static cycles_waiting pop(cycles_search *s) {
    const cycles_waiting first = s->heap[0], last = s->heap[--s->waiting];
    size_t place = 0;
    for (;;) {
        size_t child = 2 * place + 1;
        if (child >= s->waiting) break;
        if (child + 1 < s->waiting && is_less(&s->heap[child + 1].length, &s->heap[child].length)) child++;
        if (!is_less(&s->heap[child].length, &last.length)) break;
        s->heap[place] = s->heap[child];
        place = child;
    }
    s->heap[place] = last;
    return first;
}

/* Takes an arc from a vertex whose path is final. */
static bool follow(cycles_search *s, uint32_t from, uint64_t at, cycles_weight radius) {
    const cycles_arc *const arc = &s->graph->arcs[at];
    if (s->done[arc->to] == s->number) return true;
    const cycles_length *const more = &s->arc_length[at];
    const cycles_waiting next = {{s->length[from].weight + more->weight, s->length[from].tie + more->tie},
                                 arc->to};
    if (next.length.weight > radius) return true;
    if (s->seen[arc->to] == s->number && !is_less(&next.length, &s->length[arc->to])) {
        if (!is_less(&s->length[arc->to], &next.length)) s->has_ties = true;
        return true;
    }
    s->seen[arc->to] = s->number;
    s->length[arc->to] = next.length;
    s->edge[arc->to] = arc->edge;
    return push(s, &next);
}

static bool settle(cycles_search *s, uint32_t v, cycles_weight radius) {
    s->done[v] = s->number;
    s->vertices[s->count++] = v;
    if (s->length[v].weight + s->graph->lightest > radius) return true;
    for (uint64_t k = s->graph->first[v]; k < s->graph->first[v + 1]; k++)
        if (!follow(s, v, k, radius)) return false;
    return true;
}

riffle_status cycles_search_from(cycles_search *s, uint32_t root, cycles_weight radius) {
    s->number++;
    s->count = 0;
    s->waiting = 0;
    s->seen[root] = s->number;
    s->length[root] = (cycles_length){0, 0};
    s->edge[root] = CYCLES_NONE;
    bool has_room = settle(s, root, radius);
    while (has_room && s->waiting > 0) {
        const uint32_t v = pop(s).vertex;
        if (s->done[v] != s->number) has_room = settle(s, v, radius);
    }
    return has_room ? RIFFLE_OK : fail_memory("a search for shortest paths", 2 * s->room * sizeof *s->heap);
}

riffle_status cycles_search_create(const cycles_graph *graph, const cycles_length *arc_length,
                                   cycles_search *out) {
    const size_t n = (size_t)graph->vertices + 1;
    cycles_search s = {.graph = graph, .arc_length = arc_length, .room = 64};
    s.length = malloc(n * sizeof *s.length);
    s.edge = calloc(4 * n, sizeof *s.edge);
    s.heap = malloc(s.room * sizeof *s.heap);
    if (s.length == NULL || s.edge == NULL || s.heap == NULL) {
        cycles_search_free(&s);
        return fail_memory("a search for shortest paths", n * (sizeof *s.length + 4 * sizeof *s.edge));
    }
    s.seen = s.edge + n;
    s.done = s.seen + n;
    s.vertices = s.done + n;
    *out = s;
    return RIFFLE_OK;
}

void cycles_search_free(cycles_search *s) {
    free(s->length);
    free(s->edge);
    free(s->heap);
}
