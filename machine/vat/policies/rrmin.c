/* SPDX-License-Identifier: Apache-2.0 */
#include "machine/vat/policies/rrmin.h"

#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "machine/vat/vat.h"

void vat_rrmin_free(vat_rrmin *rrmin) {
    vat_min_free(&rrmin->min);
    vat_segment_free(&rrmin->regular);
    free(rrmin->image);
    free(rrmin->witness);
}

riffle_status vat_rrmin_create(const vat_trace *trace, uint64_t capacity, vat_rrmin *out) {
    const size_t bytes = (trace->nodes + 1) * sizeof *out->image;
    vat_rrmin rrmin = {.trace = trace, .rr = VAT_NONE, .last = VAT_NONE};
    riffle_status status = vat_min_create(trace, capacity, &rrmin.min);
    if (status == RIFFLE_OK) status = vat_segment_create(trace, &rrmin.regular);
    if (status == RIFFLE_OK) {
        rrmin.image = malloc(bytes);
        rrmin.witness = malloc(bytes);
        if (rrmin.image == NULL || rrmin.witness == NULL)
            status = fail_memory("a cache's bijection", 2 * bytes);
    }
    if (status != RIFFLE_OK) {
        vat_rrmin_free(&rrmin);
        return status;
    }
    memset(rrmin.image, 0xff, bytes);
    memset(rrmin.witness, 0xff, bytes);
    *out = rrmin;
    return RIFFLE_OK;
}

static void pair(vat_rrmin *rrmin, uint32_t witness, uint32_t image) {
    rrmin->image[witness] = image;
    rrmin->witness[image] = witness;
}

/* MIN evicts `node`: so does RRMIN its image, or else the lowest node below, whose witness then takes over the
 * image. */
static riffle_status follow_eviction(vat_rrmin *rrmin, uint32_t node, uint32_t *evicted) {
    const uint32_t image = rrmin->image[node];
    *evicted = vat_segment_lowest(&rrmin->regular, image);
    const uint32_t heir = rrmin->witness[*evicted];
    rrmin->image[node] = VAT_NONE;
    rrmin->witness[*evicted] = VAT_NONE;
    if (*evicted != image) pair(rrmin, heir, image);
    return vat_segment_evict(&rrmin->regular, *evicted);
}

/* MIN inserts `node`. If it is in the regular cells already, it is another's image: all in the chain of
 * witnesses become their own image, and the last, which is not there, makes its highest missing ancestor come
 * instead. */
static riffle_status follow_insertion(vat_rrmin *rrmin, uint32_t node, uint32_t *inserted) {
    uint32_t last = node;
    while (vat_segment_has(&rrmin->regular, last)) {
        const uint32_t witness = rrmin->witness[last];
        pair(rrmin, last, last);
        last = witness;
    }
    uint32_t missing = last, parent = rrmin->trace->node[last].parent;
    while (parent != VAT_NONE && !vat_segment_has(&rrmin->regular, parent)) {
        missing = parent;
        parent = rrmin->trace->node[parent].parent;
    }
    pair(rrmin, last, missing);
    *inserted = missing;
    if (rrmin->rr == missing) rrmin->rr = VAT_NONE;
    return vat_segment_insert(&rrmin->regular, missing);
}

/* MIN replaces the node just used by its descendant, which becomes the witness instead; RRMIN needs rr at most.
 * */
static void follow_round_robin(vat_rrmin *rrmin, vat_min_move move, uint32_t node) {
    if (!move.inserted) return;
    pair(rrmin, node, rrmin->image[move.evicted]);
    rrmin->image[move.evicted] = VAT_NONE;
}

/* A node that is missing from the regular cells in the round robin phase goes to rr. */
static void hold(vat_rrmin *rrmin, uint32_t node, uint32_t *held) {
    if (vat_segment_has(&rrmin->regular, node) || rrmin->rr == node) return;
    rrmin->rr = *held = node;
}

void vat_rrmin_begin(vat_rrmin *rrmin) {
    rrmin->last = VAT_NONE;
    rrmin->round_robin = false;
}

riffle_status vat_rrmin_use(vat_rrmin *rrmin, uint32_t node, uint64_t use, vat_rrmin_move *out) {
    const vat_min_move move = vat_min_use(&rrmin->min, node, use);
    riffle_status status = RIFFLE_OK;
    *out = (vat_rrmin_move){VAT_NONE, VAT_NONE, VAT_NONE};
    const bool replaces_last = move.evicted != VAT_NONE && move.evicted == rrmin->last;
    if (rrmin->round_robin && move.inserted && !replaces_last) {
        return fail(RIFFLE_ERROR_INTERNAL, "rrmin: MIN left the round robin phase within a translation");
    }
    rrmin->round_robin |= replaces_last;
    rrmin->last = node;
    if (rrmin->round_robin) {
        follow_round_robin(rrmin, move, node);
        hold(rrmin, node, &out->held);
        return RIFFLE_OK;
    }
    if (move.evicted != VAT_NONE) status = follow_eviction(rrmin, move.evicted, &out->evicted);
    if (status == RIFFLE_OK && move.inserted) status = follow_insertion(rrmin, node, &out->inserted);
    if (status == RIFFLE_OK && !vat_segment_has(&rrmin->regular, node)) {
        status = fail(RIFFLE_ERROR_INTERNAL, "rrmin: a node is not stored when it is used");
    }
    return status;
}

/* A node that was in rr before has only changed its cell. */
static void tally_move(vat_tally *tally, const vat_trace *trace, uint32_t rr, const vat_rrmin_move *move) {
    const uint32_t came[] = {move->inserted != rr ? move->inserted : VAT_NONE, move->held};
    for (unsigned k = 0; k < 2; k++) {
        if (came[k] == VAT_NONE) continue;
        const vat_trace_node *node = &trace->node[came[k]];
        vat_tally_insertion(tally, node->number, node->layer);
    }
}

riffle_status vat_rrmin_count(const vat_trace *trace, uint64_t cache, vat_tally *tally) {
    vat_rrmin rrmin;
    riffle_status status = vat_rrmin_create(trace, cache, &rrmin);
    if (status != RIFFLE_OK) return status;
    vat_walk walk = {0};
    status = vat_walk_create(trace, &walk);
    while (status == RIFFLE_OK && vat_walk_step(&walk)) {
        vat_rrmin_begin(&rrmin);
        for (unsigned layer = trace->tree.height + 1; status == RIFFLE_OK && layer-- > 0;) {
            const uint32_t rr = rrmin.rr;
            vat_rrmin_move move;
            status = vat_rrmin_use(&rrmin, walk.node[layer], walk.use[layer], &move);
            if (status == RIFFLE_OK) tally_move(tally, trace, rr, &move);
        }
    }
    vat_walk_free(&walk);
    vat_rrmin_free(&rrmin);
    return status;
}
