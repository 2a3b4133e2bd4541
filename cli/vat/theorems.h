/* SPDX-License-Identifier: Apache-2.0
 *
 * `riffle vat run --theorems`: Theorem 2.32 and Lemmas 2.34 and 2.36 on the accesses of a program. For the theorem each layer has a
 * cache of its own, W/d blocks of K^i pages with LRU; that is a translation cache of a tree of height 1 with one node more, the root.
 */
#ifndef RIFFLE_CLI_VAT_THEOREMS_H
#define RIFFLE_CLI_VAT_THEOREMS_H

#include "vat/counts.h"

typedef struct vat_theorems {
    riffle_vat_options tree;
    riffle_vat *layer[VAT_LAYERS], *min;
    riffle_vat_pattern *pattern;
    double formula[VAT_LAYERS], formula_sum; /* C(aK^iP, K^iP, n) as the program's formula has it */
    uint64_t counted[VAT_LAYERS], counted_sum;
    uint64_t min_faults; /* by MIN with W + 1 nodes */
    riffle_vat_pattern_counts counts;
} vat_theorems;

/** Caches for a tree; to be freed in any case. */
riffle_status vat_theorems_begin(const riffle_vat_options *tree, vat_theorems *out);

riffle_status vat_theorems_take(vat_theorems *theorems, const uint64_t *addresses, size_t count);

/** All accesses of the program for the size n are there. */
riffle_status vat_theorems_end(vat_theorems *theorems, riffle_vat_program program, uint64_t n);

void vat_theorems_print(const vat_theorems *theorems);
/** A member of a JSON object, with a comma before it. */
void vat_theorems_print_json(const vat_theorems *theorems);

void vat_theorems_free(vat_theorems *theorems);

#endif
