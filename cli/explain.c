/* SPDX-License-Identifier: Apache-2.0
 *
 * riffle explain: prints what the planner would do with a permutation, and why, without doing it.
 */
#include <stdio.h>

#include "command.h"
#include "message.h"
#include "options.h"
#include "riffle.h"
#include "threads.h"

static const char help[] = "Usage: riffle explain --by SPEC --n N [OPTION]...\n"
                           "\n"
                           "Prints how an array of N elements would be moved along the permutation SPEC,\n"
                           "why so, and what it is expected to cost. Moves nothing.\n"
                           "\n"
                           "  --by SPEC          the permutation\n"
                           "  --n N              number of elements, in decimal or as 2^K\n"
                           "  --elem-bytes B     bytes an element (the default is 4)\n"
                           "  --engine NAME      where to move: cpu (the default) or cuda\n"
                           "  --algorithm NAME   how to move: auto (the default), copy, scatter, gather,\n"
                           "                     affine, axes, bucket, transpose, row-wise,\n"
                           "                     column-wise, scheduled or conflict-free; with cuda\n"
                           "                     also bmmc-naive, bmmc-tile, bmmc-tile-banks,\n"
                           "                     bmmc-tile-iters or bmmc-tile-banks-iters\n"
                           "  --batch B          arrays that one execution moves (the default is 1)\n"
                           "  --stride S         elements from the start of an array of the batch to the\n"
                           "                     next one's (the default is N: one behind the other)\n"
                           "  --in-place         move within the array, without a second one; with cuda\n"
                           "  --once             plan for one execution, as permute does, not for many\n"
                           "  --help             print this and exit\n"
                           "\n" SPEC_HELP;

enum {
    OPTION_BY = OPTION_FIRST,
    OPTION_N,
    OPTION_ELEM_BYTES,
    OPTION_ENGINE,
    OPTION_ALGORITHM,
    OPTION_BATCH,
    OPTION_STRIDE,
    OPTION_IN_PLACE,
    OPTION_ONCE,
};
static const struct option options[] = {
    {"by", required_argument, NULL, OPTION_BY},
    {"n", required_argument, NULL, OPTION_N},
    {"elem-bytes", required_argument, NULL, OPTION_ELEM_BYTES},
    {"engine", required_argument, NULL, OPTION_ENGINE},
    {"algorithm", required_argument, NULL, OPTION_ALGORITHM},
    {"batch", required_argument, NULL, OPTION_BATCH},
    {"stride", required_argument, NULL, OPTION_STRIDE},
    {"in-place", no_argument, NULL, OPTION_IN_PLACE},
    {"once", no_argument, NULL, OPTION_ONCE},
    {"help", no_argument, NULL, OPTION_HELP},
    {0},
};

typedef struct request {
    const char *by;
    bool has_n, wants_help;
    uint64_t n, elem_bytes;
    riffle_engine engine;
    riffle_plan_options options;
} request;

static bool read_arguments(int argc, char **argv, request *ask) {
    for (;;) {
        bool right = true;
        switch (next_option(argc, argv, options)) {
        case OPTION_BY: ask->by = optarg; break;
        case OPTION_N: right = ask->has_n = read_number("--n", optarg, 0, RIFFLE_MAX_LENGTH, &ask->n); break;
        case OPTION_ELEM_BYTES: right = read_elem_bytes(optarg, &ask->elem_bytes); break;
        case OPTION_ENGINE: right = read_engine(optarg, &ask->engine); break;
        case OPTION_ALGORITHM: right = read_algorithm(optarg, &ask->options.algorithm); break;
        case OPTION_BATCH: right = read_batch(optarg, &ask->options); break;
        case OPTION_STRIDE: right = read_stride(optarg, &ask->options); break;
        case OPTION_IN_PLACE: ask->options.in_place = 1; break;
        case OPTION_ONCE: ask->options.executions = 1; break;
        case OPTION_HELP: ask->wants_help = true; return true;
        case OPTION_WRONG: return false;
        case OPTION_END:
            if (!expect_operands(argc, argv, 0, " --by SPEC --n N")) return false;
            if (ask->by == NULL) complain("explain: no permutation given; say which with --by SPEC");
            if (!ask->has_n) complain("explain: no length given; say how many elements with --n N");
            return ask->by != NULL && ask->has_n;
        }
        if (!right) return false;
    }
}

static int run(int argc, char **argv) {
    request ask = {.elem_bytes = 4};
    if (!read_arguments(argc, argv, &ask)) return EXIT_USAGE;
    if (ask.wants_help) return print_text(help);
    threads_settle("explain", 0);
    riffle_perm *perm;
    riffle_status status = riffle_perm_parse(ask.by, ask.n, &perm);
    if (status != RIFFLE_OK) return complain_spec(ask.by, status);
    int exit_status = EXIT_DONE;
    status = riffle_explain(perm, (size_t)ask.elem_bytes, ask.engine, &ask.options, stdout);
    if (status != RIFFLE_OK) exit_status = complain_status("explain", status);
    riffle_perm_free(perm);
    return exit_status == EXIT_DONE ? finish_stdout(EXIT_DONE) : exit_status;
}

const command explain_command = {"explain", "say how a permutation would be moved, and why", help, run};
