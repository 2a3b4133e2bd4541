/* SPDX-License-Identifier: Apache-2.0
 *
 * riffle simulate: runs an algorithm's kernels on the memory machine and prints what they did to memory.
 */
#include <stdio.h>
#include <stdlib.h>

#include "arrays/program_text.h"
#include "arrays/table_files.h"
#include "bench/shapes.h"
#include "frame/command.h"
#include "frame/message.h"
#include "frame/options.h"
#include "frame/readers.h"
#include "riffle/bits.h"
#include "riffle/machine.h"
#include "riffle/papers.h"
#include "simulate/lines.h"
#include "simulate/rows.h"
#include "subjects/any_algorithm.h"
#include "subjects/sort_task.h"
#include "system/threads.h"
#include "trace/traces.h"

enum { LONGEST_LATENCY = 1 << 20, DEFAULT_BYTES = 4 /* bytes of an element */ };

typedef struct request {
    const char *by, *definitions, *before, *hull; /* hull: a shape */
    bool in_place, wants_json, sorts, indices, worst, all;
    int type, group; /* types of elements, and of keys that rows are grouped by, and 1 more; 0: not said */
    any_algorithm algorithm;
    uint64_t n, elem_bytes, streams, top, partition, groups, keys, blocks; /* 0: not said */
    unsigned elem_bits; /* packed elements'; 0: whole bytes */
    riffle_bit_order bit_order;
    column_bytes columns; /* the others of rows that are grouped */
    rows_back back;       /* rows that are brought back */
    riffle_plan_options plan;
    riffle_machine_options machine;
    traces traces;
} request;

/* SPEC's length is not the user's N here, so the message says whose it is. */
static int complain_line(const request *ask, const char *line, uint64_t length, riffle_status status) {
    if (status == RIFFLE_ERROR_SYNTAX) return complain_spec(ask->by, status);
    complain("--by: each %s has %llu of the %llu elements, and along it: %s", line, (unsigned long long)length,
             (unsigned long long)ask->n, riffle_error_detail());
    return status == RIFFLE_ERROR_INVALID_ARGUMENT ? EXIT_USAGE : EXIT_FAILED;
}

/* The permutation of all n elements, or NULL where --by is a program; another status than EXIT_DONE after a complaint. */
static int parse_permutation(request *ask, riffle_perm **out) {
    const bool columns = ask->plan.algorithm == RIFFLE_ALGORITHM_COLUMN_WISE,
               of_program = program_has_options(ask->type, ask->definitions, &ask->algorithm);
    if (of_program || (!columns && ask->plan.algorithm != RIFFLE_ALGORITHM_ROW_WISE))
        return permutation_unless_program(ask->by, ask->n, of_program, out);
    if (ask->plan.row_length == 0) ask->plan.row_length = lines_length(ask->n);
    const uint64_t cols = ask->plan.row_length;
    if (ask->n % cols != 0) {
        complain("--n: %llu elements are no whole rows of %llu; choose --row-length so that it divides N",
                 (unsigned long long)ask->n, (unsigned long long)cols);
        return EXIT_FAILED;
    }
    riffle_perm *line;
    const uint64_t length = columns ? ask->n / cols : cols;
    riffle_status status = riffle_perm_parse(ask->by, length, &line);
    if (status != RIFFLE_OK) return complain_line(ask, columns ? "column" : "row", length, status);
    status = lines_repeat(line, ask->n, cols, columns, out);
    riffle_perm_free(line);
    return status == RIFFLE_OK ? EXIT_DONE : complain_status("simulate", status);
}

static int print_report(riffle_report *report, bool json) {
    const riffle_status status =
        json ? riffle_report_print_json(report, stdout) : riffle_report_print(report, stdout);
    riffle_report_free(report);
    return status == RIFFLE_OK ? finish_stdout(EXIT_DONE) : complain_status("simulate", status);
}

