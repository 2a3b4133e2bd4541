/* SPDX-License-Identifier: Apache-2.0
 *
 * riffle explain: prints what the planner would do with a permutation, and why, without doing it.
 */
#include <stdio.h>

#include "command.h"
#include "message.h"
#include "option_readers.h"
#include "riffle.h"
#include "threads.h"

typedef struct request {
    const char *by;
    bool in_place, once;
    uint64_t n, elem_bytes;
    riffle_engine engine;
    riffle_plan_options options;
} request;

static int run(int argc, char **argv) {
    request ask = {.elem_bytes = 4};
    int exit_status;
    if (!options_read(&explain_command, argc, argv, &ask, &exit_status)) return exit_status;
    threads_settle("explain", 0);
    ask.options.in_place = ask.in_place;
    ask.options.executions = ask.once;
    riffle_perm *perm;
    riffle_status status = riffle_perm_parse(ask.by, ask.n, &perm);
    if (status != RIFFLE_OK) return complain_spec(ask.by, status);
    exit_status = EXIT_DONE;
    status = riffle_explain(perm, (size_t)ask.elem_bytes, ask.engine, &ask.options, stdout);
    if (status != RIFFLE_OK) exit_status = complain_status("explain", status);
    riffle_perm_free(perm);
    return exit_status == EXIT_DONE ? finish_stdout(EXIT_DONE) : exit_status;
}

static const command_option options[] = {
    BY_OPTION("the permutation"),
    N_OPTION,
    {"elem-bytes", "B", NUMBER(elem_bytes), .help = "bytes an element (the default is 4)", ELEM_BYTES_RANGE},
    ENGINE_OPTION,
    ALGORITHM_OPTION(options.algorithm),
    {"batch", "B", NUMBER(options.batch), .help = "arrays that one execution moves (the default is 1)",
     COUNT_RANGE},
    {"stride", "S", NUMBER(options.stride),
     .help = "elements from the start of an array of the batch to the next one's (the default is N: one "
             "behind the other)",
     COUNT_RANGE},
    {"in-place", NULL, SWITCH(in_place), .help = "move within the array, without a second one, where that can be done"},
    {"once", NULL, SWITCH(once), .help = "plan for one execution, as permute does, not for many"},
    {0},
};

const command explain_command = {
    .name = "explain",
    .summary = "say how a permutation would be moved, and why",
    .usage = "--by SPEC --n N [OPTION]...",
    .about = "Prints how an array of N elements would be moved along the permutation SPEC,\n"
             "why so, and what it is expected to cost. Moves nothing.\n",
    .options = options,
    .notes = SPEC_HELP,
    .run = run,
};
