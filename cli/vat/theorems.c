/* SPDX-License-Identifier: Apache-2.0 */
#include "vat/theorems.h"

#include <stdio.h>

static unsigned log2_of(uint64_t value) { return 63 - (unsigned)__builtin_clzll(value); }

static uint64_t part_of(const riffle_vat_options *tree) { return tree->cache / tree->height; }

riffle_status vat_theorems_begin(const riffle_vat_options *tree, vat_theorems *out) {
    *out = (vat_theorems){.tree = *tree};
    riffle_status status = riffle_vat_pattern_create(tree, &out->pattern);
    riffle_vat_options one_more = *tree;
    one_more.cache++;
    if (status == RIFFLE_OK) status = riffle_vat_create(RIFFLE_VAT_POLICY_MIN, &one_more, &out->min);
    for (unsigned layer = 0; status == RIFFLE_OK && layer < tree->height; ++layer) {
        const unsigned below = layer * log2_of(tree->fanout);
        const riffle_vat_options blocks = {.fanout = (uint64_t)1
                                                     << (tree->height - layer) * log2_of(tree->fanout),
                                           .page = tree->page << below,
                                           .height = 1,
                                           .cache = part_of(tree) + 1};
        status = riffle_vat_create(RIFFLE_VAT_POLICY_LRU, &blocks, &out->layer[layer]);
    }
    return status;
}

riffle_status vat_theorems_take(vat_theorems *theorems, const uint64_t *addresses, size_t count) {
    riffle_status status = riffle_vat_pattern_access(theorems->pattern, addresses, count);
    if (status == RIFFLE_OK) status = riffle_vat_access(theorems->min, addresses, count);
    for (unsigned layer = 0; status == RIFFLE_OK && layer < theorems->tree.height; ++layer)
        status = riffle_vat_access(theorems->layer[layer], addresses, count);
    return status;
}

riffle_status vat_theorems_end(vat_theorems *theorems, riffle_vat_program program, uint64_t n) {
    const unsigned height = theorems->tree.height;
    riffle_vat_counts counts;
    riffle_status status =
        riffle_vat_program_transfers(program, n, &theorems->tree, theorems->formula, height + 1);
    if (status == RIFFLE_OK) status = riffle_vat_pattern_count(theorems->pattern, &theorems->counts);
    if (status == RIFFLE_OK) status = riffle_vat_count(theorems->min, &counts);
    if (status != RIFFLE_OK) return status;
    theorems->min_faults = counts.faults;
    theorems->counted[height] = counts.accesses > 0; /* one block has everything */
    for (unsigned layer = 0; status == RIFFLE_OK && layer < height; ++layer)
        status = riffle_vat_count_layers(theorems->layer[layer], &theorems->counted[layer], 1);
    for (unsigned layer = 0; layer <= height; ++layer) {
        theorems->formula_sum += theorems->formula[layer];
        theorems->counted_sum += theorems->counted[layer];
    }
    return status;
}

static void print_pattern(const vat_theorems *theorems) {
    const riffle_vat_pattern_counts *counts = &theorems->counts;
    const uint64_t rested = counts->rested[counts->rat_layer];
    printf(
        "CAT       %14s   %llu pages up, %llu down, %.4g accesses a page of the range; a CAT has at most %.6g "
        "faults of lru, here are %llu\n",
        counts->is_cat ? "yes" : "no", (unsigned long long)counts->ascending,
        (unsigned long long)counts->descending, (double)counts->accesses / (double)counts->pages,
        counts->cat_most, (unsigned long long)counts->faults);
    printf("RAT       %13.1f%%   of the accesses are to parts of K^%u pages that rested for W faults, which is "
           "%llu "
           "faults of lru at least\n",
           100 * (double)rested / (double)counts->accesses, counts->rat_layer,
           (unsigned long long)counts->rat_least);
}

void vat_theorems_print(const vat_theorems *theorems) {
    printf("\nTheorem 2.32, W/d = %llu blocks for each layer:\n", (unsigned long long)part_of(&theorems->tree));
    printf("layer      C(M, B, n)         counted\n");
    for (unsigned layer = theorems->tree.height + 1; layer-- > 0;)
        printf("%5u  %14.6g  %14llu\n", layer, theorems->formula[layer],
               (unsigned long long)theorems->counted[layer]);
    printf("  sum  %14.6g  %14llu   min with W + 1 nodes: %llu\n\n", theorems->formula_sum,
           (unsigned long long)theorems->counted_sum, (unsigned long long)theorems->min_faults);
    print_pattern(theorems);
}

void vat_theorems_print_json(const vat_theorems *theorems) {
    const riffle_vat_pattern_counts *counts = &theorems->counts;
    printf(", \"theorems\": {\"part\": %llu, \"transfers\": [", (unsigned long long)part_of(&theorems->tree));
    for (unsigned layer = 0; layer <= theorems->tree.height; ++layer)
        printf("%s[%.15g, %llu]", layer > 0 ? ", " : "", theorems->formula[layer],
               (unsigned long long)theorems->counted[layer]);
    printf("], \"formula\": %.15g, \"counted\": %llu, \"min\": %llu, \"is_cat\": %s, \"cat_most\": %.15g, "
           "\"lru\": %llu, \"pages\": %llu, \"ascending\": %llu, \"descending\": %llu, \"rat_layer\": %u, "
           "\"rested\": %llu, \"rat_least\": %llu}",
           theorems->formula_sum, (unsigned long long)theorems->counted_sum,
           (unsigned long long)theorems->min_faults, counts->is_cat ? "true" : "false", counts->cat_most,
           (unsigned long long)counts->faults, (unsigned long long)counts->pages,
           (unsigned long long)counts->ascending, (unsigned long long)counts->descending, counts->rat_layer,
           (unsigned long long)counts->rested[counts->rat_layer], (unsigned long long)counts->rat_least);
}

void vat_theorems_free(vat_theorems *theorems) {
    for (unsigned layer = 0; layer < VAT_LAYERS; ++layer) riffle_vat_free(theorems->layer[layer]);
    riffle_vat_free(theorems->min);
    riffle_vat_pattern_free(theorems->pattern);
}
