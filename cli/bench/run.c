/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* isatty */
#include "bench/run.h"

#include <stdio.h>
#include <unistd.h>

#include "bench/means.h"
#include "frame/exit.h"
#include "frame/message.h"
#include "frame/readers.h"
#include "system/clock.h"
#include "system/machine.h"
#include "system/threads.h"

void bench_list_suites(const bench_suite *const *suites, option_choice out[BENCH_MOST_SUITES + 1]) {
    size_t count = 0;
    for (; count < BENCH_MOST_SUITES && suites[count] != NULL; ++count)
        out[count] = (option_choice){.name = suites[count]->name, .text = suites[count]->about};
    out[count] = (option_choice){.name = NULL};
}

bool bench_read_suite(const command_option *option, const char *text, void *whole) {
    bench_request *const ask = whole;
    const char *names[BENCH_MOST_SUITES + 1] = {NULL};
    for (size_t k = 0; k < BENCH_MOST_SUITES && ask->suites[k] != NULL; ++k) names[k] = ask->suites[k]->name;
    const int k = read_word(option, "suite", text, names);
    if (k >= 0) ask->suite = ask->suites[k];
    return k >= 0;
}

bool bench_set_json(const command_option *option, const char *text, void *whole) {
    (void)option, (void)text;
    ((bench_request *)whole)->format = &bench_json;
    return true;
}

static bench_row row_of(const bench_request *ask, size_t k) {
    bench_row row = bench_suite_row(ask->suite, &ask->variant, k);
    if (row.kind == NULL) row.kind = ask->array;
    return row;
}

static riffle_status measure(const bench_request *ask, const bench_row *row, bench_result *out) {
    const bool on_gpu = ask->settings.engine == RIFFLE_ENGINE_CUDA;
    bench_measure *const measured = on_gpu ? row->kind->on_gpu : row->kind->on_host;
    *out = (bench_result){.algorithm = row->algorithm};
    if (measured != NULL) return measured(row, &ask->settings, out);
    snprintf(out->problem, sizeof out->problem, "not measured on the %s engine", on_gpu ? "cuda" : "cpu");
    return RIFFLE_ERROR_UNSUPPORTED;
}

/* A row that fails does not keep the others from being measured; what a GPU has no room for is no failure. */
static int run_row(const bench_request *ask, const bench_row *row, bench_means *into) {
    bench_result result;
    const riffle_status status = measure(ask, row, &result);
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

static bool wants_any(const bench_request *ask) {
    for (size_t k = 0; k < bench_suite_rows(ask->suite); ++k) {
        const bench_row row = row_of(ask, k);
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

static bool is_late(const bench_request *ask, const bench_row *row, double began) {
    const double most = ask->settings.seconds;
    return !row->kind->keeps_time && most > 0 && seconds_now() - began > most;
}

static int run_rows(const bench_request *ask) {
    const double began = seconds_now();
    int exit_status = EXIT_DONE;
    bench_means found = {.count = 0};
    ask->format->begin(&ask->settings);
    for (size_t k = 0; k < bench_suite_rows(ask->suite); ++k) {
        const bench_row row = row_of(ask, k);
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

int bench_run(bench_request *ask) {
    if (!wants_any(ask)) return EXIT_USAGE;
    ask->settings.threads = threads_settle("bench", ask->settings.threads);
    const riffle_status status = machine_try_engine(ask->settings.engine);
    return status == RIFFLE_OK ? run_rows(ask) : complain_status("bench", status);
}