static int count_program(const request *ask, const program_text *text, const riffle_program *program) {
    const riffle_type type = ask->type > 0 ? (riffle_type)(ask->type - 1) : RIFFLE_TYPE_F32;
    const riffle_program_options options = {.batch = ask->plan.batch, .algorithm = ask->algorithm.program};
    riffle_report *report;
    const riffle_status status = riffle_simulate_program(program, type, &options, &ask->machine, &report);
    return status == RIFFLE_OK ? print_report(report, ask->wants_json)
                               : complain_program(text, "simulate", status);
}

static int simulate_program(const request *ask) {
    program_text text = {.by = ask->by, .file = ask->definitions};
    const permutation_options unfit = {.algorithm = ask->algorithm.moves != RIFFLE_ALGORITHM_AUTO,
                                       .elem_bytes = ask->elem_bytes != 0,
                                       .elem_bits = ask->elem_bits != 0,
                                       .row_length = ask->plan.row_length != 0,
                                       .stride = ask->plan.stride != 0,
                                       .in_place = ask->in_place,
                                       .check = ask->plan.check != RIFFLE_CHECK_NONE};
    riffle_program *program = NULL;
    int exit_status = program_refuse_options(&unfit);
    if (exit_status == EXIT_DONE) exit_status = program_read_for(&text, ask->n, &program);
    if (exit_status == EXIT_DONE) exit_status = count_program(ask, &text, program);
    riffle_program_free(program);
    program_text_free(&text);
    return exit_status;
}

static riffle_status count_move(const request *ask, const riffle_perm *perm, riffle_report **out) {
    const size_t elem_bytes = ask->elem_bytes > 0 ? (size_t)ask->elem_bytes : DEFAULT_BYTES;
    const riffle_bits_options packed = {.order = ask->bit_order, .batch = ask->plan.batch};
    if (ask->elem_bits > 0) return riffle_simulate_bits(perm, ask->elem_bits, &packed, &ask->machine, out);
    if (ask->blocks == 0) return riffle_simulate(perm, elem_bytes, &ask->plan, &ask->machine, out);
    return riffle_simulate_in_blocks(perm, elem_bytes, ask->plan.algorithm, (unsigned)ask->blocks,
                                     &ask->machine, out);
}

static int simulate_permutation(request *ask) {
    riffle_perm *perm;
    const int exit_status = parse_permutation(ask, &perm);
    if (exit_status != EXIT_DONE) return exit_status;
    if (perm == NULL) return simulate_program(ask);
    riffle_report *report;
    const riffle_status status = count_move(ask, perm, &report);
    riffle_perm_free(perm);
    return status == RIFFLE_OK ? print_report(report, ask->wants_json) : complain_status("simulate", status);
}

/* Elements are numbers of --type, or unsigned ones of --elem-bytes. */
static riffle_status make_key(const request *ask, riffle_sort_key *out) {
    const riffle_status status =
        riffle_sort_key_of_type(ask->type > 0 ? (riffle_type)(ask->type - 1) : RIFFLE_TYPE_U32, 0, out);
    if (ask->elem_bytes > 0) out->elem_bytes = out->field[0].bytes = (size_t)ask->elem_bytes;
    out->before = ask->before;
    return status;
}

static int simulate_sort(const request *ask) {
    riffle_sort_options options = sort_options_of(ask->streams, ask->top, ask->partition);
    riffle_sort_key key;
    riffle_report *report;
    if (ask->elem_bytes != 0 && ask->type != 0) {
        complain("--elem-bytes and --type exclude each other: a type has its bytes");
        return EXIT_USAGE;
    }
    options.algorithm = ask->algorithm.sort;
    options.index_bytes = ask->indices ? 4 : 0;
    options.check = ask->plan.check;
    riffle_status status = make_key(ask, &key);
    if (status == RIFFLE_OK)
        status = riffle_simulate_sort(ask->n, &key, &options,
                                      ask->worst ? RIFFLE_SIMULATED_KEYS_WORST : RIFFLE_SIMULATED_KEYS_RANDOM,
                                      &ask->machine, &report);
    if (status == RIFFLE_OK) return print_report(report, ask->wants_json);
    const int exit_status = complain_status(ask->before != NULL ? "--before" : "simulate", status);
    return status == RIFFLE_ERROR_SYNTAX ? EXIT_USAGE : exit_status;
}

