/* SPDX-License-Identifier: Apache-2.0
 *
 * Consecutive and random translations (section 2.6.2). A cache with LRU runs beside, and each node has the number of faults that
 * there were when it was last used.
 */
#include <stdlib.h>

#include "base/status.h"
#include "machine/library.h"
#include "machine/vat/node_map.h"
#include "machine/vat/vat.h"

struct riffle_vat_pattern {
    vat_tree tree;
    riffle_vat_options options;
    riffle_vat *vat;
    vat_node_map used; /* faults when a node was last used */
    bool started;
    uint64_t page, faults;
    riffle_vat_pattern_counts counts;
};

riffle_status vat_pattern_create(const riffle_vat_options *options, riffle_vat_pattern **out) {
    RETURN_IF_NULL(out);
    riffle_vat_pattern *pattern = calloc(1, sizeof *pattern);
    if (pattern == NULL) return fail_memory("a pattern", sizeof *pattern);
    const riffle_vat_options o = vat_with_defaults(options);
    const riffle_status status = vat_create(RIFFLE_VAT_POLICY_LRU, &o, &pattern->vat);
    if (status != RIFFLE_OK) {
        vat_pattern_free(pattern);
        return status;
    }
    pattern->options = o;
    pattern->tree =
        vat_tree_of((unsigned)__builtin_ctzll(o.fanout), (unsigned)__builtin_ctzll(o.page), o.height);
    *out = pattern;
    return RIFFLE_OK;
}

void vat_pattern_free(riffle_vat_pattern *pattern) {
    if (pattern == NULL) return;
    vat_free(pattern->vat);
    vat_node_map_free(&pattern->used);
    free(pattern);
}

static void note_step(riffle_vat_pattern *pattern, uint64_t page) {
    riffle_vat_pattern_counts *counts = &pattern->counts;
    if (pattern->started) {
        counts->ascending += page > pattern->page;
        counts->descending += page < pattern->page;
    }
    if (!pattern->started || page < counts->first_page) counts->first_page = page;
    if (!pattern->started || page > counts->last_page) counts->last_page = page;
    pattern->page = page;
    pattern->started = true;
}

/* Sees which parts have rested, makes the access, and stamps its path. */
static riffle_status translate(riffle_vat_pattern *pattern, uint64_t address) {
    const vat_tree *tree = &pattern->tree;
    const uint64_t page = address >> tree->page_bits;
    riffle_vat_counts now;
    riffle_status status = vat_access(pattern->vat, &address, 1);
    if (status == RIFFLE_OK) status = vat_count(pattern->vat, &now);
    for (unsigned layer = 0; status == RIFFLE_OK && layer <= tree->height; layer++) {
        uint64_t *stamp;
        bool is_new;
        status = vat_node_map_at(&pattern->used, vat_tree_number(tree, page, layer), layer, &stamp, &is_new);
        if (status != RIFFLE_OK) return status;
        pattern->counts.rested[layer] += is_new || pattern->faults - *stamp >= pattern->options.cache;
        *stamp = now.faults;
    }
    if (status == RIFFLE_OK) pattern->faults = now.faults;
    return status;
}

riffle_status vat_pattern_access(riffle_vat_pattern *pattern, const uint64_t *addresses, size_t count) {
    RETURN_IF_NULL(pattern);
    if (count > 0) RETURN_IF_NULL(addresses);
    for (size_t k = 0; k < count; k++) {
        const uint64_t page = addresses[k] >> pattern->tree.page_bits;
        if (!pattern->started || page != pattern->page) { /* else its path was used just before */
            const riffle_status status = translate(pattern, addresses[k]);
            if (status != RIFFLE_OK) return status;
            note_step(pattern, page);
        }
        pattern->counts.accesses++;
    }
    return RIFFLE_OK;
}

riffle_status vat_pattern_count(const riffle_vat_pattern *pattern, riffle_vat_pattern_counts *out) {
    RETURN_IF_NULL(pattern, out);
    const riffle_vat_options *o = &pattern->options;
    *out = pattern->counts;
    out->faults = pattern->faults;
    out->pages = pattern->started ? out->last_page - out->first_page + 1 : 0;
    const double fanout = (double)o->fanout, accesses = (double)out->accesses;
    out->cat_most = 2. * o->height + 1 + (double)out->pages * fanout / (fanout - 1);
    out->is_cat = (out->ascending == 0 || out->descending == 0) && accesses >= o->tau * o->height &&
                  accesses >= o->tau * (double)out->pages;
    for (unsigned layer = 0; layer <= o->height; layer++) {
        const uint64_t least = out->rested[layer] * (layer + 1);
        if (least > out->rat_least) {
            out->rat_least = least;
            out->rat_layer = layer;
        }
    }
    return RIFFLE_OK;
}
