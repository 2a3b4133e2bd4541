/* SPDX-License-Identifier: Apache-2.0
 *
 * The order within messages where neighbours go far apart. A piece is so many elements of dst as fit a cache; a window is as many of src. A message has
 * the pieces in groups, so that a window leaves long runs, and what a piece gets from each window lies together:
 *
 *     message to a rank   | group 0                                  | group 1 ...
 *                         | window 0         | window 1         | ...
 *                         | piece 0, piece 1 | piece 0, piece 1 |
 *
 *     pack     windows are sorted in the cache, and leave a run for each group
 *     unpack   pieces are gathered in the cache, from a run of each window, which lie in as many pages as a group has
 */
#ifndef RIFFLE_EXCHANGE_PIECES_H
#define RIFFLE_EXCHANGE_PIECES_H

#include "exchange/exchange.h"

/** True where it pays: by values alone, so that all ranks find the same whatever form they have the permutation in. */
bool pieces_pay(const transfer *t, unsigned piece_bits);

/** Fills a part's places and pack, whose sends are listed; `to` has the storage index in dst of each of its elements, in words of to_bytes. */
riffle_status pieces_place(const transfer *t, const void *to, size_t to_bytes, riffle_exchange *part);

#endif
