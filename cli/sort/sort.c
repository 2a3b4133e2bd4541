/* SPDX-License-Identifier: Apache-2.0
 *
 * riffle sort: the elements of IN.npy in order along an axis, and which they were.
 *
 * The axis is made the last, so that what is sorted together lies together. Where it is the last already the result is written
 * straight into the mapped temporary of OUT.npy.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arrays/same_file.h"
#include "arrays/transfer.h"
#include "frame/command.h"
#include "frame/exit.h"
#include "frame/message.h"
#include "frame/options.h"
#include "frame/readers.h"
#include "ranks/ranks.h"
#include "riffle/sort.h"
#include "sort/results.h"
#include "sort/task.h"

/* ------------------------------------------------------------------- opening */

static int check_files(transfer *file) {
    const job *const work = (const job *)file;
    const char *const indices = work->ask.indices;
    const int exit_status = work->ask.segments != NULL ? transfer_spare(file, work->ask.segments) : EXIT_DONE;
    if (exit_status != EXIT_DONE || indices == NULL) return exit_status;
    if (!(is_same_file(indices, file->in) || is_same_file(indices, file->out)))
        return transfer_may_replace(file, indices);
    transfer_refuse(file, "%s: the indices and %s are the same file; give the indices another name", indices,
                    is_same_file(indices, file->in) ? "the input" : "the output");
    return EXIT_USAGE;
}

/* The axis moves behind the others. */
static void move_axis(array_part *part, unsigned from) {
    const uint64_t length = part->header.shape[from];
    const int64_t stride = part->strides[from];
    for (unsigned k = from; k + 1 < part->header.rank; k++) {
        part->header.shape[k] = part->header.shape[k + 1];
        part->strides[k] = part->strides[k + 1];
    }
    part->header.shape[part->header.rank - 1] = length;
    part->strides[part->header.rank - 1] = stride;
}

static int find_axis(job *work) {
    transfer *const file = &work->file;
    const riffle_npy_header *const header = &file->part.header;
    const axis *const asked = &work->ask.axis;
    work->n = file->part.length;
    work->length = work->n;
    if (asked->which == AXIS_NONE) return EXIT_DONE;
    if (header->rank == 0)
        return transfer_refuse(
            file, "%s: a 0-dimensional array has no axis; with --axis none it is its one element", file->in);
    const int64_t number = asked->which == AXIS_LAST ? -1 : asked->number;
    const int64_t counted = number < 0 ? number + header->rank : number;
    if (counted < 0 || counted >= (int64_t)header->rank)
        return transfer_refuse(file, "%s: there is no axis %" PRId64 "; its %u dimensions are -%u to %u",
                               file->in, number, header->rank, header->rank, header->rank - 1);
    work->axis = (unsigned)counted;
    work->is_moved = work->axis + 1 != header->rank;
    work->length = header->shape[work->axis];
    move_axis(&file->part, work->axis);
    return EXIT_DONE;
}

/* Lines along the axis are segments that are sorted together, or merged. */
static int find_segments(job *work) {
    int exit_status = EXIT_DONE;
    if (work->ask.unique) work->ask.axis.which = AXIS_NONE;
    if (work->ask.segments != NULL) {
        work->ask.axis.which = AXIS_NONE;
        exit_status = find_axis(work);
        return exit_status == EXIT_DONE
                   ? sort_segments_read(&work->file, work->ask.segments, work->n, &work->segments)
                   : exit_status;
    }
    exit_status = find_axis(work);
    work->segments.count = work->length > 0 ? work->n / work->length : 1;
    if (work->ask.merge) {
        work->ask.axis.which = AXIS_NONE;
        work->length = work->n;
    }
    return exit_status;
}

static int open_input(transfer *file) {
    job *const work = (job *)file;
    char why[SORT_KEY_WHY];
    const int exit_status = transfer_open(file);
    if (exit_status != EXIT_DONE) return exit_status;
    if (!sort_key_of(&file->part.header, work->ask.fields, work->ask.descending, &work->key, &work->names, why))
        return transfer_refuse(file, "%s: %s", file->in, why);
    work->key.before = work->ask.before;
    const int found = find_segments(work);
    return found == EXIT_DONE ? sort_task_settle(work) : found;
}

