/* SPDX-License-Identifier: Apache-2.0
 *
 * Strided moves on a GPU that need no box (plan/axes/box.h): where what follows in dst follows in src too, or nearly,
 * a warp's accesses are of few sectors on both sides as it is. They go through dst in its order (move/kernels/axes/strided.h).
 */
#ifndef RIFFLE_PLAN_AXES_DIRECT_H
#define RIFFLE_PLAN_AXES_DIRECT_H

#include "plan/axes/strided.h"

typedef enum direct_way {
    DIRECT_ROW,       /**< along a long axis */
    DIRECT_PARTS,     /**< along several, within 2 GiB on both sides */
    DIRECT_PARTS_FAR, /**< along several */
    DIRECT_PACKED,    /**< elements of 1 byte that follow each other in dst: by words of 4 */
    DIRECT_WORDS,     /**< rows without gaps, of shorter units than a word: by words of 16 bytes */
} direct_way;

typedef struct direct_schedule {
    direct_way way;
    strided_move move;
    size_t row_bytes; /**< bytes of a row, for WORDS; the first axis is then the words of a row */
    unsigned inner;   /**< axes that a block's parts lie along */
    uint64_t parts;   /**< parts of these axes together ... */
    uint64_t piece;   /**< ... of which a block takes so many, of `pieces` */
    uint64_t pieces;
    uint64_t blocks;
    unsigned threads;
} direct_schedule;

/** Schedules a move in normal form of fewer than 2^31 elements, at least one, whose elements have 1, 2, 4, 8 or 16 bytes.
 *  False where boxes are expected to take less time. */
bool direct_plan(const strided_move *m, unsigned block_threads, direct_schedule *out);

#endif
