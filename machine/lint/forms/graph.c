/* SPDX-License-Identifier: Apache-2.0 */
#include "machine/lint/forms/graph.h"

#include <stdlib.h>
#include <string.h>

#include "base/arithmetic.h"
#include "base/status.h"

static const unsigned *nexts(const graph *g, unsigned block, unsigned *count) {
    *count = g->f->block[block].nexts;
    return g->f->next + g->f->block[block].first_next;
}

/* Blocks in postorder, by a stack of blocks and of how many of their successors have been looked at. */
static unsigned put_in_order(graph *g, unsigned *list, unsigned *stack, unsigned *seen) {
    unsigned depth = 0, count = 0, out = 0;
    for (unsigned k = 0; k < g->blocks; k++) g->order[k] = IR_NONE;
    stack[depth++] = 0;
    g->order[0] = 0;
    while (depth > 0) {
        const unsigned block = stack[depth - 1], *next = nexts(g, block, &count);
        if (seen[block] == count) {
            list[out++] = block;
            depth--;
        } else {
            const unsigned to = next[seen[block]++];
            if (g->order[to] != IR_NONE) continue;
            g->order[to] = 0;
            stack[depth++] = to;
        }
    }
    for (unsigned k = 0; k < out; k++) g->order[list[k]] = out - 1 - k;
    return out;
}

static void find_before(graph *g) {
    unsigned count;
    for (unsigned k = 0; k < g->blocks; k++) {
        const unsigned *next = nexts(g, k, &count);
        for (unsigned l = 0; l < count; l++) g->first_before[next[l] + 1]++;
    }
    for (unsigned k = 0; k < g->blocks; k++) g->first_before[k + 1] += g->first_before[k];
    for (unsigned k = g->blocks; k-- > 0;) { /* filled from the end, which brings each start back */
        const unsigned *next = nexts(g, k, &count);
        for (unsigned l = 0; l < count; l++) g->before[--g->first_before[next[l] + 1]] = k;
    }
    memmove(g->first_before, g->first_before + 1, g->blocks * sizeof *g->first_before);
    g->first_before[g->blocks] = (unsigned)g->f->nexts;
}

static unsigned meet(const graph *g, unsigned a, unsigned b) {
    while (a != b) {
        while (g->order[a] > g->order[b]) a = g->dominator[a];
        while (g->order[b] > g->order[a]) b = g->dominator[b];
    }
    return a;
}

static void find_dominators(graph *g, const unsigned *list, unsigned count) {
    for (unsigned k = 0; k < g->blocks; k++) g->dominator[k] = IR_NONE;
    g->dominator[0] = 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (unsigned k = count - 1; k-- > 0;) {
            unsigned found = IR_NONE;
            for (unsigned l = g->first_before[list[k]]; l < g->first_before[list[k] + 1]; l++) {
                if (g->dominator[g->before[l]] == IR_NONE) continue;
                found = found == IR_NONE ? g->before[l] : meet(g, found, g->before[l]);
            }
            changed |= found != g->dominator[list[k]];
            g->dominator[list[k]] = found;
        }
    }
}

bool graph_dominates(const graph *g, unsigned a, unsigned b) {
    if (g->order[b] == IR_NONE) return false;
    while (g->order[b] > g->order[a]) b = g->dominator[b];
    return a == b;
}

static void set_bit(graph *g, unsigned header, unsigned block) {
    g->inside[(size_t)header * g->words + block / 64] |= (uint64_t)1 << block % 64;
}

bool graph_is_inside(const graph *g, unsigned header, unsigned block) {
    return g->inside[(size_t)header * g->words + block / 64] >> block % 64 & 1;
}

/* Of an edge back from `latch`: all blocks from which it is reached without the header. */
static void add_loop(graph *g, unsigned header, unsigned latch, unsigned *stack) {
    unsigned depth = 0;
    set_bit(g, header, header);
    if (!graph_is_inside(g, header, latch)) stack[depth++] = latch;
    if (depth > 0) set_bit(g, header, latch);
    while (depth > 0) {
        const unsigned block = stack[--depth];
        for (unsigned l = g->first_before[block]; l < g->first_before[block + 1]; l++) {
            if (graph_is_inside(g, header, g->before[l]) || g->order[g->before[l]] == IR_NONE) continue;
            set_bit(g, header, g->before[l]);
            stack[depth++] = g->before[l];
        }
    }
}

static void find_loops(graph *g, unsigned *stack) {
    unsigned count;
    for (unsigned k = 0; k < g->blocks; k++) {
        const unsigned *next = nexts(g, k, &count);
        for (unsigned l = 0; l < count; l++)
            if (graph_dominates(g, next[l], k)) add_loop(g, next[l], k, stack);
    }
}

riffle_status graph_make(const ir_function *f, graph *out) {
    const unsigned blocks = (unsigned)f->blocks;
    *out = (graph){.f = f, .blocks = blocks, .words = ceil_div(blocks, 64u)};
    out->order = malloc(blocks * sizeof *out->order);
    out->dominator = malloc(blocks * sizeof *out->dominator);
    out->first_before = calloc(blocks + 2, sizeof *out->first_before);
    out->before = malloc((f->nexts + 1) * sizeof *out->before);
    out->inside = calloc((size_t)blocks * out->words, sizeof *out->inside);
    unsigned *list = calloc(blocks, 3 * sizeof *list);
    const bool there = out->order != NULL && out->dominator != NULL && out->first_before != NULL &&
                       out->before != NULL && out->inside != NULL && list != NULL;
    if (there) {
        const unsigned count = put_in_order(out, list, list + blocks, list + 2 * (size_t)blocks);
        find_before(out);
        find_dominators(out, list, count);
        find_loops(out, list + blocks);
    }
    free(list);
    return there ? RIFFLE_OK : fail_memory("a kernel's blocks", blocks);
}

void graph_free(graph *g) {
    free(g->order);
    free(g->dominator);
    free(g->first_before);
    free(g->before);
    free(g->inside);
}

void graph_each_branch(const graph *g, unsigned block, void (*see)(void *context, unsigned branch),
                       void *context) {
    const unsigned top = g->dominator[block];
    uint64_t *seen = calloc(g->words, sizeof *seen);
    unsigned *stack = malloc((g->blocks + 1) * sizeof *stack), depth = 0;
    if (seen == NULL || stack == NULL || top == IR_NONE) {
        see(context, IR_NONE);
        free(seen);
        free(stack);
        return;
    }
    stack[depth++] = block;
    while (depth > 0) {
        const unsigned at = stack[--depth];
        if (at != block && g->f->block[at].nexts > 1) see(context, at);
        if (at == top) continue;
        for (unsigned l = g->first_before[at]; l < g->first_before[at + 1]; l++) {
            const unsigned to = g->before[l];
            if (g->order[to] == IR_NONE || (seen[to / 64] >> to % 64 & 1)) continue;
            seen[to / 64] |= (uint64_t)1 << to % 64;
            stack[depth++] = to;
        }
    }
    free(seen);
    free(stack);
}
