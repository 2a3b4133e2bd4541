/* SPDX-License-Identifier: Apache-2.0
 *
 * The kinds of rows, a record and a file each: how rows are measured on the host and on a GPU, and what is reported of them.
 * Where a kind's rows have more to say than bench_row has, `of` points to the struct here.
 */
#ifndef RIFFLE_BENCH_SUITES_KINDS_KINDS_H
#define RIFFLE_BENCH_SUITES_KINDS_KINDS_H

#include "bench/result.h"

/** One array along `by`, or a batch of them: the kind of rows that name none. */
extern const bench_kind bench_array;

/** One array along `by` as the planner chooses, as RIFFLE_EFFORT_MEASURE finds it, and by all that can be asked for, in turn. */
extern const bench_kind bench_choices;

/** One array along the table that kinds/tables.h calls `by`, planned from device memory. */
extern const bench_kind bench_table_kind;

/** One array along random:1, from indices used once. */
extern const bench_kind bench_once;
typedef struct bench_once_row {
    size_t entry_bytes; /**< bytes per index; 0: a seed makes them */
    bool puts;          /**< indices say where elements go */
} bench_once_row;

/** Elements of one array to elements of another (axes/view.h). */
extern const bench_kind bench_views;

/** One array along each of many random permutations; `by` is "random". */
extern const bench_kind bench_random;

/** One array along each of some permutations that the row draws; `by` says how. Their mean is the row's time. */
extern const bench_kind bench_drawn;
typedef struct bench_drawn_row {
    const char *(*spec)(unsigned m,
                        unsigned k); /**< the k-th for 2^m elements, k from 1; it lasts until the next call */
    unsigned most;                   /**< permutations at most; settings->permutations may be fewer */
    unsigned rows; /**< rows of its group, each of which takes such a share of settings->seconds */
} bench_drawn_row;

/** A program, done to one array or to each of a batch; `way` is a riffle_program_algorithm. */
extern const bench_kind bench_program;
typedef struct bench_program_row {
    bool (*is_right)(const bench_row *row, const void *src,
                     const void *dst); /**< dst is what it makes of src */
} bench_program_row;

/** The convex hull of points in the shape `by`, or those of a batch of sets; `way` is a riffle_hull_algorithm. */
extern const bench_kind bench_hull;

/** Numbers in the order `by`, or those of a batch of segments, sorted, or the first of them, or parted around one. */
extern const bench_kind bench_sort;
typedef struct bench_sort_row {
    size_t index_bytes; /**< bytes per index that is asked for; 0: the numbers are */
    uint64_t count;     /**< the first so many of each segment are asked for, indices or not; 0: all, sorted */
    bool parts;         /**< all are, parted around the one in the middle of each segment, indices or not */
} bench_sort_row;

/** Rows brought together by keys; `by` is group. */
extern const bench_kind bench_groups;
typedef struct bench_group_row {
    uint64_t groups, keys_per_row;
    size_t index_bytes;   /**< bytes per place that is asked for; 0: none are */
    riffle_type key_type; /**< u16 or u32 */
} bench_group_row;

/** Bits of n bytes: packed elements along a map, or elements to planes and back where `by` is bitshuffle or bitunshuffle; `way` is bits of an element,
 *  and `of` points to the elements of a block, 0 where there are none. */
extern const bench_kind bench_bits;

/** Products and transposes over F2 (`by`): n is bytes of a matrix, `way` its rows and columns. */
extern const bench_kind bench_f2;

/** Arrays, each in the shared memory of a block, moved many times. */
extern const bench_kind bench_blocks;
typedef struct bench_blocks_row {
    unsigned blocks;
    uint64_t repetitions;
} bench_blocks_row;

/** A half that needs CUDA; a build without it leaves that out. */
#ifdef BENCH_GPU
#define BENCH_GPU_HALF(measure) measure
#else
#define BENCH_GPU_HALF(measure) NULL
#endif

#endif
