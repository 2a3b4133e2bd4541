/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RIFFLE_SORT_RANDOM_ELEMENTS_H
#define RIFFLE_SORT_RANDOM_ELEMENTS_H

#include "riffle/sort.h"

/** A word that looks random, the same for each k. */
uint64_t sort_mixed(uint64_t k);

/** Fills n elements with different bits, the same in each run; floats of keys are evenly from 0 to 1. They are `streams` sorted ones of as many, or
 *  in no order where that is 0. */
riffle_status sort_fill_random(uint64_t n, const riffle_sort_key *key, uint64_t streams, void *elements);

#endif
