/* SPDX-License-Identifier: Apache-2.0
 *
 * A bit transposition as all its doors see it: n elements of `width` bits on one side, as many planes of n bits on the other, both of a
 * batch of arrays.
 */
#ifndef RIFFLE_BITS_SHUFFLE_H
#define RIFFLE_BITS_SHUFFLE_H

#include <stdbool.h>

#include "bits/cpu/loops.h"
#include "device/arrays.h"
#include "move/cpu/passes/tile_kernels/tile_kernels.h"
#include "riffle/bits.h"

typedef struct bit_shuffle {
    uint64_t n, batch;
    size_t width;           /**< bits of an element */
    bool is_big, to_planes; /**< the order of bits; the direction */
    void *dst;
    const void *src;
    unsigned threads; /**< most */
} bit_shuffle;

/** Bytes of an array of elements, of a plane, and of all arrays on either side, once the call is checked. */
static inline size_t shuffle_element_bytes(const bit_shuffle *s) {
    return (size_t)riffle_bits_bytes(s->n, s->width);
}
static inline size_t shuffle_plane_bytes(const bit_shuffle *s) { return (size_t)riffle_bits_bytes(s->n, 1); }
static inline size_t shuffle_src_bytes(const bit_shuffle *s) {
    return (size_t)s->batch * (s->to_planes ? shuffle_element_bytes(s) : shuffle_plane_bytes(s) * s->width);
}
static inline size_t shuffle_dst_bytes(const bit_shuffle *s) {
    return (size_t)s->batch * (s->to_planes ? shuffle_plane_bytes(s) * s->width : shuffle_element_bytes(s));
}

/** The arrays of the call, for checks and to be carried. */
enum { SHUFFLE_SRC, SHUFFLE_DST, SHUFFLE_ARRAYS };
void shuffle_arrays(const bit_shuffle *s, call_array out[SHUFFLE_ARRAYS]);

/** The caller's options, with a batch of at least one; refuses an order that is none. */
riffle_status bits_options_take(const riffle_bits_options *options, riffle_bits_options *out);

/** The call without its arrays, whose arguments are checked as riffle/bits.h says; then the arrays are, once they are in. */
riffle_status shuffle_describe(uint64_t n, uint64_t elem_bits, bool to_planes,
                               const riffle_bits_options *options, bit_shuffle *out);
riffle_status shuffle_check_arrays(const bit_shuffle *s);

/** Both. */
riffle_status shuffle_take(uint64_t n, uint64_t elem_bits, bool to_planes, void *dst, const void *src,
                           const riffle_bits_options *options, bit_shuffle *out);

/** How an array is cut: planes into runs, elements of 8 bits and more into groups of their bytes. A piece is a run of a group's planes, with
 *  the elements that it is of, and fits a thread's stage. */
typedef struct shuffle_cut {
    size_t run;     /**< bytes of a plane; of whole words */
    size_t columns; /**< bytes of an element */
    uint64_t runs, groups;
} shuffle_cut;

/** A piece in hand. */
typedef struct shuffle_piece {
    const bit_shuffle *s;
    const bits_loops *loops;
    const tile_kernels *tiles;
    size_t pitch;           /**< from row to row of the stage */
    bool stream;            /**< past the caches */
    uint64_t array;         /**< its number in the batch */
    size_t first, run;      /**< bytes of each plane */
    size_t column, columns; /**< bytes of each element */
} shuffle_piece;

enum {
    SHUFFLE_STAGE_BYTES = 64 << 10,
    SHUFFLE_GAP_BYTES = 64,
    SHUFFLE_LEAST_RUN = 64,
    SHUFFLE_MOST_RUN = 4096
};

/** Moves a piece of elements of whole bytes (shuffle_bytes.c), and of parts of a byte (shuffle_parts.c). `next` is the one that the thread moves
 *  then, whose src is prefetched meanwhile; NULL: there is none. */
void shuffle_bytes(const shuffle_piece *p, const shuffle_piece *next);
void shuffle_parts(const shuffle_piece *p);

#endif
