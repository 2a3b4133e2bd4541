/* SPDX-License-Identifier: Apache-2.0
 *
 * riffle run: IN.npy is mapped, an array program done to it straight into the mapped temporary of OUT.npy, and that
 * renamed. With --batch each run of the last axis is an array.
 *
 *     input ------------------------- program ----------------------> output
 *     input -- to C order --> buffer -- program ---------------------> output     files in Fortran order
 */
#include <stdio.h>

#include "arrays/array.h"
#include "arrays/program_text.h"
#include "arrays/unfinished.h"
#include "frame/command.h"
#include "frame/message.h"
#include "frame/progress.h"
#include "frame/readers.h"
#include "riffle/npy.h"
#include "system/clock.h"
#include "system/threads.h"

typedef struct request {
    const char *in, *out; /* the operands */
    program_text text;
    bool batch, verbose;
    riffle_engine engine;
    riffle_program_options options;
} request;

typedef struct job {
    request ask;
    riffle_npy_input *input;
    array_part part; /* all of the input */
    riffle_type type;
    unsigned n; /* index bits of an array */
    uint64_t arrays;
    riffle_program *program;
    riffle_program_plan *plan;
    riffle_npy_output *output;
    bool changes_owner; /* OUT's */
    void *c_order;      /* the buffer for files in Fortran order, or NULL */
    double seconds;     /* of the program */
    progress line;
} job;

static size_t bytes_of(const job *work) { return (size_t)work->part.length * work->part.header.elem_bytes; }

static int fail_at(job *work, const char *place, riffle_status status) {
    progress_stop(&work->line);
    return complain_status(place, status);
}

/* n and the number of arrays from the shape. */
static int measure(job *work) {
    const riffle_npy_header *header = &work->part.header;
    if (work->ask.batch && header->rank == 0) {
        complain("%s: a 0-dimensional array has no last axis; leave out --batch", work->ask.in);
        return EXIT_FAILED;
    }
    const uint64_t length = work->ask.batch ? header->shape[header->rank - 1] : work->part.length;
    const int bits = program_bits(length);
    if (bits < 0) {
        complain("%s: %s %llu elements, and a program is for a power of two; %s", work->ask.in,
                 work->ask.batch ? "its last axis has" : "it has", (unsigned long long)length,
                 work->ask.batch ? "pad it" : "pad it, or take its last axis with --batch");
        return EXIT_FAILED;
    }
    work->n = (unsigned)bits;
    work->arrays = work->part.length / length;
    return EXIT_DONE;
}

static int open_input(job *work) {
    riffle_status status = riffle_npy_open(work->ask.in, &work->input);
    if (status != RIFFLE_OK) return fail_at(work, work->ask.in, status);
    work->part = array_whole(riffle_npy_get_header(work->input), riffle_npy_length(work->input));
    if (!program_type_of(work->part.header.descr, &work->type)) {
        complain(
            "%s: elements of dtype %s; programs take little-endian integers and floats to 8 bytes, and complex "
            "numbers; convert it with astype",
            work->ask.in, work->part.header.descr);
        return EXIT_FAILED;
    }
    return measure(work);
}

static int plan_program(job *work) {
    const int exit_status = program_read(&work->ask.text, work->n, &work->program);
    if (exit_status != EXIT_DONE || work->arrays == 0) return exit_status;
    work->ask.options.batch = work->arrays;
    const riffle_status status = riffle_program_plan_create(work->program, work->type, work->ask.engine,
                                                            &work->ask.options, &work->plan);
    return status == RIFFLE_OK ? EXIT_DONE : complain_program(&work->ask.text, "planning", status);
}

static int create_output(job *work) {
    unfinished_hold();
    riffle_status status = riffle_npy_create(work->ask.out, &work->part.header, work->input, &work->output);
    unfinished_watch(work->output);
    if (status == RIFFLE_OK) return EXIT_DONE;
    fail_at(work, work->ask.out, status);
    return status == RIFFLE_ERROR_INVALID_ARGUMENT ? EXIT_USAGE : EXIT_FAILED;
}

