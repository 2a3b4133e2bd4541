/* SPDX-License-Identifier: Apache-2.0
 *
 * Constants and types that the kernels of a sort by comparisons share (docs/sort.md has the whole). Each takes a table of its own by value,
 * numbers only (level.h, leaf.h, row.h, pick.h). shapes.h says how long tiles and leaves are.
 *
 * Keys lie in segments, one behind the other. A segment is split by sampled splitters into buckets, which are the next level's
 * segments, or leaves; it is read by pieces of `piece` keys, a block a piece:
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
#ifndef RIFFLE_SORT_KERNELS_TABLES_COMMON_H
#define RIFFLE_SORT_KERNELS_TABLES_COMMON_H

#include <stdint.h>

#include "check/kernels/table.h"
#include "device/kernels/lanes.h"
#include "sort/key_pieces.h"

enum {
    SORT_MOST_WAYS = 1024, /* buckets of a segment: threads of sort_offsets */
    SORT_SAMPLE_THREADS = 1024,
    SORT_RANKED = 64, /* samples of a block that ranks them */
    SORT_COUNT_THREADS = 512,
    SORT_COUNT_BYTES = 48, /* bytes of keys that a thread reads at a time */
    SORT_SEARCHES = 4,     /* keys that it looks up at a time */
    SORT_CELL_BITS = 12,   /* bits of the number of a cell of a guide to splitters (sort_guide.h), at most */
    SORT_MENDS = 8,        /* rounds in which keys that tie there are mended */
    SORT_JOINED = 4 + SORT_MENDS, /* words for what a team's lanes find */
    SORT_LONG_THREADS = 512,
    SORT_LONG_EACH = 16, /* keys of a thread of the block that sorts longer leaves */
    SORT_CHUNK = SORT_LONG_THREADS * SORT_LONG_EACH,
    SORT_REST = 2, /* words before the list of leaves that were too long */
    SORT_ROW_THREADS = 256,
    SORT_ROW_EACH = 4, /* elements of a thread that makes codes, or units of one that moves them */
    SORT_ROW_TILE = SORT_ROW_THREADS * SORT_ROW_EACH,
    SORT_MOVES = 6,                /* moves of bits by 1, 2, 4, ... 32 places */
    SORT_TIED_BITS = 96,           /* bits of a key that tied elements are sorted by at a time, */
    SORT_TIED_BYTES = 16,          /* with a run's number */
    SORT_AT_ONCE = 8,              /* registers that warps exchange between two barriers */
    SORT_MOST_SUMMED = 96,         /* pieces of one segment that a thread of sort_offsets adds up */
    SORT_MARKS = 2048,             /* elements of a tile of sort_marks */
    SORT_JOIN_EACH = 4,            /* keys of a thread of a block that sorts a strip, or joins a part of all */
    SORT_JOIN_STRIPS = WARP_LANES, /* strips at most, */
    SORT_JOIN_STEP = WARP_LANES,   /* and keys of them from a sample to the next */
    SORT_JOIN_BYTES = 3152,        /* bytes before the memory of the lanes that join */
    SORT_SUM_THREADS = 1024,       /* threads of a block that adds up what all others have counted */
};

/** No place: there are fewer than 2^32 elements. */
#define SORT_NO_PICK 0xffffffffu

/** How a number becomes a code: bits ^ (negative ? negative : positive) - minus, then ^ turn + plus, modulo its width; of 16
 *  bytes the upper half, and the lower ^ turn. All 0: as they are. */
typedef struct sort_coding {
    uint64_t positive, negative, minus, turn, plus;
} sort_coding;

/** The numbers that are sorted, and whether a launch reads numbers, not codes, and whether it writes them. */
typedef struct sort_coder {
    sort_coding coding;
    uint32_t encodes, decodes;
} sort_coder;

/** Four bytes that go along with each key. */
typedef struct sort_carried {
    const uint32_t *from; /**< NULL: their places */
    uint32_t *to;
} sort_carried;

/** A check's record, to which a stage adds the sums of the codes that it reads, so many times each; NULL: nobody asks. A segment's sums have a weight
 *  of their own where there are several, each of which has so many of what the stage counts. */
typedef struct sort_summed {
    check_record *record;
    uint64_t times;
    uint32_t each; /**< 0: there is one */
} sort_summed;

/** Where segments begin. */
typedef struct sort_ranges {
    const uint32_t *begin; /**< where each begins, and where the last ends; NULL: there is one, of all n */
    uint32_t n, segments;
} sort_ranges;

#endif
