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
#include "riffle/sort.h"
#include "sort/key.h"
#include "sort/segments.h"

/* --axis. */
typedef struct axis {
    enum { AXIS_LAST = 0, AXIS_GIVEN, AXIS_NONE } which;
    int64_t number;
} axis;

typedef struct request {
    const char *in, *out; /* the operands */
    const char *fields, *indices, *before, *segments;
    axis axis;
    bool descending, check, merge, verbose;
    riffle_sort_algorithm algorithm;
    riffle_engine engine;
    unsigned threads;
} request;

/* A result: where it is written, in C order with the axis last, and where it goes. */
typedef struct result {
    void *room; /* of its own, unless it is written to the output */
    size_t item_bytes;
    riffle_npy_output *output;
} result;

typedef struct job {
    transfer file;
    request ask;
    riffle_sort_key key;
    sort_key_names names;
    riffle_sort_plan *plan;
    uint64_t n, length; /* elements, and how many indices count through */
    sort_segments segments;
    unsigned axis; /* in the input */
    const void *from;
    result elements, indices;
} job;

/* ------------------------------------------------------------------- opening */

static int check_files(transfer *file) {
    const job *const work = (const job *)file;
    const char *const indices = work->ask.indices;
    const int exit_status = work->ask.segments != NULL ? transfer_spare(file, work->ask.segments) : EXIT_DONE;
    if (exit_status != EXIT_DONE) return exit_status;
    if (indices == NULL || !(is_same_file(indices, file->in) || is_same_file(indices, file->out)))
        return EXIT_DONE;
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
    work->length = header->shape[work->axis];
    move_axis(&file->part, work->axis);
    return EXIT_DONE;
}

/* Lines along the axis are segments that are sorted together, or merged. */
static int find_segments(job *work) {
    int exit_status = EXIT_DONE;
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
    return find_segments(work);
}

