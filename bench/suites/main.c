/* SPDX-License-Identifier: Apache-2.0
 *
 * riffle-bench: measures all suites, on this machine's processors and on its GPU. A program of the source alone; the command
 * has the suites cpu and quick, and what both share (cli/bench).
 */
#include <stdio.h>

#include "bench/run.h"
#include "frame/command.h"
#include "frame/message.h"
#include "frame/options.h"
#include "frame/readers.h"
#include "kinds/kinds.h"
#include "riffle/hull.h"
#include "suites.h"

const char program_name[] = "riffle-bench";

typedef struct request {
    bench_request run;
    riffle_hull_algorithm hull_way;
    bool has_engine, has_seed, has_algorithm; /* --engine, --seed, --algorithm was given */
} request;

#define ADDRESS(name) &bench_suite_##name,
static const bench_suite *const suites[] = {EACH_BENCH_SUITE(ADDRESS) NULL};

static const option_choice *suite_choices(void) {
    static option_choice all[BENCH_MOST_SUITES + 1];
    bench_list_suites(suites, all);
    return all;
}

/* "table, ttc-4, ttc-8" */
static void join_groups(const bench_suite *suite, char *out, size_t capacity) {
    size_t used = 0;
    out[0] = '\0';
    for (const bench_group *group = suite->groups; group->count > 0 && used < capacity; ++group)
        used += (size_t)snprintf(out + used, capacity - used, "%s%s", used > 0 ? ", " : "", group->name);
}

static const option_choice *group_choices(void) {
    enum { CAPACITY = 256 };
    static option_choice all[BENCH_MOST_SUITES + 1];
    static char parts[BENCH_MOST_SUITES][CAPACITY];
    size_t count = 0;
    for (size_t k = 0; suites[k] != NULL && count < BENCH_MOST_SUITES; ++k) {
        if (suites[k]->groups[0].name == NULL) continue;
        join_groups(suites[k], parts[count], CAPACITY);
        all[count] = (option_choice){.name = suites[k]->name, .text = parts[count]};
        ++count;
    }
    all[count] = (option_choice){.name = NULL};
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

static bool read_engine(const command_option *option, const char *text, void *whole) {
    request *ask = whole;
    return ask->has_engine = option_engine(option, text, &ask->run.settings.engine);
}

static bool read_seed(const command_option *option, const char *text, void *whole) {
    request *ask = whole;
    return ask->has_seed = option_number(option, text, &ask->run.variant.seed);
}

static bool read_algorithm(const command_option *option, const char *text, void *whole) {
    request *ask = whole;
    ask->has_algorithm = option_hull_algorithm(option, text, &ask->hull_way);
    ask->run.variant.way = ask->hull_way;
    return ask->has_algorithm;
}

/* Some suites run on a GPU whether asked to or not. */
static bool settle_engine(request *ask) {
    if (!ask->run.suite->needs_gpu) return true;
    if (!ask->has_engine) ask->run.settings.engine = RIFFLE_ENGINE_CUDA;
    if (ask->run.settings.engine == RIFFLE_ENGINE_CUDA) return true;
    complain("option --engine: suite '%s' runs on the cuda engine only", ask->run.suite->name);
    return false;
}

static bool settle_variant(const request *ask) {
    const bench_suite *const suite = ask->run.suite;
    const bool is_drawn = !ask->has_seed || bench_suite_is_drawn(suite);
    const bool has_sizes = ask->run.variant.most_bytes == 0 || suite->shrink != NULL;
    const bool has_ways =
        !ask->has_algorithm || bench_suite_row(suite, &ask->run.variant, 0).kind == &bench_hull;
    if (!has_ways) complain("option --algorithm: the rows of suite '%s' are done as they say", suite->name);
    if (!is_drawn) complain("option --seed: no row of suite '%s' is by seed", suite->name);
    if (!has_sizes) complain("option --bytes: the rows of suite '%s' have one size each", suite->name);
    return is_drawn && has_sizes && has_ways;
}

static const command_option options[] = {
    {"suite", "NAME", WHOLE(bench_read_suite),
     .help = "what to measure, cpu by default:", .choices = suite_choices},
    {"only", "TEXT", TEXT(run.only),
     .help = "only the rows whose SPEC contains TEXT, or the group TEXT of a suite:", .choices = group_choices},
    {"engine", "NAME", WHOLE(read_engine),
     .help = "where to run: cpu or cuda; by default cpu, and cuda for the suites that need it"},
    THREADS_OPTION(run.settings.threads),
    {"repeat", "R", UNSIGNED(run.settings.repeat),
     .help = "timed runs a row, of which the median counts; by default:", .choices = repeat_choices,
     RANGE(1, 1000)},
    {"permutations", "K", UNSIGNED(run.settings.permutations),
     .help = "random permutations a row of hmm-random, 1000 by default, or of affine's figures, 20 at most",
     RANGE(1, 1000000)},
    {"seconds", "S", SECONDS(run.settings.seconds),
     .help = "begin no more rows after S seconds; hmm-random gives each of its three rows a third and says "
             "how far it came"},
    {"bytes", "B", NUMBER(run.variant.most_bytes),
     .help = "axes, programs, hull and sort: arrays of at most B bytes, in decimal or as 2^K. Longest axes are "
             "halved until they are that short; of programs, batches and arrays",
     RANGE(1, (uint64_t)1 << 40)},
    {"seed", "S", WHOLE(read_seed), .help = "axes: the seed of its random shapes; 1 by default",
     RANGE(0, UINT64_MAX)},
    {"algorithm", "NAME", WHOLE(read_algorithm),
     .help = "hull: auto (the default), or paper, the dissertation's, with --engine cuda"},
    {"json", NULL, WHOLE(bench_set_json), .help = "print one JSON document instead of a table"},
    {0},
};

static const command program = {
    .name = "",
    .usage = "[OPTION]...",
    .about = "Measures how long riffle takes for the rows of a suite, as a multiple of the\n"
             "time that a copy of the same bytes takes in the same run (a threaded memcpy,\n"
             "or cudaMemcpy on a GPU), and checks what was moved: a sample on the CPU and\n"
             "of arrays beyond 2^26 elements, else all of it.\n",
    .options = options,
};

int main(int argc, char **argv) {
    request ask = {.run = {.suites = suites,
                           .array = &bench_array,
                           .suite = suites[0],
                           .format = &bench_table,
                           .settings = {.engine = RIFFLE_ENGINE_CPU, .permutations = 1000},
                           .variant = {.seed = 1}}};
    int exit_status;
    if (!options_read(&program, argc, argv, &ask, &exit_status)) return exit_status;
    return settle_engine(&ask) && settle_variant(&ask) ? bench_run(&ask.run) : EXIT_USAGE;
}
