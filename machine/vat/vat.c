/* SPDX-License-Identifier: Apache-2.0 */
#include "machine/vat/vat.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "machine/library.h"
#include "machine/vat/guest_memory.h"

/* A policy either counts as it is fed, or has the trace stored and counts afterwards. */
typedef struct policy_kind {
    riffle_status (*access)(vat_cells *, const vat_tree *, const uint64_t *, size_t, vat_tally *);
    riffle_status (*count)(const vat_trace *, uint64_t, vat_tally *);
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
    uint64_t counted; /* accesses that the tally is for, if the policy counts afterwards */
    vat_tally tally;
    vat_cells cells;  /* for a policy that counts as it is fed */
    vat_trace trace;  /* for the others */
    riffle_vat *host; /* of a virtual machine, else NULL */
    riffle_vat_options host_options;
    vat_guest_memory memory;
    bool splinters; /* the host's pages are smaller, so each access asks the host */
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
    vat_free(vat->host);
    vat_guest_memory_free(&vat->memory);
    vat_cells_free(&vat->cells);
    vat_trace_free(&vat->trace);
    free(vat);
}

/* -------------------------------------------------------------------- host */

static unsigned address_bits(const vat_tree *tree) {
    return tree->height * tree->fanout_bits + tree->page_bits;
}

static riffle_status ask_host(riffle_vat *guest, uint64_t address) {
    const unsigned bits = address_bits(&guest->host->tree);
    if (bits < 64 && address >> bits != 0) {
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT,
                    "nested: the guest's memory has outgrown the host's tree of 2^%u bytes; give the host more "
                    "height or larger pages",
                    bits);
    }
    return vat_access(guest->host, &address, 1);
}

/* A node came into the guest's cache, with the place of what it stands for. */
static riffle_status follow_guest(void *context, uint64_t number, unsigned layer) {
    riffle_vat *guest = context;
    uint64_t address;
    const riffle_status status = vat_guest_memory_find(&guest->memory, number, layer, &address);
    if (status != RIFFLE_OK || (layer == 0 && guest->splinters)) return status;
    return ask_host(guest, address);
}

/* The guest's tally and host as they are before any access. */
static riffle_status begin_tally(riffle_vat *vat) {
    vat->tally = (vat_tally){.status = RIFFLE_OK};
    if (vat->host == NULL) return RIFFLE_OK;
    riffle_vat *host;
    const riffle_status status =
        vat_create((riffle_vat_policy)(vat->host->kind - kinds), &vat->host_options, &host);
    if (status != RIFFLE_OK) return status;
    vat_free(vat->host);
    vat->host = host;
    vat_guest_memory_free(&vat->memory);
    vat->memory = vat_guest_memory_of(&vat->tree);
    vat->tally.see = follow_guest;
    vat->tally.context = vat;
    return RIFFLE_OK;
}

static riffle_status check_nested(const riffle_vat *guest) {
    const vat_tree *host = &guest->host->tree;
    if (host->page_bits < guest->tree.fanout_bits + VAT_ENTRY_BITS) {
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT,
                    "nested: a host's page of 2^%u bytes holds no table of the guest, 2^%u entries of 8 bytes; "
                    "take larger ones",
                    host->page_bits, guest->tree.fanout_bits);
    }
    if (guest->splinters && guest->kind->access == NULL) {
        return fail(RIFFLE_ERROR_UNSUPPORTED,
                    "nested: %s keeps no addresses within a page, which host's pages smaller than the guest's "
                    "need; take lru or islru",
                    riffle_vat_policy_string((riffle_vat_policy)(guest->kind - kinds)));
    }
    return RIFFLE_OK;
}

riffle_status vat_create_nested(riffle_vat_policy policy, const riffle_vat_options *guest,
                                const riffle_vat_options *host, riffle_vat **out) {
    RETURN_IF_NULL(out);
    riffle_vat *vat;
    riffle_status status = vat_create(policy, guest, &vat);
    if (status != RIFFLE_OK) return status;
    vat->host_options = vat_with_defaults(host);
    status = vat_create(policy, host, &vat->host);
    if (status == RIFFLE_OK) {
        vat->splinters = vat->host->tree.page_bits < vat->tree.page_bits;
        status = check_nested(vat);
    }
    if (status == RIFFLE_OK) status = begin_tally(vat);
    if (status != RIFFLE_OK) {
        vat_free(vat);
        return status;
    }
    *out = vat;
    return RIFFLE_OK;
}

