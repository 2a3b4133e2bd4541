/* SPDX-License-Identifier: Apache-2.0
 *
 * riffle explain: prints what the planner would do with a permutation, or the compiler with a program, and why,
 * without doing it.
 */
#include <stdio.h>

#include "arrays/program_text.h"
#include "arrays/table_files.h"
#include "arrays/wisdom.h"
#include "frame/any_algorithm.h"
#include "frame/command.h"
#include "frame/message.h"
#include "frame/options.h"
#include "frame/readers.h"
#include "frame/units.h"
#include "riffle/bits.h"
#include "riffle/cuda.h"
#include "riffle/exchange.h"
#include "riffle/group.h"
#include "riffle/hull.h"
#include "riffle/machine.h"
#include "riffle/sort.h"
#include "system/gpu_file.h"
#include "system/threads.h"

enum { DEFAULT_BYTES = 4 /* bytes of an element */, LONGEST_LATENCY = 1 << 20 };

typedef struct request {
    const char *by;
    int sort, hull,
        group; /* the type of numbers that are sorted, of points' coordinates, of keys, and 1 more; 0: none are */
    bool order;
    bool in_place, once, wants_json;
    any_algorithm algorithm;
    uint64_t n, elem_bytes, streams, top, groups, keys; /* 0: not said */
    riffle_engine engine;
    riffle_plan_options options;
    riffle_explanation how;
    const char *device; /* a GPU's name, or a file that has one; NULL: the one that is here */
    const char *wisdom; /* NULL: no file */
    const char *definitions;
    unsigned elem_bits; /* packed elements'; 0: whole bytes */
    riffle_bit_order bit_order;
    unsigned ranks; /* 0: one memory */
    riffle_exchange_link link;
    bool relabel;
    int type; /* type of a program's elements, and 1 more; 0: not said */
} request;

static bool find_device(const char *name, riffle_cuda_device *out, uint64_t *bytes_per_second) {
    return riffle_cuda_device_named(name, out, bytes_per_second) == RIFFLE_OK ||
           gpu_file_read(name, out, bytes_per_second);
}

/* How to explain; *gpu is to outlive it. False after a complaint of --device. */
static bool explanation_of(const request *ask, riffle_explanation *out, riffle_cuda_device *gpu) {
    *out = ask->how;
    out->json = ask->wants_json;
    if (ask->device == NULL) return true;
    out->gpu = gpu;
    return find_device(ask->device, gpu, &out->bytes_per_second);
}

static int explain_program_plan(const request *ask, const program_text *text, const riffle_program *program) {
    const riffle_type type = ask->type > 0 ? (riffle_type)(ask->type - 1) : RIFFLE_TYPE_F32;
    const riffle_program_options options = {.batch = ask->options.batch, .algorithm = ask->algorithm.program};
    riffle_explanation how;
    riffle_cuda_device gpu;
    if (!explanation_of(ask, &how, &gpu)) return EXIT_FAILED;
    const riffle_status status = riffle_explain_program(program, type, ask->engine, &options, &how, stdout);
    return status == RIFFLE_OK ? EXIT_DONE : complain_program(text, "explain", status);
}

/* An option of the model, which is of a GPU but for permutations; NULL if there is none. */
static const char *option_of_models(const request *ask) {
    const riffle_machine_options *const m = &ask->how.model;
    return m->width != 0            ? "width"
           : m->latency != 0        ? "global-latency"
           : m->shared_latency != 0 ? "shared-latency"
           : m->dmms != 0           ? "dmms"
           : ask->device != NULL    ? "device"
                                    : NULL;
}

/* The same, or --measure. */
static const char *option_of_whole_bytes(const request *ask) {
    return ask->how.measure ? "measure" : option_of_models(ask);
}

