/* SPDX-License-Identifier: Apache-2.0
 *
 * The table that the kernels of a sort by comparisons take by value (docs/sort.md has the whole). Keys lie in segments, one
 * behind the other. A segment is split by sampled splitters into buckets, which are the next level's segments, or leaves; it is
 * read by pieces of `piece` keys, a block a piece:
 *
 *     segments  | 0                     | 1             | ...
 *     pieces    | 0      | 1      | 2   | 3      | 4    |
 *     buckets   | 0 | 1 |  ...  | row-1 | 0 | 1 |  ...
 *
 * Splitters are keys. Where a sample has one of them more than once, the keys that equal it have a bucket of their own, which is not
 * sorted any more. So no input makes a bucket long that is to be sorted; only chance can.
 *
 * Keys are unsigned numbers of 4, 8 or 16 bytes between launches: codes (sort/key.h), of which the first that reads makes
 * them and the last that writes makes numbers again.
 */
#ifndef RIFFLE_SORT_KERNELS_SORT_H
#define RIFFLE_SORT_KERNELS_SORT_H

#include <stdint.h>

#include "sort/key_pieces.h"

enum {
    SORT_LANES = 32,       /* lanes of a warp: these kernels know no other */
    SORT_MOST_WAYS = 1024, /* buckets of a segment: threads of sort_offsets */
    SORT_SAMPLE_THREADS = 1024,
    SORT_RANKED = 64, /* samples of a block that ranks them */
    SORT_COUNT_THREADS = 512,
    SORT_COUNT_BYTES = 48, /* bytes of keys that a thread reads at a time */
    SORT_SEARCHES = 4,     /* keys that it looks up at a time */
    SORT_CELL_BITS = 12,   /* bits of the number of a cell of a guide to splitters (sort_guide.h), at most */
    SORT_LEAF_THREADS = 128,
    SORT_LEAF_SIZES = 6,          /* launches for leaves of different lengths */
    SORT_MENDS = 8,               /* rounds in which keys that tie there are mended */
    SORT_JOINED = 4 + SORT_MENDS, /* words for what a team's lanes find */
    SORT_LONG_THREADS = 512,
    SORT_LONG_EACH = 16, /* keys of a thread of the block that sorts longer leaves */
    SORT_CHUNK = SORT_LONG_THREADS * SORT_LONG_EACH,
    SORT_REST = 2, /* words before the list of leaves that were too long */
    SORT_ROW_THREADS = 256,
    SORT_ROW_EACH = 4,       /* elements of a thread that makes codes, or units of one that moves them */
    SORT_MOVES = 6,          /* moves of bits by 1, 2, 4, ... 32 places */
    SORT_TIED_BITS = 96,     /* bits of a key that tied elements are sorted by at a time */
    SORT_AT_ONCE = 8,        /* registers that warps exchange between two barriers */
    SORT_MARKS = 2048,       /* elements of a tile of sort_marks */
    SORT_SUM_THREADS = 1024, /* threads of a block that adds up what all others have counted */
};

/** No place: there are fewer than 2^32 elements. */
#define SORT_NO_PICK 0xffffffffu

/** How a number becomes a code: bits ^ (negative ? negative : positive) - minus, then ^ turn + plus, modulo its width; of 16
 *  bytes the upper half, and the lower ^ turn. All 0: as they are. */
typedef struct sort_coding {
    uint64_t positive, negative, minus, turn, plus;
} sort_coding;

/** The bits of a piece's code that tell elements apart, those of `mask`, of which there are `bits`. They are moved together by
 *  1, 2, 4, ... 32 places, at each step those of move[]; `at` of such bits are in the pieces before. */
typedef struct sort_squeeze {
    uint64_t mask, move[SORT_MOVES];
    uint32_t at, bits;
} sort_squeeze;

