/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 *  Moves along indices that are used once: nothing is planned, and they need not be a permutation. On a GPU the
 *  same by riffle/cuda.h, from indices in its memory.
 *
 *  @code{.c}
 *  const riffle_indices indices = {entries, sizeof *entries, m, n};
 *  riffle_take(&indices, row_bytes, dst, src, NULL);      // dst[i] = src[entries[i]], as NumPy's src[entries]
 *  @endcode
 *
 *  Rows have any length; of rows of 0 bytes only the indices are looked at (on a GPU a row has at least 1). A permutation that is used more than a few times is better planned
 *  (riffle.h). */
#ifndef RIFFLE_INDICES_H
#define RIFFLE_INDICES_H

#include "riffle.h"

#ifdef __cplusplus
extern "C" {
#endif

/** m unsigned numbers below n. They may repeat and leave some out. */
typedef struct riffle_indices {
    const void *entries; /**< aligned to their size; NULL only if m is 0 */
    size_t entry_bytes;  /**< 4 or 8; int64 is right as 8 bytes, and below zero is out of range */
    uint64_t m;          /**< how many: at most RIFFLE_MAX_LENGTH */
    uint64_t n;          /**< rows of the array that they point into: at most RIFFLE_MAX_LENGTH */
} riffle_indices;

/** Takes rows: row i of dst, of m, becomes row entries[i] of src, of n, each of row_bytes bytes. NumPy's
 *  src.take(entries, axis=0), in host memory of any alignment; dst overlaps neither src nor the entries.
 *  `options` may be NULL.
 *
 *  RIFFLE_ERROR_INVALID_ARGUMENT if an index is not below n: the first that is not is named. dst is written only
 *  if all are. */
RIFFLE_API riffle_status riffle_take(const riffle_indices *indices, size_t row_bytes, void *dst,
                                     const void *src, const riffle_call_options *options);

/** Puts rows: row entries[i] of dst, of n, becomes row i of src, of m. Rows of dst that no index names are left
 *  alone. Else as riffle_take.
 *
 *  RIFFLE_ERROR_NOT_A_PERMUTATION if two indices name one row: both are named. It takes n bits of memory to see
 *  that, so there is RIFFLE_ERROR_OUT_OF_MEMORY. */
RIFFLE_API riffle_status riffle_put(const riffle_indices *indices, size_t row_bytes, void *dst, const void *src,
                                    const riffle_call_options *options);

#ifdef __cplusplus
}
#endif
#endif
