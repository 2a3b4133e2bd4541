/* SPDX-License-Identifier: Apache-2.0 */
#include "machine/vat/policies/segment.h"

#include <stdlib.h>

#include "base/status.h"

riffle_status vat_segment_create(const vat_trace *trace, vat_segment *out) {
    vat_segment_link *link = malloc((trace->nodes + 1) * sizeof *link);
    if (link == NULL) return fail_memory("a translation cache", (trace->nodes + 1) * sizeof *link);
    for (size_t node = 0; node < trace->nodes; node++) {
        link[node] = (vat_segment_link){.child = VAT_NONE, .before = VAT_NONE, .after = VAT_NONE};
    }
    *out = (vat_segment){.trace = trace, .link = link};
    return RIFFLE_OK;
}

void vat_segment_free(vat_segment *segment) { free(segment->link); }

uint32_t vat_segment_lowest(const vat_segment *segment, uint32_t node) {
    while (!vat_segment_is_childless(segment, node)) node = segment->link[node].child;
    return node;
}

riffle_status vat_segment_insert(vat_segment *segment, uint32_t node) {
    vat_segment_link *link = segment->link;
    const uint32_t parent = segment->trace->node[node].parent;
    if (link[node].stored || (parent != VAT_NONE && !link[parent].stored)) {
        return fail(RIFFLE_ERROR_INTERNAL, "a cache with the initial segment property took a node %s",
                    link[node].stored ? "twice" : "without its parent");
    }
    link[node].stored = true;
    segment->size++;
    if (parent == VAT_NONE) return RIFFLE_OK;
    link[node].before = VAT_NONE;
    link[node].after = link[parent].child;
    if (link[node].after != VAT_NONE) link[link[node].after].before = node;
    link[parent].child = node;
    return RIFFLE_OK;
}

riffle_status vat_segment_evict(vat_segment *segment, uint32_t node) {
    vat_segment_link *link = segment->link;
    const uint32_t parent = segment->trace->node[node].parent;
    if (!link[node].stored || !vat_segment_is_childless(segment, node)) {
        return fail(RIFFLE_ERROR_INTERNAL, "a cache with the initial segment property lost a node %s",
                    link[node].stored ? "before its children" : "that it did not have");
    }
    link[node].stored = false;
    segment->size--;
    if (parent == VAT_NONE) return RIFFLE_OK;
    const uint32_t before = link[node].before, after = link[node].after;
    if (after != VAT_NONE) link[after].before = before;
    if (before != VAT_NONE) {
        link[before].after = after;
    } else {
        link[parent].child = after;
    }
    return RIFFLE_OK;
}