typedef struct sort_table {
    sort_coding coding;
    uint32_t encodes, decodes; /**< true if the launch reads numbers, and writes them */
    uint32_t n;
    uint32_t segments;
    uint32_t piece;
    uint32_t bucket;  /**< keys that a bucket is to have, about; where bucket_begin is NULL: that a leaf has */
    uint32_t ways;    /**< buckets of a segment at most */
    uint32_t levels;  /**< levels of bisection among the most splitters: 2^levels >= ways */
    uint32_t row;     /**< from a piece's counts, and a segment's buckets, to the next one's: even */
    uint32_t samples; /**< samples of a segment, at most */
    uint32_t next_piece;
    uint32_t *begin;         /**< where each segment begins, then n; NULL: there is one */
    uint32_t *first_piece;   /**< each segment's first piece, then how many there are; NULL likewise */
    void *splitters;         /**< [segment][ways - 1]: keys, in order */
    uint32_t cell_bits;      /**< bits of their guide: 2^cell_bits cells, of which each thread has four */
    uint32_t key_words;      /**< 32-bit words of one */
    const uint8_t *is_alike; /**< for each segment, whether all of its keys are equal; NULL: not known */
    uint8_t *are_alike;      /**< the same for each bucket; for leaves NULL: not known */
    uint32_t alike_stay;     /**< true if leaves of equal keys are in their place already, as wanted */
    uint32_t *counts;        /**< [piece][bucket]: keys, then those of the segment's pieces before; */
    uint32_t are_cursors;    /**< or [segment][bucket]: keys, then where the next ones go */
    uint32_t is_summed;      /**< they are that already, and bucket_begin has their sums */
    uint32_t *bucket_begin;  /**< [segment][bucket], then n; NULL: leaves are of one length */
    uint32_t
        *next_first_piece; /**< first_piece of the level where buckets are segments; NULL: they are leaves */
    uint32_t *turns;     /**< zeros, SORT_LEAF_SIZES of them, behind them rest[0] and [1], when leaves begin */
    uint32_t *leaf_turn; /**< how often leaves have been taken; NULL: the grid takes all at once */
    uint32_t turn;       /**< leaves that a warp takes at a time, 1 to 32 */
    uint32_t leaf_above; /**< only leaves of more keys */
    uint32_t leaf_lists; /**< true if the launch lists those that are too long for it */
    const uint32_t *leaf_list; /**< an earlier launch's `rest`: only those leaves; NULL: all */
    uint32_t *rest; /**< how many leaves were too long for a launch; of those that a block has left the lengths,
                         or-ed: no less than the longest, nor twice as much; then which they were. NULL: there
                         are none, or all n keys are one */
    uint32_t long_most;           /**< keys of a leaf that a block sorts */
    const uint32_t *carried_from; /**< goes along with the keys; NULL: their places */
    uint32_t *carried_to;
    key_pieces pieces; /**< pieces of the key of elements that are no codes, */
    const unsigned char *elements;
    uint32_t elem_bytes;    /**< bytes of an element */
    sort_field number;      /**< field of elements that are one; codes are not merged then */
    const uint32_t *order;  /**< taken in this order; NULL: as they lie */
    uint64_t *differs;      /**< [piece]: bits that are not the same in all codes (sort_squeeze.cu), */
    sort_squeeze *squeezes; /**< [piece], and behind them where bits end; NULL: all bits make codes */
    uint32_t skip;          /**< bits of the key before those that a code is made of */
    uint8_t *same;          /**< true if the element at a place ties with the one before it (sort_ties.cu); */
    uint32_t *place, *tied,
        *whole;                 /**< places in the order `whole` of those that tie, and what `tied` has of it;
                                         place NULL: all are in `whole` */
    uint64_t units, reciprocal; /**< units of a moved element; division by them (device/kernels/rows.h) */
    uint32_t shift;
    void *room; /**< room for the leaves that are too long, where they lie: is written too */
    uint32_t *carried_room;
    const uint64_t *first;          /**< where segments begin, where the caller says so (sort_segments.cu) */
    uint32_t results;               /**< that there are at most */
    uint32_t count;                 /**< results of a segment of the task TOP */
    uint32_t *picks, *ranks, *sums; /**< as sort_picks.cu has them; picks NULL: all elements are results */
    const uint32_t
        *marks; /**< true if an element, in order, is not like the one before it; NULL: fields say so */
    uint32_t needed, needed_end; /**< places that are asked for */
    uint32_t *window;            /**< where what is sorted of one array begins and ends (sort_window.cu) */
} sort_table;

#endif
