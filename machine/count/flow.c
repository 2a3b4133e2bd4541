/* SPDX-License-Identifier: Apache-2.0 */
#include "machine/count/flow.h"

#include <stdlib.h>
#include <string.h>

/* Makes room for one more; false without memory. */
static bool reserve_one(void **array, size_t count, size_t *capacity, size_t size) {
    if (count < *capacity) return true;
    const size_t wanted = 2 * *capacity + 64;
    void *grown = realloc(*array, wanted * size);
    if (grown == NULL) return false;
    *array = grown;
    *capacity = wanted;
    return true;
}

static bool reserve_block(flow *f) {
    void *array = f->block;
    const bool done = reserve_one(&array, f->blocks, &f->block_capacity, sizeof *f->block);
    f->block = array;
    return done;
}

static bool reserve_call(flow *f) {
    void *array = f->call;
    const bool done = reserve_one(&array, f->calls, &f->call_capacity, sizeof *f->call);
    f->call = array;
    return done;
}

bool flow_init(flow *f) {
    *f = (flow){0};
    if (!reserve_block(f) || !reserve_call(f)) return false;
    f->block[f->blocks++] = (flow_block){0};
    f->call[f->calls++] = (flow_call){0};
    return true;
}

void flow_free(flow *f) {
    for (size_t k = 0; k < f->blocks; k++) free(f->block[k].next);
    free(f->block);
    free(f->call);
}

/* No block has this number. */
static const uint32_t NOWHERE = UINT32_MAX;

static uint32_t *slot_of(uint32_t *slots, uint64_t key) {
    return &slots[key * UINT64_C(0x9e3779b97f4a7c15) >> 54];
}

static uint32_t block_at(flow *f, const void *pc) {
    uint32_t *slot = slot_of(f->block_slot, (uintptr_t)pc);
    for (uint32_t k = *slot; k != 0; k = f->block[k].chain) {
        if (f->block[k].pc == pc) return k;
    }
    if (!reserve_block(f)) return FLOW_NO_BLOCK;
    f->block[f->blocks] = (flow_block){.pc = pc, .chain = *slot};
    return *slot = (uint32_t)f->blocks++;
}

uint32_t flow_call_at(flow *f, uint32_t parent, uint32_t block, const void *pc) {
    uint32_t *slot = slot_of(f->call_slot, (uintptr_t)pc + ((uint64_t)parent << 32) + block);
    for (uint32_t k = *slot; k != 0; k = f->call[k].chain) {
        const flow_call *c = &f->call[k];
        if (c->pc == pc && c->parent == parent && c->block == block) return k;
    }
    if (!reserve_call(f)) return FLOW_KERNEL;
    f->call[f->calls] = (flow_call){parent, block, f->call[parent].depth + 1, pc, *slot};
    return *slot = (uint32_t)f->calls++;
}

/* ---- the order */

/* A block whose next ones are gone through: first to find the loop that it is in, and if it is that loop's head, again to put the
 * loop in order. */
typedef struct visited_block {
    uint32_t block, next, own,
        head; /* when it was found, and the earliest that is reached from it and not yet in order */
    bool in_loop, is_head;
} visited_block;

/* Blocks are numbered from the last to the first. Blocks that are being visited stand in an array: hooks run on a thread's
 * small stack, and code may have thousands of blocks one behind the other. */
typedef struct ordering_walk {
    flow *f;
    uint32_t *found, *stack; /* when a block was found, and those whose loop is not known yet */
    visited_block *visited;
    uint32_t count, height, left, depth;
} ordering_walk;

static const uint32_t IN_ORDER = UINT32_MAX;

static void enter(ordering_walk *w, uint32_t block) {
    w->stack[w->height++] = block;
    const uint32_t own = w->found[block] = ++w->count;
    w->visited[w->depth++] = (visited_block){.block = block, .own = own, .head = own};
}

static void reach(visited_block *from, uint32_t found) {
    if (from->is_head || found > from->head) return;
    from->head = found;
    from->in_loop = true;
}

