/* SPDX-License-Identifier: Apache-2.0
 *
 * How a row is to be measured, and what came of it.
 */
#ifndef RIFFLE_CLI_BENCH_RESULT_H
#define RIFFLE_CLI_BENCH_RESULT_H

#include <stdbool.h>

#include "bench/suite.h"

typedef struct bench_settings {
    riffle_engine engine;
    unsigned threads;      /**< at least 1 */
    unsigned repeat;       /**< timed runs; 0: on the CPU 7, or 3 where one takes over a second, or 101 where
                                one takes less than a millisecond; on a GPU 20 */
    unsigned permutations; /**< most permutations of a row of many random ones */
    double seconds;        /**< after so many no further row or permutation is begun; 0: no limit */
} bench_settings;

/** Why a row was left out that was to begin after bench_settings.seconds. */
#define BENCH_TOO_LATE "not measured: the time of --seconds was over"

/** Least, mean and greatest of many. */
typedef struct bench_range {
    double least, mean, most;
} bench_range;

/** Other ways of a move: of all the fastest, and the one that RIFFLE_EFFORT_MEASURE finds. */
typedef struct bench_choice {
    double best_seconds, measured_seconds, measured_plan_seconds;
    riffle_algorithm best, measured;
    unsigned best_threads, measured_threads;
    unsigned ways; /**< that were timed, the planner's and MEASURE's among them */
} bench_choice;

enum { BENCH_PROBLEM_BYTES = 512 };

typedef struct bench_result {
    riffle_algorithm algorithm; /**< the one that ran */
    double seconds, copy_seconds, plan_seconds;
    size_t plan_bytes, workspace_bytes;
    unsigned threads;      /**< threads of the plan and of the copy; 0 on a GPU */
    size_t planning_bytes; /**< on a GPU besides, at most, while a table there is planned; 0: not known */
    bool right;            /**< dst[P(i)] == src[i] for all i that were looked at */

    /* For a GPU: */
    unsigned moves_timed;       /**< between two looks at the clock */
    bool in_l2;                 /**< src and dst together fit the second-level cache */
    unsigned passes;            /**< passes of the plan; a program's plan has them on the host too */
    double copy_kernel_seconds; /**< seconds of a copy by a plain kernel; 0 where none was measured */

    unsigned bound, stages; /**< bound and stages of a program's plan */
    uint64_t corners;       /**< corners of all hulls; copy_seconds is then one read of the points */

    /* For a row of many random permutations, whose `seconds` is the mean: */
    unsigned permutations; /**< that were measured */
    bench_range range;
    bench_range distribution; /**< D_w(P) / n for w = 32; zeros where it was not asked for */

    bench_choice choice; /**< for a row that weighs the planner's choice */

    char problem[BENCH_PROBLEM_BYTES]; /**< the words for a failure, where there was one */
} bench_result;

/** How a row is measured: sets *out; on failure out->problem says what was wrong. */
typedef riffle_status bench_measure(const bench_row *row, const bench_settings *settings, bench_result *out);

/** A kind of row: one record. Functions that are NULL have nothing to do or to say. */
struct bench_kind {
    bench_measure *on_host, *on_gpu; /**< NULL: it is not measured there */
    const char *(*algorithm)(
        const bench_row *row); /**< the name of the row's way; NULL: the library's algorithms are */
    void (*name)(const bench_row *row, char *by, size_t capacity); /**< `by` as the table shows it */
    bool has_type;                                                 /**< bench_row.type is one */
    bool keeps_time;                        /**< it minds bench_settings.seconds itself */
    void (*json_row)(const bench_row *row); /**< further members of a row of the document, ", " before each */
    void (*json_result)(const bench_row *row, const bench_result *result); /**< the same of what came of it */
    void (*table_result)(const bench_row *row,
                         const bench_result *result); /**< at the end of the table's line */
    void (*table_below)(const bench_row *row, const bench_result *result); /**< lines below it */
};

/** How a row is to be planned. */
riffle_plan_options bench_options(const bench_row *row, const bench_settings *settings);

/** Notes what the library said about its last failure; returns `status`. */
riffle_status bench_fail(riffle_status status, bench_result *out);

#endif
