/* SPDX-License-Identifier: Apache-2.0
 *
 * The affine_lines pass on the CPU (the idea stands in plan/affine/lines.h).
 */
#ifndef RIFFLE_MOVE_CPU_PASSES_AFFINE_LINES_AFFINE_LINES_H
#define RIFFLE_MOVE_CPU_PASSES_AFFINE_LINES_AFFINE_LINES_H

#include "base/processor/vectors.h"
#include "plan/affine/lines.h"

/** Moves tiles first .. first + count - 1 from src to dst. */
typedef void affine_lines_range(const affine_lines_schedule *schedule, void *dst, const void *src,
                                uint64_t first, uint64_t count);

/** Element by element, for any machine. */
affine_lines_range affine_lines_range_portable;

#if defined(__x86_64__)
/** Tiles in pieces of 16 bytes. */
affine_lines_range affine_lines_range_ssse3, affine_lines_range_avx2;

/** Tiles in AVX-512 registers (needs VBMI's byte permutation). */
affine_lines_range affine_lines_range_avx512;
#elif defined(__aarch64__)
/** Tiles in pieces of 16 bytes. */
affine_lines_range affine_lines_range_neon;
#endif

/** By set of instructions; NULL where there are none. */
extern affine_lines_range *const affine_lines_ranges[VECTOR_SETS];

#endif
