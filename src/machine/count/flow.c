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

/* Blocks are numbered from the last to the first. */
typedef struct ordering_walk {
    flow *f;
    uint32_t *found, *stack; /* when a block was found, and those whose loop is not known yet */
    uint32_t count, height, left;
} ordering_walk;

static const uint32_t IN_ORDER = UINT32_MAX;

static uint32_t visit(ordering_walk *w, uint32_t v);

/* The loop with the head v: all of it is on the stack above v, and taken off. */
static void order_loop(ordering_walk *w, uint32_t v) {
    w->f->block[v].end = w->left - 1;
    for (uint32_t k = 0; k < w->f->block[v].nexts; k++) {
        const uint32_t next = w->f->block[v].next[k];
        if (w->found[next] == 0) visit(w, next);
    }
    w->f->block[v].index = --w->left;
}

/* The earliest found block that is reached from v and not yet in order. */
static uint32_t visit(ordering_walk *w, uint32_t v) {
    w->stack[w->height++] = v;
    const uint32_t own = w->found[v] = ++w->count;
    uint32_t head = own;
    bool in_loop = false;
    for (uint32_t k = 0; k < w->f->block[v].nexts; k++) {
        const uint32_t next = w->f->block[v].next[k];
        const uint32_t reached = w->found[next] == 0 ? visit(w, next) : w->found[next];
        if (reached > head) continue;
        head = reached;
        in_loop = true;
    }
    if (head != own) return head;
    w->found[v] = IN_ORDER;
    uint32_t top = w->stack[--w->height];
    for (; top != v; top = w->stack[--w->height]) w->found[top] = 0;
    if (in_loop)
        order_loop(w, v);
    else
        w->f->block[v].index = w->f->block[v].end = --w->left;
    return head;
}

static bool put_in_order(flow *f) {
    uint32_t *scratch = calloc(2 * f->blocks, sizeof *scratch);
    if (scratch == NULL) return false;
    ordering_walk w = {.f = f, .found = scratch, .stack = scratch + f->blocks, .left = (uint32_t)f->blocks};
    for (uint32_t k = 1; k < f->blocks; k++) {
        if (w.found[k] == 0) visit(&w, k);
    }
    free(scratch);
    memset(f->door, 0, sizeof f->door);
    return true;
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
