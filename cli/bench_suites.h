/* SPDX-License-Identifier: Apache-2.0
 *
 * What is measured: suites of rows, each one permutation of one length, element size and algorithm.
 */
#ifndef RIFFLE_CLI_BENCH_SUITES_H
#define RIFFLE_CLI_BENCH_SUITES_H

#include "riffle.h"

typedef struct bench_row {
    const char *by;
    uint64_t n;
    size_t elem_bytes;
    riffle_algorithm algorithm;
} bench_row;

typedef struct bench_suite {
    const char *name;
    const bench_row *rows;
    size_t count;
} bench_suite;

/** Ends with a suite without a name. The first one is the default. */
extern const bench_suite bench_suites[];

#endif
