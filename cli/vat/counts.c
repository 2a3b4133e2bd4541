/* SPDX-License-Identifier: Apache-2.0 */
#include "vat/counts.h"

#include <stdio.h>

riffle_status vat_counted_take(const vat_model *model, const riffle_vat_options *tree, riffle_vat *vat,
                               vat_counted *out) {
    *out = (vat_counted){.policy = model->policy, .tree = *tree, .is_nested = model->is_nested};
    riffle_status status = riffle_vat_count(vat, &out->counts);
    if (status == RIFFLE_OK) status = riffle_vat_count_layers(vat, out->layer, VAT_LAYERS);
    if (status != RIFFLE_OK || !model->is_nested) return status;
    out->host_tree = vat_model_host(model, tree);
    return riffle_vat_count_host(vat, &out->host, out->host_layer, VAT_LAYERS);
}

uint64_t vat_counted_references(const vat_counted *counted) {
    return counted->counts.faults - counted->layer[counted->tree.height] + counted->host.faults -
           counted->host_layer[counted->host_tree.height];
}

/* References of a walk that no cache helps: each table of the guest, and the page, is at the end of a walk of the host. */
static unsigned references_of_walk(const vat_counted *counted) {
    return (counted->tree.height + 1) * (counted->host_tree.height + 1) - 1;
}

static void print_tree(const riffle_vat_options *tree) {
    printf("pages of %llu bytes, height %u, cache of %llu nodes", (unsigned long long)tree->page, tree->height,
           (unsigned long long)tree->cache);
}

void vat_counted_print_model(const vat_counted *counted) {
    printf("policy %s, fan-out %llu, ", riffle_vat_policy_string(counted->policy),
           (unsigned long long)counted->tree.fanout);
    print_tree(&counted->tree);
    printf(", tau %g\n", counted->tree.tau);
    if (!counted->is_nested) return;
    printf("host: ");
    print_tree(&counted->host_tree);
    printf("\n");
}

void vat_counted_print(const vat_counted *counted) {
    const riffle_vat_counts *counts = &counted->counts;
    printf("accesses  %14llu\n", (unsigned long long)counts->accesses);
    const double in_1000 = counts->accesses > 0 ? 1000 / (double)counts->accesses : 0;
    printf("faults    %14llu   %.3f in 1000 accesses\n", (unsigned long long)counts->faults,
           in_1000 * (double)counts->faults);
    if (counted->is_nested) {
        printf("host      %14llu   faults for %llu addresses of the guest\n",
               (unsigned long long)counted->host.faults, (unsigned long long)counted->host.accesses);
        printf("references%14llu   without the roots; a walk that no cache helps makes %u\n",
               (unsigned long long)vat_counted_references(counted), references_of_walk(counted));
    }
    printf("cost      %14.6g\n", counts->cost + counted->host.cost);
}

static void print_json_layers(const uint64_t *faults, unsigned height) {
    for (unsigned layer = 0; layer <= height; ++layer)
        printf("%s%llu", layer > 0 ? ", " : "", (unsigned long long)faults[layer]);
}

void vat_counted_print_json(const vat_counted *counted) {
    const riffle_vat_options *tree = &counted->tree;
    printf("\"policy\": \"%s\", \"fanout\": %llu, \"page\": %llu, \"height\": %u, \"cache\": %llu, "
           "\"accesses\": %llu, \"faults\": %llu, \"cost\": %.15g",
           riffle_vat_policy_string(counted->policy), (unsigned long long)tree->fanout,
           (unsigned long long)tree->page, tree->height, (unsigned long long)tree->cache,
           (unsigned long long)counted->counts.accesses, (unsigned long long)counted->counts.faults,
           counted->counts.cost + counted->host.cost);
}

void vat_counted_print_json_layers(const vat_counted *counted) {
    const riffle_vat_options *host = &counted->host_tree;
    printf(", \"layers\": [");
    print_json_layers(counted->layer, counted->tree.height);
    printf("]");
    if (!counted->is_nested) return;
    printf(
        ", \"host\": {\"page\": %llu, \"height\": %u, \"cache\": %llu, \"accesses\": %llu, \"faults\": %llu, "
        "\"layers\": [",
        (unsigned long long)host->page, host->height, (unsigned long long)host->cache,
        (unsigned long long)counted->host.accesses, (unsigned long long)counted->host.faults);
    print_json_layers(counted->host_layer, host->height);
    printf("]}, \"references\": %llu, \"references_of_walk\": %u",
           (unsigned long long)vat_counted_references(counted), references_of_walk(counted));
}
