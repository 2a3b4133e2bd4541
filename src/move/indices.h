/* SPDX-License-Identifier: Apache-2.0
 *
 * Checks of every engine on indices used once, before it looks at one.
 */
#ifndef RIFFLE_MOVE_INDICES_H
#define RIFFLE_MOVE_INDICES_H

#include "device/arrays.h"
#include "riffle/indices.h"

/** Checks the description. Indices into nothing are not, if there is one. */
riffle_status indices_check(const riffle_indices *indices);

/** The same for an engine that moves no rows of 0 bytes. */
riffle_status indices_check_rows(const riffle_indices *indices, size_t row_bytes);

/** The arrays of a move of rows, for checks and to be carried. */
enum { INDICES_DST, INDICES_SRC, INDICES_ENTRIES, INDICES_ARRAYS };
void indices_arrays(const riffle_indices *indices, size_t row_bytes, const void *dst, uint64_t dst_rows,
                    const void *src, uint64_t src_rows, call_array out[INDICES_ARRAYS]);

/** Checks that arrays of so many rows are there, and that dst is apart from src and from the indices. */
riffle_status indices_check_arrays(const riffle_indices *indices, size_t row_bytes, const void *dst,
                                   uint64_t dst_rows, const void *src, uint64_t src_rows);

/** Fails for the index at a position, which is not below n. */
riffle_status indices_fail_range(uint64_t position, uint64_t value, uint64_t n);

#endif
