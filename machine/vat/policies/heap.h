/* SPDX-License-Identifier: Apache-2.0
 *
 * A binary heap of nodes by their next use, the latest on top, in which each node can be found: O(log n) an
 * operation.
 */
#ifndef RIFFLE_MACHINE_VAT_POLICIES_HEAP_H
#define RIFFLE_MACHINE_VAT_POLICIES_HEAP_H

#include <stdbool.h>
#include <stddef.h>

#include "riffle.h"

typedef struct vat_heap_entry {
    uint64_t use;
    uint32_t node;
} vat_heap_entry;

typedef struct vat_heap {
    vat_heap_entry *entry; /**< entry 0 is the latest; each one's children are 2 i + 1 and 2 i + 2 */
    uint32_t *place;       /**< place of each node; VAT_NONE: not in the heap */
    size_t size;
} vat_heap;

/** An empty heap for at most `room` of the nodes 0 .. nodes - 1. */
riffle_status vat_heap_create(size_t room, size_t nodes, vat_heap *out);
void vat_heap_free(vat_heap *heap);

bool vat_heap_has(const vat_heap *heap, uint32_t node);

/** Adds a node, or moves one that is there; its next use never comes earlier. */
void vat_heap_put(vat_heap *heap, uint32_t node, uint64_t use);

/** Takes a node out that is there. */
void vat_heap_remove(vat_heap *heap, uint32_t node);

/** Takes out the node that is used again last; the heap is not empty. */
uint32_t vat_heap_pop(vat_heap *heap);

#endif