/* By a comparison of the user's a GPU cannot. */
static bool is_checked(const job *work) {
    const bool is_whole = work->task == RIFFLE_SORT_TASK_SORT || work->task == RIFFLE_SORT_TASK_MERGE;
    return work->ask.check != RIFFLE_CHECK_NONE && is_whole &&
           (work->ask.before == NULL || work->ask.engine == RIFFLE_ENGINE_CPU);
}

static int plan_sort(transfer *file) {
    job *const work = (job *)file;
    const riffle_sort_options options = {.task = work->task,
                                         .segments = work->segments.count,
                                         .count = work->n > 0 ? work->count : 0,
                                         .index_bytes = work->ask.indices != NULL ? 8 : 0,
                                         .algorithm = work->ask.algorithm,
                                         .check = is_checked(work) ? work->ask.check : RIFFLE_CHECK_NONE,
                                         .threads = work->ask.threads};
    const riffle_status status =
        riffle_sort_plan_create(work->n, &work->key, work->ask.engine, &options, &work->plan);
    const bool is_own = status == RIFFLE_ERROR_SYNTAX; /* the comparison on the command line */
    const int exit_status = transfer_result(file, is_own ? "--before" : "planning", status);
    return is_own ? EXIT_USAGE : exit_status;
}

static int check_order(transfer *file) {
    job *const work = (job *)file;
    riffle_status status = transfer_aligned(file, 16, &work->from);
    const bool is_compared = work->ask.check != RIFFLE_CHECK_NONE;
    if (status == RIFFLE_OK && is_compared) status = riffle_sort_check(work->plan, work->from, NULL);
    return transfer_result(file, work->ask.before != NULL && is_compared ? "--before" : file->in, status);
}

/* ------------------------------------------------------------------- command */

enum { CHECK, OPEN, PLAN, READ, CREATE, SORT, WRITE, SYNC, PHASE_COUNT };

static const transfer_phase phases[PHASE_COUNT] = {
    [CHECK] = {NULL, check_files},
    [OPEN] = {NULL, open_input},
    [PLAN] = {"planning", plan_sort},
    [READ] = {"reading", check_order},
    [CREATE] = {"making the file", sort_results_create},
    [SORT] = {"sorting", sort_results_sort},
    [WRITE] = {"writing", sort_results_write},
    [SYNC] = {"syncing", transfer_place},
};

static void report(const transfer *file) {
    const job *const work = (const job *)file;
    static const char *const done[] = {"sorted", "merged", "searched for what comes first", "partitioned",
                                       "sorted, each once"};
    const uint64_t segments = work->segments.count;
    const unsigned threads = riffle_sort_plan_threads(work->plan);
    if (work->ask.memory > 0) {
        complain("%s: %" PRIu64 " element%s of %zu byte%s in %" PRIu64 " segment%s merged, %" PRIu64
                 " block%s of %" PRIu64 " read, memory of %" PRIu64 " sorted %" PRIu64 " time%s, in %.3f s",
                 work->ask.out, work->n, plural_of(work->n), work->key.elem_bytes,
                 plural_of(work->key.elem_bytes), segments, plural_of(segments), work->merged.reads,
                 plural_of(work->merged.reads), work->block, work->memory_blocks, work->merged.sorts,
                 plural_of(work->merged.sorts), work->file.seconds[SORT]);
        return;
    }
    complain("%s: %" PRIu64 " element%s of %zu byte%s in %" PRIu64
             " segment%s %s, by %s with %u thread%s in %.3f s",
             work->ask.out, work->n, plural_of(work->n), work->key.elem_bytes, plural_of(work->key.elem_bytes),
             segments, plural_of(segments), done[work->task],
             riffle_sort_algorithm_string(riffle_sort_plan_algorithm(work->plan)), threads, plural_of(threads),
             work->file.seconds[SORT]);
}

