/* SPDX-License-Identifier: Apache-2.0
 *
 * A suite's run: its rows one after the other, each measured and reported. `riffle bench` and bench/suites have each their
 * own suites, and options that set a request.
 */
#ifndef RIFFLE_CLI_BENCH_RUN_H
#define RIFFLE_CLI_BENCH_RUN_H

#include "bench/report.h"
#include "frame/option.h"

enum { BENCH_MOST_SUITES = 32 };

typedef struct bench_request {
    const bench_suite *const *suites; /**< all there are, ended by NULL */
    const bench_kind *array;          /**< the kind of rows that name none */
    const bench_suite *suite;
    const char *only;
    const bench_format *format;
    bench_settings settings;
    bench_variant variant;
} bench_request;

/** Readers for options; a request begins with a bench_request. */
option_reader bench_read_suite, bench_set_json;

/** Suites with what they are about, for --help: `out` has room for all and an end. */
void bench_list_suites(const bench_suite *const *suites, option_choice out[BENCH_MOST_SUITES + 1]);

/** Measures all rows that are asked for; returns an exit status. */
int bench_run(bench_request *ask);

#endif
