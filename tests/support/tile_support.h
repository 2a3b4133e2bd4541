/* SPDX-License-Identifier: Apache-2.0
 *
 * Running the axes_tile pass by one set of kernels after another.
 */
#ifndef RIFFLE_TESTS_TILE_SUPPORT_H
#define RIFFLE_TESTS_TILE_SUPPORT_H

#include "move/cpu/passes/axes_tile.h"

enum { KERNEL_SETS = VECTOR_SETS };

/** The kernels of set k, NULL where this processor does not have it or none are written for it. */
static inline const tile_kernels *kernel_set(unsigned k) {
    return vectors_has((vector_set)k) ? tile_kernels_of[k] : NULL;
}

typedef struct kernels_move {
    const tile_kernels *kernels;
    cpu_move move;
} kernels_move;

static inline void move_one_share(const void *context, team_member me) {
    const kernels_move *with = context;
    axes_tile_move(with->kernels, &with->move, me);
}

/** The pass `p` by those kernels. */
static inline void move_with(const tile_kernels *kernels, const pass *p, unsigned threads, void *dst,
                             const void *src) {
    uint64_t taken = 0;
    const kernels_move with = {kernels, {.p = p, .dst = dst, .src = src, .taken = &taken}};
    team_run(threads, move_one_share, &with);
}

#endif
