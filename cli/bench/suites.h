/* SPDX-License-Identifier: Apache-2.0
 *
 * What is measured: suites of rows, each one permutation of one length, element size and algorithm. affine,
 * arbitrary and the suites of the papers (hmm, hmm-random, dmm) are for a GPU.
 */
#ifndef RIFFLE_CLI_BENCH_SUITES_H
#define RIFFLE_CLI_BENCH_SUITES_H

#include <stdbool.h>

#include "riffle.h"

/** What a row moves. */
typedef enum bench_kind {
    BENCH_ARRAY,  /**< one array along `by`, or a batch of them */
    BENCH_SPEC,   /**< one array along `by`, of which the host makes no table for scatter and gather either */
    BENCH_TABLE,  /**< one array along the table that bench/tables.h calls `by`, planned from device memory */
    BENCH_RANDOM, /**< one array along each of many random permutations; `by` is "random" */
    BENCH_BLOCKS, /**< `blocks` arrays, each in the shared memory of a block, `repetitions` times */
} bench_kind;

typedef struct bench_row {
    const char *group; /**< what the rows of a part of the suite are about; NULL where the suite has no parts */
    const char *by;
    uint64_t n;
    size_t elem_bytes;
    riffle_algorithm algorithm;
    bench_kind kind;
    unsigned blocks;
    uint64_t repetitions;
    uint64_t batch, stride; /**< as riffle_plan_options has them */
    bool in_place;
} bench_row;

/** A part of a suite. */
typedef struct bench_group {
    const char *name;
    size_t count;
    bench_row (*row)(size_t k);
} bench_group;

/** Row k of all groups one after the other, k below the sum of their counts. */
bench_row bench_group_row(const bench_group *groups, size_t k);

typedef struct bench_suite {
    const char *name;
    bool needs_gpu;
    size_t count;
    bench_row (*row)(size_t k); /**< row k of count; its strings last until the next call */
} bench_suite;

/** Ends with a suite without a name. The first one is the default. */
extern const bench_suite bench_suites[];

#endif
