/* SPDX-License-Identifier: Apache-2.0
 *
 * One piece of a pass with rows (plan/bucket/rows.h), by each set of instructions.
 */
#ifndef RIFFLE_MOVE_CPU_PASSES_BUCKET_ROWS_BUCKET_ROWS_H
#define RIFFLE_MOVE_CPU_PASSES_BUCKET_ROWS_BUCKET_ROWS_H

#include <string.h>

#include "base/arithmetic.h"
#include "base/processor/vectors.h"
#include "base/simd/gather.h"
#include "base/simd/stream.h"
#include "plan/bucket/rows.h"

/** Makes the rows of piece p of a schedule for elements of 4, 8 or 16 bytes, and meanwhile fetches what piece p + 1 brings, if `fetches`. */
typedef void move_rows(const bucket_rows *s, uint64_t p, char *to, const char *from, bool fetches);

move_rows move_rows_portable;
#if defined(__x86_64__)
/** The array `from` has an even number of elements, or p is not the last piece. */
move_rows move_rows_avx512;
#endif

extern move_rows *const move_rows_of[VECTOR_SETS];

#endif
