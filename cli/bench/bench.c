/* SPDX-License-Identifier: Apache-2.0
 *
 * riffle bench: measures the rows of a suite, one after the other, each beside a copy.
 */
#define _POSIX_C_SOURCE 200809L /* isatty */
#include <stdio.h>
#include <unistd.h>

#include "bench/means.h"
#include "bench/measure.h"
#include "bench/report.h"
#include "bench/suites.h"
#include "frame/command.h"
#include "frame/message.h"
#include "frame/options.h"
#include "frame/readers.h"
#include "system/clock.h"
#include "system/machine.h"
#include "system/threads.h"

typedef struct request {
    const bench_suite *suite;
    const char *only;
    const bench_format *format;
    bench_settings settings;
    bench_variant variant;
    bool has_engine, has_seed, has_algorithm; /* --engine, --seed, --algorithm was given */
} request;

enum { MOST_SUITES = 32 };

static const option_choice *suite_choices(void) {
    static option_choice all[MOST_SUITES + 1];
    for (size_t k = 0; k < MOST_SUITES && bench_suites[k] != NULL; ++k)
        all[k] = (option_choice){.name = bench_suites[k]->name, .text = bench_suites[k]->about};
    return all;
}

static const option_choice *group_choices(void) {
    static const option_choice all[] = {
        {"affine", .text = "large, small, in-place, batch, paper"},
        {"arbitrary", .text = "ways, sizes, rows, tables, crossovers"},
        {"axes", .text = "table, ttc-4, ttc-8, random-E (elements of E bytes)"},
        {"hull", .text = "shapes, floats, sizes, sets, figure"},
        {"once", .text = "take, put, shuffle, sizes, plan"},
        {"programs", .text = "hadamard, batch, sort, rows, fft"},
        {"sort", .text = "shapes, types, order, sizes, segments, rows, merge"},
        {"sort-gpu", .text = "shapes, types, order, sizes, segments, rows, merge"},
        {"views", .text = "crop, narrow, stride, reversed, repeated, transposed"},
        {NULL, .text = NULL}};
    return all;
}

static const option_choice *repeat_choices(void) {
    static const option_choice all[] = {{"on a GPU", .text = "20"},
                                        {"below 1 ms", .text = "101"},
                                        {"above 1 s", .text = "3"},
                                        {"else", .text = "7"},
                                        {NULL, .text = NULL}};
    return all;
}

static bool read_suite(const command_option *option, const char *text, void *field) {
    const char *names[MOST_SUITES + 1] = {NULL};
    for (size_t k = 0; k < MOST_SUITES && bench_suites[k] != NULL; ++k) names[k] = bench_suites[k]->name;
    const int k = read_word(option, "suite", text, names);
    if (k >= 0) *(const bench_suite **)field = bench_suites[k];
    return k >= 0;
}

static bool read_engine(const command_option *option, const char *text, void *whole) {
    request *ask = whole;
    return ask->has_engine = option_engine(option, text, &ask->settings.engine);
}

static bool read_seed(const command_option *option, const char *text, void *whole) {
    request *ask = whole;
    return ask->has_seed = option_number(option, text, &ask->variant.seed);
}

static bool read_algorithm(const command_option *option, const char *text, void *whole) {
    request *ask = whole;
    return ask->has_algorithm = option_hull_algorithm(option, text, &ask->variant.hull_way);
}

