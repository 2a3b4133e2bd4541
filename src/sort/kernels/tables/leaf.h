/* SPDX-License-Identifier: Apache-2.0
 *
 * Tables of the kernels of leaves, which take them by value.
 */
#ifndef RIFFLE_SORT_KERNELS_TABLES_LEAF_H
#define RIFFLE_SORT_KERNELS_TABLES_LEAF_H

#include "sort/kernels/tables/common.h"

/** Leaves: the last level's buckets, or segments. */
typedef struct sort_leaf_places {
    const uint32_t *begin; /**< where each begins, and where the last ends; NULL: they are of one length */
    uint32_t length, count;
} sort_leaf_places;

/** A second array of keys, and of what goes along. */
typedef struct sort_spare {
    void *keys;
    uint32_t *carried;
} sort_spare;

/* Lists of leaves that were too long for a launch, `rest` in tables: rest[0] says how many, rest[SORT_REST] and the following
 * which. rest[1] has the lengths, or-ed, of those that a block has left: no less than the longest, nor twice as much. */

typedef struct sort_leaves_table {
    sort_coder coder;
    sort_carried carried;
    sort_leaf_places leaves;
    const uint32_t *list; /**< an earlier launch's `rest`: only those leaves; NULL: all */
    uint32_t *rest;       /**< receives those that are too long; NULL: nobody asks */
    const uint8_t *
        are_alike; /**< for each leaf, whether it has equal keys, which are in their place already; NULL: of none */
    uint32_t *turns; /**< how often leaves have been taken; NULL: the grid takes all at once */
    uint32_t turn;   /**< leaves that a warp takes at a time, 1 to 32 */
    uint32_t above;  /**< only leaves of more keys */
    sort_summed summed;
} sort_leaves_table;

/** sort_borders: sorted leaves beside each other. */
typedef struct sort_borders_table {
    sort_coding coding; /**< makes codes of what was written */
    const uint32_t *begin;
    uint32_t leaves;
    const uint8_t *are_alike; /**< leaves whose keys were in their place and nobody has read; NULL: none */
    sort_summed summed;
} sort_borders_table;

typedef struct sort_short_table {
    sort_coder coder;
    sort_carried carried;
    sort_leaf_places leaves;
    uint32_t *rest; /**< as sort_leaves_table has it */
    uint32_t turn;  /**< leaves of a warp, 1 to 32 */
} sort_short_table;

typedef struct sort_long_table {
    sort_coder coder;
    sort_carried carried;
    sort_spare spare;         /**< where the leaves lie, or not; is written too */
    const uint32_t *begin;    /**< where leaves begin */
    uint32_t *rest;           /**< leaves that were too long; NULL: all n keys are one leaf */
    const uint8_t *are_alike; /**< for each leaf, whether all of its keys are equal; NULL: not known */
    uint32_t n;
    uint32_t above; /**< only leaves of more keys */
    uint32_t most;  /**< keys of a leaf that a block sorts */
    sort_summed summed;
} sort_long_table;

typedef struct sort_chunks_table {
    sort_coder coder;
    sort_carried carried;
    sort_spare spare;
    sort_leaf_places leaves; /**< leaves of any lengths */
    const uint32_t *rest;
    uint32_t n;
} sort_chunks_table;

typedef struct sort_runs_table {
    sort_chunks_table of;
    uint32_t run; /**< keys of a run */
} sort_runs_table;

/** Few keys, sorted by strips that are joined (sort_join.cu). */
typedef struct sort_join_table {
    sort_coder coder;
    sort_carried carried;
    uint32_t n;
} sort_join_table;

#endif
