/* SPDX-License-Identifier: Apache-2.0
 *
 * riffle sweep: one number, predicted, counted or measured, over lists of lengths and of machines, as CSV and as a plot.
 */
#include <stdio.h>
#include <string.h>

#include "arrays/program_text.h"
#include "arrays/table_files.h"
#include "frame/command.h"
#include "frame/message.h"
#include "frame/options.h"
#include "frame/readers.h"
#include "plot/files.h"
#include "sweep/picture.h"
#include "sweep/points.h"
#include "sweep/table.h"
#include "system/threads.h"

enum { LONGEST_LATENCY = 1 << 20, NAME_ROOM = 32 };

typedef struct request {
    sweep_request of;
    int along; /* 1 and the parameter of --along; 0: not said */
    plot_files files;
} request;

/* A column's name as an option has it. */
static const char *option_of(unsigned parameter) {
    static char names[SWEEP_PARAMETERS][NAME_ROOM];
    snprintf(names[parameter], NAME_ROOM, "%s", sweep_columns[parameter]);
    for (char *at = names[parameter]; *at != '\0'; at++)
        if (*at == '_') *at = '-';
    return names[parameter];
}

static const char *const *parameter_words(void) {
    static const char *words[SWEEP_PARAMETERS + 1];
    for (unsigned k = 0; k < SWEEP_PARAMETERS; k++) words[k] = option_of(k);
    return words;
}

static bool read_along(const command_option *option, const char *text, void *field) {
    const int k = read_word(option, "number", text, parameter_words());
    *(int *)field = k + 1;
    return k >= 0;
}

static const char *const *what_words(void) { return sweep_whats; }

static bool read_what(const command_option *option, const char *text, void *field) {
    return read_words(option, "quantity", text, sweep_whats, field);
}

/* ------------------------------------------------------------------ what fits what */

static bool has_what(const request *ask, sweep_what what) {
    for (unsigned k = 0; k < ask->of.what.count; k++)
        if (ask->of.what.of[k] == (int)what) return true;
    return false;
}

/* Measurements are of this machine, in seconds. */
static int check_measured(const request *ask) {
    const bool is_measured = has_what(ask, SWEEP_MEASURED);
    if (!is_measured && (ask->of.threads > 0 || ask->of.repeat > 0)) {
        complain("sweep: --%s is for --what measured; leave it out",
                 ask->of.threads > 0 ? "threads" : "repeat");
        return EXIT_USAGE;
    }
    for (unsigned k = 0; is_measured && k < SWEEP_PARAMETERS; k++) {
        if (!sweep_is_of_model((sweep_parameter)k) || ask->of.values[k].count == 0) continue;
        complain("sweep: --%s is of the models, and --what measured is of this machine; leave it out",
                 option_of(k));
        return EXIT_USAGE;
    }
    if (!is_measured || ask->of.what.count == 1) return EXIT_DONE;
    complain("sweep: --what measured stands alone: seconds and time units have no axis in common");
    return EXIT_USAGE;
}

static void fill_in(request *ask) {
    static const uint64_t usual[SWEEP_PARAMETERS] = {[SWEEP_ELEM_BYTES] = 4,
                                                     [SWEEP_WIDTH] = 32,
                                                     [SWEEP_LATENCY] = 400,
                                                     [SWEEP_SHARED_LATENCY] = 1,
                                                     [SWEEP_DMMS] = 1};
    for (unsigned k = 0; k < SWEEP_PARAMETERS; k++)
        if (ask->of.values[k].count == 0) ask->of.values[k] = (number_list){1, {usual[k]}};
    if (ask->of.algorithm.count == 0) ask->of.algorithm = (word_list){1, {RIFFLE_ALGORITHM_AUTO}};
    if (ask->of.what.count == 0) ask->of.what = (word_list){1, {SWEEP_PREDICTED}};
    for (unsigned k = 0; ask->along == 0 && k < SWEEP_PARAMETERS; k++)
        if (ask->of.values[k].count > 1) ask->along = (int)k + 1;
}

static int check_plot(const request *ask, const sweep *s) {
    if (ask->files.svg == NULL) return EXIT_DONE;
    if (ask->along == 0 || ask->of.values[ask->along - 1].count < 2) {
        complain("--svg: a line wants two values or more of %s; give them, as in --n 2^10..2^20",
                 ask->along == 0 ? "something" : option_of((unsigned)ask->along - 1));
        return EXIT_USAGE;
    }
    const size_t lines = sweep_lines(s, (sweep_parameter)(ask->along - 1));
    if (lines <= PLOT_MOST_LINES) return EXIT_DONE;
    complain("--svg: %zu lines cannot be told apart, %d can; give fewer values, or leave --svg out", lines,
             PLOT_MOST_LINES);
    return EXIT_USAGE;
}

