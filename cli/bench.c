/* SPDX-License-Identifier: Apache-2.0
 *
 * riffle bench: measures the rows of a suite, one after the other, each beside a copy.
 */
#define _POSIX_C_SOURCE 200809L /* isatty */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "bench_measure.h"
#include "bench_report.h"
#include "bench_suites.h"
#include "clock.h"
#include "command.h"
#include "machine.h"
#include "message.h"
#include "options.h"
#include "threads.h"

static const char help[] = "Usage: riffle bench [OPTION]...\n"
                           "\n"
                           "Measures how long permutations take, as a multiple of the time that a copy of\n"
                           "the same bytes takes in the same run (a threaded memcpy, or cudaMemcpy on a\n"
                           "GPU), and checks what was moved: a sample on the CPU and of arrays beyond 2^26\n"
                           "elements, else all of it.\n"
                           "\n"
                           "  --suite NAME       what to measure: cpu (the default; takes minutes and 5 GiB)\n"
                           "                     or quick (a second; shows that it works, not how fast);\n"
                           "                     on a GPU also affine (affine permutations of all sizes, and\n"
                           "                     Figures 9 to 11 of the BMMC paper), arbitrary (permutations\n"
                           "                     without structure, beside Thrust and CUB), hmm and\n"
                           "                     hmm-random (Tables II and III of the HMM paper) and dmm\n"
                           "                     (Table II and Figure 7 of the DMM paper)\n"
                           "  --only TEXT        only the rows whose SPEC contains TEXT; of affine also the\n"
                           "                     group TEXT: large, small, in-place, batch or paper, and of\n"
                           "                     arbitrary: ways, sizes, rows, peers, tables or crossovers\n"
                           "  --engine NAME      where to run: cpu or cuda; by default cpu, and cuda for the\n"
                           "                     suites that need it\n"
                           "  --threads T        CPU threads at most; by default as many as OpenMP gives\n"
                           "  --repeat R         timed runs a row, of which the median counts (the default\n"
                           "                     is 7, 3 for those that take more than a second and 101\n"
                           "                     for those that take less than a millisecond; 20 on a GPU)\n"
                           "  --permutations K   random permutations a row of hmm-random; 1000 by default\n"
                           "  --seconds S        begin no more rows after S seconds; hmm-random gives each\n"
                           "                     of its three rows a third and says how far it came\n"
                           "  --json             print one JSON document instead of a table\n"
                           "  --help             print this and exit\n";

enum {
    OPTION_SUITE = OPTION_FIRST,
    OPTION_ONLY,
    OPTION_ENGINE,
    OPTION_THREADS,
    OPTION_REPEAT,
    OPTION_PERMUTATIONS,
    OPTION_SECONDS,
    OPTION_JSON
};
static const struct option options[] = {
    {"suite", required_argument, NULL, OPTION_SUITE},
    {"only", required_argument, NULL, OPTION_ONLY},
    {"engine", required_argument, NULL, OPTION_ENGINE},
    {"threads", required_argument, NULL, OPTION_THREADS},
    {"repeat", required_argument, NULL, OPTION_REPEAT},
    {"permutations", required_argument, NULL, OPTION_PERMUTATIONS},
    {"seconds", required_argument, NULL, OPTION_SECONDS},
    {"json", no_argument, NULL, OPTION_JSON},
    {"help", no_argument, NULL, OPTION_HELP},
    {0},
};

