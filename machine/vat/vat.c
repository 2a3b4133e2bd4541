/* SPDX-License-Identifier: Apache-2.0 */
#include "machine/vat/vat.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "machine/library.h"

/* A policy either counts as it is fed, or has the trace stored and counts afterwards. */
typedef struct policy_kind {
    riffle_status (*access)(vat_cells *, const vat_tree *, const uint64_t *, size_t, uint64_t *);
    riffle_status (*count)(const vat_trace *, uint64_t, uint64_t *);
    bool needs_path; /* it works only where a whole path fits the cache */
} policy_kind;

static const policy_kind kinds[] = {
    [RIFFLE_VAT_POLICY_LRU] = {.access = vat_lru_access},
    [RIFFLE_VAT_POLICY_ISLRU] = {.access = vat_islru_access},
    [RIFFLE_VAT_POLICY_MIN] = {.count = vat_min_count},
    [RIFFLE_VAT_POLICY_ISMIN] = {.count = vat_ismin_count, .needs_path = true},
    [RIFFLE_VAT_POLICY_RRMIN] = {.count = vat_rrmin_count, .needs_path = true},
    [RIFFLE_VAT_POLICY_LIS] = {.count = vat_lis_count, .needs_path = true},
};

enum { POLICIES = sizeof kinds / sizeof kinds[0] };

struct riffle_vat {
    const policy_kind *kind;
    vat_tree tree;
    uint64_t cache;
    double tau;
    uint64_t accesses;
    uint64_t counted; /* accesses that `faults` is for */
    uint64_t faults;
    vat_cells cells; /* for a policy that counts as it is fed */
    vat_trace trace; /* for the others */
};

/* ------------------------------------------------------------------ options */

riffle_vat_options vat_with_defaults(const riffle_vat_options *options) {
    riffle_vat_options o = {0};
    if (options != NULL) o = *options;
    if (o.fanout == 0) o.fanout = 512;
    if (o.page == 0) o.page = 4096;
    if (o.height == 0) o.height = 4;
    if (o.cache == 0) o.cache = 1536;
    if (o.tau == 0) o.tau = 1;
    return o;
}

static bool is_power_of_two(uint64_t n) { return n != 0 && (n & (n - 1)) == 0; }

static riffle_status check_tree(const riffle_vat_options *o) {
    if (!is_power_of_two(o->fanout) || o->fanout < 2) {
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "fanout: %llu is no power of two from 2 on",
                    (unsigned long long)o->fanout);
    }
    if (!is_power_of_two(o->page)) {
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "page: %llu bytes are no power of two",
                    (unsigned long long)o->page);
    }
    const unsigned fanout_bits = (unsigned)__builtin_ctzll(o->fanout);
    const unsigned page_bits = (unsigned)__builtin_ctzll(o->page);
    if (o->height > (64 - page_bits) / fanout_bits) {
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT,
                    "height: %u layers of fanout %llu over pages of %llu bytes exceed 2^64 addresses; at most "
                    "%u fit",
                    o->height, (unsigned long long)o->fanout, (unsigned long long)o->page,
                    (64 - page_bits) / fanout_bits);
    }
    return RIFFLE_OK;
}

static riffle_status check_cache(const policy_kind *kind, const riffle_vat_options *o) {
    if (o->cache > (uint64_t)1 << VAT_MAX_CACHE_BITS) {
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "cache: %llu nodes are more than 2^%d",
                    (unsigned long long)o->cache, VAT_MAX_CACHE_BITS);
    }
    if (kind->needs_path && o->cache <= o->height) {
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT,
                    "cache: %llu nodes are too few for %s, which keeps an initial segment of a tree of height "
                    "%u; take at least %u",
                    (unsigned long long)o->cache, riffle_vat_policy_string((riffle_vat_policy)(kind - kinds)),
                    o->height, o->height + 1);
    }
    if (!(o->tau > 0) || isinf(o->tau)) {
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "tau: %g is no positive number", o->tau);
    }
    return RIFFLE_OK;
}

/* -------------------------------------------------------------------- cache */

riffle_status vat_create(riffle_vat_policy policy, const riffle_vat_options *options, riffle_vat **out) {
    RETURN_IF_NULL(out);
    if ((unsigned)policy >= POLICIES) {
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "policy: there is none with the number %u",
                    (unsigned)policy);
    }
    const policy_kind *kind = &kinds[policy];
    const riffle_vat_options o = vat_with_defaults(options);
    riffle_status status = check_tree(&o);
    if (status == RIFFLE_OK) status = check_cache(kind, &o);
    if (status != RIFFLE_OK) return status;
    riffle_vat *vat = calloc(1, sizeof *vat);
    if (vat == NULL) return fail_memory("a translation cache", sizeof *vat);
    vat->kind = kind;
    vat->tree = vat_tree_of((unsigned)__builtin_ctzll(o.fanout), (unsigned)__builtin_ctzll(o.page), o.height);
    vat->cache = o.cache;
    vat->tau = o.tau;
    vat->trace = vat_trace_of(vat->tree);
    if (kind->access != NULL) status = vat_cells_create(o.cache, o.height, &vat->cells);
    if (status != RIFFLE_OK) {
        vat_free(vat);
        return status;
    }
    *out = vat;
    return RIFFLE_OK;
}

void vat_free(riffle_vat *vat) {
    if (vat == NULL) return;
    vat_cells_free(&vat->cells);
    vat_trace_free(&vat->trace);
    free(vat);
}

/* How many addresses, from the first, lie within the tree. */
static size_t count_valid(const vat_tree *tree, const uint64_t *addresses, size_t count) {
    const unsigned bits = tree->height * tree->fanout_bits + tree->page_bits;
    if (bits == 64) return count;
    size_t valid = 0;
    while (valid < count && addresses[valid] >> bits == 0) valid++;
    return valid;
}

riffle_status vat_access(riffle_vat *vat, const uint64_t *addresses, size_t count) {
    RETURN_IF_NULL(vat);
    if (count > 0) RETURN_IF_NULL(addresses);
    const size_t valid = count_valid(&vat->tree, addresses, count);
    riffle_status status = RIFFLE_OK;
    if (vat->kind->access != NULL) {
        status = vat->kind->access(&vat->cells, &vat->tree, addresses, valid, &vat->faults);
        vat->accesses += valid;
    } else {
        status = vat_trace_append(&vat->trace, addresses, valid);
        vat->accesses = vat->trace.accesses;
    }
    if (status != RIFFLE_OK || valid == count) return status;
    return fail(RIFFLE_ERROR_INVALID_ARGUMENT,
                "access %llu: the address 0x%llx is beyond the tree's 2^%u bytes",
                (unsigned long long)vat->accesses, (unsigned long long)addresses[valid],
                vat->tree.height * vat->tree.fanout_bits + vat->tree.page_bits);
}

riffle_status vat_count(riffle_vat *vat, riffle_vat_counts *out) {
    RETURN_IF_NULL(vat, out);
    if (vat->kind->count != NULL && vat->counted != vat->accesses) {
        const riffle_status status = vat->kind->count(&vat->trace, vat->cache, &vat->faults);
        if (status != RIFFLE_OK) return status;
        vat->counted = vat->accesses;
    }
    *out = (riffle_vat_counts){
        .accesses = vat->accesses, .faults = vat->faults, .cost = vat->tau * (double)vat->faults};
    return RIFFLE_OK;
}