static int explain_program(const request *ask) {
    program_text text = {.by = ask->by, .file = ask->definitions};
    const permutation_options unfit = {.algorithm = ask->algorithm.moves != RIFFLE_ALGORITHM_AUTO,
                                       .elem_bytes = ask->elem_bytes != 0,
                                       .elem_bits = ask->elem_bits != 0,
                                       .stride = ask->options.stride != 0,
                                       .in_place = ask->in_place,
                                       .once = ask->once};
    const char *const of_models = option_of_models(ask);
    riffle_program *program = NULL;
    int exit_status = program_refuse_options(&unfit);
    if (exit_status == EXIT_DONE && of_models != NULL && ask->engine != RIFFLE_ENGINE_CUDA) {
        complain("explain: a program has no --%s; leave it out, or add --engine cuda, whose launches are "
                 "predicted",
                 of_models);
        exit_status = EXIT_USAGE;
    }
    if (exit_status == EXIT_DONE) exit_status = program_read_for(&text, ask->n, &program);
    if (exit_status == EXIT_DONE) exit_status = explain_program_plan(ask, &text, program);
    riffle_program_free(program);
    program_text_free(&text);
    return exit_status == EXIT_DONE ? finish_stdout(EXIT_DONE) : exit_status;
}

/* Explains a sort of numbers, or with --order a search for their stable order as indices; a GPU's indices have 4 bytes. */
static int explain_sort(const request *ask) {
    const bool is_of_gpu = ask->engine == RIFFLE_ENGINE_CUDA;
    const riffle_sort_options options = {.task = ask->streams > 0 ? RIFFLE_SORT_TASK_MERGE
                                                 : ask->top > 0   ? RIFFLE_SORT_TASK_TOP
                                                                  : RIFFLE_SORT_TASK_SORT,
                                         .segments = ask->streams,
                                         .count = ask->top,
                                         .algorithm = ask->algorithm.sort,
                                         .index_bytes = !ask->order ? 0
                                                        : is_of_gpu ? 4
                                                                    : 8};
    riffle_explanation how;
    riffle_cuda_device gpu;
    riffle_sort_key key;
    if (!explanation_of(ask, &how, &gpu)) return EXIT_FAILED;
    riffle_status status = riffle_sort_key_of_type((riffle_type)(ask->sort - 1), 0, &key);
    if (status == RIFFLE_OK) status = riffle_explain_sort(ask->n, &key, ask->engine, &options, &how, stdout);
    const int exit_status = status == RIFFLE_OK ? EXIT_DONE : complain_status("explain", status);
    return exit_status == EXIT_DONE ? finish_stdout(EXIT_DONE) : exit_status;
}

static int explain_hull(const request *ask) {
    const riffle_hull_options options = {.algorithm = ask->algorithm.hull};
    riffle_explanation how;
    riffle_cuda_device gpu;
    if (!explanation_of(ask, &how, &gpu)) return EXIT_FAILED;
    const riffle_status status =
        riffle_explain_hull(ask->n, (riffle_type)(ask->hull - 1), ask->engine, &options, &how, stdout);
    const int exit_status = status == RIFFLE_OK ? EXIT_DONE : complain_status("explain", status);
    return exit_status == EXIT_DONE ? finish_stdout(EXIT_DONE) : exit_status;
}

static int explain_group(const request *ask) {
    const riffle_group_options options = {.keys_per_row = ask->keys};
    const size_t row_bytes = ask->elem_bytes > 0 ? (size_t)ask->elem_bytes : DEFAULT_BYTES;
    riffle_explanation how;
    riffle_cuda_device gpu;
    if (!explanation_of(ask, &how, &gpu)) return EXIT_FAILED;
    const riffle_status status = riffle_explain_group(ask->n, row_bytes, (riffle_type)(ask->group - 1),
                                                      ask->groups, ask->engine, &options, &how, stdout);
    const int exit_status = status == RIFFLE_OK ? EXIT_DONE : complain_status("explain", status);
    return exit_status == EXIT_DONE ? finish_stdout(EXIT_DONE) : exit_status;
}

