/* SPDX-License-Identifier: Apache-2.0
 *
 * Suites of rows, which are measured: each row is one permutation of one length, element size and algorithm.
 */
#ifndef RIFFLE_CLI_BENCH_SUITES_H
#define RIFFLE_CLI_BENCH_SUITES_H

#include <stdbool.h>

#include "riffle.h"
#include "riffle/hull.h"
#include "riffle/program.h"

/** The kind of a row. */
typedef enum bench_kind {
    BENCH_ARRAY,   /**< one array along `by`, or a batch of them */
    BENCH_SPEC,    /**< one array along `by`, of which the host makes no table for scatter and gather either */
    BENCH_TABLE,   /**< one array along the table that bench/tables.h calls `by`, planned from device memory */
    BENCH_ONCE,    /**< one array along random:1, from indices used once */
    BENCH_VIEW,    /**< elements of one array to elements of another (bench/axes/view.h) */
    BENCH_RANDOM,  /**< one array along each of many random permutations; `by` is "random" */
    BENCH_PROGRAM, /**< a program, done to one array or to each of a batch */
    BENCH_HULL,    /**< the convex hull of points in the shape `by`, or those of a batch of sets */
    BENCH_SORT,    /**< numbers in the order `by`, or those of a batch of segments, in order */
    BENCH_BLOCKS,  /**< `blocks` arrays, each in the shared memory of a block, `repetitions` times */
} bench_kind;

typedef struct bench_row bench_row;

struct bench_row {
    const char *group; /**< the name of a part of the suite; NULL where the suite has no parts */
    const char *by;
    uint64_t n;
    size_t elem_bytes;
    riffle_algorithm algorithm;
    bench_kind kind;
    unsigned blocks;
    uint64_t repetitions;
    uint64_t batch, stride; /**< as riffle_plan_options has them */
    bool in_place;
    size_t
        entry_bytes; /**< bytes per index: for ONCE of the indices that are used, 0 where a seed makes them; for
                                     SORT of the indices that are asked for, 0 where numbers are */
    bool puts;       /**< for ONCE: true if indices say where elements go */
    riffle_type type;               /**< the type of elements (PROGRAM), coordinates (HULL) or numbers (SORT) */
    riffle_hull_algorithm hull_way; /**< the algorithm of a row of kind HULL */
    riffle_program_algorithm way;   /**< for PROGRAM: how it is done */
    bool (*is_right)(const bench_row *row, const void *src,
                     const void *dst); /**< for PROGRAM: true if dst is what it makes of src */
};

/** A part of a suite. Strings of its rows last until the next call. */
typedef struct bench_group {
    const char *name; /**< NULL where the suite has no parts */
    size_t count;
    bench_row (*row)(size_t k);                  /**< row k of count */
    bench_row (*drawn)(size_t k, uint64_t seed); /**< instead, where a seed says what it is */
} bench_group;

typedef struct bench_suite {
    const char *name;
    const char *about; /**< for --help */
    bool needs_gpu;
    bool has_means;            /**< a group's rows are alike enough for their mean to say something */
    const bench_group *groups; /**< ended by one without rows */
    bench_row (*shrink)(bench_row row, uint64_t most_bytes); /**< NULL: its rows have one size */
} bench_suite;

/** Further wishes, which some suites grant. */
typedef struct bench_variant {
    uint64_t seed;
    uint64_t most_bytes; /**< most bytes of a row's array; 0: no limit */
    riffle_hull_algorithm hull_way;
} bench_variant;

/** How many rows a suite has, and row k of its groups one after the other. */
size_t bench_suite_rows(const bench_suite *suite);
bench_row bench_suite_row(const bench_suite *suite, const bench_variant *variant, size_t k);

/** True if `only` (NULL for all) is a part of what the row is by, or its group. */
bool bench_row_is_named(const bench_row *row, const char *only);

/** True if some of its rows are by seed. */
bool bench_suite_is_drawn(const bench_suite *suite);

/** A suite's `shrink` for rows of batches: fewer arrays, and then shorter ones. */
bench_row bench_shrink_batch(bench_row row, uint64_t most_bytes);

/** Every suite, a file in bench/suites/ for one or a few. The first one is the default. */
#define EACH_BENCH_SUITE(DO)                                                                                   \
    DO(cpu)                                                                                                    \
    DO(quick)                                                                                                  \
    DO(axes)                                                                                                   \
    DO(views)                                                                                                  \
    DO(affine)                                                                                                 \
    DO(arbitrary)                                                                                              \
    DO(once)                                                                                                   \
    DO(programs)                                                                                               \
    DO(hull)                                                                                                   \
    DO(sort)                                                                                                   \
    DO(sort_gpu)                                                                                               \
    DO(hmm)                                                                                                    \
    DO(hmm_random)                                                                                             \
    DO(dmm)

#define DECLARE_BENCH_SUITE(name) extern const bench_suite bench_suite_##name;
EACH_BENCH_SUITE(DECLARE_BENCH_SUITE)

/** All of them, ended by NULL. */
extern const bench_suite *const bench_suites[];

#endif
