/* SPDX-License-Identifier: Apache-2.0
 *
 * The table that the kernel of sorts by a comparison of the user's takes by value (sort_own.cu has the idea). Numbers only, for
 * the kernel is compiled where it runs, from this file's text.
 */
#ifndef RIFFLE_SORT_KERNELS_SORT_OWN_H
#define RIFFLE_SORT_KERNELS_SORT_OWN_H

#include <stdint.h>

enum {
    SORT_OWN_THREADS = 256,
    SORT_OWN_EACH = 8, /* places of a thread */
    SORT_OWN_TILE = SORT_OWN_THREADS * SORT_OWN_EACH,
    SORT_OWN_BANKS = 32,
    SORT_OWN_CELLS = SORT_OWN_TILE + SORT_OWN_TILE / SORT_OWN_BANKS, /* cells of a tile in shared memory */
};

/** The step that a launch makes. */
typedef enum sort_own_step {
    SORT_OWN_TILES = 0, /**< b receives the order of each tile; a block a tile */
    SORT_OWN_BORDERS,   /**< b receives borders of runs in a; a thread a tile */
    SORT_OWN_CHECKS,    /**< broken, where borders cross; likewise */
    SORT_OWN_MERGES,    /**< b receives runs twice as long as a's; a block a tile */
    SORT_OWN_MARKS, /**< b receives whether the element at a place of a is not like the one before; a thread a place */
} sort_own_step;

typedef struct sort_own_table {
    const unsigned char *elements;
    const uint32_t *begin; /**< where segments begin, then the last one's end; NULL: there is one, of all n */
    uint32_t *borders;     /**< how many results before each tile are of its pair's first run */
    uint32_t *broken;      /**< lengths of runs, powers of two, that were not merged, for each pair */
    uint32_t n, segments;
    uint32_t run; /**< places of a run: SORT_OWN_TILE times a power of two */
    uint32_t step;
} sort_own_table;

#endif