/* An option that says nothing of a sort, a hull or groups; NULL if there is none. */
static const char *option_of_moves(const request *ask) {
    return ask->type != 0                                  ? "type"
           : ask->definitions != NULL                      ? "define"
           : ask->elem_bytes != 0 && ask->group == 0       ? "elem-bytes"
           : ask->ranks != 0                               ? "ranks"
           : ask->elem_bits != 0                           ? "elem-bits"
           : ask->options.batch != 0                       ? "batch"
           : ask->options.stride != 0                      ? "stride"
           : ask->in_place                                 ? "in-place"
           : ask->once                                     ? "once"
           : ask->options.effort != RIFFLE_EFFORT_ESTIMATE ? "effort"
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
               {"group", ask->group != 0}};
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
             (ask->elem_bytes != 0 || ask->in_place || ask->options.stride != 0 || ask->once ||
              ask->algorithm.moves != RIFFLE_ALGORITHM_AUTO || ask->options.effort != RIFFLE_EFFORT_ESTIMATE ||
              ask->type != 0 || ask->definitions != NULL || any_algorithm_is_of_programs(&ask->algorithm)))
        complain("explain: --elem-bits takes no --elem-bytes, --in-place, --stride, --once, --algorithm, "
                 "--effort, --type nor --define; leave them out");
    else if (ask->by != NULL && option_of_predictions(ask) != NULL)
        complain("explain: --elem-bits has no --%s; leave it out, or add --engine cuda, whose launches are "
                 "predicted",
                 option_of_predictions(ask));
    else
        return true;
    return false;
}

/* --link, --latency and --relabel are of --ranks, which says nothing of how a rank moves. */
static bool is_of_ranks(const request *ask) {
    const bool has_link = ask->link.bytes_per_second > 0;
    if (ask->ranks == 0 && (has_link || ask->link.latency > 0 || ask->relabel))
        complain(
            "explain: --link, --latency and --relabel are of moves between ranks; say how many with --ranks P");
    else if (ask->link.latency > 0 && !has_link)
        complain("explain: --latency is a link's; say with --link how fast it is");
    else if (ask->ranks > 0 &&
             (ask->engine != RIFFLE_ENGINE_CPU || ask->in_place || ask->options.stride != 0 ||
              ask->options.batch != 0 || ask->algorithm.moves != RIFFLE_ALGORITHM_AUTO || ask->elem_bits != 0 ||
              ask->options.effort != RIFFLE_EFFORT_ESTIMATE || ask->once || ask->wants_json || ask->type != 0 ||
              ask->definitions != NULL || any_algorithm_is_of_programs(&ask->algorithm) ||
              option_of_whole_bytes(ask) != NULL))
        complain(
            "explain: --ranks takes --by, --n, --elem-bytes, --link, --latency and --relabel alone; leave out "
            "the rest");
    else
        return true;
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
           : ask->group != 0 ? 0
                             : ALGORITHM_OF_PERMUTATIONS | ALGORITHM_OF_PROGRAMS;
}

