/* SPDX-License-Identifier: Apache-2.0
 *
 * Room for products of parts of matrices, and who makes them.
 */
#ifndef RIFFLE_F2_WORK_H
#define RIFFLE_F2_WORK_H

#include "f2/loops.h"
#include "f2/matrix.h"

/** The room of a product, or of many one after another. */
typedef struct f2_work {
    const f2_loops *loops;
    unsigned threads;
    uint64_t slab;       /**< groups of a row at a time */
    size_t stride;       /**< from the groups of a chunk of rows to the next ones of these rows */
    uint64_t *groups;    /**< a slab of the left factor, as groups */
    uint64_t *rows;      /**< a slab of the right factor, a panel's rows side by side */
    uint64_t *own;       /**< tables and panels of each thread, one behind the other */
    size_t own_words;    /**< words of a thread */
    uint64_t *temporary; /**< sums of quarters, for the recursion */
    void *memory;
    size_t bytes;
} f2_work;

#endif
