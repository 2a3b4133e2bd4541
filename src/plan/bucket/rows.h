/* SPDX-License-Identifier: Apache-2.0
 *
 * Bucket passes with rows of whole lines between them: any permutation that spreads like a random one, in two passes that read and write
 * memory in order, but for the rows' places. A row has elements of one piece of dst alone.
 *
 *     src    | step 0 | step 1 | step 2 | ...   step k makes rows of its own elements and of what step k - 1 has left over
 *                 \_ order _/  rows, each to its place
 *     work   |  rows of piece 0  |  rows of piece 1  | ...
 *                 | order
 *     dst    | piece 0 | piece 1 | ...
 *
 * The passes of bucket.h leave the runs of a piece of dst one in each piece of src, and lines that a core fetches from everywhere wait in few
 * buffers. Here they are written to everywhere instead, which waits for nothing, and a few per cent of the places in rows stay empty: where
 * what is left over of a step would leave the window. Positions in a window or a piece have 17 bits where elements have 4 bytes: two in one
 * word of 8 bytes are neighbours, which 16 bits number, and a bit more an element says which of them it is.
 */
#ifndef RIFFLE_PLAN_BUCKET_ROWS_H
#define RIFFLE_PLAN_BUCKET_ROWS_H

#include "perm/perm.h"

enum { ROWS_LINE_BYTES = 64, ROWS_ODD_BITS = 16 };

/** How n elements are cut, all in elements. */
typedef struct bucket_rows_shape {
    uint32_t row;   /**< whole lines' */
    uint32_t step;  /**< a piece of src: two are a window */
    uint32_t piece; /**< part of dst; whole lines' */
    uint32_t room;  /**< places that the rows of a piece, and a window, may have */
} bucket_rows_shape;

/** One of the two passes. */
typedef struct bucket_rows {
    uint64_t n; /**< places of the output */
    size_t elem_bytes;
    unsigned lag; /**< pieces of the input before a piece's own that it is made of, too */
    uint32_t row;
    uint64_t pieces;
    uint64_t *from; /**< piece p brings from[p] .. from[p + 1] - 1 of the input; pieces + 1 entries */
    uint64_t *
        first_row; /**< and makes rows first_row[p] .. first_row[p + 1] - 1 of the schedule; pieces + 1 entries */
    uint16_t *
        order; /**< for each place of the schedule's rows where its element is behind from[p - lag], or, with `odd`, half of that */
    uint16_t *
        odd; /**< bit k % 16 of entry k / 16: what the half of place k leaves over; there for elements of 4 bytes, else NULL */
    uint32_t *place; /**< row r leaves as row place[r] of the output; NULL: as row r */
} bucket_rows;

/** The shape for n elements of 4, 8 or 16 bytes; false for others, for fewer than would fill some pieces, and for so many that rows
 *  would not fill within a window. */
bool bucket_rows_choose(uint64_t n, size_t elem_bytes, bucket_rows_shape *out);

/** Plans `perm` into the two passes. *fits is false, and nothing is left behind, where a piece of dst would take more places than the shape
 *  has room for: its elements come too rarely. O(n) time on `threads` threads, 8 bytes an element while it works.
 *  RIFFLE_ERROR_OUT_OF_MEMORY leaves nothing behind. */
riffle_status bucket_rows_plan(const riffle_perm *perm, size_t elem_bytes, const bucket_rows_shape *shape,
                               unsigned threads, bucket_rows out[2], bool *fits);

/** Bytes of the schedule's arrays together. */
size_t bucket_rows_bytes(const bucket_rows *schedule);

void bucket_rows_free(bucket_rows *schedule);

/** Where place `at` of the schedule's rows finds its element. */
static inline uint32_t bucket_rows_order(const bucket_rows *s, uint64_t at) {
    const uint32_t half = s->order[at];
    if (s->odd == NULL) return half;
    return half << 1 | ((uint32_t)s->odd[at / ROWS_ODD_BITS] >> at % ROWS_ODD_BITS & 1U);
}

#endif
