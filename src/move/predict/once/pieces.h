/* SPDX-License-Identifier: Apache-2.0
 *
 * Pieces of indices used once as their blocks sort them (move/kernels/once/once_sort.cu). Threads come to count warp after warp, quad
 * after quad, which is the machine's order; a GPU's may be another, and what moves is the same.
 */
#ifndef RIFFLE_MOVE_PREDICT_ONCE_PIECES_H
#define RIFFLE_MOVE_PREDICT_ONCE_PIECES_H

#include "device/predict/predict.h"
#include "move/gpu/once.h"

/** A piece that is sorted. */
typedef struct once_order {
    uint32_t length, ordered; /**< indices, and places of the order, pads among them */
    uint16_t *tile, *low;     /**< each index's */
    uint16_t *place;          /**< in the order, of each index */
    uint16_t *starts;         /**< where each tile's run begins, and the last one ends */
    uint16_t *lows;           /**< in order, ONCE_PAD behind runs whose length is odd */
} once_order;

/** The pieces that are looked at, each of which stands for its neighbours too. */
typedef struct once_pieces {
    uint64_t count;
    once_order *order; /**< each one's */
    uint32_t *of;      /**< the number among them of what stands for each piece */
} once_pieces;

/** Sorts a piece; the entries of `map` are the indices, or drawn ones where working them out is more than the pattern may look at: then
 *  it means what is expected. */
riffle_status once_order_create(const launch *work, const riffle_perm *map, uint64_t piece, pattern *p,
                                once_order *out);
void once_order_free(once_order *o);

/** Sorts all pieces, or as many as a pattern may look at: then it is an estimate. To be freed whatever is returned. */
riffle_status once_pieces_create(const launch *work, const riffle_perm *map, pattern *p, once_pieces *out);
void once_pieces_free(once_pieces *p);

static inline const once_table *once_table_of(const launch *work) {
    return &((const struct once_arguments *)work->arguments)->table;
}

#endif
