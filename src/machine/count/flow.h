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

enum { FLOW_SLOTS = 1024 };

typedef struct flow {
    flow_block *block;
    size_t blocks, block_capacity;
    flow_call *call;
    size_t calls, call_capacity;
    uint32_t block_slot[FLOW_SLOTS], call_slot[FLOW_SLOTS];
} flow;

/** False without memory. */
bool flow_init(flow *f);
void flow_free(flow *f);

/** A thread goes from a block to the one that calls its hook at pc: that one's number. If nobody has gone that way
 *  before, the blocks are put in order anew. FLOW_NO_BLOCK without memory. */
uint32_t flow_go(flow *f, uint32_t from, const void *pc);

/** Whether that way leads back to a loop's head, or to itself. */
static inline bool flow_leads_back(const flow *f, uint32_t from, uint32_t to) {
    return from != FLOW_NO_BLOCK && f->block[to].index <= f->block[from].index;
}

/** The number of the path that a call makes which returns to pc; FLOW_KERNEL without memory. */
uint32_t flow_call_at(flow *f, uint32_t parent, uint32_t block, const void *pc);

#endif
