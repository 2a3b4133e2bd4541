/* SPDX-License-Identifier: Apache-2.0
 *
 * riffle explain: prints what the planner would do with a permutation, or the compiler with a program, and why,
 * without doing it.
 */
#include <stdio.h>

#include "arrays/program_text.h"
#include "arrays/table_files.h"
#include "arrays/wisdom.h"
#include "explain/plans.h"
#include "frame/command.h"
#include "frame/message.h"
#include "frame/options.h"
#include "frame/readers.h"
#include "frame/units.h"
#include "riffle/group.h"
#include "riffle/multigpu.h"
#include "system/threads.h"

enum { LONGEST_LATENCY = 1 << 20 };

/* An option of the model, or --measure; NULL if there is none. */
static const char *option_of_gpus(const request *ask) {
    return ask->how.measure ? "measure" : option_of_models(ask);
}

/* Trials say what they found of the plan alone, and in the table. */
static bool is_of_trials(const request *ask) {
    const char *const unfit = ask->wants_json ? "json" : option_of_gpus(ask);
    if (ask->options.effort != RIFFLE_EFFORT_MEASURE || unfit == NULL) return true;
    complain("explain: --effort measure takes no --%s; leave it out", unfit);
    return false;
}

/* The option that says what is explained, "" if none does. */
static const char *subject_of(const request *ask) {
    return ask->by != NULL       ? "by"
           : ask->sort != 0      ? "sort"
           : ask->hull != 0      ? "hull"
           : ask->group != 0     ? "group"
           : ask->back.rows != 0 ? "ungroup"
                                 : "";
}

/* The things that may have the algorithm. */
static unsigned things_of(const request *ask) {
    return ask->sort != 0   ? ALGORITHM_OF_SORTS
           : ask->hull != 0 ? ALGORITHM_OF_HULLS
                            : ALGORITHM_OF_PERMUTATIONS | ALGORITHM_OF_PROGRAMS;
}

static int check_subject(const request *ask) {
    const char *const subject = subject_of(ask), *const models = option_of_models(ask);
    const char *const algorithm = any_algorithm_unfit(&ask->algorithm, things_of(ask));
    const bool is_of_moves = ask->by != NULL && ask->elem_bits == 0;
    if (*subject == '\0')
        complain(
            "nothing to explain is given; say what with --by SPEC, --sort TYPE, --hull TYPE, --group TYPE or "
            "--ungroup R");
    else if (algorithm != NULL)
        complain("explain: --%s has no --%s; leave it out", subject, algorithm);
    else if (ask->device != NULL && ask->engine != RIFFLE_ENGINE_CUDA)
        complain("explain: --device is for --engine cuda; give that too, or leave it out");
    else if (models != NULL && !is_of_moves && ask->engine != RIFFLE_ENGINE_CUDA)
        complain("explain: --%s has no --%s; leave it out, or add --engine cuda, whose launches are predicted",
                 ask->elem_bits != 0 ? "elem-bits" : subject, models);
    else if (ask->device != NULL && ask->how.measure)
        complain(
            "explain: a GPU that is named is not measured; leave out --measure, or leave out --device, which "
            "takes the one that is here");
    else if (is_of_trials(ask))
        return EXIT_DONE;
    return EXIT_USAGE;
}

static int run(int argc, char **argv) {
    request ask = {0};
    int exit_status;
    if (!options_read(&explain_command, argc, argv, &ask, &exit_status)) return exit_status;
    exit_status = check_subject(&ask);
    if (exit_status != EXIT_DONE) return exit_status;
    if (!wisdom_is_meant(&ask.options, ask.wisdom)) return EXIT_USAGE;
    threads_settle("explain", 0);
    if (ask.sort != 0) return explain_sort(&ask);
    if (ask.hull != 0) return explain_hull(&ask);
    if (ask.group != 0) return explain_group(&ask);
    if (ask.back.rows > 0) return explain_ungroup(&ask);
    return explain_by(&ask);
}

