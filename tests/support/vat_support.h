/* SPDX-License-Identifier: Apache-2.0
 *
 * Code that tests of the VAT model share: traces of every kind, and translation caches that follow the definitions of section
 * 2.3 word by word, scanning all their nodes and the whole future.
 */
#ifndef RIFFLE_TESTS_VAT_SUPPORT_H
#define RIFFLE_TESTS_VAT_SUPPORT_H

#include "riffle/vat.h"
#include "support.h"

/* ------------------------------------------------------------------- naive */

typedef struct naive_node {
    unsigned layer;
    uint64_t number;
    uint64_t used; /**< the number of the last use among all uses of nodes */
} naive_node;

typedef struct naive_cache {
    riffle_vat_options options;
    unsigned fanout_bits, page_bits;
    naive_node *node;
    uint64_t size, uses, faults;
} naive_cache;

static inline naive_cache naive_create(const riffle_vat_options *options) {
    naive_cache cache = {.options = *options,
                         .fanout_bits = (unsigned)__builtin_ctzll(options->fanout),
                         .page_bits = (unsigned)__builtin_ctzll(options->page),
                         .node = malloc(options->cache * sizeof *cache.node)};
    assert_non_null(cache.node);
    return cache;
}

static inline naive_node naive_node_of(const naive_cache *cache, uint64_t address, unsigned layer) {
    const uint64_t page = address >> cache->page_bits;
    return (naive_node){.layer = layer,
                        .number = layer < cache->options.height ? page >> (layer * cache->fanout_bits) : 0};
}

static inline bool naive_same(naive_node a, naive_node b) { return a.layer == b.layer && a.number == b.number; }

/** True if `below` is a proper descendant of `above`. */
static inline bool naive_is_below(const naive_cache *cache, naive_node below, naive_node above) {
    if (below.layer >= above.layer) return false;
    if (above.layer == cache->options.height) return true;
    return below.number >> ((above.layer - below.layer) * cache->fanout_bits) == above.number;
}

/** Where a node is stored; `size` if it is not. */
static inline uint64_t naive_find(const naive_cache *cache, naive_node node) {
    uint64_t k = 0;
    while (k < cache->size && !naive_same(cache->node[k], node)) k++;
    return k;
}

static inline bool naive_has(const naive_cache *cache, naive_node node) {
    return naive_find(cache, node) < cache->size;
}

static inline bool naive_has_below(const naive_cache *cache, naive_node node) {
    for (uint64_t k = 0; k < cache->size; k++) {
        if (naive_is_below(cache, cache->node[k], node)) return true;
    }
    return false;
}

/** Definition 2.2: whatever is stored, its parent is, too. */
static inline bool naive_is_segment(const naive_cache *cache) {
    for (uint64_t k = 0; k < cache->size; k++) {
        naive_node parent = cache->node[k];
        if (parent.layer == cache->options.height) continue;
        parent.layer++;
        parent.number = parent.layer < cache->options.height ? parent.number >> cache->fanout_bits : 0;
        if (!naive_has(cache, parent)) return false;
    }
    return true;
}

static inline uint64_t naive_lru_victim(const naive_cache *cache) {
    uint64_t victim = 0;
    for (uint64_t k = 1; k < cache->size; k++) {
        if (cache->node[k].used < cache->node[victim].used) victim = k;
    }
    return victim;
}

/** Definition 2.9. */
static inline uint64_t naive_islru_victim(const naive_cache *cache) {
    const uint64_t oldest = naive_lru_victim(cache);
    uint64_t victim = oldest;
    for (uint64_t k = 0; k < cache->size; k++) {
        if (naive_is_below(cache, cache->node[k], cache->node[oldest]) &&
            cache->node[k].layer < cache->node[victim].layer) {
            victim = k;
        }
    }
    return victim;
}

/** Uses the next node of a path by LRU or ISLRU; true if it had to be inserted. */
static inline bool naive_use(naive_cache *cache, riffle_vat_policy policy, naive_node node) {
    uint64_t at = naive_find(cache, node);
    const bool missing = at == cache->size;
    if (missing) {
        cache->faults++;
        if (cache->size < cache->options.cache) {
            cache->size++;
        } else {
            at = policy == RIFFLE_VAT_POLICY_LRU ? naive_lru_victim(cache) : naive_islru_victim(cache);
        }
        cache->node[at] = node;
    }
    cache->node[at].used = cache->uses++;
    return missing;
}

/** Translates an address by LRU or ISLRU. */
static inline void naive_access(naive_cache *cache, riffle_vat_policy policy, uint64_t address) {
    for (unsigned layer = cache->options.height + 1; layer-- > 0;)
        naive_use(cache, policy, naive_node_of(cache, address, layer));
}

/** When a node is used again after access `now`, from `layer` down in that one: depths count within an access.
 *  */
static inline uint64_t naive_next_use(const naive_cache *cache, naive_node node, const uint64_t *trace,
                                      size_t count, size_t now, unsigned layer) {
    const uint64_t depth = cache->options.height - node.layer;
    for (size_t i = now; i < count; i++) {
        if (i == now && node.layer >= layer) continue;
        if (naive_same(naive_node_of(cache, trace[i], node.layer), node)) return i * 128 + depth;
    }
    return count * 128 + depth;
}