static riffle_status put_together(job *work) {
    riffle_status status = riffle_buffer_create(bytes_of(work), &work->c_order);
    if (status != RIFFLE_OK) return status;
    const array_part *part = &work->part;
    return riffle_copy_strided(part->header.rank, part->header.shape, part->header.elem_bytes, work->c_order,
                               NULL, riffle_npy_data(work->input), part->strides, work->ask.options.threads);
}

static int execute(job *work) {
    if (work->plan == NULL) return EXIT_DONE;
    riffle_status status = array_is_in_c_order(&work->part) ? RIFFLE_OK : put_together(work);
    const void *src = work->c_order != NULL ? work->c_order : riffle_npy_data(work->input);
    const double began = seconds_now();
    if (status == RIFFLE_OK)
        status = riffle_program_execute(work->plan, riffle_npy_output_data(work->output), src);
    work->seconds = seconds_now() - began;
    return status == RIFFLE_OK ? EXIT_DONE : fail_at(work, "running", status);
}

static int sync_output(job *work) {
    riffle_status status = riffle_npy_check(work->input);
    if (status != RIFFLE_OK) return fail_at(work, work->ask.in, status);
    status = unfinished_commit(&work->output, &work->changes_owner);
    return status == RIFFLE_OK ? EXIT_DONE : fail_at(work, work->ask.out, status);
}

static int run_phases(job *work) {
    int exit_status = open_input(work);
    if (exit_status == EXIT_DONE) exit_status = plan_program(work);
    if (exit_status == EXIT_DONE) exit_status = create_output(work);
    if (exit_status != EXIT_DONE) return exit_status;
    progress_start(&work->line, "running");
    exit_status = execute(work);
    progress_phase(&work->line, "syncing");
    if (exit_status == EXIT_DONE) exit_status = sync_output(work);
    progress_stop(&work->line);
    return exit_status;
}

static void report(const job *work) {
    if (work->plan == NULL) return;
    complain("%s: %llu arrays of 2^%u elements of type %s, %u stages in %u passes, %.3f s", work->ask.out,
             (unsigned long long)work->arrays, work->n, riffle_type_string(work->type),
             riffle_program_plan_stages(work->plan), riffle_program_plan_passes(work->plan), work->seconds);
}

static void clean_up(job *work) {
    unfinished_hold();
    riffle_npy_abort(work->output);
    unfinished_end();
    riffle_program_plan_free(work->plan);
    riffle_program_free(work->program);
    riffle_buffer_free(work->c_order, bytes_of(work));
    riffle_npy_close(work->input);
}

static int run(int argc, char **argv) {
    job work = {.n = 0};
    int exit_status;
    if (!options_read(&run_command, argc, argv, &work.ask, &exit_status)) return exit_status;
    unfinished_begin(work.ask.out);
    work.ask.options.threads = threads_settle("run", work.ask.options.threads);
    exit_status = run_phases(&work);
    if (exit_status == EXIT_DONE && work.changes_owner) complain_changed_owner(work.ask.out);
    if (exit_status == EXIT_DONE && work.ask.verbose) report(&work);
    clean_up(&work);
    return exit_status;
}

static const command_option options[] = {
    {"by", "PROGRAM", TEXT(text.by), .help = "the program",
     .missing = "no program given; say which with --by PROGRAM"},
    DEFINE_OPTION(text.file),
    {"batch", NULL, SWITCH(batch), .help = "do it to each run of the last axis, not to the array as a whole"},
    ENGINE_OPTION,
    THREADS_OPTION(options.threads),
    {"verbose", NULL, SWITCH(verbose), .help = "say on stderr what was done and how long it took"},
    {0},
};

const command run_command = {
    .name = "run",
    .summary = "do an array program to the elements of a .npy file",
    .usage = "IN.npy OUT.npy --by PROGRAM [OPTION]...",
    .about = "Does PROGRAM to the elements of IN.npy, as NumPy counts them, and writes what\n"
             "becomes of them to OUT.npy. Their number is a power of two. When the command\n"
             "ends, OUT.npy is synced to disk.\n",
    .options = options,
    .notes = PROGRAM_HELP,
    .operands = 2,
    .operand_field = FIELD(const char *, in),
    .run = run,
};