/* ---------------------------------------------------------------- accesses */

/* One access at a time: the host translates the place of the data after the guest has. */
static riffle_status access_splintered(riffle_vat *vat, const uint64_t *addresses, size_t count) {
    riffle_status status = RIFFLE_OK;
    for (size_t k = 0; k < count && status == RIFFLE_OK; k++) {
        status = vat->kind->access(&vat->cells, &vat->tree, &addresses[k], 1, &vat->tally);
        if (status == RIFFLE_OK) status = vat->tally.status;
        uint64_t place = 0;
        const uint64_t page = addresses[k] >> vat->tree.page_bits;
        if (status == RIFFLE_OK) status = vat_guest_memory_find(&vat->memory, page, 0, &place);
        if (status == RIFFLE_OK) status = ask_host(vat, place + (addresses[k] - (page << vat->tree.page_bits)));
    }
    return status;
}

static riffle_status access_online(riffle_vat *vat, const uint64_t *addresses, size_t count) {
    riffle_status status = vat->tally.status;
    if (status != RIFFLE_OK)
        return fail(status, "nested: the host has refused an access before; begin with a new cache");
    if (vat->splinters) {
        vat->tally.status = access_splintered(vat, addresses, count);
        return vat->tally.status;
    }
    status = vat->kind->access(&vat->cells, &vat->tree, addresses, count, &vat->tally);
    return status == RIFFLE_OK ? vat->tally.status : status;
}

/* How many addresses, from the first, lie within the tree. */
static size_t count_valid(const vat_tree *tree, const uint64_t *addresses, size_t count) {
    const unsigned bits = address_bits(tree);
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
        status = access_online(vat, addresses, valid);
        vat->accesses += valid;
    } else {
        status = vat_trace_append(&vat->trace, addresses, valid);
        vat->accesses = vat->trace.accesses;
    }
    if (status != RIFFLE_OK || valid == count) return status;
    return fail(
        RIFFLE_ERROR_INVALID_ARGUMENT, "access %llu: the address 0x%llx is beyond the tree's 2^%u bytes",
        (unsigned long long)vat->accesses, (unsigned long long)addresses[valid], address_bits(&vat->tree));
}

/* ------------------------------------------------------------------ counts */

/* A policy that knows the future counts once all accesses are there. */
static riffle_status complete_tally(riffle_vat *vat) {
    if (vat->kind->count == NULL) return vat->tally.status;
    if (vat->counted == vat->accesses) return RIFFLE_OK;
    riffle_status status = begin_tally(vat);
    if (status == RIFFLE_OK) status = vat->kind->count(&vat->trace, vat->cache, &vat->tally);
    if (status == RIFFLE_OK) status = vat->tally.status;
    if (status == RIFFLE_OK) vat->counted = vat->accesses;
    return status;
}

riffle_status vat_count(riffle_vat *vat, riffle_vat_counts *out) {
    RETURN_IF_NULL(vat, out);
    const riffle_status status = complete_tally(vat);
    if (status != RIFFLE_OK) return status;
    const uint64_t faults = vat_tally_sum(&vat->tally);
    *out = (riffle_vat_counts){.accesses = vat->accesses, .faults = faults, .cost = vat->tau * (double)faults};
    return RIFFLE_OK;
}

riffle_status vat_count_layers(riffle_vat *vat, uint64_t *faults, size_t layers) {
    RETURN_IF_NULL(vat, faults);
    const riffle_status status = complete_tally(vat);
    if (status != RIFFLE_OK) return status;
    for (size_t layer = 0; layer < layers; layer++)
        faults[layer] = layer < VAT_MAX_PATH ? vat->tally.of_layer[layer] : 0;
    return RIFFLE_OK;
}

riffle_status vat_count_host(riffle_vat *vat, riffle_vat_counts *out, uint64_t *faults, size_t layers) {
    RETURN_IF_NULL(vat, out);
    if (vat->host == NULL)
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT,
                    "nested: this cache has no host; riffle_vat_create_nested makes one that has");
    riffle_status status = complete_tally(vat);
    if (status == RIFFLE_OK) status = vat_count(vat->host, out);
    if (status == RIFFLE_OK && layers > 0) status = vat_count_layers(vat->host, faults, layers);
    return status;
}
