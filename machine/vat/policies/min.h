/* SPDX-License-Identifier: Apache-2.0
 *
 * MIN, Belady's policy (section 2.3.6): the node that is used again last leaves; of nodes with the same time,
 * and of those never used again, the lowest first. It may evict the node just used. A step at a time, because
 * RRMIN watches it.
 */
#ifndef RIFFLE_MACHINE_VAT_POLICIES_MIN_H
#define RIFFLE_MACHINE_VAT_POLICIES_MIN_H

#include "machine/vat/policies/heap.h"
#include "machine/vat/trace.h"

typedef struct vat_min {
    vat_heap stored;
    uint64_t capacity;
} vat_min;

/** The change by using a node: whether it was inserted, and what left for it (VAT_NONE: nothing). */
typedef struct vat_min_move {
    bool inserted;
    uint32_t evicted;
} vat_min_move;

/** An empty cache of `capacity` nodes. */
riffle_status vat_min_create(const vat_trace *trace, uint64_t capacity, vat_min *out);
void vat_min_free(vat_min *min);

/** Uses a node whose next use is `use`. */
vat_min_move vat_min_use(vat_min *min, uint32_t node, uint64_t use);

#endif