typedef struct request {
    const bench_suite *suite;
    const char *only;
    const bench_format *format;
    bench_settings settings;
    bool has_engine; /* --engine was given */
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

static bool read_seconds(const char *text, double *out) {
    unsigned seconds;
    if (!read_unsigned("--seconds", text, 1, 1000000, &seconds)) return false;
    *out = seconds;
    return true;
}

/* Some suites run on a GPU whether asked to or not. */
static bool settle_engine(request *ask) {
    if (!ask->suite->needs_gpu) return true;
    if (!ask->has_engine) ask->settings.engine = RIFFLE_ENGINE_CUDA;
    if (ask->settings.engine == RIFFLE_ENGINE_CUDA) return true;
    complain("option --engine: suite '%s' runs on the cuda engine only", ask->suite->name);
    return false;
}

static bool read_arguments(int argc, char **argv, request *ask) {
    for (;;) {
        bool right = true;
        switch (next_option(argc, argv, options)) {
        case OPTION_SUITE: right = read_suite(optarg, &ask->suite); break;
        case OPTION_ONLY: ask->only = optarg; break;
        case OPTION_ENGINE: right = ask->has_engine = read_engine(optarg, &ask->settings.engine); break;
        case OPTION_THREADS: right = read_threads(optarg, &ask->settings.threads); break;
        case OPTION_REPEAT: right = read_unsigned("--repeat", optarg, 1, 1000, &ask->settings.repeat); break;
        case OPTION_PERMUTATIONS:
            right = read_unsigned("--permutations", optarg, 1, 1000000, &ask->settings.permutations);
            break;
        case OPTION_SECONDS: right = read_seconds(optarg, &ask->settings.seconds); break;
        case OPTION_JSON: ask->format = &bench_json; break;
        case OPTION_HELP: ask->wants_help = true; return true;
        case OPTION_WRONG: return false;
        case OPTION_END: return expect_operands(argc, argv, 0, " [OPTION]...");
        }
        if (!right) return false;
    }
}

/* A row that fails does not keep the others from being measured; what a GPU has no room for is no failure. */
static int run_row(const request *ask, const bench_row *row) {
    bench_result result;
    riffle_status status = bench_measure(row, &ask->settings, &result);
    if (ask->suite->needs_gpu && (status == RIFFLE_ERROR_UNSUPPORTED || status == RIFFLE_ERROR_OUT_OF_MEMORY)) {
        ask->format->skipped(ask->suite->name, row, result.problem);
        return EXIT_DONE;
    }
    if (status != RIFFLE_OK) {
        complain("%s: %s", row->by, result.problem);
        return EXIT_FAILED;
    }
    ask->format->row(ask->suite->name, row, &result);
    if (result.right) return EXIT_DONE;
    complain("%s: elements ended up in the wrong place; please report this", row->by);
    return EXIT_FAILED;
}

static bool is_wanted(const request *ask, const bench_row *row) {
    if (ask->only == NULL || strstr(row->by, ask->only) != NULL) return true;
    return row->group != NULL && strcmp(row->group, ask->only) == 0;
}

static bool wants_any(const request *ask) {
    for (size_t k = 0; k < ask->suite->count; ++k) {
        const bench_row row = ask->suite->row(k);
        if (is_wanted(ask, &row)) return true;
    }
    complain("option --only: no row of suite '%s' has '%s' in its SPEC; bench without --only shows them all",
             ask->suite->name, ask->only);
    return false;
}

/* A suite that takes minutes says where it is, unless its table already does. */
static void report_progress(const bench_suite *suite, size_t k, double seconds) {
    if (isatty(STDOUT_FILENO)) return;
    fprintf(stderr, "%s: %zu of %zu rows, %.0f s\n", suite->name, k + 1, suite->count, seconds);
}

/* Rows of random permutations mind the time themselves. */
static bool is_late(const request *ask, const bench_row *row, double began) {
    const double most = ask->settings.seconds;
    return row->kind != BENCH_RANDOM && most > 0 && seconds_now() - began > most;
}

static int run_suite(const request *ask) {
    const double began = seconds_now();
    int exit_status = EXIT_DONE;
    ask->format->begin(&ask->settings);
    for (size_t k = 0; k < ask->suite->count; ++k) {
        const bench_row row = ask->suite->row(k);
        if (!is_wanted(ask, &row)) continue;
        if (is_late(ask, &row, began)) {
            ask->format->skipped(ask->suite->name, &row, "not measured: the time of --seconds was over");
            continue;
        }
        if (run_row(ask, &row) != EXIT_DONE) exit_status = EXIT_FAILED;
        if (ask->suite->needs_gpu) report_progress(ask->suite, k, seconds_now() - began);
    }
    ask->format->end();
    return finish_stdout(exit_status);
}

static int run(int argc, char **argv) {
    request ask = {.suite = &bench_suites[0],
                   .only = NULL,
                   .format = &bench_table,
                   .settings = {.engine = RIFFLE_ENGINE_CPU, .permutations = 1000}};
    if (!read_arguments(argc, argv, &ask)) return EXIT_USAGE;
    if (ask.wants_help) return print_text(help);
    if (!settle_engine(&ask)) return EXIT_USAGE;
    if (!wants_any(&ask)) return EXIT_USAGE;
    ask.settings.threads = threads_settle("bench", ask.settings.threads);
    riffle_status status = machine_try_engine(ask.settings.engine);
    return status == RIFFLE_OK ? run_suite(&ask) : complain_status("bench", status);
}

const command bench_command = {"bench", "measure permutations beside a copy", help, run};
