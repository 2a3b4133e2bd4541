/* SPDX-License-Identifier: Apache-2.0
 *
 * The control flow of a launch's code, as its threads are seen to go: blocks of straight code, the edges between
 * them, and the calls of functions that were not inlined.
 *
 * The blocks are put in an order in which a loop's blocks follow one another, its head first, and all that comes
 * after a loop stands behind it (F. Bourdoncle, Efficient chaotic iteration strategies with widenings, 1993: a weak
 * topological order). In that order only the edges to a loop's head lead back:
 *
 *     1 (2 3 (4 5) 6) 7         head 2 with end 6, and in it head 4 with end 5
 */
#ifndef RIFFLE_MACHINE_COUNT_FLOW_H
#define RIFFLE_MACHINE_COUNT_FLOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Number 0 is where a function begins, before its first block; and the kernel itself. */
enum { FLOW_NO_BLOCK = 0, FLOW_KERNEL = 0 };

typedef struct flow_block {
    const void *pc;
    uint32_t index, end; /**< its place in the order, and the last one of the loop that it is the head of */
    uint32_t *next, nexts, capacity;
    uint32_t chain;
} flow_block;

/** A call path: a call site in another. */
typedef struct flow_call {
    uint32_t parent, block, depth;
    const void *pc;
    uint32_t chain;
} flow_call;

/** A block, to be found at once by its hook: and of ways to it that were gone before, whence they come, and which of
 *  them (bit k) lead back to a loop's head, or to itself. */
enum { FLOW_WAYS = 4 };
typedef struct flow_door {
    const void *pc; /**< NULL: none */
    uint32_t block, back, from[FLOW_WAYS];
} flow_door;

enum { FLOW_SLOTS = 1024, FLOW_DOORS = 512 };

typedef struct flow {
    flow_block *block;
    size_t blocks, block_capacity;
    flow_call *call;
    size_t calls, call_capacity;
    uint32_t block_slot[FLOW_SLOTS], call_slot[FLOW_SLOTS];
    flow_door door[FLOW_DOORS]; /**< the last one of those that fall there */
} flow;

/** False without memory. */
bool flow_init(flow *f);
void flow_free(flow *f);

/** The block that calls its hook at pc, and whether the way there leads back. */
typedef struct flow_way {
    uint32_t block;
    bool back;
} flow_way;

static inline flow_door *flow_door_of(flow *f, const void *pc) {
    return &f->door[(uintptr_t)pc / 4 % FLOW_DOORS];
}

/** As flow_go, of a way that is not at hand. */
flow_way flow_find(flow *f, uint32_t from, const void *pc);

/** A thread goes from a block to the one that calls its hook at pc. If nobody has gone that way before, the blocks are
 *  put in order anew. FLOW_NO_BLOCK without memory. */
static inline flow_way flow_go(flow *f, uint32_t from, const void *pc) {
    const flow_door *door = flow_door_of(f, pc);
    if (door->pc == pc) {
        for (unsigned k = 0; k < FLOW_WAYS; k++) {
            if (door->from[k] == from) return (flow_way){door->block, (door->back >> k & 1) != 0};
        }
    }
    return flow_find(f, from, pc);
}

/** The number of the path that a call makes which returns to pc; FLOW_KERNEL without memory. */
uint32_t flow_call_at(flow *f, uint32_t parent, uint32_t block, const void *pc);

#endif
