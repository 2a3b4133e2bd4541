/* SPDX-License-Identifier: Apache-2.0
 *
 * How far apart neighbours go: the groups of neighbouring places (lines, sectors) that a window of consecutive
 * elements goes to, for each element. It is 1 / group where all stay together and 1 where each goes to a place
 * of its own. A window is about what a multiprocessor has in hand, so what its elements share is fetched once.
 */
#ifndef RIFFLE_MODELS_WINDOW_H
#define RIFFLE_MODELS_WINDOW_H

#include "perm/perm.h"

enum { WINDOW_ELEMENTS = 4096, WINDOW_SAMPLES = 8 };

/** Reads out[k] = P(first + k) for k < count from whatever `from` is. */
typedef riffle_status window_reader(const void *from, uint64_t first, size_t count, uint64_t *out);

/** The reader of a riffle_perm. */
window_reader window_read_perm;

/** Different values of place[i] / group among count <= WINDOW_ELEMENTS of them. */
size_t window_groups(const uint64_t *place, size_t count, unsigned group);

/** Groups for each element of n, from WINDOW_SAMPLES windows spread evenly over them; 0 for n = 0. */
riffle_status window_sample(window_reader *read, const void *from, uint64_t n, unsigned group, double *out);

#endif
