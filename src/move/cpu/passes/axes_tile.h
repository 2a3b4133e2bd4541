/* SPDX-License-Identifier: Apache-2.0
 *
 * The axes_tile pass on the host: src -> stage -> dst, tile by tile, on OpenMP threads.
 */
#ifndef RIFFLE_MOVE_CPU_PASSES_AXES_TILE_H
#define RIFFLE_MOVE_CPU_PASSES_AXES_TILE_H

#include "move/cpu/passes/loops.h"
#include "move/cpu/passes/tile_kernels/tile_kernels.h"

/** cpu_axes_tile with the kernels of one instruction set. */
void axes_tile_move(const tile_kernels *kernels, const cpu_move *move, team_member me);

#endif
