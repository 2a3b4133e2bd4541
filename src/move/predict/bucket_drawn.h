/* SPDX-License-Identifier: Apache-2.0
 *
 * Pieces of bucket passes (plan/bucket/tile.h) as a random permutation makes them, drawn where no tables have been planned: what is expected
 * of long ones follows from a few.
 */
#ifndef RIFFLE_MOVE_PREDICT_BUCKET_DRAWN_H
#define RIFFLE_MOVE_PREDICT_BUCKET_DRAWN_H

#include "plan/bucket/tile.h"

/** A piece's part of a schedule's arrays. */
typedef struct bucket_drawn {
    uint16_t *order;  /**< an entry an element */
    uint32_t *chunks; /**< NULL in the first pass */
    uint32_t chunk_count;
} bucket_drawn;

/** Draws the piece of that number of an outline's pass (bucket_tile_outline), the same whenever it is asked for. */
riffle_status bucket_drawn_create(const bucket_tile_schedule *s, uint64_t piece, bucket_drawn *out);
void bucket_drawn_free(bucket_drawn *d);

#endif