/** MIN, or ISMIN (Definition 2.12): the faults of a trace, in time count^2 * cache. */
static inline uint64_t naive_offline(const riffle_vat_options *options, riffle_vat_policy policy,
                                     const uint64_t *trace, size_t count) {
    naive_cache cache = naive_create(options);
    for (size_t now = 0; now < count; now++) {
        for (unsigned layer = options->height + 1; layer-- > 0;) {
            const naive_node node = naive_node_of(&cache, trace[now], layer);
            if (naive_has(&cache, node)) continue;
            cache.faults++;
            uint64_t victim = cache.size, latest = 0;
            for (uint64_t k = 0; cache.size == options->cache && k < cache.size; k++) {
                const naive_node other = cache.node[k];
                const bool on_path = naive_same(naive_node_of(&cache, trace[now], other.layer), other);
                if (policy == RIFFLE_VAT_POLICY_ISMIN && (on_path || naive_has_below(&cache, other))) continue;
                const uint64_t use = naive_next_use(&cache, other, trace, count, now, layer);
                if (victim == cache.size || use > latest) victim = k, latest = use;
            }
            if (cache.size < options->cache) cache.size++;
            cache.node[victim] = node;
            if (policy == RIFFLE_VAT_POLICY_ISMIN) assert_true(naive_is_segment(&cache));
        }
    }
    free(cache.node);
    return cache.faults;
}

/* ------------------------------------------------------------------- traces */

typedef enum trace_kind {
    TRACE_RANDOM,
    TRACE_SEQUENTIAL,
    TRACE_STRIDED,
    TRACE_CYCLE,     /**< around a few pages more than fit: LRU's worst case */
    TRACE_HOT,       /**< pages of geometric popularity */
    TRACE_ZIGZAG,    /**< forth and back */
    TRACE_PHASES,    /**< random in one subtree, then in another */
    TRACE_ADVERSARY, /**< always a page that LRU does not hold */
    TRACE_KINDS,
} trace_kind;

static inline uint64_t adversary_page(rng *r, const naive_cache *lru, uint64_t pages) {
    const uint64_t first = rng_below(r, pages);
    for (uint64_t k = 0; k < pages; k++) {
        const uint64_t page = (first + k) % pages;
        if (!naive_has(lru, naive_node_of(lru, page << lru->page_bits, 0))) return page;
    }
    return first;
}

/** `count` addresses on the first `pages` pages; the caller frees them. */
static inline uint64_t *trace_create(rng *r, trace_kind kind, const riffle_vat_options *options, uint64_t pages,
                                     size_t count) {
    uint64_t *trace = malloc((count + 1) * sizeof *trace);
    assert_non_null(trace);
    naive_cache lru = naive_create(options);
    const uint64_t start = rng_below(r, pages), stride = 1 + rng_below(r, pages);
    uint64_t around = options->cache / (1 + rng_below(r, 3)) + 1, base = 0;
    if (around > pages) around = pages;
    for (size_t i = 0; i < count; i++) {
        uint64_t page = rng_below(r, pages);
        switch (kind) {
        case TRACE_SEQUENTIAL: page = start + i; break;
        case TRACE_STRIDED: page = start + i * stride; break;
        case TRACE_CYCLE: page = start + i % around; break;
        case TRACE_HOT: page = page >> (__builtin_ctzll(rng_next(r) | 1ULL << 20)); break;
        case TRACE_ZIGZAG: page = i / pages % 2 == 0 ? i : pages - 1 - i % pages; break;
        case TRACE_PHASES:
            if (rng_below(r, 20) == 0) base = page;
            page = base + rng_below(r, 8);
            break;
        case TRACE_ADVERSARY: page = adversary_page(r, &lru, around); break;
        default: break;
        }
        trace[i] = (page % pages << lru.page_bits) + rng_below(r, options->page);
        if (kind == TRACE_ADVERSARY) naive_access(&lru, RIFFLE_VAT_POLICY_LRU, trace[i]);
    }
    free(lru.node);
    return trace;
}

/** The faults that a policy counts, fed in batches. */
static inline uint64_t faults_of(rng *r, riffle_vat_policy policy, riffle_vat_options options, uint64_t cache,
                                 const uint64_t *trace, size_t count) {
    riffle_vat *vat = NULL;
    riffle_vat_counts counts = {0};
    options.cache = cache;
    if (riffle_vat_create(policy, &options, &vat) != RIFFLE_OK) fail_msg("%s", riffle_error_detail());
    for (size_t i = 0; i < count;) {
        const size_t batch = 1 + rng_below(r, count - i);
        if (riffle_vat_access(vat, trace + i, batch) != RIFFLE_OK) fail_msg("%s", riffle_error_detail());
        i += batch;
    }
    if (riffle_vat_count(vat, &counts) != RIFFLE_OK) fail_msg("%s", riffle_error_detail());
    assert_int_equal(counts.accesses, count);
    riffle_vat_free(vat);
    return counts.faults;
}

#endif
