/* SPDX-License-Identifier: Apache-2.0
 *
 * The axes_tile pass on the host: src -> stage -> dst, tile by tile, on OpenMP threads.
 */
#ifndef RIFFLE_CPU_AXES_TILE_H
#define RIFFLE_CPU_AXES_TILE_H

#include "engines/cpu/tile_kernels.h"
#include "plan/axes_tile.h"

/** dst[P(i)] = src[i] for every element. Any alignment; dst and src disjoint; threads >= 1. */
void cpu_axes_tile(const axes_tile_schedule *schedule, void *dst, const void *src, unsigned threads);

/** The same with the kernels of one instruction set. */
void cpu_axes_tile_with(const tile_kernels *kernels, const axes_tile_schedule *schedule, void *dst,
                        const void *src, unsigned threads);

#endif
