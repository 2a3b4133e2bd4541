/* SPDX-License-Identifier: Apache-2.0
 *
 * Suites of rows, which are measured: each row is one move of one length, element size and algorithm.
 *
 *     suite "sort" --> groups "shapes", "types", ... --> rows --> kind: how a row is measured, and what is said of it
 *
 * The command has suites of arrays along permutations. bench/suites has more suites, and kinds of their own.
 */
#ifndef RIFFLE_CLI_BENCH_SUITE_H
#define RIFFLE_CLI_BENCH_SUITE_H

#include <stdbool.h>

#include "riffle.h"
#include "riffle/program.h"

typedef struct bench_row bench_row;
typedef struct bench_kind bench_kind;

struct bench_row {
    const char *group; /**< the name of a part of the suite; NULL where the suite has no parts */
    const char *by;
    uint64_t n;
    size_t elem_bytes;
    riffle_algorithm algorithm;
    uint64_t batch, stride; /**< as riffle_plan_options has them */
    bool in_place, as_spec; /**< as_spec: scatter and gather get no table, either */
    riffle_check check;     /**< each execution has it */
    unsigned threads;       /**< at most; 0: as the settings say */
    const bench_kind *kind; /**< NULL: one array along `by`, or a batch of them */
    const void *of;         /**< the kind's record of what the row is besides; NULL where it has none */
    riffle_type type;       /**< type of elements, for kinds that have one */
    unsigned way;           /**< the kind's own algorithm, for kinds that have some */
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
    unsigned way;        /**< bench_row.way of all rows; 0: as they say */
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

/** The command's own. */
extern const bench_suite bench_suite_cpu, bench_suite_quick;

#endif