static int plan_sort(transfer *file) {
    job *const work = (job *)file;
    const riffle_sort_options options = {.task = work->ask.merge ? RIFFLE_SORT_MERGE : RIFFLE_SORT_ALL,
                                         .segments = work->segments.count,
                                         .index_bytes = work->ask.indices != NULL ? 8 : 0,
                                         .algorithm = work->ask.algorithm,
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
    if (status == RIFFLE_OK && work->ask.check) status = riffle_sort_check(work->plan, work->from, NULL);
    return transfer_result(file, work->ask.check ? "--before" : file->in, status);
}

/* ------------------------------------------------------------------ results */

/* Whether the sort's results are not in the order of the output's. */
static bool is_moved(const job *work) {
    return work->ask.axis.which != AXIS_NONE && work->axis + 1 != work->file.part.header.rank;
}

/* The header of a file of the results: the input's shape, or one dimension. */
static riffle_npy_header result_header(const job *work) {
    riffle_npy_header header = *riffle_npy_get_header(work->file.input);
    header.fortran_order = false;
    if (work->ask.axis.which == AXIS_NONE) {
        header.rank = 1;
        header.shape[0] = work->n;
    }
    return header;
}

static riffle_status make_room(const job *work, result *out) {
    return is_moved(work) ? riffle_buffer_create(work->n * out->item_bytes, &out->room) : RIFFLE_OK;
}

static int create_outputs(transfer *file) {
    job *const work = (job *)file;
    riffle_npy_header header = result_header(work);
    work->elements.item_bytes = header.elem_bytes;
    work->indices.item_bytes = sizeof(uint64_t);
    int exit_status = transfer_create(file, &header);
    work->elements.output = file->output;
    if (exit_status == EXIT_DONE && work->ask.indices != NULL) {
        header.descr = "'<i8'";
        header.elem_bytes = sizeof(uint64_t);
        exit_status = transfer_create_second(file, work->ask.indices, &header);
        work->indices.output = file->second;
    }
    if (exit_status != EXIT_DONE) return exit_status;
    riffle_status status = make_room(work, &work->elements);
    if (status == RIFFLE_OK && work->ask.indices != NULL) status = make_room(work, &work->indices);
    return transfer_result(file, "room for the result", status);
}

static void *place_of(const result *r) { return r->room != NULL ? r->room : riffle_npy_output_data(r->output); }

/* Brings the axis back to where it was. */
static riffle_status settle(const job *work, const result *r) {
    if (r->room == NULL) return RIFFLE_OK;
    const array_part *const moved = &work->file.part;
    const riffle_npy_header *const header = riffle_npy_get_header(work->file.input);
    int64_t strides[RIFFLE_MAX_RANK], stride = 1;
    for (unsigned k = header->rank; k-- > 0;) {
        const unsigned to = k == work->axis ? header->rank - 1 : k - (k > work->axis);
        strides[to] = stride;
        stride *= (int64_t)header->shape[k];
    }
    return riffle_copy_strided(header->rank, moved->header.shape, r->item_bytes,
                               riffle_npy_output_data(r->output), strides, r->room, NULL, work->file.threads);
}

/* Indices are those along the axis, as NumPy's are. */
static void count_along_axis(const job *work) {
    uint64_t *const indices = place_of(&work->indices);
    for (uint64_t i = 0, first = 0; i < work->n; i++) {
        if (i - first == work->length) first = i;
        indices[i] -= first;
    }
}

static int sort_elements(transfer *file) {
    job *const work = (job *)file;
    riffle_sort_arrays arrays = {
        .keys = place_of(&work->elements), .from_keys = work->from, .first = work->segments.first};
    if (work->ask.indices != NULL) arrays.indices = place_of(&work->indices);
    if (work->n == 0) return EXIT_DONE;
    riffle_status status = riffle_sort_execute(work->plan, &arrays);
    if (status == RIFFLE_OK && work->ask.indices != NULL) {
        count_along_axis(work);
        status = settle(work, &work->indices);
    }
    if (status == RIFFLE_OK) status = settle(work, &work->elements);
    return transfer_result(file, "sorting", status);
}

enum { CHECK, OPEN, PLAN, READ, CREATE, SORT, SYNC, PHASE_COUNT };

static const transfer_phase phases[PHASE_COUNT] = {
    [CHECK] = {NULL, check_files},
    [OPEN] = {NULL, open_input},
    [PLAN] = {"planning", plan_sort},
    [READ] = {"reading", check_order},
    [CREATE] = {"making the file", create_outputs},
    [SORT] = {"sorting", sort_elements},
    [SYNC] = {"syncing", transfer_sync},
};

/* ------------------------------------------------------------------- command */

static void report(const job *work) {
    complain("%s: %" PRIu64 " elements of %zu bytes in %" PRIu64
             " segments %s, by %s with %u threads in %.3f s",
             work->ask.out, work->n, work->key.elem_bytes, work->segments.count,
             work->ask.merge ? "merged" : "sorted",
             riffle_sort_algorithm_string(riffle_sort_plan_algorithm(work->plan)),
             riffle_sort_plan_threads(work->plan), work->file.seconds[SORT]);
}

static void clean_up(job *work) {
    transfer_end(&work->file);
    riffle_sort_plan_free(work->plan);
    sort_key_names_free(&work->names);
    sort_segments_free(&work->segments);
    riffle_buffer_free(work->elements.room, work->n * work->elements.item_bytes);
    riffle_buffer_free(work->indices.room, work->n * work->indices.item_bytes);
}

static int run(int argc, char **argv) {
    job work = {0};
    int exit_status;
    if (!options_read(&sort_command, argc, argv, &work.ask, &exit_status)) return exit_status;
    if (work.ask.check && work.ask.before == NULL) {
        complain("--check: there is no comparison of yours to check; give one with --before");
        return EXIT_USAGE;
    }
    if (work.ask.descending && work.ask.before != NULL) {
        complain(
            "--descending and --before: a comparison of yours decides alone; turn it round, b < a for a < b");
        return EXIT_USAGE;
    }
    if (work.ask.segments != NULL && work.ask.axis.which != AXIS_LAST) {
        complain("--segments and --axis: segments are of all elements, one behind the other; leave out --axis");
        return EXIT_USAGE;
    }
    transfer_begin(&work.file, "sort", work.ask.in, work.ask.out, work.ask.threads);
    work.ask.threads = work.file.threads;
    exit_status = transfer_run(&work.file, phases, PHASE_COUNT);
    if (exit_status == EXIT_DONE && work.ask.verbose) report(&work);
    clean_up(&work);
    return exit_status;
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
    enum { COUNT = 4 };
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
    {"segments", "FIRST.npy", TEXT(segments),
     .help = "sort stretches of all elements, in C order, each by itself: an array of int64 says where each "
             "begins, and where "
             "the last one ends"},
    {"merge", NULL, SWITCH(merge),
     .help = "what would be sorted, the lines along the axis or the stretches, is sorted already: merge all of "
             "them into one "
             "sorted array. Of equal elements those of earlier ones come first"},
    {"fields", "NAMES", TEXT(fields),
     .help = "of a structured dtype: the fields to sort by, the first that differs decides; -NAME for one that "
             "descends: a,-b. Without it, all in their order"},
    {"descending", NULL, SWITCH(descending), .help = "turn all of it round; NaN is last still"},
    {"before", "EXPR", TEXT(before),
     .help = "sort by a comparison of yours: a C expression that is not 0 where a comes before b, 'a % 10 < b "
             "% 10', "
             "with members of the fields' names: 'a.x < b.x'"},
    {"check", NULL, SWITCH(check),
     .help = "look first whether --before is an order, and name three elements if it is not"},
    {"indices", "IDX.npy", TEXT(indices),
     .help = "write, as int64, which element along the axis each one was: NumPy's stable argsort; with "
             "--segments or "
             "--merge, which of all"},
    {"algorithm", "NAME", read_algorithm, FIELD(riffle_sort_algorithm, algorithm),
     .help = "how to sort, auto by default:", .words = sort_algorithm_words},
    {"engine", "NAME", ENGINE(engine), .help = "where to sort: cpu (the default) or cuda"},
    THREADS_OPTION(threads),
    {"verbose", NULL, SWITCH(verbose), .help = "say on stderr what was done and how long it took"},
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
    .operands = 2,
    .operand_field = FIELD(const char *, in),
    .run = run,
};
