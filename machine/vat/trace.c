/* SPDX-License-Identifier: Apache-2.0 */
#include "machine/vat/trace.h"

#include <stdlib.h>
#include <string.h>

#include "base/status.h"

/* ------------------------------------------------------------------ growing */

vat_trace vat_trace_of(vat_tree tree) { return (vat_trace){.tree = tree}; }

void vat_trace_free(vat_trace *trace) {
    free(trace->leaf);
    free(trace->node);
    free(trace->bucket);
}

/* Makes room for `needed` items of `bytes` bytes; the room at least doubles. */
static riffle_status reserve(void **items, size_t *room, size_t needed, size_t bytes) {
    if (needed <= *room) return RIFFLE_OK;
    if (needed >= VAT_NONE) {
        return fail(RIFFLE_ERROR_LENGTH, "the trace is too long for an offline policy, which takes at most "
                                         "2^32 - 2 accesses and nodes; take lru or islru");
    }
    size_t more = 2 * *room > needed ? 2 * *room : needed;
    if (more < 1024) more = 1024;
    void *grown = realloc(*items, more * bytes);
    if (grown == NULL) return fail_memory("a trace", more * bytes);
    *items = grown;
    *room = more;
    return RIFFLE_OK;
}

static uint32_t *bucket_of(vat_trace *trace, uint64_t number, unsigned layer) {
    return &trace->bucket[vat_tree_hash(number, layer, trace->hash_bits)];
}

/* Keeps at least as many chains as nodes. */
static riffle_status reserve_buckets(vat_trace *trace, size_t nodes) {
    if (trace->bucket != NULL && nodes <= (size_t)1 << trace->hash_bits) return RIFFLE_OK;
    unsigned bits = 10;
    while ((size_t)1 << bits < nodes) bits++;
    uint32_t *bucket = malloc(sizeof *bucket << bits);
    if (bucket == NULL) return fail_memory("the nodes of a trace", sizeof *bucket << bits);
    memset(bucket, 0xff, sizeof *bucket << bits);
    free(trace->bucket);
    trace->bucket = bucket;
    trace->hash_bits = bits;
    for (uint32_t k = 0; k < trace->nodes; k++) {
        uint32_t *head = bucket_of(trace, trace->node[k].number, trace->node[k].layer);
        trace->node[k].chain = *head;
        *head = k;
    }
    return RIFFLE_OK;
}

/* Room for one more access and all nodes of its path. */
static riffle_status reserve_path(vat_trace *trace) {
    const size_t nodes = trace->nodes + trace->tree.height + 1;
    void *leaf = trace->leaf, *node = trace->node;
    riffle_status status = reserve(&leaf, &trace->access_room, trace->accesses + 1, sizeof *trace->leaf);
    trace->leaf = leaf;
    if (status != RIFFLE_OK) return status;
    status = reserve(&node, &trace->node_room, nodes, sizeof *trace->node);
    trace->node = node;
    return status == RIFFLE_OK ? reserve_buckets(trace, nodes) : status;
}

static uint32_t find_or_add(vat_trace *trace, uint64_t number, unsigned layer) {
    uint32_t *head = bucket_of(trace, number, layer);
    for (uint32_t k = *head; k != VAT_NONE; k = trace->node[k].chain) {
        if (trace->node[k].number == number && trace->node[k].layer == layer) return k;
    }
    const uint32_t parent = layer < trace->tree.height ? trace->path[layer + 1] : VAT_NONE;
    const uint32_t added = (uint32_t)trace->nodes++;
    trace->node[added] = (vat_trace_node){.number = number, .layer = layer, .parent = parent, .chain = *head};
    *head = added;
    return added;
}

riffle_status vat_trace_append(vat_trace *trace, const uint64_t *addresses, size_t count) {
    const vat_tree *tree = &trace->tree;
    for (size_t i = 0; i < count; i++) {
        const riffle_status status = reserve_path(trace);
        if (status != RIFFLE_OK) return status;
        const uint64_t page = addresses[i] >> tree->page_bits;
        unsigned layer = trace->accesses > 0 ? vat_tree_differing(tree, page, trace->page) : tree->height + 1;
        trace->page = page;
        while (layer-- > 0) {
            trace->path[layer] = find_or_add(trace, vat_tree_number(tree, page, layer), layer);
        }
        trace->leaf[trace->accesses++] = trace->path[0];
    }
    return RIFFLE_OK;
}

/* ------------------------------------------------------------------ walking */

/* The lower nodes of an access's path that the next access does not share. */
static unsigned unshared(const vat_trace *trace, size_t access) {
    if (access + 1 == trace->accesses) return trace->tree.height + 1;
    return vat_tree_differing(&trace->tree, trace->node[trace->leaf[access]].number,
                              trace->node[trace->leaf[access + 1]].number);
}

/* Backwards over the trace; first[v] is the first access after this one that uses v. */
static void find_next_uses(const vat_trace *trace, uint32_t *next, size_t at, uint32_t *first) {
    memset(first, 0xff, trace->nodes * sizeof *first);
    for (size_t access = trace->accesses; access-- > 0;) {
        const unsigned stored = unshared(trace, access);
        uint32_t node = trace->leaf[access];
        for (unsigned layer = 0; node != VAT_NONE; layer++, node = trace->node[node].parent) {
            if (layer < stored) next[--at] = first[node];
            first[node] = (uint32_t)access;
        }
    }
}

riffle_status vat_walk_create(const vat_trace *trace, vat_walk *out) {
    size_t stored = 0;
    for (size_t access = 0; access < trace->accesses; access++) stored += unshared(trace, access);
    uint32_t *next = malloc((stored + 1) * sizeof *next);
    uint32_t *first = malloc((trace->nodes + 1) * sizeof *first);
    if (next == NULL || first == NULL) {
        free(next);
        free(first);
        return fail_memory("a trace's next uses", (stored + trace->nodes + 2) * sizeof *next);
    }
    find_next_uses(trace, next, stored, first);
    free(first);
    *out = (vat_walk){.trace = trace, .next = next};
    return RIFFLE_OK;
}

void vat_walk_free(vat_walk *walk) { free(walk->next); }

/* Times are compared first, then depths. */
static uint64_t use_at(size_t access, unsigned depth) { return (uint64_t)access << 7 | depth; }

bool vat_walk_step(vat_walk *walk) {
    const vat_trace *trace = walk->trace;
    if (walk->access == trace->accesses) return false;
    const unsigned height = trace->tree.height, stored = unshared(trace, walk->access);
    uint32_t node = trace->leaf[walk->access];
    for (unsigned layer = 0; layer <= height; layer++, node = trace->node[node].parent)
        walk->node[layer] = node;
    for (unsigned layer = height + 1; layer-- > 0;) {
        const size_t next = layer < stored ? walk->next[walk->at++] : walk->access + 1;
        walk->use[layer] = use_at(next, height - layer);
    }
    walk->access++;
    return true;
}