/* A text that is none would be wrong at each point. */
static int check_spec(const request *ask) {
    const uint64_t n = ask->of.values[SWEEP_N].of[0];
    riffle_perm *perm;
    const riffle_status status = riffle_perm_parse(ask->of.by, n, &perm);
    if (status == RIFFLE_OK) riffle_perm_free(perm);
    return status == RIFFLE_OK || sweep_leaves_hole(status) ? EXIT_DONE
                                                            : complain_permutation(ask->of.by, n, status);
}

/* --------------------------------------------------------------------- the command */

static int write_all(const request *ask, const sweep *s) {
    plot picture;
    if (ask->files.svg != NULL) sweep_picture(s, (sweep_parameter)(ask->along - 1), &picture);
    return plot_files_write(&ask->files, "sweep", sweep_table, s, &picture);
}

static int run_sweep(const request *ask, sweep *s) {
    int exit_status = check_plot(ask, s);
    if (exit_status == EXIT_DONE) exit_status = plot_files_check(&ask->files);
    if (exit_status == EXIT_DONE) exit_status = check_spec(ask);
    if (exit_status == EXIT_DONE) exit_status = sweep_run(s);
    return exit_status == EXIT_DONE ? write_all(ask, s) : exit_status;
}

static int run(int argc, char **argv) {
    request ask = {.along = 0};
    sweep s;
    int exit_status;
    if (!options_read(&sweep_command, argc, argv, &ask, &exit_status)) return exit_status;
    exit_status = check_measured(&ask);
    if (exit_status != EXIT_DONE) return exit_status;
    fill_in(&ask);
    ask.of.threads = threads_settle("sweep", ask.of.threads);
    exit_status = sweep_lay_out(&ask.of, &s) ? run_sweep(&ask, &s) : EXIT_USAGE;
    sweep_free(&s);
    return exit_status;
}

static const command_option options[] = {
    {"by", "SPEC", SPEC(of.by), .help = "the permutation",
     .missing = "no permutation given; say which with --by SPEC"},
    {"n", "LIST", NUMBERS(of.values[SWEEP_N]), .help = "numbers of elements", COUNT_RANGE,
     .missing = "no length given; say how many elements with --n LIST"},
    {"what", "LIST", read_what, FIELD(word_list, of.what),
     .help = "the numbers that are wanted, predicted by default:", .words = what_words},
    {"algorithm", "LIST", option_algorithms, FIELD(word_list, of.algorithm),
     .help = "how to move, auto by default:", .words = algorithm_words},
    {"elem-bytes", "LIST", NUMBERS(of.values[SWEEP_ELEM_BYTES]), .help = "bytes an element; 4 by default",
     ELEM_BYTES_RANGE},
    {"width", "LIST", NUMBERS(of.values[SWEEP_WIDTH]),
     .help = "lanes of a warp, banks, cells of an address group; 32 by default", RANGE(1, 32)},
    {"global-latency", "LIST", NUMBERS(of.values[SWEEP_LATENCY]),
     .help = "of global memory, in time units; 400 by default", RANGE(1, LONGEST_LATENCY)},
    {"shared-latency", "LIST", NUMBERS(of.values[SWEEP_SHARED_LATENCY]),
     .help = "of shared memory; 1 by default", RANGE(1, LONGEST_LATENCY)},
    {"dmms", "LIST", NUMBERS(of.values[SWEEP_DMMS]),
     .help = "processors whose shared memories work at the same time; 1 by default", RANGE(1, 1 << 16)},
    PLOT_FILES_OPTIONS(files, "a line for each combination of the other values"),
    {"along", "NAME", read_along, FIELD(int, along),
     .help = "--svg: the number that lines go along; by default the first that has several values of",
     .words = parameter_words},
    THREADS_OPTION(of.threads),
    {"repeat", "R", UNSIGNED(of.repeat), .help = "--what measured: timed runs, of which the median counts",
     RANGE(1, 1000)},
    {0},
};

const command sweep_command = {
    .name = "sweep",
    .summary = "predict, count or measure over lengths and machines",
    .usage = "--by SPEC --n LIST [OPTION]...",
    .about = "Prints a line of CSV for each combination of the values given: the time units\n"
             "that a memory machine would take as explain predicts them, or that it takes as\n"
             "simulate counts them, or the seconds that this machine's processors take,\n"
             "beside the bound of the model or the time of a copy.\n"
             "\n"
             "A LIST is numbers and ranges with commas: 4,8,16 or 2^10..2^20, which doubles,\n"
             "or 1000..5000+500, or 2^10..2^30x4.\n",
    .options = options,
    .notes = SPEC_HELP,
    .run = run,
};
