/* SPDX-License-Identifier: Apache-2.0
 *
 * The affine_tile pass on the CPU (the idea stands in plan/affine_tile.h).
 */
#ifndef RIFFLE_ENGINES_CPU_AFFINE_TILE_H
#define RIFFLE_ENGINES_CPU_AFFINE_TILE_H

#include "plan/affine_tile.h"

/** Moves tiles first .. first + count - 1 from src to dst. */
typedef void affine_tile_range(const affine_tile_schedule *schedule, void *dst, const void *src, uint64_t first,
                               uint64_t count);

/** Element by element, for any machine. */
affine_tile_range affine_tile_range_portable;

#if defined(__x86_64__)
/** Tiles in AVX-512 registers (needs VBMI's byte permutation). */
affine_tile_range affine_tile_range_avx512;
#endif

/** The fastest of these for this machine. */
affine_tile_range *affine_tile_best_range(void);

/** Moves the whole array on `threads` threads. */
void cpu_affine_tile(const affine_tile_schedule *schedule, void *dst, const void *src, unsigned threads);

#endif
