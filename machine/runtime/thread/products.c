/* SPDX-License-Identifier: Apache-2.0 */
#include "machine/runtime/thread/products.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static bool has_sums(const product *one, void *const *at, unsigned count) {
    return one->count == count && memcmp(one->at, at, count * sizeof *at) == 0;
}

product *products_open(products *own, void *const *at, unsigned count) {
    for (size_t k = 0; k < own->count; k++) {
        if (!has_sums(&own->product[k], at, count)) continue;
        own->product[k].group = UINT_MAX;
        return &own->product[k];
    }
    if (own->count == own->capacity) {
        const size_t capacity = 2 * own->capacity + 2;
        product *grown = realloc(own->product, capacity * sizeof *grown);
        if (grown == NULL) return NULL;
        own->product = grown;
        own->capacity = capacity;
    }
    product *one = &own->product[own->count++];
    *one = (product){.count = count, .group = UINT_MAX};
    memcpy(one->at, at, count * sizeof *at);
    for (unsigned k = 0; k < count; k++) memcpy(&one->sum[k], at[k], sizeof one->sum[k]);
    return one;
}

void products_commit(products *own) {
    for (size_t k = 0; k < own->count; k++)
        if (own->product[k].group == UINT_MAX) own->product[k].group = own->reads.groups;
    bulk_reads_commit(&own->reads);
}

static void land(const product *one, uintptr_t live) {
    for (unsigned k = 0; k < one->count; k++)
        if ((uintptr_t)one->at[k] >= live) memcpy(one->at[k], &one->sum[k], sizeof one->sum[k]);
}

void products_wait(products *own, unsigned left, uintptr_t live) {
    size_t kept = 0;
    for (size_t k = 0; k < own->count; k++) {
        const product *one = &own->product[k];
        if (one->group == UINT_MAX || one->group + left >= own->reads.groups)
            own->product[kept++] = *one;
        else
            land(one, live);
    }
    own->count = kept;
    bulk_reads_wait(&own->reads, left);
}

const product *products_find(const products *own, uintptr_t address, size_t bytes) {
    for (size_t k = 0; k < own->count; k++) {
        const product *one = &own->product[k];
        for (unsigned s = 0; s < one->count; s++) {
            const uintptr_t at = (uintptr_t)one->at[s];
            if (at < address + bytes && address < at + sizeof one->sum[s]) return one;
        }
    }
    return NULL;
}

void products_drop(products *own) {
    own->count = 0;
    own->fenced = false;
    bulk_reads_drop(&own->reads);
}

void products_free(products *own) {
    free(own->product);
    bulk_reads_free(&own->reads);
}
