/* SPDX-License-Identifier: Apache-2.0
 *
 * The table that the axes_box kernels take by value. A tile is a box of elements; on each side, src and dst, it is a number of
 * rows, each of them evenly spaced places in memory (next to each other, in a dense array):
 *
 *     place k of row r is in memory at       origin + offset(r) + k * step
 *     and in shared memory at cell           cell(r) + k  of src's rows,   cell(r) + place(k)  of dst's
 *
 * A row's number is the coordinates of the axes that it does not run along, and so is a place's those of the axes that
 * it does. A number is divided by multiplying:
 *
 *     n / length = (n * reciprocal / 2^31) >> shift      for every n < 2^31
 *
 * with shift = ceil(log2 length) and reciprocal = ceil(2^(31 + shift) / length): it is below 2^32, and rounding up adds
 * less than n / 2^(31 + shift) < 1 / length to the quotient, too little to reach the next one.
 */
#ifndef RIFFLE_MOVE_KERNELS_AXES_AXES_BOX_H
#define RIFFLE_MOVE_KERNELS_AXES_AXES_BOX_H

#include <stdint.h>

enum {
    AXES_THREADS = 256, /* threads of a block, at most */
    AXES_WARP = 32,
    AXES_MOST_WORDS = 3,
    AXES_BOX_AXES = 16, /* longer than 1 in a tile */
    AXES_LOOPS = 36,    /* over tiles */
    AXES_CUTS = 2,      /* axes of which a tile may have only a part */
    AXES_MOST_PLACES = 1 << 16,
};

/* Rows of which a thread has loads under way at a time, `words` of each: as many as its predicates suffice for. */
#define AXES_ROWS_AT_ONCE(word_bytes, words) ((word_bytes) < 16 ? 6u / (words) : 4u / (words))

typedef struct axes_divisor {
    uint32_t length, reciprocal, shift;
} axes_divisor;

/* One axis of a number of a row, or of a place. */
typedef struct axes_digit {
    int64_t stride; /* in memory, in elements; of rows */
    axes_divisor by;
    uint32_t cell;            /* cells of a step, in shared memory ... */
    uint32_t pad, group_log2; /* ... and `pad` cells more for so many indices */
    uint32_t weight;          /* indices of a step, along the axis that it belongs to */
    uint32_t cut;             /* 1 + the cut of that axis; 0: it is whole */
    uint32_t extent;          /* length of that axis, if rows run on along it; else 0 */
} axes_digit;

typedef struct axes_side {
    axes_digit digit[AXES_BOX_AXES + 1];
    int64_t step; /* from a place to the next, in elements */
    uint32_t digits, rows;
    uint32_t inner, outer; /* places of a row: inner indices of whole axes, each of outer indices of the last */
    uint32_t cut;          /* cut of that last one, as a digit's */
    uint32_t align;        /* bytes, a power of two: where a group of lanes begins; at least a word */
    uint32_t even;         /* 1: all rows begin at the same place in such a unit */
    uint32_t lanes_log2;   /* threads that move one row */
    uint32_t
        words; /* words of a row that a thread moves at a time: 1, or 2 or 3 for dense rows, whose lanes are warps */
    uint32_t padded; /* rows with those that fill up what threads do at a time */
} axes_side;

/* One loop over tiles, of the number of a block. */
typedef struct axes_loop {
    int64_t src_step, dst_step; /* in elements */
    axes_divisor by;
    uint32_t cut, weight; /* as a digit's */
} axes_loop;

typedef struct axes_table {
    int64_t src_origin, dst_origin; /* in elements */
    int64_t src_first, src_end;     /* elements of src are read from here to there */
    uint64_t cut_length[AXES_CUTS]; /* lengths of the axes of which a tile may have a part */
    uint32_t loops;
    uint32_t rows_at,
        places_at;   /* in shared memory, in bytes: tables of both sides' rows, of places; the tile is at 0 */
    uint32_t places; /* in dst's rows that have a table; 0 where they need none */
    uint32_t place_digits; /* digits of such a place */
    uint32_t place_step;   /* cells from a place to the next, where they all lie evenly; else 0 */
    axes_side side[2];     /* src's, dst's */
    uint32_t fetch_bytes,
        place_stride; /* for axes_words: bytes of a word of src; entries of a copy of the table of places */
    axes_digit place[AXES_BOX_AXES + 1];
    axes_loop loop[AXES_LOOPS];
} axes_table;

#endif