static void clean_up(transfer *file) {
    job *const work = (job *)file;
    riffle_sort_plan_free(work->plan);
    sort_key_names_free(&work->names);
    sort_segments_free(&work->segments);
    sort_results_free(work);
}

static int check_request(const request *ask) {
    const bool is_part = ask->top.is_given || ask->partition.is_given || ask->unique || ask->memory > 0;
    if (ask->check != RIFFLE_CHECK_NONE && ask->before == NULL && is_part)
        complain("--check: is of whole sorts and merges; leave it out with --top, --partition, --unique and "
                 "--memory");
    else if (ask->descending && ask->before != NULL)
        complain(
            "--descending and --before: a comparison of yours decides alone; turn it round, b < a for a < b");
    else if (ask->segments != NULL && ask->axis.which != AXIS_LAST)
        complain("--segments and --axis: segments are of all elements, one behind the other; leave out --axis");
    else
        return sort_task_check(ask);
    return EXIT_USAGE;
}

/* A key for ranks, and what it points to. */
typedef struct rank_key {
    const request *ask;
    sort_key_names names;
} rank_key;

static riffle_status key_of_ranks(void *context, const riffle_npy_header *header, riffle_sort_key *key,
                                  char *words, size_t capacity) {
    rank_key *const own = context;
    char why[SORT_KEY_WHY] = "";
    if (own->ask->axis.which == AXIS_GIVEN || (own->ask->axis.which != AXIS_NONE && header->rank != 1))
        snprintf(why, sizeof why, "ranks sort all elements as one array; say so with --axis none");
    else if (sort_key_of(header, own->ask->fields, own->ask->descending, key, &own->names, why))
        key->before = own->ask->before;
    snprintf(words, capacity, "%s", why);
    return *why == '\0' ? RIFFLE_OK : RIFFLE_ERROR_INVALID_ARGUMENT;
}

static int sort_over_ranks(const request *ask) {
    rank_key own = {.ask = ask};
    const int exit_status =
        ranks_sort(&(riffle_mpi_files_sort){ask->in, ask->out, key_of_ranks, &own, ask->threads, ask->indices},
                   ask->verbose);
    sort_key_names_free(&own.names);
    return exit_status;
}

static const transfer_command way = {
    .name = "sort", .phases = phases, .count = PHASE_COUNT, .report = report, .clean_up = clean_up};

static int run(int argc, char **argv) {
    job work = {0};
    int exit_status;
    if (!options_read(&sort_command, argc, argv, &work.ask, &exit_status)) return exit_status;
    exit_status = check_request(&work.ask);
    if (exit_status != EXIT_DONE) return exit_status;
    if (work.ask.mpi) return sort_over_ranks(&work.ask);
    return transfer_do(
        &work.file, &way,
        &(transfer_asked){work.ask.in, work.ask.out, work.ask.force, work.ask.verbose, &work.ask.threads});
}

static bool read_axis(const command_option *option, const char *text, void *field) {
    axis *const out = field;
    uint64_t number;
    const bool is_negative = *text == '-';
    out->which = strcmp(text, "none") == 0 ? AXIS_NONE : AXIS_GIVEN;
    if (out->which == AXIS_NONE) return true;
    if (read_number(text + is_negative, &number) && number <= RIFFLE_MAX_RANK) {
        out->number = is_negative ? -(int64_t)number : (int64_t)number;
        return true;
    }
    complain("--%s '%s': is the number of an axis, from the end if it is below zero, or none", option->name,
             text);
    return false;
}

static const char *const *sort_algorithm_words(void) {
    enum { COUNT = RIFFLE_SORT_ALGORITHM_PAIRWISE };
    static const char *words[COUNT + 1];
    for (int k = 0; k < COUNT; k++) words[k] = riffle_sort_algorithm_string((riffle_sort_algorithm)k);
    return words;
}

static bool read_algorithm(const command_option *option, const char *text, void *field) {
    const int k = read_word(option, "algorithm", text, sort_algorithm_words());
    if (k >= 0) *(riffle_sort_algorithm *)field = (riffle_sort_algorithm)k;
    return k >= 0;
}