static int simulate_hull(const request *ask) {
    const riffle_hull_options options = {.all = ask->all, .algorithm = ask->algorithm.hull};
    const riffle_type type = ask->type > 0 ? (riffle_type)(ask->type - 1) : RIFFLE_TYPE_F32;
    const size_t bytes = (size_t)ask->n * 2 * riffle_type_bytes(type);
    riffle_report *report;
    void *points;
    if (type != RIFFLE_TYPE_F32 && type != RIFFLE_TYPE_F64) {
        complain("--type %s: the points of --hull are f32, which is the default, or f64",
                 riffle_type_string(type));
        return EXIT_USAGE;
    }
    riffle_status status = riffle_buffer_create(bytes, &points);
    if (status != RIFFLE_OK) return complain_status("simulate", status);
    hull_shape_fill(ask->hull, type, ask->n, points);
    status = riffle_simulate_hull(ask->n, type, points, &options, &ask->machine, NULL, &report);
    riffle_buffer_free(points, bytes);
    return status == RIFFLE_OK ? print_report(report, ask->wants_json) : complain_status("simulate", status);
}

/* Rows are grouped, or brought back. */
static int simulate_rows(const request *ask) {
    const simulated_rows rows = {.n = ask->n,
                                 .keys = ask->keys > 0 ? ask->keys : 1,
                                 .row_bytes = ask->elem_bytes > 0 ? ask->elem_bytes : DEFAULT_BYTES,
                                 .type = ask->group > 0 ? (riffle_type)(ask->group - 1) : RIFFLE_TYPE_U32,
                                 .groups = ask->groups,
                                 .columns = ask->columns,
                                 .check = ask->plan.check,
                                 .back = ask->back};
    riffle_report *report;
    const riffle_status status = rows_simulate(&rows, &ask->machine, &report);
    return status == RIFFLE_OK ? print_report(report, ask->wants_json) : complain_status("simulate", status);
}

/* The things that may have the algorithm. */
static unsigned things_of(const request *ask) {
    return ask->sorts          ? ALGORITHM_OF_SORTS
           : ask->hull != NULL ? ALGORITHM_OF_HULLS
                               : ALGORITHM_OF_PERMUTATIONS | ALGORITHM_OF_PROGRAMS;
}

/* EXIT_USAGE, after a complaint, if nothing is simulated, or what has no algorithm of the name. */
static int check_subject(const request *ask) {
    const char *const unfit = any_algorithm_unfit(&ask->algorithm, things_of(ask));
    if (unfit != NULL)
        complain("simulate: %s has no --%s; leave it out",
                 ask->sorts          ? "--sort"
                 : ask->hull != NULL ? "--hull"
                                     : "--by",
                 unfit);
    else if (ask->by == NULL && !ask->sorts && ask->hull == NULL && ask->group == 0 && ask->back.rows == 0)
        complain(
            "no permutation given; say which with --by SPEC, or --sort, or --hull SHAPE, or --group TYPE, or "
            "--ungroup R");
    else
        return EXIT_DONE;
    return EXIT_USAGE;
}

static int simulate(request *ask) {
    if (ask->sorts) return simulate_sort(ask);
    if (ask->hull != NULL) return simulate_hull(ask);
    if (ask->group != 0 || ask->back.rows > 0) return simulate_rows(ask);
    ask->plan.in_place = ask->in_place;
    ask->plan.algorithm = ask->algorithm.moves;
    return simulate_permutation(ask);
}

static int run(int argc, char **argv) {
    request ask = {0};
    int exit_status;
    if (!options_read(&simulate_command, argc, argv, &ask, &exit_status)) return exit_status;
    exit_status = check_subject(&ask);
    if (exit_status == EXIT_DONE) exit_status = traces_check(&ask.traces);
    if (exit_status != EXIT_DONE) return exit_status;
    threads_settle("simulate", 0);
    if (!traces_begin(&ask.traces, &ask.machine.trace)) return EXIT_FAILED;
    exit_status = simulate(&ask);
    if (exit_status == EXIT_DONE && !traces_write(&ask.traces, ask.machine.trace)) exit_status = EXIT_FAILED;
    riffle_trace_free(ask.machine.trace);
    return exit_status;
}

