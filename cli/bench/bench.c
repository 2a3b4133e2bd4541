/* SPDX-License-Identifier: Apache-2.0
 *
 * riffle bench: measures permutations of arrays on this machine's processors. bench/suites measures the rest, and GPUs.
 */
#include "bench/array.h"
#include "bench/run.h"
#include "frame/command.h"
#include "frame/options.h"
#include "frame/readers.h"

typedef bench_request request;

static const bench_suite *const suites[] = {&bench_suite_cpu, &bench_suite_quick, NULL};

static const bench_kind array = {.on_host = bench_array_on_host};

static const option_choice *suite_choices(void) {
    static option_choice all[BENCH_MOST_SUITES + 1];
    bench_list_suites(suites, all);
    return all;
}

static const option_choice *repeat_choices(void) {
    static const option_choice all[] = {
        {"below 1 ms", .text = "101"}, {"above 1 s", .text = "3"}, {"else", .text = "7"}, {NULL, .text = NULL}};
    return all;
}

static int run(int argc, char **argv) {
    request ask = {.suites = suites,
                   .array = &array,
                   .suite = suites[0],
                   .format = &bench_table,
                   .settings = {.engine = RIFFLE_ENGINE_CPU}};
    int exit_status;
    return options_read(&bench_command, argc, argv, &ask, &exit_status) ? bench_run(&ask) : exit_status;
}

static const command_option options[] = {
    {"suite", "NAME", WHOLE(bench_read_suite),
     .help = "what to measure, cpu by default:", .choices = suite_choices},
    {"only", "TEXT", TEXT(only), .help = "only the rows whose SPEC contains TEXT"},
    THREADS_OPTION(settings.threads),
    {"repeat", "R", UNSIGNED(settings.repeat),
     .help = "timed runs a row, of which the median counts; by default, where one takes:",
     .choices = repeat_choices, RANGE(1, 1000)},
    {"seconds", "S", SECONDS(settings.seconds), .help = "begin no more rows after S seconds"},
    {"json", NULL, WHOLE(bench_set_json), .help = "print one JSON document instead of a table"},
    {0},
};

const command bench_command = {
    .name = "bench",
    .summary = "measure permutations beside a copy",
    .usage = "[OPTION]...",
    .about = "Measures how long permutations take on this machine's processors, as a\n"
             "multiple of the time that a threaded memcpy of the same bytes takes in the\n"
             "same run, and checks a sample of what was moved. GPUs, and tensors, sorts,\n"
             "hulls and programs, are measured by riffle-bench, which a build of the source\n"
             "has beside riffle.\n",
    .options = options,
    .run = run,
};
