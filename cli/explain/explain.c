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

/* An option of the model, or --measure. */
static const char *option_of_whole_bytes(const request *ask) {
    return ask->how.measure ? "measure" : option_of_models(ask);
}

/* Numbers are sorted over ranks. */
static const char *memories_unfit(const request *ask) {
    return ask->sort != 0 && ask->among.ranks > 0 ? NULL : memories_option(&ask->among);
}

static bool is_of_rows(const request *ask) { return ask->group != 0 || ask->back.rows > 0; }

/* An option that says nothing of a sort, a hull or groups; NULL if there is none. */
static const char *option_of_moves(const request *ask) {
    return ask->type != 0                                    ? "type"
           : ask->definitions != NULL                        ? "define"
           : ask->elem_bytes != 0 && !is_of_rows(ask)        ? "elem-bytes"
           : memories_unfit(ask) != NULL                     ? memories_unfit(ask)
           : ask->elem_bits != 0                             ? "elem-bits"
           : ask->options.batch != 0                         ? "batch"
           : ask->options.stride != 0                        ? "stride"
           : ask->in_place                                   ? "in-place"
           : ask->once                                       ? "once"
           : ask->check && ask->group == 0 && ask->sort == 0 ? "check"
           : ask->options.effort != RIFFLE_EFFORT_ESTIMATE   ? "effort"
                                                             : NULL;
}

/* An option of predictions, which are of a GPU; NULL if there is none. */
static const char *option_of_predictions(const request *ask) {
    return ask->engine == RIFFLE_ENGINE_CUDA ? NULL : option_of_models(ask);
}

/* Finds the subject, NULL if there is none; false after a complaint if there is more than one. */
static bool find_subject(const request *ask, const char **out) {
    const struct {
        const char *name;
        bool is_given;
    } all[] = {{"by", ask->by != NULL},
               {"sort", ask->sort != 0},
               {"hull", ask->hull != 0},
               {"group", ask->group != 0},
               {"ungroup", ask->back.rows > 0}};
    *out = NULL;
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        if (!all[k].is_given) continue;
        if (*out != NULL) {
            complain("--%s and --%s: one of them is explained at a time", *out, all[k].name);
            return false;
        }
        *out = all[k].name;
    }
    return true;
}

/* Options of moves of whole bytes are not for --elem-bits. */
static bool is_of_bits(const request *ask) {
    if (ask->elem_bits == 0 && ask->bit_order == RIFFLE_BIT_ORDER_LITTLE) return true;
    if (ask->elem_bits == 0)
        complain("explain: --bit-order is of packed elements; say with --elem-bits how many bits they have");
    else if (ask->by != NULL &&
             (ask->elem_bytes != 0 || ask->in_place || ask->options.stride != 0 || ask->once || ask->check ||
              ask->algorithm.moves != RIFFLE_ALGORITHM_AUTO || ask->options.effort != RIFFLE_EFFORT_ESTIMATE ||
              program_has_options(ask->type, ask->definitions, &ask->algorithm)))
        complain("explain: --elem-bits takes no --elem-bytes, --in-place, --stride, --once, --check, "
                 "--algorithm, --effort, --type nor --define; leave them out");
    else if (ask->by != NULL && option_of_predictions(ask) != NULL)
        complain("explain: --elem-bits has no --%s; leave it out, or add --engine cuda, whose launches are "
                 "predicted",
                 option_of_predictions(ask));
    else
        return true;
    return false;
}

/* Moves between memories take few options: nothing is said of how one of them moves its part. */
static bool is_of_memories(const request *ask) {
    const char *const option = memories_option(&ask->among);
    if (!memories_fit(&ask->among)) return false;
    if (option == NULL ||
        !(ask->engine != RIFFLE_ENGINE_CPU || (ask->in_place && ask->among.ranks > 0) ||
          ask->options.stride != 0 || ask->options.batch != 0 ||
          ask->algorithm.moves != RIFFLE_ALGORITHM_AUTO || ask->elem_bits != 0 ||
          ask->options.effort != RIFFLE_EFFORT_ESTIMATE || ask->once || ask->check || ask->wants_json ||
          program_has_options(ask->type, ask->definitions, &ask->algorithm) ||
          option_of_whole_bytes(ask) != NULL))
        return true;
    complain("explain: --%s takes --by, --n, --elem-bytes, --link%s alone; leave out the rest", option,
             ask->among.ranks > 0 ? ", --latency and --relabel" : " and --in-place");
    return false;
}

