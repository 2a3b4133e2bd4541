/* SPDX-License-Identifier: Apache-2.0
 *
 * The schedule of a strided move on a GPU: boxes of elements that a block has in shared memory.
 *
 * A box takes axes from src's fast end until a stretch of src is long, and axes from dst's fast end until a stretch of
 * dst is; only the last axis of each is cut. So a row of the box is long in memory on either side, and where inner axes
 * are short (3, 5, 10) rows are made of several:
 *
 *     src  [ 7 ][ 100 ][ 5 ][ 3 ]   by 1, 3, 0, 2   dst  [ 100 ][ 3 ][ 7 ][ 5 ]
 *
 *     src's rows   3, 5, 8 of 100      box   7 x 8 x 5 x 3, of which src's rows have 120 elements, dst's 35 (and with
 *     dst's rows   5, 7                      3 axes, 105)
 *
 * Rows run along a chain of axes, each of which begins where the one before it ends; the other axes of the box number
 * the rows. In shared memory an element is at a cell: src's rows one after the other, a pitch apart, so that rows are
 * put there without conflicts; the pitch is chosen so that reading dst's rows has the fewest.
 */
#ifndef RIFFLE_PLAN_AXES_BOX_H
#define RIFFLE_PLAN_AXES_BOX_H

#include "plan/axes/strided.h"

enum { BOX_MAX_AXES = RIFFLE_MAX_RANK + 2, BOX_MAX_LOOPS = BOX_MAX_AXES + 2, BOX_LEAST_SHARED_BYTES = 256 };

typedef struct box_axis {
    uint64_t length;
    int64_t src_stride, dst_stride; /**< in elements */
    uint32_t extent;                /**< indices of it in a box, the last box perhaps fewer */
    uint32_t cell;                  /**< cells from an index to the next ... */
    uint32_t pad;                   /**< ... and so many more ... */
    unsigned group_log2;            /**< ... after each 2^group_log2 indices */
} box_axis;

/** The rows of one side. */
typedef struct box_side {
    unsigned chain;                         /**< axes that a row runs along ... */
    unsigned char chain_axis[BOX_MAX_AXES]; /**< ... the fastest first */
    uint32_t inner;                         /**< elements in an index of the last of them */
    uint32_t outer;                         /**< indices of the last of them in a row, at most its extent */
    unsigned digits;                        /**< axes that number the rows ... */
    unsigned char
        digit_axis[BOX_MAX_AXES + 1]; /**< ... a chain's last one again, where outer is less than its extent */
    uint32_t rows;
    uint32_t align;      /**< bytes: where a group of lanes begins */
    bool even;           /**< all rows begin at the same place in such a unit */
    unsigned lanes_log2; /**< threads that move a row */
    unsigned words;      /**< words of a row that a thread moves at a time */
    uint32_t padded;     /**< rows, and those that fill up what the threads move at a time */
} box_side;

/** A loop over boxes: `count` steps of `weight` boxes along an axis. */
typedef struct box_loop {
    unsigned char axis;
    uint32_t weight;
    uint64_t count;
} box_loop;

/** How elements are moved. */
typedef enum box_way {
    BOX_ELEMENTS, /**< one by one */
    BOX_WORDS,    /**< elements of 1 or 2 bytes, in words of 4 */
    BOX_VECTORS,  /**< elements of 4 or 8 bytes, in words of 16 */
} box_way;

/** How to cut: what the policy chooses. */
typedef struct box_shape {
    size_t src_bytes, dst_bytes; /**< that rows should have at least */
    unsigned threads;            /**< threads of a block, a power of two */
    uint32_t align;              /**< bytes, a power of two */
    uint32_t
        fetch_bytes; /**< bytes of src's words, where words may be of several elements: 4 or 16; 0: elements one by one */
} box_shape;

typedef struct box_schedule {
    size_t elem_bytes;
    size_t alignment; /**< bytes that both arrays' addresses are multiples of */
    box_shape shape;  /**< the shape that it was cut by */
    box_way way;
    int64_t src_offset, dst_offset;
    unsigned rank;
    box_axis axis[BOX_MAX_AXES];                              /**< dst's fastest first */
    unsigned char by_src[BOX_MAX_AXES], by_dst[BOX_MAX_AXES]; /**< the same, src's fastest first, and dst's */
    box_side src, dst;
    uint32_t cells;       /**< that src's rows take */
    uint32_t fetch_bytes; /**< bytes of a word of src, where words are of several elements */
    uint32_t place_step;  /**< cells from a place of dst's rows to the next, where they lie evenly; else 0 */
    unsigned threads;
    unsigned loops;
    box_loop loop[BOX_MAX_LOOPS]; /**< the fastest first */
    uint64_t boxes;               /**< 0 for an empty move */
    size_t shared_bytes;
} box_schedule;

/** Where the parts of a block's shared memory begin, in bytes. */
typedef struct box_layout {
    size_t rows, places, end;
    uint32_t place_stride; /**< for BOX_WORDS: entries of a copy of the table of places */
} box_layout;

box_layout box_layout_of(const box_schedule *s);

/** Cuts a move in normal form whose elements have 1, 2, 4, 8 or 16 bytes. Returns false if the box does not fit
 *  `shared_bytes` or what kernels count with. */
bool box_cut(const strided_move *m, const box_shape *shape, size_t shared_bytes, box_schedule *out);

/** A GPU's room: of a block, and how many multiprocessors are to be kept busy. */
typedef struct box_device {
    size_t shared_bytes; /**< at least BOX_LEAST_SHARED_BYTES */
    unsigned block_threads, multiprocessors;
} box_device;

/** The cut with the least expected cost. Cannot fail. */
void box_plan(const strided_move *m, const box_device *device, box_schedule *out);

/** Bytes an element of the sectors that reading, or writing, row by row touches; rows that may begin anywhere in a
 *  sector on average. */
double box_traffic(const box_schedule *s);

/** Says how many boxes there are and what their rows are, beginning with ": ". */
void box_print(const box_schedule *s, FILE *stream);

#endif
