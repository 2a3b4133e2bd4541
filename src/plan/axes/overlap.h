/* SPDX-License-Identifier: Apache-2.0
 *
 * Decides exactly whether strided elements share memory.
 *
 * Two places of strided arrays are one where a sum of whole multiples of strides, each multiple within its extent, hits
 * a target:
 *
 *     x0 s0 + x1 s1 + ... = t        0 <= xk <= mk
 *
 * That is a knapsack, hard in general and easy for what arrays look like: where each stride is longer than what the
 * shorter ones reach together, one or two values of each xk are left to try.
 */
#ifndef RIFFLE_PLAN_AXES_OVERLAP_H
#define RIFFLE_PLAN_AXES_OVERLAP_H

#include "riffle.h"

typedef enum overlap_answer {
    OVERLAP_NONE,
    OVERLAP_FOUND,
    OVERLAP_UNKNOWN, /**< too many ways to try them all */
} overlap_answer;

/** Elements at offsets x0 s0 + x1 s1 + ..., 0 <= xk < extent[k], extents at least 1, strides not negative, the largest
 *  offset below 2^61. */
typedef struct overlap_box {
    unsigned rank;
    uint64_t extent[RIFFLE_MAX_RANK];
    uint64_t stride[RIFFLE_MAX_RANK];
} overlap_box;

/** Do two elements of the box have the same offset? If FOUND, *one and *other are their indices. */
overlap_answer overlap_within(const overlap_box *box, uint64_t one[RIFFLE_MAX_RANK],
                              uint64_t other[RIFFLE_MAX_RANK]);

/** Do elements of `bytes` bytes at the addresses first_at + offset and second_at + offset share a byte, for an offset
 *  of each box? Offsets are in bytes. */
overlap_answer overlap_between(const overlap_box *first, uintptr_t first_at, const overlap_box *second,
                               uintptr_t second_at, size_t bytes);

#endif
