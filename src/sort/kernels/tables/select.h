/* SPDX-License-Identifier: Apache-2.0
 *
 * Tables of the kernels that select the first elements of many, which take them by value, and the sizes that kernels are made for.
 */
#ifndef RIFFLE_SORT_KERNELS_TABLES_SELECT_H
#define RIFFLE_SORT_KERNELS_TABLES_SELECT_H

#include "sort/kernels/tables/shapes.h"

enum {
    SELECT_THREADS = 512,
    SELECT_GROUP = 1024,     /* samples that a block sorts */
    SELECT_WINDOW = 16,      /* as many of them go on, those around the rank that is looked for */
    SELECT_MOST_GROUPS = 64, /* blocks of samples: what goes on of them is a block's again */
    SELECT_VECTORS = 4,      /* vectors of 16 bytes that a thread reads at a time, */
    SELECT_ROW_VECTORS = 2,  /* and of a segment */
    SELECT_STAGED = 128,     /* candidates that a warp holds back */
    SELECT_KEPT = 4096,      /* candidates of a segment that a block has */
    SELECT_FEW_BYTES = 2048, /* bytes of candidates that a warp sorts alone */
    SELECT_KEPT_LEAD = 64,   /* bytes before them */
    SELECT_NEIGHBOURS = 4,   /* samples of one place of a segment */
    SELECT_WARPS = SELECT_THREADS / WARP_LANES,
    SELECT_RANKED = SELECT_WARPS / 2, /* the least of each warp say what a bound of a lower rank is */
    SELECT_DIGIT_BITS = 16,
    SELECT_DIGITS = 1 << SELECT_DIGIT_BITS,
};

/** How an element becomes a code: numbers of 1 and 2 bytes lie in the upper bits of 32. */
typedef struct select_coder {
    sort_coding coding;
    uint64_t zero, step,
        numbers;    /**< the code before that of zero, to which it is joined by a step; that of the first NaN */
    uint32_t joins; /**< all that compare equal get one code; else none are joined */
    uint32_t shift;
    uint64_t flip, factor,
        added; /**< the same before codes are joined: ((bits ^ positive) ^ (negative ? flip : 0)) * factor + added */
} select_coder;

/** A selection: the request, and the bounds that a sample makes. */
typedef struct select_table {
    select_coder coder;
    uint32_t n, count;  /**< the first `count` of n; both at least 1 */
    uint32_t first;     /**< the place of the first element */
    uint32_t capacity;  /**< candidates that there is room for */
    uint32_t behind;    /**< numbers of 32 bits behind all places */
    uint32_t groups;    /**< blocks of samples, of SELECT_GROUP each */
    uint32_t sides;     /**< bounds that the sample makes, each of what goes on around its rank: 1 or 2 */
    uint32_t window[2]; /**< ranks of a group before those that go on */
    uint32_t rank
        [2]; /**< among these: of the bound, and of what has to come behind it for its equals to be candidates */
    uint32_t vectors; /**< that each block reads */
    uint32_t blocks;  /**< blocks that do */
    uint32_t rounds;  /**< digits of a code */
    uint32_t cleared; /**< words at `digits` that a sample clears */
    uint32_t attempt; /**< 0: by the sample's bound; 1: by the exact one, if that failed */
    uint32_t round;   /**< the digit that is counted */
    void *list;       /**< candidates: [capacity] */
    void *picked;     /**< the samples that go on: [side][groups][SELECT_WINDOW] codes */
    void *bounds;     /**< codes: the two of the sample, the exact one, and those of all rounds before it */
    uint32_t
        *counts;    /**< candidates of both attempts, ties of both, and ranks that are left after each round */
    uint32_t *ties; /**< [attempt][block] */
    uint32_t *digits; /**< [round][digit]: how many codes have it */
    const uint32_t
        *before; /**< how many of the first come before all those whose digits are counted; NULL: none */
} select_table;

/** Codes at `bounds`, and words at `counts`. */
enum { SELECT_EXACT = 2, SELECT_STATES, SELECT_BOUNDS = SELECT_STATES + 9 };
enum { SELECT_TIES = 2, SELECT_RANKS = 4, SELECT_COUNTS = SELECT_RANKS + 9 };

/** select_rows */
typedef struct select_rows_table {
    select_coder coder;
    const uint32_t *begin;  /**< where segments begin, and where the last ends; NULL: they are of one length */
    uint32_t length, count; /**< the first `count` of each */
    void *list;             /**< receives them: [segment][count] */
} select_rows_table;

/** The rank of a bound in a segment's sample: four standard deviations more than there are of the first `count`. */
SORT_FUNCTION uint32_t select_row_rank(uint32_t count, uint32_t length) {
    const uint32_t mean = (uint32_t)((uint64_t)count * (16 * SELECT_GROUP) / length);
    uint32_t apart = 0;
    while ((apart + 1) * (apart + 1) <= mean) ++apart;
    return mean / 16 + apart + 2;
}

/** select_results */
typedef struct select_results_table {
    select_coder coder;
    const void *sorted; /**< candidates in order: [segment][count] */
    const uint32_t
        *begin; /**< where segments begin: those that are shorter have fewer results; NULL: none is shorter */
    uint32_t segments, count;
    select_table of; /**< the attempts; no counts where there were none, and nothing is missing */
    const void *from_values;
    void *values, *indices; /**< NULL: there are none */
    uint32_t value_bytes, index_bytes;
} select_results_table;

#endif
