/* SPDX-License-Identifier: Apache-2.0
 *
 * ISMIN (Definition 2.12): of the nodes off the current path that have no stored children, the one used again
 * last leaves. Exactly these are in the heap while a path is translated: a node goes out when the path reaches
 * it, and comes in when its last stored child leaves or, for the leaf, when the path is done.
 */
#include <stdlib.h>

#include "base/status.h"
#include "machine/vat/policies/heap.h"
#include "machine/vat/policies/segment.h"
#include "machine/vat/vat.h"

typedef struct ismin {
    const vat_trace *trace;
    uint64_t capacity;
    vat_segment stored;
    vat_heap evictable;
    uint64_t *use; /* each stored node's next */
} ismin;

static void ismin_free(ismin *cache) {
    vat_segment_free(&cache->stored);
    vat_heap_free(&cache->evictable);
    free(cache->use);
}

static riffle_status ismin_create(const vat_trace *trace, uint64_t capacity, ismin *out) {
    ismin cache = {.trace = trace, .capacity = capacity};
    riffle_status status = vat_segment_create(trace, &cache.stored);
    if (status == RIFFLE_OK) status = vat_heap_create(trace->nodes, trace->nodes, &cache.evictable);
    if (status == RIFFLE_OK) {
        cache.use = malloc((trace->nodes + 1) * sizeof *cache.use);
        if (cache.use == NULL) status = fail_memory("next uses", (trace->nodes + 1) * sizeof *cache.use);
    }
    if (status != RIFFLE_OK) {
        ismin_free(&cache);
        return status;
    }
    *out = cache;
    return RIFFLE_OK;
}

static riffle_status make_room(ismin *cache, const vat_walk *walk) {
    if (cache->stored.size < cache->capacity) return RIFFLE_OK;
    if (cache->evictable.size == 0)
        return fail(RIFFLE_ERROR_INTERNAL, "ismin: a full cache has no node to evict");
    const uint32_t victim = vat_heap_pop(&cache->evictable);
    const riffle_status status = vat_segment_evict(&cache->stored, victim);
    if (status != RIFFLE_OK) return status;
    const uint32_t parent = cache->trace->node[victim].parent;
    if (parent == VAT_NONE || !vat_segment_is_childless(&cache->stored, parent)) return RIFFLE_OK;
    const bool on_path = walk->node[cache->trace->node[parent].layer] == parent;
    if (!on_path) vat_heap_put(&cache->evictable, parent, cache->use[parent]);
    return RIFFLE_OK;
}

static riffle_status translate(ismin *cache, const vat_walk *walk, vat_tally *tally) {
    for (unsigned layer = cache->trace->tree.height + 1; layer-- > 0;) {
        const uint32_t node = walk->node[layer];
        if (vat_segment_has(&cache->stored, node)) {
            if (vat_heap_has(&cache->evictable, node)) vat_heap_remove(&cache->evictable, node);
        } else {
            riffle_status status = make_room(cache, walk);
            if (status == RIFFLE_OK) status = vat_segment_insert(&cache->stored, node);
            if (status != RIFFLE_OK) return status;
            vat_tally_insertion(tally, cache->trace->node[node].number, layer);
        }
        cache->use[node] = walk->use[layer];
    }
    vat_heap_put(&cache->evictable, walk->node[0], walk->use[0]);
    return RIFFLE_OK;
}

riffle_status vat_ismin_count(const vat_trace *trace, uint64_t cache, vat_tally *tally) {
    ismin state;
    riffle_status status = ismin_create(trace, cache, &state);
    if (status != RIFFLE_OK) return status;
    vat_walk walk = {0};
    status = vat_walk_create(trace, &walk);
    while (status == RIFFLE_OK && vat_walk_step(&walk)) status = translate(&state, &walk, tally);
    vat_walk_free(&walk);
    ismin_free(&state);
    return status;
}
