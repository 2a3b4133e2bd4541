/* SPDX-License-Identifier: Apache-2.0
 *
 * LIS (section 2.3.8): RRMIN's moves in a cache of W + d nodes that always holds an initial segment.
 *
 * First an eager cache: what is in RRMIN's regular cells, and up to d marked nodes, which hang below and keep
 * the path to the node in rr. Then a lazy one (Lemma 2.7), which inserts what a translation needs when it needs
 * it, and for that evicts nodes that the eager one does not hold at the translation's end: the surplus. Only
 * the lazy one's insertions count.
 */
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "machine/vat/policies/rrmin.h"
#include "machine/vat/vat.h"

typedef struct lis {
    const vat_trace *trace;
    uint64_t capacity; /* W + d */
    vat_rrmin rrmin;
    vat_segment eager, lazy;
    uint32_t marked[VAT_MAX_HEIGHT];
    unsigned marks;
    uint32_t *surplus, *place; /* the nodes that only the lazy cache holds; where each is among them */
    size_t surplus_size;
} lis;

static void lis_free(lis *cache) {
    vat_rrmin_free(&cache->rrmin);
    vat_segment_free(&cache->eager);
    vat_segment_free(&cache->lazy);
    free(cache->surplus);
    free(cache->place);
}

static riffle_status lis_create(const vat_trace *trace, uint64_t capacity, lis *out) {
    const size_t bytes = (trace->nodes + 1) * sizeof *out->surplus;
    lis cache = {.trace = trace, .capacity = capacity + trace->tree.height};
    riffle_status status = vat_rrmin_create(trace, capacity, &cache.rrmin);
    if (status == RIFFLE_OK) status = vat_segment_create(trace, &cache.eager);
    if (status == RIFFLE_OK) status = vat_segment_create(trace, &cache.lazy);
    if (status == RIFFLE_OK) {
        cache.surplus = malloc(bytes);
        cache.place = malloc(bytes);
        if (cache.surplus == NULL || cache.place == NULL) status = fail_memory("a surplus of nodes", 2 * bytes);
    }
    if (status != RIFFLE_OK) {
        lis_free(&cache);
        return status;
    }
    *out = cache;
    return RIFFLE_OK;
}

/* -------------------------------------------------------------------- eager */

static riffle_status eager_insert(lis *cache, uint32_t node) {
    if (vat_segment_has(&cache->lazy, node)) {
        const uint32_t last = cache->surplus[--cache->surplus_size];
        cache->surplus[cache->place[node]] = last;
        cache->place[last] = cache->place[node];
    }
    const riffle_status status = vat_segment_insert(&cache->eager, node);
    if (status == RIFFLE_OK && cache->eager.size > cache->capacity) {
        return fail(RIFFLE_ERROR_INTERNAL, "lis: more than W + d nodes are stored");
    }
    return status;
}

static riffle_status eager_evict(lis *cache, uint32_t node) {
    if (vat_segment_has(&cache->lazy, node)) {
        cache->place[node] = (uint32_t)cache->surplus_size;
        cache->surplus[cache->surplus_size++] = node;
    }
    return vat_segment_evict(&cache->eager, node);
}

static bool is_on_path(const lis *cache, const vat_walk *walk, uint32_t node) {
    return walk->node[cache->trace->node[node].layer] == node;
}

static unsigned find_mark(const lis *cache, uint32_t node) {
    unsigned k = 0;
    while (k < cache->marks && cache->marked[k] != node) k++;
    return k;
}

/* Marks a node; if d are marked already, the marked node `k` leaves for it. */
static riffle_status mark(lis *cache, uint32_t node, unsigned k) {
    if (cache->marks < cache->trace->tree.height) {
        cache->marked[cache->marks++] = node;
        return RIFFLE_OK;
    }
    if (k == cache->marks) return fail(RIFFLE_ERROR_INTERNAL, "lis: no marked node can leave");
    const uint32_t victim = cache->marked[k];
    cache->marked[k] = node;
    return eager_evict(cache, victim);
}

/* RRMIN evicts a node while `rr` is in its cell rr: case 1, with marked nodes below it the node is marked
 * itself, and a lowest marked one leaves. */
