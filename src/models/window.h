/* SPDX-License-Identifier: Apache-2.0
 *
 * How far apart neighbours go: the groups of neighbouring places (lines, sectors) that a window of consecutive elements goes
 * to, for each element. It is 1 / group where all stay together and 1 where each goes to a place of its own. A window is about
 * what a multiprocessor has in hand, so what its elements share is fetched once.
 */
#ifndef RIFFLE_MODELS_WINDOW_H
#define RIFFLE_MODELS_WINDOW_H

#include "perm/perm.h"

enum { WINDOW_ELEMENTS = 4096, WINDOW_SAMPLES = 8 };

/** Where the k-th of WINDOW_SAMPLES windows begins, evenly spread over n elements; it has min(n, WINDOW_ELEMENTS). */
uint64_t window_start(uint64_t n, unsigned k);

/** Different values of place[i] / group among count <= WINDOW_ELEMENTS of them. */
size_t window_groups(const uint64_t *place, size_t count, unsigned group);

/** Groups for each element along `perm`, from the sampled windows; 0 for n = 0. */
riffle_status window_sample(const riffle_perm *perm, unsigned group, double *out);

#endif
