/* SPDX-License-Identifier: Apache-2.0
 *
 * The Hierarchical Memory Machine (Kasagi, Nakano, Ito 2013): how a permutation is distributed over address groups, and what no
 * algorithm can beat. Rounds and time are those of launches (device/predict/pattern.h).
 */
#ifndef RIFFLE_MODELS_HMM_H
#define RIFFLE_MODELS_HMM_H

#include "perm/perm.h"

enum { HMM_MAX_WIDTH = 32 };

/** The distribution D_w(P) (section IV): address groups of w elements of the output that the warps of w
 *  consecutive inputs touch, summed over all warps. Between n/w and n. Exact. Affine permutations and
 *  rotations in O(m^2) or O(1); others in O(n) evaluations. A last warp or group that is not full counts as
 *  one that is. */
riffle_status hmm_distribution(const riffle_perm *perm, unsigned width, uint64_t *out);

/** The same from `samples` warps spread evenly over the input where the exact value would take more
 *  evaluations than that; *exact says which it is. */
riffle_status hmm_distribution_estimate(const riffle_perm *perm, unsigned width, uint64_t samples, double *out,
                                        bool *exact);

/** n/w + L - 1: every element must be read once, w a time unit, and the last takes L (section VII). */
uint64_t hmm_lower_bound(uint64_t n, unsigned width, unsigned latency);

#endif
