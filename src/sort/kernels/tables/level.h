/* SPDX-License-Identifier: Apache-2.0
 *
 * Tables of the kernels of a level of k-partition, which take them by value: samples, counts, moves, and the window of what is asked for.
 */
#ifndef RIFFLE_SORT_KERNELS_TABLES_LEVEL_H
#define RIFFLE_SORT_KERNELS_TABLES_LEVEL_H

#include "sort/kernels/tables/common.h"

/** Segments, and how many buckets each is split into. */
typedef struct sort_segments {
    const uint32_t *begin;   /**< where each begins, then n; NULL: there is one */
    const uint8_t *is_alike; /**< for each, whether all of its keys are equal; NULL: not known */
    uint32_t n;
    uint32_t bucket; /**< keys that a bucket is to have, about */
    uint32_t ways;   /**< buckets of a segment at most */
} sort_segments;

/** Segments, and the pieces of them that blocks read. */
typedef struct sort_cuts {
    sort_segments of;
    const uint32_t
        *first_piece; /**< each segment's first piece, then how many there are; NULL: there is one segment */
    uint32_t segments, piece;
} sort_cuts;

/** Splitters, and the sizes of their guide (sort_guide.h). */
typedef struct sort_splitters {
    const void *keys;   /**< [segment][row]: of each ways - 1, in order */
    uint32_t row;       /**< from a piece's counts, and a segment's buckets, to the next one's: even */
    uint32_t levels;    /**< levels of bisection among the most splitters: 2^levels >= ways */
    uint32_t cell_bits; /**< 2^cell_bits cells, of which each thread has four */
} sort_splitters;

/** sort_ranks and sort_sample */
typedef struct sort_sample_table {
    sort_coder coder;
    sort_segments segments;
    uint32_t samples; /**< samples of a segment, at most */
    uint32_t row;
    uint32_t *cursors; /**< become 0; NULL: there are none */
} sort_sample_table;

/** sort_count and sort_move */
typedef struct sort_tile_table {
    sort_coder coder;
    sort_cuts cuts;
    sort_splitters splitters;
    uint32_t *
        counts; /**< [piece][bucket]: keys, then those of the segment's pieces before; or, where nothing is carried,
                           [segment][bucket]: keys, then where the next ones go */
    sort_summed summed; /**< sort_count's alone */
} sort_tile_table;

typedef struct sort_carry_table {
    sort_tile_table tile;
    const uint32_t *bucket_begin; /**< [segment][bucket] */
    sort_carried carried;
} sort_carry_table;

typedef struct sort_sums_table {
    sort_cuts cuts;
    uint32_t row;
    uint32_t *bucket_begin; /**< receives the sums of buckets */
} sort_sums_table;

typedef struct sort_offsets_table {
    sort_cuts cuts;
    const uint32_t *splitters;  /**< as sort_splitters has them, in words */
    uint32_t row, key_words;    /**< key_words: of a splitter */
    uint32_t are_cursors;       /**< counts are a segment's */
    uint32_t is_summed;         /**< bucket_begin has a bucket's sum */
    uint8_t *are_alike;         /**< [segment][bucket]: whether all of its keys are equal */
    uint32_t *bucket_begin;     /**< [segment][bucket], then n */
    uint32_t *turns;            /**< become 0, of all launches for leaves, and the words before their list */
    uint32_t *next_first_piece; /**< first_piece of the level where buckets are segments; NULL: nobody asks */
    uint32_t next_piece;
} sort_offsets_table;

typedef struct sort_pieces_table {
    const uint32_t *begin;
    uint32_t segments, piece;
} sort_pieces_table;

typedef struct sort_window_table {
    uint32_t n, segments;
    uint32_t needed, needed_end; /**< places that are asked for */
    uint32_t *window;            /**< where what is sorted of one array begins and ends */
} sort_window_table;

typedef struct sort_outside_table {
    sort_coder coder;
    sort_carried carried;
    const uint32_t *window;
    uint32_t n;
} sort_outside_table;

#endif
