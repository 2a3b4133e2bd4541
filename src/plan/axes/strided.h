/* SPDX-License-Identifier: Apache-2.0
 *
 * A strided move: what an axes permutation, and a copy between two strided views, is when names and order of the
 * axes no longer matter. Counted in elements from the addresses that a caller gives,
 *
 *     dst[dst_offset + sum c_k dst_stride_k] = src[src_offset + sum c_k src_stride_k],   0 <= c_k < length_k
 *
 * Normal form: no axis of length 1, dst strides positive and ascending, and no axis that continues the one before it
 * on both sides (it is made one with it). A move of no element is one axis of length 0.
 */
#ifndef RIFFLE_PLAN_AXES_STRIDED_H
#define RIFFLE_PLAN_AXES_STRIDED_H

#include "perm/perm.h"

/** Strides in elements. That of src may be 0, an element going to many places, or negative. */
typedef struct strided_axis {
    uint64_t length;
    int64_t src_stride, dst_stride;
} strided_axis;

enum { STRIDED_LONGEST_UNIT = 16 /* bytes */ };

typedef struct strided_move {
    size_t elem_bytes;
    size_t alignment; /**< bytes that both addresses are known to be multiples of, beyond an element; or 0 */
    int64_t src_offset, dst_offset; /**< offset of the element whose coordinates are all 0 */
    unsigned rank;
    strided_axis axis[RIFFLE_MAX_RANK + 2]; /**< one for elements that are rows of units, one for a batch */
} strided_move;

/** The move of an axes permutation of a row-major array, in normal form. */
void strided_of_axes(const perm_axes *axes, size_t elem_bytes, strided_move *out);

/** Brings a move into normal form in place: axes of any order and of either sign become dst's order, fastest first.
 *  The move must be one that memory can hold: lengths times strides fit an int64_t, and no two elements have the same
 *  place in dst. */
void strided_normalize(strided_move *m);

/** The number of elements that a move writes. */
uint64_t strided_elements(const strided_move *m);

/** Makes the elements of a move in normal form 1, 2, 4, 8 or 16 bytes long: those of other lengths are cut, and then they
 *  grow while runs that lie in one piece on both sides allow it, as long as addresses that are multiples of `alignment`
 *  bytes stay multiples of an element. A row of 6 bytes so becomes three elements of 2, one of 256 bytes 16 of 16. */
void strided_choose_unit(strided_move *m, size_t alignment);

#endif