static void leave(ordering_walk *w) {
    const uint32_t head = w->visited[--w->depth].head;
    if (w->depth > 0) reach(&w->visited[w->depth - 1], head);
}

/* Its next blocks have all been gone through. The loop that it is the head of is all on the stack above it, and taken off. */
static void close_block(ordering_walk *w, visited_block *top) {
    flow_block *b = &w->f->block[top->block];
    if (top->is_head) {
        b->index = --w->left;
    } else if (top->head == top->own) {
        w->found[top->block] = IN_ORDER;
        for (uint32_t other = w->stack[--w->height]; other != top->block; other = w->stack[--w->height])
            w->found[other] = 0;
        if (top->in_loop) {
            b->end = w->left - 1;
            top->is_head = true;
            top->next = 0;
            return;
        }
        b->index = b->end = --w->left;
    }
    leave(w);
}

static void visit(ordering_walk *w, uint32_t first) {
    enter(w, first);
    while (w->depth > 0) {
        visited_block *top = &w->visited[w->depth - 1];
        const flow_block *b = &w->f->block[top->block];
        if (top->next == b->nexts) {
            close_block(w, top);
            continue;
        }
        const uint32_t next = b->next[top->next++];
        if (w->found[next] == 0)
            enter(w, next);
        else
            reach(top, w->found[next]);
    }
}

static bool put_in_order(flow *f) {
    uint32_t *scratch = calloc(2 * f->blocks, sizeof *scratch);
    visited_block *visited = calloc(f->blocks, sizeof *visited);
    ordering_walk w = {.f = f, .found = scratch, .visited = visited, .left = (uint32_t)f->blocks};
    const bool done = scratch != NULL && visited != NULL;
    if (done) w.stack = scratch + f->blocks;
    for (uint32_t k = 1; done && k < f->blocks; k++) {
        if (w.found[k] == 0) visit(&w, k);
    }
    free(scratch);
    free(visited);
    if (done) memset(f->door, 0, sizeof f->door);
    return done;
}

static bool add_edge(flow *f, uint32_t from, uint32_t to) {
    flow_block *b = &f->block[from];
    if (b->nexts == b->capacity) {
        const uint32_t capacity = 2 * b->capacity + 2;
        uint32_t *grown = realloc(b->next, capacity * sizeof *grown);
        if (grown == NULL) return false;
        b->next = grown;
        b->capacity = capacity;
    }
    b->next[b->nexts++] = to;
    return put_in_order(f);
}

/* The block that the way leads to. */
static uint32_t follow(flow *f, uint32_t from, const void *pc) {
    const flow_block *b = &f->block[from];
    for (uint32_t k = 0; k < b->nexts; k++) {
        if (f->block[b->next[k]].pc == pc) return b->next[k];
    }
    const uint32_t to = block_at(f, pc);
    return to != FLOW_NO_BLOCK && add_edge(f, from, to) ? to : FLOW_NO_BLOCK;
}

/* Puts the way at hand, where there is room. */
static void open_door(flow *f, uint32_t from, const void *pc, flow_way way) {
    flow_door *door = flow_door_of(f, pc);
    if (door->pc != pc) {
        *door = (flow_door){.pc = pc, .block = way.block};
        for (unsigned k = 0; k < FLOW_WAYS; k++) door->from[k] = NOWHERE;
    }
    for (unsigned k = 0; k < FLOW_WAYS; k++) {
        if (door->from[k] != NOWHERE) continue;
        door->from[k] = from;
        door->back |= (uint32_t)way.back << k;
        return;
    }
}

flow_way flow_find(flow *f, uint32_t from, const void *pc) {
    const uint32_t to = follow(f, from, pc);
    if (to == FLOW_NO_BLOCK) return (flow_way){FLOW_NO_BLOCK, false};
    const flow_way way = {to, from != FLOW_NO_BLOCK && f->block[to].index <= f->block[from].index};
    open_door(f, from, pc, way);
    return way;
}
