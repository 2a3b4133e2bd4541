/* SPDX-License-Identifier: Apache-2.0
 *
 * riffle ungroup: rows of IN.npy back to where PLACES.npy says that they came from, straight into the mapped temporary of OUT.npy. Places and
 * weights are copied first, so that what was looked at is what is used.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "arrays/array.h"
#include "arrays/program_text.h"
#include "arrays/transfer.h"
#include "frame/command.h"
#include "frame/message.h"
#include "frame/options.h"
#include "frame/readers.h"
#include "riffle/group.h"

typedef struct request {
    const char *in, *out; /* the operands */
    const char *places, *weights;
    bool force, verbose;
    unsigned threads;
} request;

/* A file beside IN, and a copy of what it has. */
typedef struct beside {
    riffle_npy_input *input;
    riffle_type type;
    void *copy;
    size_t bytes;
} beside;

typedef struct job {
    transfer file;
    request ask;
    array_units units; /* IN's rows */
    beside places, weights;
    riffle_ungroup_task task;
} job;

/* ------------------------------------------------------------------- phases */

static int open_beside(job *work, const char *path, beside *out) {
    int exit_status = transfer_result(&work->file, path, riffle_npy_input_open(path, &out->input));
    if (exit_status == EXIT_DONE) exit_status = transfer_spare(&work->file, path);
    if (exit_status != EXIT_DONE) return exit_status;
    const riffle_npy_header *const header = riffle_npy_input_header(out->input);
    if (!program_type_of(header->descr, &out->type)) out->type = RIFFLE_TYPE_C128; /* neither takes it */
    if (!header->fortran_order || header->rank < 2) return EXIT_DONE;
    return transfer_refuse(&work->file, "%s: is in Fortran order; save numpy.ascontiguousarray of it", path);
}

static int check_places(job *work) {
    const riffle_npy_header *const header = riffle_npy_input_header(work->places.input);
    if (work->places.type != RIFFLE_TYPE_I32 && work->places.type != RIFFLE_TYPE_I64)
        return transfer_refuse(&work->file,
                               "%s: dtype %s; places are little-endian int64 or int32, as riffle group "
                               "writes them",
                               work->ask.places, header->descr);
    if (header->rank < 1 || header->rank > 2 || (header->rank == 2 && header->shape[1] == 0))
        return transfer_refuse(&work->file,
                               "%s: places are an array of shape (n,), one of each row of OUT, or (n, k), k of "
                               "each; this one has another",
                               work->ask.places);
    return EXIT_DONE;
}

static bool is_same_shape(const riffle_npy_header *a, const riffle_npy_header *b) {
    return a->rank == b->rank && memcmp(a->shape, b->shape, a->rank * sizeof a->shape[0]) == 0;
}

static int check_weights(job *work) {
    const bool are_wide = work->task.sum == RIFFLE_UNGROUP_SUM_F64;
    if (work->ask.weights == NULL) return EXIT_DONE;
    if (work->weights.type == (are_wide ? RIFFLE_TYPE_F64 : RIFFLE_TYPE_F32) &&
        is_same_shape(riffle_npy_input_header(work->weights.input),
                      riffle_npy_input_header(work->places.input)))
        return EXIT_DONE;
    return transfer_refuse(&work->file, "%s: weights of these rows are little-endian %s of the shape of %s",
                           work->ask.weights, are_wide ? "float64" : "float32", work->ask.places);
}

/* Rows are copied, or added up: where each has several places, or weights. */
static int find_task(job *work) {
    const riffle_npy_header *const places = riffle_npy_input_header(work->places.input);
    riffle_type type;
    work->task = (riffle_ungroup_task){.n = places->shape[0],
                                       .keys_per_row = places->rank == 2 ? places->shape[1] : 1,
                                       .rows = work->units.count,
                                       .row_bytes = work->units.bytes,
                                       .index_bytes = riffle_type_bytes(work->places.type)};
    if (places->rank == 1 && work->ask.weights == NULL) return EXIT_DONE;
    if (!program_type_of(work->file.part.header.descr, &type)) type = RIFFLE_TYPE_C128;
    work->task.sum = type == RIFFLE_TYPE_F16   ? RIFFLE_UNGROUP_SUM_F16
                     : type == RIFFLE_TYPE_F32 ? RIFFLE_UNGROUP_SUM_F32
                     : type == RIFFLE_TYPE_F64 ? RIFFLE_UNGROUP_SUM_F64
                                               : RIFFLE_UNGROUP_SUM_NONE;
    if (work->task.sum != RIFFLE_UNGROUP_SUM_NONE) return EXIT_DONE;
    return transfer_refuse(&work->file,
                           "%s: dtype %s; sums of rows are of little-endian float16, float32 or float64",
                           work->file.in, work->file.part.header.descr);
}

