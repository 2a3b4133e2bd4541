/* SPDX-License-Identifier: Apache-2.0
 *
 * The graph of a function's blocks: which dominates which (Cooper, Harvey, Kennedy 2001), and its natural loops, known by their headers.
 */
#ifndef RIFFLE_MACHINE_LINT_FORMS_GRAPH_H
#define RIFFLE_MACHINE_LINT_FORMS_GRAPH_H

#include "machine/lint/llvm/ir.h"

typedef struct graph {
    const ir_function *f;
    unsigned blocks;
    unsigned *order;                 /**< of each block in reverse postorder, IR_NONE: not reached */
    unsigned *dominator;             /**< the immediate one */
    unsigned *first_before, *before; /**< predecessors of block k: first_before[k] to first_before[k + 1] */
    uint64_t *inside; /**< of each header a bit for each block of its loop; of other blocks none */
    unsigned words;   /**< of a header in `inside` */
} graph;

/** RIFFLE_ERROR_OUT_OF_MEMORY without memory; graph_free in any case. */
riffle_status graph_make(const ir_function *f, graph *out);
void graph_free(graph *g);

bool graph_dominates(const graph *g, unsigned a, unsigned b);

/** True if the block is in the loop of that header. */
bool graph_is_inside(const graph *g, unsigned header, unsigned block);
static inline bool graph_is_header(const graph *g, unsigned block) { return graph_is_inside(g, block, block); }

/** Calls `see` for each block that branches somewhere within the paths from the immediate dominator of `block` to it. */
void graph_each_branch(const graph *g, unsigned block, void (*see)(void *context, unsigned branch),
                       void *context);

#endif
