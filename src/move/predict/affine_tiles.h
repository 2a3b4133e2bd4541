/* SPDX-License-Identifier: Apache-2.0
 *
 * An affine tile, and what a warp does with it, as the patterns of its kernels see it.
 */
#ifndef RIFFLE_MOVE_PREDICT_AFFINE_TILES_H
#define RIFFLE_MOVE_PREDICT_AFFINE_TILES_H

#include "check/predict.h"
#include "move/predict/predict.h"

/** Sites of all these kernels, that of a check, and those of shifted ones alone. */
enum {
    SITE_READ,
    SITE_PUT,
    SITE_GET,
    SITE_WRITE,
    SITE_SUMS,
    SITE_READ_UNIT = SITE_SUMS + CHECK_BLOCK_SITES,
    SITE_WRITE_UNIT,
    SITE_READ_NEXT,
    SITE_PUT_NEXT,
    SITE_GET_NEXT,
    SITE_WRITE_NEXT
};

/** A launch, with its table. */
typedef struct tile_view {
    const launch *work;
    const affine_table_64 *table;
    size_t unit, access; /**< bytes */
    uint32_t units;      /**< units of an access */
    uint32_t moves;
    const check_record *record; /**< to which words are added as they are read; or NULL */
    bool is_shifted;
} tile_view;

/** A tile: where it is in shared memory, its run on both sides, its begin in the run; and the warp's threads of its row. */
typedef struct tile_at {
    uint64_t tile, from, to, x0, y0;
    uint64_t first, end;
} tile_at;

/** The sum (XOR) of the vectors, or the cells, that a number's bits choose. */
static inline uint64_t tiles_sum(const uint64_t *vectors, uint64_t number) {
    uint64_t sum = 0;
    for (; number != 0; number &= number - 1) sum ^= vectors[__builtin_ctzll(number)];
    return sum;
}

static inline uint32_t tiles_cell(const uint32_t *vectors, uint64_t number) {
    uint32_t sum = 0;
    for (; number != 0; number &= number - 1) sum ^= vectors[__builtin_ctzll(number)];
    return sum;
}

/** The place of a thread's first move in its run. */
static inline uint64_t tiles_place(const affine_side_64 *side, uint64_t start_of_tile, uint64_t thread) {
    return start_of_tile ^ tiles_sum(side->thread, thread);
}

/** True for kernels of arrays that do not begin on a vector. */
bool tiles_are_shifted(const kernel_record *kernel);

void tiles_declare_shifted(const tile_view *v, pattern *out);

/** Describes what the warp of such a kernel reads and writes of the tile. */
void tiles_shifted(const tile_view *v, const tile_at *at, pattern *out);

#endif