/* --------------------------------------------------------------- the options */

static const option_choice *byte_choices(void) {
    static const option_choice all[] = {{"affine", .text = "any power of two"},
                                        {"bucket", .text = "1, 2, 4, 8 or 16"},
                                        {"scatter", .text = "any number"},
                                        {"gather", .text = "any number"},
                                        {"--sort", .text = "1, 2, 4, 8 or 16"},
                                        {"--group", .text = "any number"},
                                        {"--ungroup", .text = "any number"},
                                        {"others", .text = "4 or 8"},
                                        {NULL, .text = NULL}};
    return all;
}

static const char *const *shape_names(void) { return hull_shape_names; }

static bool read_shape(const command_option *option, const char *text, void *field) {
    const int k = read_word(option, "shape", text, hull_shape_names);
    if (k >= 0) *(const char **)field = hull_shape_names[k];
    return k >= 0;
}

static const command_option options[] = {
    {"by", "SPEC", SPEC(by),
     .help =
         "the permutation, or an array program; with row-wise and column-wise the permutation of each row or "
         "column"},
    {"sort", NULL, SWITCH(sorts),
     .help = "sort numbers of --type, u32 by default, or keys of --elem-bytes, instead of a permutation"},
    {"hull", "SHAPE", read_shape, FIELD(const char *, hull),
     .help = "find the convex hull of N points instead:", .words = shape_names},
    {"group", "TYPE", option_type, FIELD(int, group),
     .help = "group N rows of --elem-bytes bytes by keys of that type instead, whose groups are drawn evenly"},
    {"groups", "K", NUMBER(groups), .help = "--group: into so many groups", RANGE(1, RIFFLE_GROUP_MAX_GROUPS)},
    {"keys-per-row", "K", NUMBER(keys), .help = "--group: keys of each row, or --ungroup: places; 1 by default",
     RANGE(1, RIFFLE_GROUP_MAX_KEYS_PER_ROW)},
    COLUMN_BYTES_OPTION(columns),
    ROWS_BACK_OPTIONS(back),
    {"all", NULL, SWITCH(all), .help = "--hull: keep points that lie between two corners, too"},
    {"merge", "K", NUMBER(streams), .help = "--sort: merge K sorted streams of N / K keys", COUNT_RANGE},
    {"top", "K", NUMBER(top), .help = "--sort: find the first K alone", COUNT_RANGE},
    {"partition", "K", NUMBER(partition), .help = "--sort: bring the first K to the front alone", COUNT_RANGE},
    {"indices", NULL, SWITCH(indices), .help = "--sort: say of each key where it came from, too"},
    {"before", "EXPR", EXPRESSION(before),
     .help =
         "--sort: sort by a comparison of yours, a C expression that is not 0 where a comes before b. It is "
         "code that runs with your rights"},
    {"worst", NULL, SWITCH(worst),
     .help = "--sort --merge: the published worst keys of merging two at a time, and not random ones"},
    N_OPTION,
    TYPE_OPTION(type),
    DEFINE_OPTION(definitions),
    ANY_ALGORITHM_OPTION(algorithm),
    {"elem-bytes", "B", NUMBER(elem_bytes),
     .help = "bytes an element, a key of --sort, or a row of --group or --ungroup; 4 by default:",
     .choices = byte_choices, ELEM_BYTES_RANGE},
    {"elem-bits", "B", ELEM_BITS(elem_bits), .help = "instead: 1, 2 or 4 bits an element, packed into bytes"},
    BIT_ORDER_OPTION(bit_order),
    {"row-length", "C", NUMBER(plan.row_length),
     .help = "elements in a row of row-wise, column-wise and scheduled; by default about the square root of N",
     COUNT_RANGE},
    {"batch", "B", NUMBER(plan.batch), .help = "arrays to move, each along SPEC; 1 by default", COUNT_RANGE},
    {"stride", "S", NUMBER(plan.stride),
     .help = "elements from the start of an array of the batch to the next one's; by default N, one behind "
             "the other",
     COUNT_RANGE},
    {"in-place", NULL, SWITCH(in_place),
     .help = "move within the array, without a second one, where that can be done"},
    {"check", "KIND", CHECK_KIND(plan.check), .may_be_alone = true,
     .help = "moves, --sort and --group: read the result once more, by the launches that do (full, the "
             "default); or passes, what is between passes is added up"},
    {"in-blocks", "K", NUMBER(blocks),
     .help = "move an array of N elements within the shared memory of each of K blocks, as the DMM paper does, "
             "by copy, "
             "scatter, gather or conflict-free",
     RANGE(1, 65535)},
    {"width", "W", UNSIGNED(machine.width),
     .help = "lanes of a warp, banks, cells of an address group; 32 by default", RANGE(1, 32)},
    {"latency", "L", UNSIGNED(machine.latency), .help = "of global memory, in time units; 400 by default",
     RANGE(1, LONGEST_LATENCY)},
    {"shared-latency", "L", UNSIGNED(machine.shared_latency), .help = "of shared memory; 1 by default",
     RANGE(1, LONGEST_LATENCY)},
    {"dmms", "D", UNSIGNED(machine.dmms),
     .help = "processors whose shared memories work at the same time; 1 by default, as the papers count",
     RANGE(1, 1 << 16)},
    TRACE_OPTIONS(traces),
    TRACE_PAGE_OPTION("html", traces),
    {"json", NULL, SWITCH(wants_json), .help = "print one JSON document"},
    {0},
};

