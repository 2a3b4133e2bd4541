/* SPDX-License-Identifier: Apache-2.0
 *
 * A linear map T of the bits of a tile, as a warp's 32 words do it that become 32 words.
 *
 * A bit's index is (word, place), L = span(e_0..e_4) the places of a word. The bits of one word of T's image come from W = T^-1 L. So with V = L + W,
 * or more where that has fewer than 10 dimensions, 32 words of V become the 32 words of T V, each of which has L inside. Lanes are numbered by a
 * basis of words on each side; (lane, place) is a vector of 10 bits, and T an invertible matrix N of them.
 *
 * N is the product of as many transvections x -> x + f(x) v, f(v) = 0, as N - 1 has rank. Each of them is a step: a bit of lane r and place p comes from lane
 * r ^ v_lane, place p ^ v_place, where f says so. The bases of both sides are chosen so that N leaves as much as it can: five steps and a few for
 * most maps, none for the identity.
 *
 * A constant q in places is added by steps too: f is the other way round in those of them whose vectors, as the steps behind them leave them, have the
 * places of q. They add `shift` to lanes.
 */
#ifndef RIFFLE_BITS_GPU_WARP_MAP_H
#define RIFFLE_BITS_GPU_WARP_MAP_H

#include "bits/kernels/affine_table.h"
#include "perm/gf2.h"

enum { WARP_MAP_PLACES = 5 /* bits of a place in a word, and of a lane */ };

typedef struct warp_map {
    uint64_t in[WARP_MAP_PLACES];    /**< added to the index of a lane's word by a bit of the lane's number */
    uint64_t out[WARP_MAP_PLACES];   /**< the same of the words that lanes have afterwards */
    uint64_t shift[WARP_MAP_PLACES]; /**< added to these by a bit of the constant */
    unsigned steps;
    bits_warp_step step[BITS_AFFINE_STEPS];
} warp_map;

/** Takes a fraction of a millisecond, cannot fail. t is invertible, of 10 bits or more. */
void warp_map_of(const gf2_matrix *t, warp_map *out);

#endif