/* Whole sorts alone are told over ranks. */
static bool is_whole_sort(const request *ask) {
    if (ask->sort == 0 || ask->among.ranks == 0 ||
        !(ask->streams > 0 || ask->top > 0 || ask->among.relabel ||
          ask->algorithm.sort != RIFFLE_SORT_ALGORITHM_AUTO))
        return true;
    complain("explain: --ranks takes --sort, --n, --order, --link and --latency alone; leave out the rest");
    return false;
}

/* A time is taken here. */
static bool is_measured_here(const request *ask) {
    if (ask->device == NULL || !ask->how.measure) return true;
    complain("explain: a GPU that is named is not measured; leave out --measure, or leave out --device, which "
             "takes the one that is here");
    return false;
}

/* Trials say what they found of the plan alone, and in the table. */
static bool is_of_trials(const request *ask) {
    const char *const unfit = ask->wants_json ? "json" : option_of_whole_bytes(ask);
    if (ask->options.effort != RIFFLE_EFFORT_MEASURE || unfit == NULL) return true;
    complain("explain: --effort measure takes no --%s; leave it out", unfit);
    return false;
}

/* The things that the subject may be. */
static unsigned things_of(const request *ask) {
    return ask->sort != 0    ? ALGORITHM_OF_SORTS
           : ask->hull != 0  ? ALGORITHM_OF_HULLS
           : is_of_rows(ask) ? 0
                             : ALGORITHM_OF_PERMUTATIONS | ALGORITHM_OF_PROGRAMS;
}

static int check_subject(const request *ask) {
    const char *const algorithm = any_algorithm_unfit(&ask->algorithm, things_of(ask));
    const char *const unfit = ask->by == NULL ? option_of_moves(ask) : NULL, *subject;
    const char *const of_predictions = ask->by == NULL ? option_of_predictions(ask) : NULL;
    if (!find_subject(ask, &subject) || !is_of_bits(ask) || !is_of_memories(ask) || !is_whole_sort(ask) ||
        !is_of_trials(ask) || !is_measured_here(ask))
        return EXIT_USAGE;
    if (subject == NULL)
        complain(
            "nothing to explain is given; say what with --by SPEC, --sort TYPE, --hull TYPE, --group TYPE or "
            "--ungroup R");
    else if (ask->order && ask->sort == 0)
        complain("--order is of a sort; say of what with --sort TYPE");
    else if (ask->streams > 0 && ask->sort == 0)
        complain("--merge is of a sort; say of what with --sort TYPE");
    else if (ask->top > 0 && (ask->sort == 0 || ask->streams > 0))
        complain("--top is of a sort, and not of a merge; say of what with --sort TYPE");
    else if (rows_back_unfit(&ask->back) != NULL)
        complain("--%s is of rows that are brought back; say of how many with --ungroup R",
                 rows_back_unfit(&ask->back));
    else if ((ask->group == 0 && ask->groups > 0) || (!is_of_rows(ask) && ask->keys > 0))
        complain("--groups and --keys-per-row are of groups; say of which keys with --group TYPE");
    else if (ask->group != 0 && ask->groups == 0)
        complain("--group: say with --groups how many groups there are");
    else if (unfit != NULL || algorithm != NULL)
        complain("--%s has no --%s; leave it out", subject, unfit != NULL ? unfit : algorithm);
    else if (of_predictions != NULL)
        complain("--%s has no --%s; leave it out, or add --engine cuda, whose launches are predicted", subject,
                 of_predictions);
    else
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
    ROWS_BACK_OPTIONS(back),
    {"merge", "K", NUMBER(streams),
     .help = "of --sort: how K sorted streams of N / K numbers would be merged instead", COUNT_RANGE},
    {"top", "K", NUMBER(top), .help = "of --sort: how the first K alone would be found", COUNT_RANGE},
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
    {"check", NULL, SWITCH(check),
     .help = "of --by, --sort and --group: results are read once more, which is predicted too"},
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

const command explain_command = {
    .name = "explain",
    .summary = "say how a permutation or a program would be done, and why",
    .usage = "--by SPEC|--sort|--hull|--group TYPE --n N [OPTION]...",
    .about = "Prints how an array of N elements would be moved along the permutation SPEC,\n"
             "why so, and what it is expected to cost; or, if SPEC is an array program\n"
             "(riffle run --help), in which passes it would be done; or, with --sort, how\n"
             "numbers would be sorted, with --hull the hull of points found, with --group\n"
             "rows brought together by keys, or with --ungroup back. Moves nothing, but for\n"
             "--effort measure and --measure, which move arrays of their own.\n",
    .options = options,
    .notes = SPEC_HELP,
    .run = run,
};