static int open_inputs(transfer *file) {
    job *const work = (job *)file;
    int exit_status = transfer_open(file);
    if (exit_status == EXIT_DONE) exit_status = open_beside(work, work->ask.places, &work->places);
    if (exit_status == EXIT_DONE) exit_status = check_places(work);
    if (exit_status == EXIT_DONE && work->ask.weights != NULL)
        exit_status = open_beside(work, work->ask.weights, &work->weights);
    if (exit_status != EXIT_DONE) return exit_status;
    if (file->part.header.rank == 0)
        return transfer_refuse(file, "%s: a 0-dimensional array has no rows to bring back", file->in);
    work->units = array_units_of(&file->part, true);
    exit_status = find_task(work);
    return exit_status == EXIT_DONE ? check_weights(work) : exit_status;
}

/* Zeros that were read behind the end of a file that was cut short meanwhile are not used. */
static int copy_beside(job *work, const char *path, beside *from) {
    if (from->input == NULL) return EXIT_DONE;
    from->bytes = (size_t)riffle_npy_input_length(from->input) * riffle_type_bytes(from->type);
    riffle_status status = riffle_buffer_create(from->bytes, &from->copy);
    if (status != RIFFLE_OK) return transfer_result(&work->file, "ungroup", status);
    memcpy(from->copy, riffle_npy_input_data(from->input), from->bytes);
    return transfer_result(&work->file, path, riffle_npy_input_check(from->input));
}

static int read_places(transfer *file) {
    job *const work = (job *)file;
    const int exit_status = copy_beside(work, work->ask.places, &work->places);
    return exit_status == EXIT_DONE ? copy_beside(work, work->ask.weights, &work->weights) : exit_status;
}

static int create_output(transfer *file) {
    riffle_npy_header header = file->part.header;
    header.shape[0] = ((const job *)file)->task.n;
    header.fortran_order = 0;
    return transfer_create(file, &header);
}

static int bring_back(transfer *file) {
    job *const work = (job *)file;
    const bool have_bytes = work->units.bytes > 0;
    riffle_ungroup_arrays arrays = {.places = work->places.copy, .weights = work->weights.copy};
    riffle_status status = RIFFLE_OK;
    if (have_bytes && work->task.n > 0) arrays.to = riffle_npy_output_data(file->output);
    if (have_bytes && work->task.rows > 0) status = transfer_aligned(file, 16, &arrays.rows);
    if (status == RIFFLE_OK)
        status = riffle_ungroup(&work->task, &arrays, &(riffle_call_options){.threads = work->ask.threads});
    return transfer_result(file, status == RIFFLE_ERROR_INVALID_ARGUMENT ? work->ask.places : "ungroup",
                           status);
}

enum { OPEN, READ_PLACES, CREATE, BRING, SYNC, PHASE_COUNT };

static const transfer_phase phases[PHASE_COUNT] = {
    [OPEN] = {"opening", open_inputs},         [READ_PLACES] = {"reading the places", read_places},
    [CREATE] = {"making room", create_output}, [BRING] = {"bringing rows back", bring_back},
    [SYNC] = {"syncing", transfer_place},
};

static void report(const transfer *file) {
    const job *const work = (const job *)file;
    complain("%s: %" PRIu64 " rows of %zu bytes of %" PRIu64 " places each in %.3f s", work->ask.out,
             work->task.n, work->units.bytes, work->task.keys_per_row, work->file.seconds[BRING]);
}

static void clean_up(transfer *file) {
    job *const work = (job *)file;
    beside *const all[] = {&work->places, &work->weights};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        if (all[k]->copy != NULL) riffle_buffer_free(all[k]->copy, all[k]->bytes);
        riffle_npy_input_close(all[k]->input);
    }
}

static const transfer_command way = {
    .name = "ungroup", .phases = phases, .count = PHASE_COUNT, .report = report, .clean_up = clean_up};

static int run(int argc, char **argv) {
    job work = {0};
    int exit_status;
    if (!options_read(&ungroup_command, argc, argv, &work.ask, &exit_status)) return exit_status;
    return transfer_do(
        &work.file, &way,
        &(transfer_asked){work.ask.in, work.ask.out, work.ask.force, work.ask.verbose, &work.ask.threads});
}

static const command_option options[] = {
    {"places", "FILE", FILE_NAME(places),
     .help = "the places, as riffle group writes them: one of each row of OUT, or k of each as an array (n, k)",
     .missing = "no places given; say which with --places PLACES.npy"},
    {"weights", "FILE", FILE_NAME(weights),
     .help = "a factor for each place: float64 for rows of float64, else float32; of PLACES' shape"},
    FORCE_OPTION,
    THREADS_OPTION(threads),
    VERBOSE_OPTION,
    {0},
};

const command ungroup_command = {
    .name = "ungroup",
    .summary = "bring grouped rows of a .npy file back to where they were",
    .usage = "IN.npy OUT.npy --places PLACES.npy [OPTION]...",
    .about = "Brings the rows of IN.npy back along the places that riffle group wrote: row i\n"
             "of OUT.npy is IN[PLACES[i]], zeros where the place is -1; with k places a row,\n"
             "or weights, the sum of the rows there, each times its weight, in the order of\n"
             "the places. OUT.npy is synced to disk.\n",
    .options = options,
    .operands = 2,
    .operand_field = FIELD(const char *, in),
    .run = run,
};
