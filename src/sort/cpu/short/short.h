/* SPDX-License-Identifier: Apache-2.0
 *
 * Many short rows of unsigned numbers, each sorted by itself: rows of one length, one behind the other. Some of them at a time are laid
 * side by side, and a network of exchanges sorts all of these at once, without a branch:
 *
 *     row 0  | a0 a1 a2 |            a0 b0 c0 d0 ...      Batcher's merge exchange (Knuth, volume 3, algorithm 5.2.2M):
 *     row 1  | b0 b1 b2 |   ----->   a1 b1 c1 d1 ...      line i and line k become the lesser and the greater
 *     ...                            a2 b2 c2 d2 ...
 */
#ifndef RIFFLE_SORT_CPU_SHORT_SHORT_H
#define RIFFLE_SORT_CPU_SHORT_SHORT_H

#include <stdint.h>

enum { SHORT_MOST = 64 /* numbers of a row */, SHORT_MOST_PAIRS = 543 /* exchanges for so many */ };

/** The exchanges that sort rows of a length. */
typedef struct short_network {
    unsigned length, count;
    uint8_t pair[SHORT_MOST_PAIRS][2]; /**< the first less than the second */
} short_network;

/** The network for rows of `length` numbers, 1 to SHORT_MOST. */
void short_network_make(unsigned length, short_network *out);

/** Sorts `rows` rows of the network's length, of numbers of 4 or 8 bytes. */
void short_sort_u32(const short_network *network, void *numbers, uint64_t rows);
void short_sort_u64(const short_network *network, void *numbers, uint64_t rows);

#endif
