/* SPDX-License-Identifier: Apache-2.0
 *
 * Permutations in all the orders that bucket passes must move: those that riffle computes, and tables with long
 * runs, with short ones and with none.
 */
#ifndef RIFFLE_TESTS_CUDA_ORDERS_H
#define RIFFLE_TESTS_CUDA_ORDERS_H

#include "riffle.h"

typedef enum order {
    ORDER_RANDOM, /**< riffle_perm_random, which a GPU writes out itself */
    ORDER_REVERSE,
    ORDER_ROTATION,
    ORDER_BITS,     /**< bit reversal; for other lengths what is left of a longer one, as a table */
    ORDER_SHUFFLED, /**< a uniformly random table */
    ORDER_BLOCKS,   /**< a table that shuffles short blocks in themselves */
    ORDER_STRIDED,  /**< a table of every k-th index, then the ones behind them, and so on */
    ORDER_NOISY,    /**< a reversal in which one of a hundred has changed places with another, as a table */
    ORDERS,
} order;

enum { ORDER_NAME_BYTES = 48 };

/** One of this order, of n >= 1 indices, with its name. Ends the program if there is no memory for it. */
riffle_perm *order_create(order kind, uint64_t n, char name[ORDER_NAME_BYTES]);

/** The values of a permutation in entries of 4 or 8 bytes; free() them. */
void *order_entries(const riffle_perm *perm, size_t entry_bytes);

#endif
