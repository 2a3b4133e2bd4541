/* SPDX-License-Identifier: Apache-2.0
 *
 * How near predicted time units come to a memory machine's counts: one list, by which tests judge and of which bench/tables.py makes the tables of
 * docs/machine.md. It wants each name in some test.
 */
#ifndef RIFFLE_TESTS_SUPPORT_PREDICTION_BOUNDS_H
#define RIFFLE_TESTS_SUPPORT_PREDICTION_BOUNDS_H

/* name; the table that has it; percent by which either may exceed the other, 0 where they are equal, of memories of any latency or of 1; the same of global memory of
 * latency 400; of what. A line each, for a script reads them. */
/* clang-format off */
#define PREDICTION_BOUNDS(BOUND) \
    BOUND(MOVES, all, 0, 0, "moves by all algorithms, but the next three") \
    BOUND(MOVES_ESTIMATED, all, 25, 25, "moves of boxes of elements of 1 and 2 bytes, for which a compiler may copy a loop: `estimated`; 7% at most so far") \
    BOUND(MOVES_EXPECTED, all, 5, 5, "moves by `once`, and by two bucket passes, of more than 2^18 elements") \
    BOUND(MOVES_THREE_PASSES, all, 10, 10, "moves by three bucket passes, of pieces of up to 1,408 bytes") \
    BOUND(PROGRAMS, all, 0, 0, "programs, fused and the paper's way; users' operations, taken to compute in registers alone, are `estimated`") \
    BOUND(HISTOGRAMS, all, 0, 0, "histograms") \
    BOUND(BITS, all, 0, 0, "bit transpositions, maps of packed elements") \
    BOUND(BITS_ESTIMATED, all, 25, 25, "maps of packed elements that move whole bytes by what is `estimated` for moves") \
    BOUND(MATRICES, all, 0, 0, "matrices over F2") \
    BOUND(CHECKS, all, 0, 0, "checks of moves, and affine moves that read src for theirs") \
    BOUND(UNGROUPED, all, 0, 0, "rows brought back (`--ungroup`); of places that are drawn 5%") \
    BOUND(GROUPS, all, 5, 5, "groups by value, hash and top, with a check too: to the last unit where keys are there, but a round of one launch, `estimated`; of keys that are drawn") \
    BOUND(SORT_INTEGERS, sorts, 10, 10, "k-partition of an array of integers, alone or with 4 bytes beside each; mostly 3%") \
    BOUND(SORT_DMMS, sorts, 20, 20, "the same with several DMMs") \
    BOUND(SORT_FLOATS, sorts, 15, 15, "the same of floats; mostly 5%") \
    BOUND(SORT_LEVELS, sorts, 10, 30, "the same of two levels: more than 2,097,407 keys of 4 bytes alone, or 524,543 others; mostly 3%, and 10% by the turns of leaves") \
    BOUND(SORT_EXACT, sorts, 0, 0, "leaves of keys of 4 bytes alone and of numbers of 1 and 2 bytes, up to 4,096 of them; runs of a block each") \
    BOUND(SORT_NUMBERS, sorts, 10, 30, "numbers of 1 and 2 bytes alone, of more") \
    BOUND(SORT_ROWS, sorts, 10, 20, "rows, values and indices by order, whose keys have up to 8 bytes, or up to 16 in up to 8,192 elements") \
    BOUND(SORT_LONG_KEYS, sorts, 10, 20, "rows whose keys have more bytes: random ones differ by the first 64 bits, so that lists of what ties are empty") \
    BOUND(SORT_SEGMENTS, sorts, 10, 20, "segments, of one length") \
    BOUND(SORT_COMPARISONS, sorts, 25, 25, "a comparison of yours, taken to read each field of both elements once: `estimated`; mostly 7%") \
    BOUND(SORT_SELECTIONS, sorts, 20, 20, "the first of many that are selected: up to an eighth of more than 2^19 numbers, or up to 1,024 of each of more than 16 segments; mostly 5%") \
    BOUND(SORT_PARTITIONS, sorts, 20, 20, "numbers that are parted, of any length and segments of one; mostly 10%") \
    BOUND(SORT_TASKS, sorts, 10, 20, "all else of top, partition, unique") \
    BOUND(SORT_WINDOWS, sorts, 20, 30, "the same of two levels, by how many buckets of the first have what is asked for") \
    BOUND(SORT_CHECKS, sorts, 10, 10, "checks of sorts: what is read is exact; neighbours that tie in their first fields, or in all with places beside them, and elements that lie where places say") \
    BOUND(MERGES, sorts, 20, 20, "merges and sorts by merging, of 8,192 keys or more; mostly 5%") \
    BOUND(MERGES_ODD, sorts, 40, 40, "the same just beyond a power of two, or with several DMMs") \
    BOUND(MERGES_SHORT, sorts, 150, 150, "merges and sorts by merging, of fewer keys, down to one of each stream") \
    BOUND(HULL_EXACT, hulls, 0, 0, "sets of no point, and of one") \
    BOUND(HULL_WARPS, hulls, 10, 10, "sets of up to 32 points; mostly 1%") \
    BOUND(HULL_BLOCKS, hulls, 50, 50, "sets of up to 4,096 points; mostly 5%: where two points of a set have the same x to 52 bits of its order, which chance decides for f32 and for integers of 2 bytes, it is sorted twice") \
    BOUND(HULL_LARGE_SETS, hulls, 50, 50, "several sets of more points, up to 2,097,152 each; mostly 5%, but for x that tie, as above") \
    BOUND(HULL_LARGE, hulls, 20, 20, "one set of more points; mostly 5%") \
    BOUND(HULL_MEAN, hulls, 5, 5, "in the mean of many, each of these three") \
    BOUND(HULL_PAPER, hulls, 150, 150, "`--algorithm paper`; mostly 20%: an iteration more or less of the splitting stage, which chance decides, is a good part of all") \
    BOUND(HULL_PAPER_BYTES, hulls, 400, 400, "the same of more than 20,000 points whose coordinates are a byte each: chance decides whether any is beyond the quadrangle, without which nothing is split") \
    BOUND(HULL_PAPER_BYTES_MEAN, hulls, 50, 50, "the mean of 3 such runs or more") \
    BOUND(HULL_PAPER_MEAN, hulls, 25, 25, "all of these in the mean of many")
/* clang-format on */

typedef enum prediction_bound {
#define PREDICTION_BOUND_NAME(name, table, percent, percent_slow, what) BOUND_##name,
    PREDICTION_BOUNDS(PREDICTION_BOUND_NAME)
#undef PREDICTION_BOUND_NAME
} prediction_bound;

/* Parts of one by which a prediction may be off; `slow`: where global memory has latency 400. */
typedef struct prediction_within {
    double any, slow;
} prediction_within;

static inline prediction_within bound_of(prediction_bound bound) {
    static const prediction_within all[] = {
#define PREDICTION_BOUND_WITHIN(name, table, percent, percent_slow, what)                                      \
    {(percent) / 100.0, (percent_slow) / 100.0},
        PREDICTION_BOUNDS(PREDICTION_BOUND_WITHIN)
#undef PREDICTION_BOUND_WITHIN
    };
    return all[bound];
}

static inline bool bound_holds(double part, double told, double counted) {
    return told <= counted * (1 + part) && counted <= told * (1 + part);
}

static inline bool is_within(prediction_bound bound, double told, double counted) {
    return bound_holds(bound_of(bound).any, told, counted);
}

/* The same where global memory has latency 400. */
static inline bool is_within_slow(prediction_bound bound, double told, double counted) {
    return bound_holds(bound_of(bound).slow, told, counted);
}

#endif
