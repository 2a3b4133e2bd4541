/* SPDX-License-Identifier: Apache-2.0
 *
 * riffle explain: prints what the planner would do with a permutation, or the compiler with a program, and why,
 * without doing it.
 */
#include <stdio.h>

#include "arrays/program_text.h"
#include "frame/command.h"
#include "frame/message.h"
#include "frame/options.h"
#include "frame/readers.h"
#include "riffle.h"
#include "system/threads.h"

enum { DEFAULT_BYTES = 4 }; /* of an element */

typedef struct request {
    const char *by;
    bool in_place, once, wants_json;
    either_algorithm algorithm;
    uint64_t n, elem_bytes; /* 0: not said */
    riffle_engine engine;
    riffle_plan_options options;
    const char *definitions;
    int type; /* of a program's elements, and 1 more; 0: not said */
} request;

static int explain_program(const request *ask) {
    const program_text text = {ask->by, ask->definitions};
    const permutation_options unfit = {.algorithm = ask->algorithm.moves != RIFFLE_ALGORITHM_AUTO,
                                       .elem_bytes = ask->elem_bytes != 0,
                                       .stride = ask->options.stride != 0,
                                       .in_place = ask->in_place,
                                       .once = ask->once};
    riffle_program *program;
    int exit_status = program_refuse_options(&unfit);
    if (exit_status == EXIT_DONE) exit_status = program_read_for(&text, ask->n, &program);
    if (exit_status != EXIT_DONE) return exit_status;
    riffle_program_plan *plan = NULL;
    const riffle_type type = ask->type > 0 ? (riffle_type)(ask->type - 1) : RIFFLE_TYPE_F32;
    const riffle_program_options options = {.batch = ask->options.batch, .algorithm = ask->algorithm.program};
    riffle_status status = riffle_program_plan_create(program, type, ask->engine, &options, &plan);
    if (status == RIFFLE_OK)
        status = ask->wants_json ? riffle_program_plan_explain_json(plan, stdout)
                                 : riffle_program_plan_explain(plan, stdout);
    if (status != RIFFLE_OK) exit_status = complain_program(&text, "explain", status);
    riffle_program_plan_free(plan);
    riffle_program_free(program);
    return exit_status == EXIT_DONE ? finish_stdout(EXIT_DONE) : exit_status;
}

static int run(int argc, char **argv) {
    request ask = {0};
    int exit_status;
    if (!options_read(&explain_command, argc, argv, &ask, &exit_status)) return exit_status;
    threads_settle("explain", 0);
    ask.options.in_place = ask.in_place;
    ask.options.executions = ask.once;
    ask.options.algorithm = ask.algorithm.moves;
    /* Some options are a program's; without them --by is one if it is no permutation. */
    if (ask.type != 0 || ask.definitions != NULL || ask.wants_json || ask.algorithm.is_of_programs)
        return explain_program(&ask);
    riffle_perm *perm;
    riffle_status status = riffle_perm_parse(ask.by, ask.n, &perm);
    if (status == RIFFLE_ERROR_SYNTAX) {
        if (program_is_meant(ask.by, ask.n)) return explain_program(&ask);
        status = riffle_perm_parse(ask.by, ask.n, &perm); /* for its message, which the other's has replaced */
    }
    if (status != RIFFLE_OK) return complain_spec(ask.by, status);
    exit_status = EXIT_DONE;
    status = riffle_explain(perm, ask.elem_bytes > 0 ? (size_t)ask.elem_bytes : DEFAULT_BYTES, ask.engine,
                            &ask.options, stdout);
    if (status != RIFFLE_OK) exit_status = complain_status("explain", status);
    riffle_perm_free(perm);
    return exit_status == EXIT_DONE ? finish_stdout(EXIT_DONE) : exit_status;
}

static const command_option options[] = {
    BY_OPTION("the permutation, or an array program"),
    N_OPTION,
    TYPE_OPTION(type),
    DEFINE_OPTION(definitions),
    {"elem-bytes", "B", NUMBER(elem_bytes), .help = "bytes an element (the default is 4)", ELEM_BYTES_RANGE},
    ENGINE_OPTION,
    EITHER_ALGORITHM_OPTION(algorithm),
    {"batch", "B", NUMBER(options.batch), .help = "arrays that one execution moves (the default is 1)",
     COUNT_RANGE},
    {"stride", "S", NUMBER(options.stride),
     .help = "elements from the start of an array of the batch to the next one's (the default is N: one "
             "behind the other)",
     COUNT_RANGE},
    {"in-place", NULL, SWITCH(in_place),
     .help = "move within the array, without a second one, where that can be done"},
    {"once", NULL, SWITCH(once), .help = "plan for one execution, as permute does, not for many"},
    {"json", NULL, SWITCH(wants_json), .help = "--by is a program: print its numbers as one JSON document"},
    {0},
};

const command explain_command = {
    .name = "explain",
    .summary = "say how a permutation or a program would be done, and why",
    .usage = "--by SPEC --n N [OPTION]...",
    .about = "Prints how an array of N elements would be moved along the permutation SPEC,\n"
             "why so, and what it is expected to cost; or, if SPEC is an array program\n"
             "(riffle run --help), in which passes it would be done. Moves nothing.\n",
    .options = options,
    .notes = SPEC_HELP,
    .run = run,
};