static riffle_status follow_eviction(lis *cache, uint32_t node, uint32_t rr) {
    if (vat_segment_is_childless(&cache->eager, node)) return eager_evict(cache, node);
    unsigned k = 0;
    while (k < cache->marks &&
           (cache->marked[k] == rr || !vat_segment_is_childless(&cache->eager, cache->marked[k]))) {
        k++;
    }
    return mark(cache, node, k);
}

/* RRMIN inserts a node: case 2, a marked one only loses its mark. */
static riffle_status follow_insertion(lis *cache, uint32_t node) {
    const unsigned k = find_mark(cache, node);
    if (k == cache->marks) return eager_insert(cache, node);
    cache->marked[k] = cache->marked[--cache->marks];
    return RIFFLE_OK;
}

/* RRMIN puts a node into rr: case 3, it replaces a lowest marked node off the current path. */
static riffle_status follow_hold(lis *cache, const vat_walk *walk, uint32_t node) {
    if (vat_segment_has(&cache->eager, node)) return RIFFLE_OK;
    unsigned k = 0;
    while (k < cache->marks && (is_on_path(cache, walk, cache->marked[k]) ||
                                !vat_segment_is_childless(&cache->eager, cache->marked[k]))) {
        k++;
    }
    const riffle_status status = mark(cache, node, k);
    return status == RIFFLE_OK ? eager_insert(cache, node) : status;
}

static riffle_status translate_eagerly(lis *cache, const vat_walk *walk) {
    vat_rrmin_begin(&cache->rrmin);
    for (unsigned layer = cache->trace->tree.height + 1; layer-- > 0;) {
        const uint32_t rr = cache->rrmin.rr;
        vat_rrmin_move move;
        riffle_status status = vat_rrmin_use(&cache->rrmin, walk->node[layer], walk->use[layer], &move);
        if (status == RIFFLE_OK && move.evicted != VAT_NONE) status = follow_eviction(cache, move.evicted, rr);
        if (status == RIFFLE_OK && move.inserted != VAT_NONE) status = follow_insertion(cache, move.inserted);
        if (status == RIFFLE_OK && move.held != VAT_NONE) status = follow_hold(cache, walk, move.held);
        if (status != RIFFLE_OK) return status;
    }
    return RIFFLE_OK;
}

/* --------------------------------------------------------------------- lazy */

static riffle_status make_room(lis *cache) {
    if (cache->lazy.size < cache->capacity) return RIFFLE_OK;
    if (cache->surplus_size == 0) return fail(RIFFLE_ERROR_INTERNAL, "lis: a full cache has no node to evict");
    const uint32_t any = cache->surplus[cache->surplus_size - 1];
    const uint32_t victim = vat_segment_lowest(&cache->lazy, any);
    cache->surplus[cache->place[victim]] = any;
    cache->place[any] = cache->place[victim];
    cache->surplus_size--;
    return vat_segment_evict(&cache->lazy, victim);
}

static riffle_status translate_lazily(lis *cache, const vat_walk *walk, vat_tally *tally) {
    for (unsigned layer = cache->trace->tree.height + 1; layer-- > 0;) {
        const uint32_t node = walk->node[layer];
        if (!vat_segment_has(&cache->eager, node)) {
            return fail(RIFFLE_ERROR_INTERNAL, "lis: the current path is not stored at its end");
        }
        if (vat_segment_has(&cache->lazy, node)) continue;
        riffle_status status = make_room(cache);
        if (status == RIFFLE_OK) status = vat_segment_insert(&cache->lazy, node);
        if (status != RIFFLE_OK) return status;
        vat_tally_insertion(tally, cache->trace->node[node].number, layer);
    }
    return RIFFLE_OK;
}

riffle_status vat_lis_count(const vat_trace *trace, uint64_t cache, vat_tally *tally) {
    lis state;
    riffle_status status = lis_create(trace, cache, &state);
    if (status != RIFFLE_OK) return status;
    vat_walk walk = {0};
    status = vat_walk_create(trace, &walk);
    while (status == RIFFLE_OK && vat_walk_step(&walk)) {
        status = translate_eagerly(&state, &walk);
        if (status == RIFFLE_OK) status = translate_lazily(&state, &walk, tally);
    }
    vat_walk_free(&walk);
    lis_free(&state);
    return status;
}
