/* SPDX-License-Identifier: Apache-2.0
 *
 * riffle bench: measures the rows of a suite, one after the other, each beside a copy.
 */
#include <stdio.h>
#include <string.h>

#include "bench_measure.h"
#include "bench_report.h"
#include "bench_suites.h"
#include "command.h"
#include "machine.h"
#include "message.h"
#include "options.h"

static const char help[] = "Usage: riffle bench [OPTION]...\n"
                           "\n"
                           "Measures how long permutations take, as a multiple of the time that a threaded\n"
                           "memcpy of the same bytes takes in the same run, and checks a sample of each.\n"
                           "\n"
                           "  --suite NAME       what to measure: cpu (the default; takes minutes and 5 GiB)\n"
                           "                     or quick (a second; shows that it works, not how fast)\n"
                           "  --only TEXT        only the rows whose SPEC contains TEXT\n"
                           "  --engine NAME      where to run: cpu (the default); cuda does not exist yet\n"
                           "  --threads T        CPU threads; by default as many as OpenMP gives\n"
                           "  --repeat R         timed runs a row, of which the median counts (the default\n"
                           "                     is 7, and 3 for those that take more than a second)\n"
                           "  --json             print one JSON document instead of a table\n"
                           "  --help             print this and exit\n";

enum { OPTION_SUITE = OPTION_FIRST, OPTION_ONLY, OPTION_ENGINE, OPTION_THREADS, OPTION_REPEAT, OPTION_JSON };
static const struct option options[] = {
    {"suite", required_argument, NULL, OPTION_SUITE},   {"only", required_argument, NULL, OPTION_ONLY},
    {"engine", required_argument, NULL, OPTION_ENGINE}, {"threads", required_argument, NULL, OPTION_THREADS},
    {"repeat", required_argument, NULL, OPTION_REPEAT}, {"json", no_argument, NULL, OPTION_JSON},
    {"help", no_argument, NULL, OPTION_HELP},           {0},
};

typedef struct request {
    const bench_suite *suite;
    const char *only;
    const bench_format *format;
    bench_settings settings;
    bool wants_help;
} request;

static bool read_suite(const char *name, const bench_suite **out) {
    enum { MOST = 16 };
    const char *names[MOST + 1] = {NULL};
    for (size_t k = 0; k < MOST && bench_suites[k].name != NULL; ++k) {
        names[k] = bench_suites[k].name;
        if (strcmp(name, names[k]) == 0) {
            *out = &bench_suites[k];
            return true;
        }
    }
    complain_unknown("option --suite: suite", name, names);
    return false;
}

static bool read_repeat(const char *text, unsigned *out) {
    uint64_t repeat;
    if (!read_number("--repeat", text, 1, 1000, &repeat)) return false;
    *out = (unsigned)repeat;
    return true;
}

static bool read_arguments(int argc, char **argv, request *ask) {
    for (;;) {
        bool right = true;
        switch (next_option(argc, argv, options)) {
        case OPTION_SUITE: right = read_suite(optarg, &ask->suite); break;
        case OPTION_ONLY: ask->only = optarg; break;
        case OPTION_ENGINE: right = read_engine(optarg, &ask->settings.engine); break;
        case OPTION_THREADS: right = read_threads(optarg, &ask->settings.threads); break;
        case OPTION_REPEAT: right = read_repeat(optarg, &ask->settings.repeat); break;
        case OPTION_JSON: ask->format = &bench_json; break;
        case OPTION_HELP: ask->wants_help = true; return true;
        case OPTION_WRONG: return false;
        case OPTION_END: return expect_operands(argc, argv, 0, " [OPTION]...");
        }
        if (!right) return false;
    }
}

/* A row that fails does not keep the others from being measured. */
static int run_row(const request *ask, const bench_row *row) {
    bench_result result;
    riffle_status status = bench_measure(row, &ask->settings, &result);
    if (status != RIFFLE_OK) return complain_status(row->by, status);
    ask->format->row(ask->suite->name, row, &result);
    if (result.right) return EXIT_DONE;
    complain("%s: elements ended up in the wrong place; please report this", row->by);
    return EXIT_FAILED;
}

static bool is_wanted(const request *ask, const bench_row *row) {
    return ask->only == NULL || strstr(row->by, ask->only) != NULL;
}

static bool wants_any(const request *ask) {
    for (size_t k = 0; k < ask->suite->count; ++k)
        if (is_wanted(ask, &ask->suite->rows[k])) return true;
    complain("option --only: no row of suite '%s' has '%s' in its SPEC; bench without --only shows them all",
             ask->suite->name, ask->only);
    return false;
}

static int run_suite(const request *ask) {
    int exit_status = EXIT_DONE;
    ask->format->begin(&ask->settings);
    for (size_t k = 0; k < ask->suite->count; ++k) {
        const bench_row *row = &ask->suite->rows[k];
        if (is_wanted(ask, row) && run_row(ask, row) != EXIT_DONE) exit_status = EXIT_FAILED;
    }
    ask->format->end();
    return finish_stdout(exit_status);
}

static int run(int argc, char **argv) {
    request ask = {.suite = &bench_suites[0],
                   .only = NULL,
                   .format = &bench_table,
                   .settings = {.engine = RIFFLE_ENGINE_CPU, .threads = (unsigned)machine_threads()}};
    if (!read_arguments(argc, argv, &ask)) return EXIT_USAGE;
    if (ask.wants_help) return print_text(help);
    if (!wants_any(&ask)) return EXIT_USAGE;
    riffle_status status = machine_try_engine(ask.settings.engine);
    return status == RIFFLE_OK ? run_suite(&ask) : complain_status("bench", status);
}

const command bench_command = {"bench", "measure permutations beside a copy", help, run};
