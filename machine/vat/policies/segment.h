/* SPDX-License-Identifier: Apache-2.0
 *
 * An initial segment of the translation tree (Definition 2.2): a set of nodes that has each one's parent. It
 * starts empty, and stays a segment because a node comes only below a stored parent and leaves only without
 * stored children; both are checked at every step.
 */
#ifndef RIFFLE_MACHINE_VAT_POLICIES_SEGMENT_H
#define RIFFLE_MACHINE_VAT_POLICIES_SEGMENT_H

#include "machine/vat/trace.h"

/** Where a node stands among its parent's stored children. */
typedef struct vat_segment_link {
    uint32_t child; /**< one that is stored, the first of them */
    uint32_t before, after;
    bool stored;
} vat_segment_link;

typedef struct vat_segment {
    const vat_trace *trace;
    vat_segment_link *link;
    uint64_t size;
} vat_segment;

riffle_status vat_segment_create(const vat_trace *trace, vat_segment *out);
void vat_segment_free(vat_segment *segment);

static inline bool vat_segment_has(const vat_segment *segment, uint32_t node) {
    return segment->link[node].stored;
}

/** True if no child of the node is stored. */
static inline bool vat_segment_is_childless(const vat_segment *segment, uint32_t node) {
    return segment->link[node].child == VAT_NONE;
}

/** A stored descendant of a stored node that has no stored children; maybe the node itself. O(d). */
uint32_t vat_segment_lowest(const vat_segment *segment, uint32_t node);

/** RIFFLE_ERROR_INTERNAL if the node is stored, or its parent is not. */
riffle_status vat_segment_insert(vat_segment *segment, uint32_t node);

/** RIFFLE_ERROR_INTERNAL if the node is not stored, or one of its children is. */
riffle_status vat_segment_evict(vat_segment *segment, uint32_t node);

#endif
