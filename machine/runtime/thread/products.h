/* SPDX-License-Identifier: Apache-2.0
 *
 * A thread's part of products by its warpgroup (wgmma), from when they are asked for until it has waited for their group:
 *
 *     asked for    what becomes of the sums is kept; the variables that are the registers keep what they hold
 *     committed    all that were open become a group
 *     landed       the variables have it
 *
 * A product that adds to the sums of one that is under way goes on with those.
 */
#ifndef RIFFLE_MACHINE_RUNTIME_THREAD_PRODUCTS_H
#define RIFFLE_MACHINE_RUNTIME_THREAD_PRODUCTS_H

#include "machine/device/device_api.h"
#include "machine/runtime/thread/bulk_reads.h"

typedef struct product {
    void *at[MACHINE_SUMS]; /**< the variables */
    uint32_t sum[MACHINE_SUMS];
    unsigned count, group; /**< UINT_MAX: in none yet */
    const void *pc;
} product;

typedef struct products {
    product *product;
    size_t count, capacity;
    bulk_reads reads; /**< of matrices in shared memory; its groups are the products' */
    bool fenced;      /**< by wgmma.fence */
} products;

/** The one whose sums are these variables, made of what they hold if there is none; it is in no group then. NULL without memory. */
product *products_open(products *own, void *const *at, unsigned count);

/** Makes a group of those that are in none. */
void products_commit(products *own);

/** Lands all groups but the last `left`. Variables below `live` are of functions that have returned: their places have others. */
void products_wait(products *own, unsigned left, uintptr_t live);

/** One of whose sums these bytes are, or NULL. */
const product *products_find(const products *own, uintptr_t address, size_t bytes);

/** Forgets all, and takes the marks off. */
void products_drop(products *own);
void products_free(products *own);

#endif
