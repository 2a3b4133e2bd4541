/* SPDX-License-Identifier: Apache-2.0
 *
 * How measurements are printed: a table as they come, or one JSON document.
 */
#ifndef RIFFLE_CLI_BENCH_REPORT_H
#define RIFFLE_CLI_BENCH_REPORT_H

#include "bench/result.h"

/** The geometric mean of a group's ratios. */
typedef struct bench_mean {
    const char *group;
    unsigned rows; /**< that it is of */
    double ratio;
} bench_mean;

typedef struct bench_format {
    void (*begin)(const bench_settings *settings);
    void (*row)(const char *suite, const bench_row *row, const bench_result *result);
    void (*skipped)(const char *suite, const bench_row *row, const char *why);
    void (*end)(const bench_mean *means, size_t count);
} bench_format;

extern const bench_format bench_table;
extern const bench_format bench_json;

#endif
