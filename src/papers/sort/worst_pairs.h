/* SPDX-License-Identifier: Apache-2.0
 *
 * The worst input of pairwise merging in shared memory (Berney, Sitchinava 2020: "Engineering Worst-Case Inputs for Pairwise
 * Merge Sort on GPUs"). A thread merges `each` keys, an odd number; what it reads next depends on the keys. Each of the `each`
 * rows of banks that a warp's keys lie in can have a thread that begins in its first bank and reads `each` keys on:
 *
 *     bank     0 1 2 3 4 5 6 7            width 8, each 3: a a a   threads that read together, in bank 0, then 1, then 2
 *     first    a a a . . . . .                             . .     what the other threads merge, each `each` in all
 *              b b b . . . . .
 *     second   c c c . . . . .
 *
 * So all keys of a bank are read at once, `each` of them, and that `each` times: each^2 wavefronts a warp.
 */
#ifndef RIFFLE_PAPERS_SORT_WORST_PAIRS_H
#define RIFFLE_PAPERS_SORT_WORST_PAIRS_H

#include <stdbool.h>
#include <stdint.h>

#include "riffle.h"

/** The merges that are to be worst: warps of `width` threads, `each` odd and less than half of it, and parts of `warps`
 *  warps, an even number, each of which begins at a first bank. */
typedef struct worst_pairs {
    uint32_t width, each, warps;
} worst_pairs;

/** Keys of a part. */
static inline uint64_t worst_pairs_part(const worst_pairs *merge) {
    return (uint64_t)merge->width * merge->each * merge->warps;
}

/** Splits the numbers 0 to n - 1 into `streams` sorted streams of as many, one behind the other, so that merging them two
 *  by two is worst at each level. `streams` is a power of two; n is a multiple of `streams` parts. */
riffle_status worst_pairs_streams(const worst_pairs *merge, uint64_t n, uint64_t streams, uint32_t *out);

#endif
