/* SPDX-License-Identifier: Apache-2.0
 *
 * The exchange of an affine permutation y = A x + c between 2^k equal blocks: the high k bits of an index say the rank.
 *
 *              within  rank                     A rank p sends to the coset  (rank-rank block) p + c_h + V,  V = the columns of L:
 *     within [   .      .   ]                   2^r ranks, r the rank of L, and as much to each. A rank q gets from a coset of 2^r ranks
 *     rank   [   L      .   ]  = A              as well, which the same block of the inverse of A tells.
 *
 * A rank of a coset has r bits that tell it from the others (the leading bits of a basis of V), in order of the ranks. So both local
 * steps are affine, with the same matrix on all ranks:
 *
 *     packed index   = (which rank of the coset, the bits of x that tell the elements of a message apart)
 *     received index = (which rank of the sources' coset, the same bits of x)
 */
#ifndef RIFFLE_EXCHANGE_COSETS_H
#define RIFFLE_EXCHANGE_COSETS_H

#include "perm/gf2_span.h"
#include "perm/perm.h"
#include "riffle/exchange.h"

/** A coset's ranks in order: rank number s of it has the bits of s at `pivots`. */
typedef struct coset_ranks {
    gf2_span span;   /**< V */
    uint64_t pivots; /**< the leading bits of its basis */
} coset_ranks;

/** The algebra of a map, which all ranks share. */
typedef struct cosets {
    perm_affine map;     /**< relabelled, where that was asked for */
    perm_affine inverse; /**< x = inverse.a y + inverse.c */
    unsigned k;          /**< 2^k ranks */
    unsigned w;          /**< 2^w elements of each */
    unsigned r;
    coset_ranks to, from;
    uint64_t
        told_apart; /**< the bits of x, below w, that tell the elements of a message apart: w - r of them */
} cosets;

/** k <= map->a.m. O(m^2) operations on words but for the inverse of A, which takes m^2 too: rows are words. */
cosets cosets_of(const perm_affine *map, unsigned k);

/** Ranks exchange their blocks of dst so that each keeps 2^-r of its own elements: the map after that, and in *block the affine map of
 *  k bits from a rank to the block that it has then. */
perm_affine cosets_relabel(const perm_affine *map, unsigned k, perm_affine *block);

/** The ranks that rank p sends to, or gets from: number s of them in order, s < 2^r. */
uint64_t coset_send_rank(const cosets *c, uint64_t p, uint64_t s);
uint64_t coset_receive_rank(const cosets *c, uint64_t q, uint64_t s);

/** From a rank's src to its packed array, and from what it got to its dst: affine maps of w bits. */
perm_affine cosets_pack(const cosets *c, uint64_t p);
perm_affine cosets_unpack(const cosets *c, uint64_t q);

/** How many ranks send to themselves. */
uint64_t cosets_own(const cosets *c);

/** Elements and messages between ranks. */
riffle_exchange_cost cosets_cost(const cosets *c);

#endif
