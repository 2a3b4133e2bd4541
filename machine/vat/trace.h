/* SPDX-License-Identifier: Apache-2.0
 *
 * A stored trace for the policies that know the future: the nodes of the translation tree that it uses,
 * numbered in the order of their first use, and the leaf of each access. A walk then gives translation after
 * translation, each node with the time of its next use.
 *
 * Next uses are found backwards. Nodes that the next translation shares with this one are used next there, and need no memory:
 * stored are the next uses of the nodes that it does not share, from the root down, translation after translation.
 */
#ifndef RIFFLE_MACHINE_VAT_TRACE_H
#define RIFFLE_MACHINE_VAT_TRACE_H

#include <stdbool.h>
#include <stddef.h>

#include "machine/vat/tree.h"
#include "riffle.h"

/** No node, or no access. */
#define VAT_NONE UINT32_MAX

typedef struct vat_trace_node {
    uint64_t number;
    uint32_t layer;
    uint32_t parent; /**< VAT_NONE for the root */
    uint32_t chain;  /**< the next node with the same hash */
} vat_trace_node;

typedef struct vat_trace {
    vat_tree tree;
    uint32_t *leaf; /**< leaf of each access */
    size_t accesses, access_room;
    vat_trace_node *node;
    size_t nodes, node_room;
    uint32_t *bucket; /**< 2^hash_bits chains */
    unsigned hash_bits;
    uint64_t page;               /**< the last one */
    uint32_t path[VAT_MAX_PATH]; /**< its nodes */
} vat_trace;

/** An empty trace takes no memory. */
vat_trace vat_trace_of(vat_tree tree);
void vat_trace_free(vat_trace *trace);

/** Adds `count` accesses, O(1) a node. RIFFLE_ERROR_LENGTH beyond 2^32 - 2 accesses or nodes; of a call that
 *  fails, the accesses before have been added. */
riffle_status vat_trace_append(vat_trace *trace, const uint64_t *addresses, size_t count);

/** One translation after the other. */
typedef struct vat_walk {
    const vat_trace *trace;
    uint32_t *next;              /**< next uses that cannot be told from the next path */
    size_t at;                   /**< in `next` */
    size_t access;               /**< access of the next step */
    uint32_t node[VAT_MAX_PATH]; /**< the current path, by layer */
    uint64_t
        use[VAT_MAX_PATH]; /**< when each of them is used next: the greater the later; never again is last, and
                                      of two nodes of one time the lower one is later */
} vat_walk;

/** Before the first translation. Takes 4 bytes for each stored next use and for each node until vat_walk_free.
 *  */
riffle_status vat_walk_create(const vat_trace *trace, vat_walk *out);
void vat_walk_free(vat_walk *walk);

/** Goes to the next translation; false after the last. */
bool vat_walk_step(vat_walk *walk);

#endif
