/* SPDX-License-Identifier: Apache-2.0
 *
 * Expectations of what a warp's accesses cost where addresses are random: the fullest bank, address groups, the longest of many buckets.
 */
#ifndef RIFFLE_MODELS_RANDOM_ACCESS_H
#define RIFFLE_MODELS_RANDOM_ACCESS_H

#include <stdbool.h>
#include <stdint.h>

enum { RANDOM_MOST_LANES = 32 };

/** The mean of the fullest of `banks` banks, where each of 1 to RANDOM_MOST_LANES lanes takes one of so many cells, all alike: of the lanes in
 *  it or, of accesses that merge, of the different cells. Cell c is in bank c mod banks. Exact, from generating functions. */
double random_fullest_bank(unsigned lanes, uint64_t cells, unsigned banks, bool merges);

/** The mean number of address groups of `unit` cells that lanes touch, each of which takes a place from its own of as many stretches of
 *  `stretch` cells, one behind the other. */
double random_drawn_groups(unsigned lanes, double stretch, unsigned unit);

/** The mean number of address groups that `cells` neighbouring cells touch, from any cell on. */
double random_run_groups(double cells, unsigned unit);

/** The mean of the longest of so many buckets of random keys, whose borders are each `samples`-th key of a sample, over the mean of all. */
double random_longest(double buckets, double samples);

/** The length of such a bucket over the mean of all, z standard deviations from the middle one. */
double random_length(double z, double samples);

/** The part of such buckets that is no longer than `longest` times the mean, and *keys, the part of the keys in these. */
double random_no_longer(double longest, double samples, double *keys);

#endif
