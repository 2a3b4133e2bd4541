/* SPDX-License-Identifier: Apache-2.0
 *
 * The dissertation's lower bounds in its warp-centric I/O model (Jurkiewicz 2013, section 4.1): P processors,
 * each with a cache of c * S elements, exchange blocks of S elements with a global memory of 2n, one block a
 * turn.
 */
#ifndef RIFFLE_MODELS_IO_BOUNDS_H
#define RIFFLE_MODELS_IO_BOUNDS_H

#include <stdint.h>

typedef struct io_machine {
    double processors;   /**< P */
    double block;        /**< S, elements */
    double cache_blocks; /**< c, blocks in a processor's cache; warps that share a block's cache multiply it */
} io_machine;

/** Turns that permuting n elements takes in the worst case: the least t with n! / (S!)^(n/S) <= ((2n/S) *
 *  binomial(cS, S))^(tP), by lgamma, not by the relaxed form (section 4.1.1, of which Theorem 4.1 is the order
 *  of growth). At least n/(S P), to touch every block once. */
double io_bound_permutation(double n, io_machine machine);

/** Turns that sorting n elements by comparisons takes in the worst case (section 4.1.2): the least t with n!
 *  <= (S!)^(n/S) * binomial(cS, S)^(tP), and at least n/(S P) as well. c > 1. */
double io_bound_sorting(double n, io_machine machine);

/** The order of growth in Theorem 4.1 without its constant: min(n/P, n/(P S) * log_c(n/S)). c > 1. */
double io_order_permutation(double n, io_machine machine);

#endif
