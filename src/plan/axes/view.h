/* SPDX-License-Identifier: Apache-2.0
 *
 * A copy between two views, as riffle_copy_strided and riffle_cuda_copy_strided are asked for it: checked, and made a
 * strided move.
 */
#ifndef RIFFLE_PLAN_AXES_VIEW_H
#define RIFFLE_PLAN_AXES_VIEW_H

#include "plan/axes/strided.h"

typedef struct view_copy {
    unsigned rank;
    const uint64_t *shape;
    size_t elem_bytes;
    void *dst;
    const int64_t *dst_strides; /**< in elements; NULL: row-major */
    const void *src;
    const int64_t *src_strides; /**< the same */
} view_copy;

/** Checks all that riffle_copy_strided's contract says, and gives the move from src to dst in normal form. One of no
 *  elements asks for no more than a rank and a shape. */
riffle_status view_copy_take(const view_copy *asked, strided_move *out);

#endif