static bool set_json(const command_option *option, const char *text, void *field) {
    (void)option, (void)text;
    *(const bench_format **)field = &bench_json;
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

static bool settle_variant(const request *ask) {
    const bool is_drawn = !ask->has_seed || bench_suite_is_drawn(ask->suite);
    const bool has_sizes = ask->variant.most_bytes == 0 || ask->suite->shrink != NULL;
    const bool has_ways =
        !ask->has_algorithm || bench_suite_row(ask->suite, &ask->variant, 0).kind == BENCH_HULL;
    if (!has_ways)
        complain("option --algorithm: the rows of suite '%s' are done as they say", ask->suite->name);
    if (!is_drawn) complain("option --seed: no row of suite '%s' is by seed", ask->suite->name);
    if (!has_sizes) complain("option --bytes: the rows of suite '%s' have one size each", ask->suite->name);
    return is_drawn && has_sizes && has_ways;
}

/* A row that fails does not keep the others from being measured; what a GPU has no room for is no failure. */
static int run_row(const request *ask, const bench_row *row, bench_means *into) {
    bench_result result;
    riffle_status status = bench_measure(row, &ask->settings, &result);
    if (ask->settings.engine == RIFFLE_ENGINE_CUDA &&
        (status == RIFFLE_ERROR_UNSUPPORTED || status == RIFFLE_ERROR_OUT_OF_MEMORY)) {
        ask->format->skipped(ask->suite->name, row, result.problem);
        return EXIT_DONE;
    }
    if (status != RIFFLE_OK) {
        complain("%s: %s", row->by, result.problem);
        return EXIT_FAILED;
    }
    ask->format->row(ask->suite->name, row, &result);
    bench_means_add(into, row, &result);
    if (result.right) return EXIT_DONE;
    complain("%s: elements ended up in the wrong place; please report this", row->by);
    return EXIT_FAILED;
}

static bool wants_any(const request *ask) {
    for (size_t k = 0; k < bench_suite_rows(ask->suite); ++k) {
        const bench_row row = bench_suite_row(ask->suite, &ask->variant, k);
        if (bench_row_is_named(&row, ask->only)) return true;
    }
    complain("option --only: no row of suite '%s' has '%s' in its SPEC; bench without --only shows them all",
             ask->suite->name, ask->only);
    return false;
}

/* A suite that takes minutes says where it is, unless its table already does. */
static void report_progress(const bench_suite *suite, size_t k, double seconds) {
    if (isatty(STDOUT_FILENO)) return;
    fprintf(stderr, "%s: %zu of %zu rows, %.0f s\n", suite->name, k + 1, bench_suite_rows(suite), seconds);
}

/* Rows of random permutations mind the time themselves. */
static bool is_late(const request *ask, const bench_row *row, double began) {
    const double most = ask->settings.seconds;
    return row->kind != BENCH_RANDOM && most > 0 && seconds_now() - began > most;
}

static int run_suite(const request *ask) {
    const double began = seconds_now();
    int exit_status = EXIT_DONE;
    bench_means found = {.count = 0};
    ask->format->begin(&ask->settings);
    for (size_t k = 0; k < bench_suite_rows(ask->suite); ++k) {
        const bench_row row = bench_suite_row(ask->suite, &ask->variant, k);
        if (!bench_row_is_named(&row, ask->only)) continue;
        if (is_late(ask, &row, began)) {
            ask->format->skipped(ask->suite->name, &row, BENCH_TOO_LATE);
            continue;
        }
        if (run_row(ask, &row, &found) != EXIT_DONE) exit_status = EXIT_FAILED;
        if (ask->settings.engine == RIFFLE_ENGINE_CUDA) report_progress(ask->suite, k, seconds_now() - began);
    }
    bench_means_end(&found);
    ask->format->end(found.of, ask->suite->has_means ? found.count : 0);
    return finish_stdout(exit_status);
}

static int run(int argc, char **argv) {
    request ask = {.suite = bench_suites[0],
                   .only = NULL,
                   .format = &bench_table,
                   .settings = {.engine = RIFFLE_ENGINE_CPU, .permutations = 1000},
                   .variant = {.seed = 1}};
    int exit_status;
    if (!options_read(&bench_command, argc, argv, &ask, &exit_status)) return exit_status;
    if (!settle_engine(&ask) || !settle_variant(&ask)) return EXIT_USAGE;
    if (!wants_any(&ask)) return EXIT_USAGE;
    ask.settings.threads = threads_settle("bench", ask.settings.threads);
    riffle_status status = machine_try_engine(ask.settings.engine);
    return status == RIFFLE_OK ? run_suite(&ask) : complain_status("bench", status);
}

static const command_option options[] = {
    {"suite", "NAME", read_suite, FIELD(const bench_suite *, suite),
     .help = "what to measure, cpu by default:", .choices = suite_choices},
    {"only", "TEXT", TEXT(only),
     .help = "only the rows whose SPEC contains TEXT, or the group TEXT of a suite:", .choices = group_choices},
    {"engine", "NAME", WHOLE(read_engine),
     .help = "where to run: cpu or cuda; by default cpu, and cuda for the suites that need it"},
    THREADS_OPTION(settings.threads),
    {"repeat", "R", UNSIGNED(settings.repeat),
     .help = "timed runs a row, of which the median counts; by default:", .choices = repeat_choices,
     RANGE(1, 1000)},
    {"permutations", "K", UNSIGNED(settings.permutations),
     .help = "random permutations a row of hmm-random; 1000 by default", RANGE(1, 1000000)},
    {"seconds", "S", SECONDS(settings.seconds),
     .help = "begin no more rows after S seconds; hmm-random gives each of its three rows a third and says "
             "how far it came"},
    {"bytes", "B", NUMBER(variant.most_bytes),
     .help = "axes, programs, hull and sort: arrays of at most B bytes, in decimal or as 2^K. Longest axes are "
             "halved until they are that short; of programs, batches and arrays",
     RANGE(1, (uint64_t)1 << 40)},
    {"seed", "S", WHOLE(read_seed), .help = "axes: the seed of its random shapes; 1 by default",
     RANGE(0, UINT64_MAX)},
    {"algorithm", "NAME", WHOLE(read_algorithm),
     .help = "hull: auto (the default), or paper, the dissertation's, with --engine cuda"},
    {"json", NULL, set_json, FIELD(const bench_format *, format),
     .help = "print one JSON document instead of a table"},
    {0},
};

const command bench_command = {
    .name = "bench",
    .summary = "measure permutations beside a copy",
    .usage = "[OPTION]...",
    .about = "Measures how long permutations take, as a multiple of the time that a copy of\n"
             "the same bytes takes in the same run (a threaded memcpy, or cudaMemcpy on a\n"
             "GPU), and checks what was moved: a sample on the CPU and of arrays beyond 2^26\n"
             "elements, else all of it.\n",
    .options = options,
    .run = run,
};