static const command_option options[] = {
    {"by", "SPEC", SPEC(by),
     .help = "the permutation, or an array program; of a program with --engine cuda also what each launch is "
             "predicted to access, without a GPU too"},
    N_OPTION,
    {"sort", "TYPE", option_type, FIELD(int, sort),
     .help = "instead of --by: how N numbers of that type would be sorted (riffle sort), beside the lower "
             "bounds; with "
             "--engine cuda what each launch is predicted to access, without a GPU too"},
    {"hull", "TYPE", option_type, FIELD(int, hull),
     .help = "instead of --by: how the convex hull of N points with coordinates of that type would be found "
             "(riffle hull); with --engine cuda what each launch is predicted to access, without a GPU too"},
    {"group", "TYPE", option_type, FIELD(int, group),
     .help = "instead of --by: how N rows of --elem-bytes bytes would be grouped by keys of that type (riffle "
             "group); with --engine cuda what each launch is predicted to access, without a GPU too"},
    {"groups", "K", NUMBER(groups), .help = "of --group: into so many groups",
     RANGE(1, RIFFLE_GROUP_MAX_GROUPS)},
    {"keys-per-row", "K", NUMBER(keys),
     .help = "of --group: keys of each row, or of --ungroup: places (the default is 1)",
     RANGE(1, RIFFLE_GROUP_MAX_KEYS_PER_ROW)},
    COLUMN_BYTES_OPTION(columns),
    ROWS_BACK_OPTIONS(back),
    {"merge", "K", NUMBER(streams),
     .help = "of --sort: how K sorted streams of N / K numbers would be merged instead", COUNT_RANGE},
    {"top", "K", NUMBER(top), .help = "of --sort: how the first K alone would be found", COUNT_RANGE},
    {"partition", "K", NUMBER(partition), .help = "of --sort: how the first K would be brought to the front",
     COUNT_RANGE},
    {"order", NULL, SWITCH(order), .help = "of --sort: how their stable argsort would be found"},
    TYPE_OPTION(type),
    DEFINE_OPTION(definitions),
    {"elem-bytes", "B", NUMBER(elem_bytes),
     .help = "bytes an element, or a row of --group or --ungroup (the default is 4)", ELEM_BYTES_RANGE},
    {"elem-bits", "B", ELEM_BITS(elem_bits), .help = "instead: 1, 2 or 4 bits an element, packed into bytes"},
    BIT_ORDER_OPTION(bit_order),
    ENGINE_OPTION,
    ANY_ALGORITHM_OPTION(algorithm),
    EFFORT_OPTIONS,
    {"batch", "B", NUMBER(options.batch), .help = "arrays that one execution moves (the default is 1)",
     COUNT_RANGE},
    {"stride", "S", NUMBER(options.stride),
     .help = "elements from the start of an array of the batch to the next one's (the default is N: one "
             "behind the other)",
     COUNT_RANGE},
    {"in-place", NULL, SWITCH(in_place),
     .help = "move within the array, without a second one, where that can be done"},
    {"check", "KIND", CHECK_KIND(check), .may_be_alone = true,
     .help = "of --by, --sort and --group: results are read once more (full, the default), which is predicted "
             "too; or passes, what is between passes is added up"},
    {"once", NULL, SWITCH(once), .help = "plan for one execution, as permute does, not for many"},
    {"ranks", "P", UNSIGNED(among.ranks),
     .help =
         "how the array would move between the memories of P ranks, each with an equal block, or be sorted: "
         "what they send, in how many messages",
     RANGE(1, RIFFLE_MAX_RANKS)},
    {"gpus", "P", UNSIGNED(among.gpus),
     .help =
         "the same between the memories of P GPUs of one host, a power of two, which store into each other's: "
         "in how many passes, by which runs",
     RANGE(1, RIFFLE_MULTIGPU_MAX)},
    {"link", "RATE", RATE(among.link.bytes_per_second),
     .help = "--ranks, --gpus: the time that this takes where one sends so much, as 50GB/s, and gets as much "
             "meanwhile"},
    {"latency", "TIME", DURATION(among.link.latency),
     .help = "--link: what each message of a rank takes besides, as 2us"},
    {"relabel", NULL, SWITCH(among.relabel),
     .help = "--ranks: ranks may change their blocks among themselves where they send less so"},
    {"device", "NAME", TEXT(device),
     .help = "--engine cuda: plan for that GPU, which need not be here: a100, h100, h200, or a file with its "
             "numbers"},
    {"width", "W", UNSIGNED(how.model.width),
     .help = "of the model: lanes of a warp, banks, cells of an address group; 32 by default", RANGE(1, 32)},
    {"global-latency", "L", UNSIGNED(how.model.latency),
     .help = "of the model's global memory, in time units; 400 by default", RANGE(1, LONGEST_LATENCY)},
    {"shared-latency", "L", UNSIGNED(how.model.shared_latency), .help = "of its shared memory; 1 by default",
     RANGE(1, LONGEST_LATENCY)},
    {"dmms", "D", UNSIGNED(how.model.dmms),
     .help = "of the model: processors whose shared memories work at the same time; 1 by default",
     RANGE(1, 1 << 16)},
    {"measure", NULL, SWITCH(how.measure),
     .help = "run the plan, too, for about a second, and set its time beside a copy's"},
    {"json", NULL, SWITCH(wants_json), .help = "print one JSON document"},
    {0},
};

/* Options of a GPU, which need not be here. */
#define OF_GPUS "engine device width global-latency shared-latency dmms measure json "

static const command_form forms[] = {
    {"by", .takes = OF_GPUS
           "n type define elem-bytes elem-bits bit-order algorithm effort effort-seconds wisdom batch stride "
           "in-place check once ranks gpus link latency relabel"},
    {"sort", .takes = OF_GPUS "n merge top partition order algorithm check ranks link latency"},
    {"hull", .takes = OF_GPUS "n algorithm"},
    {"group", .takes = OF_GPUS "n groups keys-per-row column-bytes elem-bytes check"},
    {"group", .needs = "groups"},
    {"ungroup", .takes = OF_GPUS "n keys-per-row sum weights elem-bytes"},
    {"top", .takes = OF_GPUS "sort n order algorithm"}, /* not of a merge */
    {"partition", .takes = OF_GPUS "sort n order algorithm"},
    {"elem-bits", .takes = OF_GPUS "by n bit-order batch"},
    {"bit-order", .needs = "elem-bits"},
    {"ranks",
     .takes =
         "by sort n elem-bytes order link latency relabel"}, /* nothing is said of how one moves its part */
    {"gpus", .takes = "by n elem-bytes in-place link"},
    {"relabel", .needs = "ranks"},
    {"link", .needs = "ranks gpus"},
    {"latency", .needs = "link"},
    {0},
};

const command explain_command = {
    .name = "explain",
    .summary = "say how a permutation or a program would be done, and why",
    .usage = "--by|--sort|--hull|--group|--ungroup --n N [OPTION]...",
    .about = "Prints how an array of N elements would be moved along the permutation SPEC,\n"
             "why so, and what it is expected to cost; or, if SPEC is an array program\n"
             "(riffle run --help), in which passes it would be done; or, with --sort, how\n"
             "numbers would be sorted, with --hull the hull of points found, with --group\n"
             "rows brought together by keys, or with --ungroup back. Moves nothing, but for\n"
             "--effort measure and --measure, which move arrays of their own.\n",
    .options = options,
    .forms = forms,
    .notes = SPEC_HELP,
    .run = run,
};
