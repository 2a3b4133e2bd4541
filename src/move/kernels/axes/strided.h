/* SPDX-License-Identifier: Apache-2.0
 *
 * The table that the strided kernels take by value. They go through dst in its order: the parts of the inner axes together are
 * numbered, a block has `piece` of them, and the number of its piece has the outer axes' coordinates above it. A part is an
 * element, or one of the words of 16 bytes that a row may touch.
 *
 *     block   =  (outer coordinates, piece)        divided once a block
 *     part    =  (inner coordinates)               divided for each part; of a long axis there is nothing to divide
 *
 * Numbers are divided as move/kernels/axes/axes_box.h says.
 */
#ifndef RIFFLE_MOVE_KERNELS_AXES_STRIDED_H
#define RIFFLE_MOVE_KERNELS_AXES_STRIDED_H

#include "move/kernels/axes/axes_box.h"

enum {
    STRIDED_THREADS = 256, /* threads of a block, at most */
    STRIDED_AXES = 34,
};

typedef struct strided_digit {
    int64_t src_step, dst_step; /* bytes */
    axes_divisor by;
} strided_digit;

typedef struct strided_table {
    int64_t src_origin, dst_origin; /* bytes from the arrays' addresses */
    uint64_t row_bytes;             /* bytes of a row that goes by words; the words it is read by lie ... */
    int64_t src_first;              /* ... from here on ... */
    uint64_t src_bytes;             /* ... within so many bytes */
    uint32_t axes, inner;
    uint32_t parts; /* parts of the inner axes together, below 2^31 */
    uint32_t piece; /* parts of a block */
    axes_divisor pieces;
    strided_digit axis[STRIDED_AXES];
} strided_table;

#endif
