/* SPDX-License-Identifier: Apache-2.0 */
#include "machine/vat/policies/min.h"

#include "machine/vat/vat.h"

riffle_status vat_min_create(const vat_trace *trace, uint64_t capacity, vat_min *out) {
    out->capacity = capacity;
    return vat_heap_create(capacity < trace->nodes ? (size_t)capacity : trace->nodes, trace->nodes,
                           &out->stored);
}

void vat_min_free(vat_min *min) { vat_heap_free(&min->stored); }

vat_min_move vat_min_use(vat_min *min, uint32_t node, uint64_t use) {
    vat_min_move move = {.inserted = !vat_heap_has(&min->stored, node), .evicted = VAT_NONE};
    if (move.inserted && min->stored.size == min->capacity) move.evicted = vat_heap_pop(&min->stored);
    vat_heap_put(&min->stored, node, use);
    return move;
}

riffle_status vat_min_count(const vat_trace *trace, uint64_t cache, vat_tally *tally) {
    vat_min min = {0};
    vat_walk walk = {0};
    riffle_status status = vat_min_create(trace, cache, &min);
    if (status == RIFFLE_OK) status = vat_walk_create(trace, &walk);
    if (status != RIFFLE_OK) goto done;
    while (vat_walk_step(&walk)) {
        for (unsigned layer = trace->tree.height + 1; layer-- > 0;) {
            const uint32_t node = walk.node[layer];
            if (vat_min_use(&min, node, walk.use[layer]).inserted)
                vat_tally_insertion(tally, trace->node[node].number, layer);
        }
    }
done:
    vat_walk_free(&walk);
    vat_min_free(&min);
    return status;
}
