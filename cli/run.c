/* SPDX-License-Identifier: Apache-2.0
 *
 * riffle run: IN.npy is mapped, an array program done to it straight into the mapped temporary of OUT.npy, and that
 * renamed. With --batch each run of the last axis is an array.
 *
 *     input ------------------------- program ----------------------> output
 *     input -- to C order --> buffer -- program ---------------------> output     files in Fortran order
 */
#include <stdio.h>

#include "arrays/program_text.h"
#include "arrays/table_files.h"
#include "arrays/transfer.h"
#include "frame/command.h"
#include "frame/message.h"
#include "frame/options.h"
#include "frame/readers.h"
#include "system/clock.h"

typedef struct request {
    const char *in, *out; /* the operands */
    program_text text;
    bool batch, force, verbose;
    riffle_engine engine;
    riffle_program_options options;
} request;

typedef struct job {
    transfer file;
    request ask;
    riffle_type type;
    unsigned n; /* index bits of an array */
    uint64_t arrays;
    riffle_program *program;
    riffle_program_plan *plan;
    double seconds; /* seconds of the program */
} job;

/* n and the number of arrays from the shape. */
static int measure(job *work) {
    transfer *const file = &work->file;
    const riffle_npy_header *const header = &file->part.header;
    if (work->ask.batch && header->rank == 0)
        return transfer_refuse(file, "%s: a 0-dimensional array has no last axis; leave out --batch", file->in);
    const uint64_t length = work->ask.batch ? header->shape[header->rank - 1] : file->part.length;
    const int bits = program_bits(length);
    if (bits < 0)
        return transfer_refuse(file, "%s: %s %llu elements, and a program is for a power of two; %s", file->in,
                               work->ask.batch ? "its last axis has" : "it has", (unsigned long long)length,
                               work->ask.batch ? "pad it" : "pad it, or take its last axis with --batch");
    work->n = (unsigned)bits;
    work->arrays = file->part.length / length;
    return EXIT_DONE;
}

static int open_input(transfer *file) {
    job *const work = (job *)file;
    const int exit_status = transfer_open(file);
    if (exit_status != EXIT_DONE) return exit_status;
    if (!program_type_of(file->part.header.descr, &work->type))
        return transfer_refuse(
            file,
            "%s: elements of dtype %s; programs take little-endian integers and floats to 8 bytes, and complex "
            "numbers; convert it with astype",
            file->in, file->part.header.descr);
    return measure(work);
}

static int plan_program(transfer *file) {
    job *const work = (job *)file;
    int exit_status = program_read(&work->ask.text, work->n, &work->program);
    if (exit_status == EXIT_DONE && work->ask.text.file != NULL)
        exit_status = transfer_spare(file, work->ask.text.file);
    if (exit_status != EXIT_DONE || work->arrays == 0) return exit_status;
    work->ask.options.batch = work->arrays;
    const riffle_status status = riffle_program_plan_create(work->program, work->type, work->ask.engine,
                                                            &work->ask.options, &work->plan);
    return status == RIFFLE_OK ? EXIT_DONE : complain_program(&work->ask.text, "planning", status);
}

static int create_output(transfer *file) { return transfer_create(file, &file->part.header); }

static int execute(transfer *file) {
    job *const work = (job *)file;
    if (work->plan == NULL) return EXIT_DONE;
    const void *src;
    riffle_status status = transfer_in_c_order(file, &src);
    const double began = seconds_now();
    if (status == RIFFLE_OK)
        status = riffle_program_execute(work->plan, riffle_npy_output_data(file->output), src);
    work->seconds = seconds_now() - began;
    return transfer_result(file, "running", status);
}

/* Phases without a name are short, or may have much to complain of. */
static const transfer_phase phases[] = {
    {NULL, open_input},   {NULL, plan_program},        {NULL, create_output},
    {"running", execute}, {"syncing", transfer_place},
};

static void report(const transfer *file) {
    const job *const work = (const job *)file;
    if (work->plan == NULL) return;
    complain("%s: %llu arrays of 2^%u elements of type %s, %u stages in %u passes, %.3f s", work->ask.out,
             (unsigned long long)work->arrays, work->n, riffle_type_string(work->type),
             riffle_program_plan_stages(work->plan), riffle_program_plan_passes(work->plan), work->seconds);
}

static void clean_up(transfer *file) {
    job *const work = (job *)file;
    program_text_free(&work->ask.text);
    riffle_program_plan_free(work->plan);
    riffle_program_free(work->program);
}

static const transfer_command way = {.name = "run",
                                     .phases = phases,
                                     .count = sizeof phases / sizeof phases[0],
                                     .report = report,
                                     .clean_up = clean_up};

static int run(int argc, char **argv) {
    job work = {0};
    int exit_status;
    if (!options_read(&run_command, argc, argv, &work.ask, &exit_status)) return exit_status;
    return transfer_do(&work.file, &way,
                       &(transfer_asked){work.ask.in, work.ask.out, work.ask.force, work.ask.verbose,
                                         &work.ask.options.threads});
}

static const command_option options[] = {
    {"by", "PROGRAM", SPEC(text.by), .help = "the program",
     .missing = "no program given; say which with --by PROGRAM"},
    DEFINE_OPTION(text.file),
    {"batch", NULL, SWITCH(batch), .help = "do it to each run of the last axis, not to the array as a whole"},
    ENGINE_OPTION,
    {"algorithm", "NAME", option_program_algorithm, FIELD(riffle_program_algorithm, options.algorithm),
     .help = "auto, which is fused, or paper: the BMMC paper's own way, to compare"},
    FORCE_OPTION,
    THREADS_OPTION(options.threads),
    VERBOSE_OPTION,
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
