/* SPDX-License-Identifier: Apache-2.0
 *
 * The launch of a schedule of affine tiles, for each pass that has one.
 */
#ifndef RIFFLE_MOVE_PASSES_AFFINE_TILE_H
#define RIFFLE_MOVE_PASSES_AFFINE_TILE_H

#include "move/gpu/launch.h"

/** Blocks of threads for all runs. */
static inline uint64_t affine_tile_blocks(const affine_tile_schedule *s) {
    return s->arrays.count * s->run_blocks;
}

/** The sum of those vectors that the bits of `number` choose, from vectors[0] on. */
static inline uint64_t affine_tile_sum(const uint64_t *vectors, unsigned number) {
    uint64_t out = 0;
    for (; number != 0; number &= number - 1) out ^= vectors[__builtin_ctz(number)];
    return out;
}

/** The schedule's vectors by thread and by move, as kernels take them. */
void affine_tile_table(const affine_tile_schedule *s, affine_table_64 *t);

/** The same table where all places have 32 bits; true if they have. */
bool affine_tile_fits_32(const affine_tile_schedule *s);
void affine_tile_narrow(const affine_table_64 *from, affine_table_32 *to);

/** The same for the vectors of an exchange. */
void affine_exchange_table(const affine_exchange_schedule *s, affine_exchange_table_64 *t);

/** pass_kind.print of that schedule, and pass_kind.launch, which is returned. */
void affine_tile_print(const affine_tile_schedule *s, FILE *stream);
launch *affine_tile_launch(const affine_tile_schedule *s, const launch_limits *limits, launch_list *out);

#endif