/* Options of the model, and of what is printed. */
#define MACHINE                                                                                                \
    "n width latency shared-latency dmms trace trace-launch trace-block trace-limit svg trace-round html "     \
    "json "

static const command_form forms[] = {
    {"by",
     .takes = MACHINE
     "type define algorithm elem-bytes elem-bits bit-order row-length batch stride in-place check in-blocks"},
    {"sort", .takes = MACHINE "merge top partition indices before worst type algorithm elem-bytes check"},
    {"hull", .takes = MACHINE "all type algorithm"},
    {"group", .takes = MACHINE "groups keys-per-row column-bytes elem-bytes check"},
    {"group", .needs = "groups"},
    {"ungroup", .takes = MACHINE "keys-per-row sum weights elem-bytes"},
    {"in-blocks",
     .takes = MACHINE "by algorithm elem-bytes"},         /* an array a block, none of them in global memory */
    {"elem-bits", .takes = MACHINE "by bit-order batch"}, /* packed elements are moved one way */
    {"top", .takes = MACHINE "sort indices before type algorithm elem-bytes check"},
    {"partition", .takes = MACHINE "sort indices before type algorithm elem-bytes"},
    {"bit-order", .needs = "elem-bits"},
    {0},
};

const command simulate_command = {
    .name = "simulate",
    .summary = "run an algorithm's kernels on the memory machine",
    .usage = "--by|--sort|--hull|--group|--ungroup --n N [OPTION]...",
    .about = "Moves N elements along the permutation SPEC on the memory machine, an executable\n"
             "model of a GPU, by the kernels that run on a GPU, and prints for every line of\n"
             "them how many rounds of memory access it made and what they cost. If SPEC is\n"
             "an array program (riffle run --help), does that to N elements. With --sort it\n"
             "sorts N random keys as a GPU does, or merges them; of merges it prints exchanges\n"
             "of blocks beside the lower bounds. With --hull it finds the convex hull of N\n"
             "points of a shape, and prints its corners and the accesses of warps. With\n"
             "--group it brings N rows together by keys, with --ungroup back.\n",
    .options = options,
    .forms = forms,
    .notes = SPEC_HELP,
    .run = run,
};
