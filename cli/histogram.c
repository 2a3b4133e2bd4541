/* SPDX-License-Identifier: Apache-2.0
 *
 * riffle histogram: counts the keys of IN.npy, straight into the mapped temporary of OUT.npy.
 */
#include "riffle/histogram.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "arrays/transfer.h"
#include "frame/command.h"
#include "frame/message.h"
#include "frame/options.h"
#include "frame/readers.h"

typedef struct request {
    const char *in, *out; /* the operands */
    bool force, verbose;
    unsigned threads;
} request;

typedef struct job {
    transfer file;
    request ask;
    size_t key_bytes;
} job;

/* Bytes of NumPy's unsigned integers that are keys, else 0. */
static size_t key_bytes_of(const char *descr) {
    static const char *const of_one[] = {"'|u1'", "'|b1'"}, *const of_two[] = {"'<u2'", "'=u2'"};
    for (unsigned k = 0; k < 2; ++k) {
        if (strcmp(descr, of_one[k]) == 0) return 1;
        if (strcmp(descr, of_two[k]) == 0) return 2;
    }
    return 0;
}

static int open_input(transfer *file) {
    job *const work = (job *)file;
    const int exit_status = transfer_open(file);
    if (exit_status != EXIT_DONE) return exit_status;
    work->key_bytes = key_bytes_of(file->part.header.descr);
    if (work->key_bytes > 0) return EXIT_DONE;
    return transfer_refuse(file,
                           "%s: dtype %s; keys are of dtype uint8, bool or little-endian uint16; if all are "
                           "below 65536, save x.astype('<u2')",
                           file->in, file->part.header.descr);
}

static int create_output(transfer *file) {
    riffle_npy_header header = {.descr = "'<u8'", .elem_bytes = sizeof(uint64_t), .rank = 1};
    header.shape[0] = (uint64_t)1 << 8 * ((const job *)file)->key_bytes;
    return transfer_create(file, &header);
}

static int count_keys(transfer *file) {
    const job *const work = (const job *)file;
    const riffle_call_options options = {.threads = work->ask.threads};
    const void *keys;
    riffle_status status = transfer_aligned(file, work->key_bytes, &keys);
    if (status == RIFFLE_OK)
        status = riffle_histogram(file->part.length, work->key_bytes, keys,
                                  riffle_npy_output_data(file->output), &options);
    return transfer_result(file, "histogram", status);
}

enum { OPEN, CREATE, COUNT, SYNC, PHASE_COUNT };

static const transfer_phase phases[PHASE_COUNT] = {
    [OPEN] = {"opening", open_input},
    [CREATE] = {"making room", create_output},
    [COUNT] = {"counting", count_keys},
    [SYNC] = {"syncing", transfer_place},
};

static void report(const transfer *file) {
    const job *const work = (const job *)file;
    complain("%s: %" PRIu64 " keys of %zu byte%s counted in %.3f s", work->ask.out, file->part.length,
             work->key_bytes, work->key_bytes == 1 ? "" : "s", file->seconds[COUNT]);
}

static const transfer_command way = {
    .name = "histogram", .phases = phases, .count = PHASE_COUNT, .report = report};

static int run(int argc, char **argv) {
    job work = {0};
    int exit_status;
    if (!options_read(&histogram_command, argc, argv, &work.ask, &exit_status)) return exit_status;
    return transfer_do(
        &work.file, &way,
        &(transfer_asked){work.ask.in, work.ask.out, work.ask.force, work.ask.verbose, &work.ask.threads});
}

static const command_option options[] = {
    FORCE_OPTION,
    THREADS_OPTION(threads),
    VERBOSE_OPTION,
    {0},
};

const command histogram_command = {
    .name = "histogram",
    .summary = "count the small keys of a .npy file",
    .usage = "IN.npy OUT.npy [OPTION]...",
    .about = "Counts the elements of IN.npy, unsigned integers of 1 or 2 bytes, and writes\n"
             "the counts to OUT.npy: OUT[k] is how often k stands in IN, as\n"
             "numpy.bincount(IN.ravel(), minlength=OUT.size) counts. OUT.npy is synced to\n"
             "disk.\n",
    .options = options,
    .operands = 2,
    .operand_field = FIELD(const char *, in),
    .run = run,
};
