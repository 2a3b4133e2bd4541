/* SPDX-License-Identifier: Apache-2.0
 *
 * The counts of a translation cache, by layer, and of its host where it has one, printed as both commands print it.
 */
#ifndef RIFFLE_CLI_VAT_COUNTS_H
#define RIFFLE_CLI_VAT_COUNTS_H

#include "vat/model.h"

enum { VAT_LAYERS = 65 /* the highest tree has so many */ };

typedef struct vat_counted {
    riffle_vat_policy policy;
    riffle_vat_options tree, host_tree;
    riffle_vat_counts counts, host;
    uint64_t layer[VAT_LAYERS], host_layer[VAT_LAYERS];
    bool is_nested;
} vat_counted;

/** All that `vat` has counted, which was made by the model with the options `tree`. */
riffle_status vat_counted_take(const vat_model *model, const riffle_vat_options *tree, riffle_vat *vat,
                               vat_counted *out);

/** Nodes that were read from memory, by both caches: all but the roots, which registers hold. */
uint64_t vat_counted_references(const vat_counted *counted);

/** The first line: the policy, the tree, the cache; a second one for a host. */
void vat_counted_print_model(const vat_counted *counted);

/** Lines: accesses, faults, cost; the host's faults and the references to memory of both. */
void vat_counted_print(const vat_counted *counted);

/** Members of a JSON object, without its braces: the tree and the sums; and behind them the layers and the host. */
void vat_counted_print_json(const vat_counted *counted);
void vat_counted_print_json_layers(const vat_counted *counted);

#endif