static const command_option options[] = {
    {"axis", "K", read_axis, FIELD(axis, axis),
     .help = "the axis to sort along, from the end if it is below zero; the last unless told; none: all "
             "elements, as "
             "one array"},
    {"segments", "FIRST.npy", FILE_NAME(segments),
     .help = "sort stretches of all elements, in C order, each by itself: an array of int64 says where each "
             "begins, and where "
             "the last one ends"},
    {"merge", NULL, SWITCH(merge),
     .help = "what would be sorted, the lines along the axis or the stretches, is sorted already: merge all of "
             "them into one "
             "sorted array. Equal elements stay in the order of the arrays"},
    {"memory", "BYTES", NUMBER(memory),
     .help = "--merge: hold that many bytes of elements at most, and read blocks of all arrays in order of "
             "their last elements: for files "
             "longer than memory (the dissertation's Algorithm 9)",
     RANGE(1, (uint64_t)1 << 50)},
    {"top", "K", sort_read_count, FIELD(sort_place, top),
     .help = "write the first K elements along the axis, or of each stretch, as if it were sorted, sooner"},
    {"partition", "K", sort_read_place, FIELD(sort_place, partition),
     .help =
         "put element K, from the end if it is below zero, where sorting puts it, before it what comes before "
         "it, and all else behind it, both in their order: NumPy's partition, stable, sooner than sorting"},
    {"unique", NULL, SWITCH(unique),
     .help = "write all elements sorted, of equal ones the first only, as an array of one dimension: NumPy's "
             "unique"},
    {"fields", "NAMES", TEXT(fields),
     .help = "of a structured dtype: the fields to sort by, the first that differs decides; -NAME for one that "
             "descends: a,-b. Without it, all in their order"},
    {"descending", NULL, SWITCH(descending), .help = "turn all of it round; NaN is last still",
     .also = "reverse"},
    {"before", "EXPR", EXPRESSION(before),
     .help = "sort by a comparison of yours: a C expression that is not 0 where a comes before b, 'a % 10 < b "
             "% 10', "
             "with members of the fields' names: 'a.x < b.x'. It is code that runs with your rights"},
    {"check", "KIND", CHECK_KIND(check), .may_be_alone = true,
     .help = "write no result that is not what it should be: full (the default) reads it once more, passes "
             "adds up what passes of "
             "numbers read of each other; "
             "look first whether --before is an order, and name three elements if it is not"},
    {"indices", "IDX.npy", FILE_NAME(indices),
     .help = "write, as int64, which element along the axis each one was: NumPy's stable argsort; with "
             "--segments, "
             "--merge or --unique, which of all"},
    {"algorithm", "NAME", read_algorithm, FIELD(riffle_sort_algorithm, algorithm),
     .help = "how to sort, auto by default:", .words = sort_algorithm_words},
    {"engine", "NAME", ENGINE(engine), .help = "where to sort: cpu (the default) or cuda"},
    {"mpi", NULL, SWITCH(mpi),
     .help = "started by mpirun: all ranks sort the elements together, each reads and writes a part"},
    FORCE_OPTION,
    THREADS_OPTION(threads),
    VERBOSE_OPTION,
    {0},
};

static const command_form forms[] = {
    {"mpi", .takes = "axis fields descending before indices threads verbose"},
    {0},
};

const command sort_command = {
    .name = "sort",
    .summary = "sort an array along an axis, by numbers or by fields",
    .usage = "IN.npy OUT.npy [OPTION]...",
    .about = "Sorts the elements of IN.npy along its last axis and writes them to OUT.npy:\n"
             "integers, floats, strings of bytes, or rows of several fields. Equal ones keep\n"
             "their order, -0.0 equals 0.0, and NaN comes last. OUT.npy is synced to disk.\n",
    .options = options,
    .forms = forms,
    .operands = 2,
    .operand_field = FIELD(const char *, in),
    .run = run,
};