static int check_subject(const request *ask) {
    const char *const algorithm = any_algorithm_unfit(&ask->algorithm, things_of(ask));
    const char *const unfit = ask->by == NULL ? option_of_moves(ask) : NULL, *subject;
    const char *const of_predictions = ask->by == NULL ? option_of_predictions(ask) : NULL;
    if (!find_subject(ask, &subject) || !is_of_bits(ask) || !is_of_ranks(ask) || !is_of_trials(ask) ||
        !is_measured_here(ask))
        return EXIT_USAGE;
    if (subject == NULL)
        complain(
            "nothing to explain is given; say what with --by SPEC, --sort TYPE, --hull TYPE or --group TYPE");
    else if (ask->order && ask->sort == 0)
        complain("--order is of a sort; say of what with --sort TYPE");
    else if (ask->streams > 0 && ask->sort == 0)
        complain("--merge is of a sort; say of what with --sort TYPE");
    else if (ask->top > 0 && (ask->sort == 0 || ask->streams > 0))
        complain("--top is of a sort, and not of a merge; say of what with --sort TYPE");
    else if (ask->group == 0 && (ask->groups > 0 || ask->keys > 0))
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

/* Plans, with trials, and says what they found. */
static riffle_status explain_measured(const request *ask, const riffle_perm *perm, size_t elem_bytes) {
    riffle_plan *plan = NULL;
    riffle_status status = wisdom_take(ask->wisdom);
    if (status == RIFFLE_OK) status = riffle_plan_create(perm, elem_bytes, ask->engine, &ask->options, &plan);
    if (status == RIFFLE_OK) status = wisdom_put(ask->wisdom);
    if (status == RIFFLE_OK) status = riffle_plan_explain(plan, stdout);
    riffle_plan_free(plan);
    return status;
}

static riffle_status explain_packed(const request *ask, const riffle_explanation *how,
                                    const riffle_perm *perm) {
    const riffle_bits_options options = {
        .order = ask->bit_order, .batch = ask->options.batch, .engine = ask->engine};
    return riffle_explain_bits(perm, ask->elem_bits, &options, how, stdout);
}

static int explain_moves(const request *ask, const riffle_perm *perm) {
    const size_t elem_bytes = ask->elem_bytes > 0 ? (size_t)ask->elem_bytes : DEFAULT_BYTES;
    const riffle_exchange_options exchange = {.relabel = ask->relabel};
    riffle_explanation how;
    riffle_cuda_device gpu;
    riffle_status status;
    if (!explanation_of(ask, &how, &gpu)) return EXIT_FAILED;
    if (ask->ranks > 0)
        status = riffle_exchange_explain(perm, elem_bytes, ask->ranks, &exchange, &ask->link, stdout);
    else if (ask->elem_bits > 0)
        status = explain_packed(ask, &how, perm);
    else if (ask->options.effort == RIFFLE_EFFORT_MEASURE)
        status = explain_measured(ask, perm, elem_bytes);
    else
        status = riffle_explain_as(perm, elem_bytes, ask->engine, &ask->options, &how, stdout);
    return status == RIFFLE_OK ? EXIT_DONE : complain_status("explain", status);
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
    ask.options.in_place = ask.in_place;
    ask.options.executions = ask.once;
    ask.options.algorithm = ask.algorithm.moves;
    /* Some options are a program's; without them --by is one if it is no permutation. */
    if (ask.type != 0 || ask.definitions != NULL || any_algorithm_is_of_programs(&ask.algorithm))
        return explain_program(&ask);
    riffle_perm *perm;
    riffle_status status = riffle_perm_parse(ask.by, ask.n, &perm);
    if (status == RIFFLE_ERROR_SYNTAX) {
        if (ask.ranks == 0 && program_is_meant(ask.by, ask.n)) return explain_program(&ask);
        status = riffle_perm_parse(ask.by, ask.n, &perm); /* for its message, which the other's has replaced */
    }
    if (status != RIFFLE_OK) return complain_spec(ask.by, status);
    exit_status = explain_moves(&ask, perm);
    riffle_perm_free(perm);
    return exit_status == EXIT_DONE ? finish_stdout(EXIT_DONE) : exit_status;
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
    {"keys-per-row", "K", NUMBER(keys), .help = "of --group: keys of each row (the default is 1)",
     RANGE(1, RIFFLE_GROUP_MAX_KEYS_PER_ROW)},
    {"merge", "K", NUMBER(streams),
     .help = "of --sort: how K sorted streams of N / K numbers would be merged instead", COUNT_RANGE},
    {"top", "K", NUMBER(top), .help = "of --sort: how the first K alone would be found", COUNT_RANGE},
    {"order", NULL, SWITCH(order), .help = "of --sort: how their stable argsort would be found"},
    TYPE_OPTION(type),
    DEFINE_OPTION(definitions),
    {"elem-bytes", "B", NUMBER(elem_bytes), .help = "bytes an element, or a row of --group (the default is 4)",
     ELEM_BYTES_RANGE},
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
    {"once", NULL, SWITCH(once), .help = "plan for one execution, as permute does, not for many"},
    {"ranks", "P", UNSIGNED(ranks),
     .help =
         "how the array would move between the memories of P ranks, each with an equal block: what they send, "
         "in how many messages",
     RANGE(1, RIFFLE_MAX_RANKS)},
    {"link", "RATE", RATE(link.bytes_per_second),
     .help =
         "--ranks: the time that this takes where a rank sends so much, as 50GB/s, and gets as much meanwhile"},
    {"latency", "TIME", DURATION(link.latency),
     .help = "--link: what each message of a rank takes besides, as 2us"},
    {"relabel", NULL, SWITCH(relabel),
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
             "numbers would be sorted, with --hull the hull of points found, or with --group\n"
             "rows brought together by keys. Moves nothing, but for --effort measure and\n"
             "--measure, which move arrays of their own.\n",
    .options = options,
    .notes = SPEC_HELP,
    .run = run,
};
