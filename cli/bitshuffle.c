/* SPDX-License-Identifier: Apache-2.0
 *
 * riffle bitshuffle: the bits of IN.npy's elements as planes, and back, straight into the mapped temporary of OUT.npy.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "arrays/transfer.h"
#include "frame/command.h"
#include "frame/message.h"
#include "frame/options.h"
#include "frame/readers.h"
#include "riffle/bits.h"

enum { DESCR_BYTES = 1 << 10 };

#define UNSAID UINT64_MAX

typedef struct request {
    const char *in, *out; /* the operands */
    const char *dtype;    /* elements' that planes become; NULL: elements become planes */
    uint64_t block;       /* 0: not said */
    uint64_t n;           /* UNSAID: not said */
    unsigned elem_bits;   /* 0: all of an element's */
    riffle_bit_order order;
    bool force, verbose;
    unsigned threads;
} request;

typedef struct job {
    transfer file;
    request ask;
    uint64_t n, width, arrays; /* elements of an array, bits of an element, arrays */
    char descr[DESCR_BYTES];
} job;

static int look_at_elements(job *work) {
    transfer *const file = &work->file;
    const riffle_npy_header *const header = &file->part.header;
    const unsigned bits = work->ask.elem_bits;
    if (bits > 0 && !array_is_of_bytes(header)) return transfer_refuse_unpacked(file, bits);
    work->width = bits > 0 ? bits : 8 * header->elem_bytes;
    const uint64_t all = bits > 0 ? file->part.length * (8 / bits) : file->part.length;
    work->n = work->ask.block > 0 ? work->ask.block : all;
    work->arrays = work->n > 0 ? all / work->n : 1;
    if (work->arrays * work->n == all && (work->n * work->width) % 8 == 0) return EXIT_DONE;
    return transfer_refuse(file,
                           "%s: %" PRIu64 " elements are no blocks of %" PRIu64
                           " in whole bytes; choose a --block that divides their number",
                           file->in, all, work->n);
}

static int look_at_planes(job *work) {
    transfer *const file = &work->file;
    const riffle_npy_header *const header = &file->part.header;
    if (!array_is_of_bytes(header) || (header->rank != 2 && header->rank != 3))
        return transfer_refuse(
            file, "%s: planes are of dtype uint8 and of shape (bits, bytes) or (blocks, bits, bytes)",
            file->in);
    const uint64_t *const shape = header->shape + header->rank - 2;
    const unsigned bits = work->ask.elem_bits;
    work->arrays = header->rank == 3 ? header->shape[0] : 1;
    work->width = shape[0];
    work->n = work->ask.n != UNSAID ? work->ask.n : 8 * shape[1];
    if (bits > 0 && shape[0] != bits)
        return transfer_refuse(file, "%s: %" PRIu64 " planes; elements of --elem-bits %u have %u", file->in,
                               shape[0], bits, bits);
    if (bits == 0 && (shape[0] % 8 != 0 || shape[0] == 0))
        return transfer_refuse(
            file,
            "%s: %" PRIu64 " planes; elements of --dtype have a multiple of 8 bits, or --elem-bits 1, 2 or 4",
            file->in, shape[0]);
    if (riffle_bits_bytes(work->n, 1) == shape[1]) return EXIT_DONE;
    return transfer_refuse(file, "%s: planes of %" PRIu64 " bytes are not those of %" PRIu64 " elements (--n)",
                           file->in, shape[1], work->n);
}

static int open_input(transfer *file) {
    job *const work = (job *)file;
    const int exit_status = transfer_open(file);
    if (exit_status != EXIT_DONE) return exit_status;
    return work->ask.dtype == NULL ? look_at_elements(work) : look_at_planes(work);
}

static int create_output(transfer *file) {
    job *const work = (job *)file;
    riffle_npy_header header = {.descr = "'|u1'", .elem_bytes = 1, .rank = 2};
    if (work->ask.dtype != NULL) {
        const bool is_packed = work->ask.elem_bits > 0;
        snprintf(work->descr, sizeof work->descr, "'%s'", work->ask.dtype);
        header.rank = 1;
        if (!is_packed) {
            header.descr = work->descr;
            header.elem_bytes = work->width / 8;
        }
        header.shape[0] = work->arrays * (is_packed ? riffle_bits_bytes(work->n, work->width) : work->n);
        return transfer_create(file, &header);
    }
    if (work->ask.block > 0) header.shape[header.rank++ - 2] = work->arrays;
    header.shape[header.rank - 2] = work->width;
    header.shape[header.rank - 1] = riffle_bits_bytes(work->n, 1);
    return transfer_create(file, &header);
}

static int shuffle(transfer *file) {
    const job *const work = (const job *)file;
    const riffle_bits_options options = {
        .threads = work->ask.threads, .order = work->ask.order, .batch = work->arrays};
    const void *from;
    riffle_status status = work->arrays > 0 ? transfer_aligned(file, 1, &from) : RIFFLE_OK;
    if (status == RIFFLE_OK && work->arrays > 0)
        status = (work->ask.dtype == NULL ? riffle_bitshuffle : riffle_bitunshuffle)(
            work->n, work->width, riffle_npy_output_data(file->output), from, &options);
    return transfer_result(file, "bitshuffle", status);
}

enum { OPEN, CREATE, SHUFFLE, SYNC, PHASE_COUNT };

static const transfer_phase phases[PHASE_COUNT] = {
    [OPEN] = {"opening", open_input},
    [CREATE] = {"making room", create_output},
    [SHUFFLE] = {"moving bits", shuffle},
    [SYNC] = {"syncing", transfer_place},
};

static bool are_clear(const request *ask) {
    if (ask->dtype != NULL && ask->block > 0)
        complain("--dtype says that IN has planes; --block is for elements");
    else if (ask->dtype != NULL && ask->elem_bits > 0 && strcmp(ask->dtype + (*ask->dtype == '|'), "u1") != 0)
        complain("--dtype %s: elements of --elem-bits are packed in an array of uint8; say --dtype u1",
                 ask->dtype);
    else if (ask->dtype == NULL && ask->n != UNSAID)
        complain("--n: how many elements planes are of; that is for --dtype");
    else
        return true;
    return false;
}

static void report(const transfer *file) {
    const job *const work = (const job *)file;
    complain("%s: %" PRIu64 " arrays of %" PRIu64 " elements of %" PRIu64 " bits in %.3f s", work->ask.out,
             work->arrays, work->n, work->width, file->seconds[SHUFFLE]);
}

static const transfer_command way = {
    .name = "bitshuffle", .phases = phases, .count = PHASE_COUNT, .report = report};

static int run(int argc, char **argv) {
    job work = {.ask = {.n = UNSAID}};
    int exit_status;
    if (!options_read(&bitshuffle_command, argc, argv, &work.ask, &exit_status)) return exit_status;
    if (!are_clear(&work.ask)) return EXIT_USAGE;
    return transfer_do(
        &work.file, &way,
        &(transfer_asked){work.ask.in, work.ask.out, work.ask.force, work.ask.verbose, &work.ask.threads});
}

static const command_option options[] = {
    {"block", "N", NUMBER(block),
     .help = "shuffle blocks of N elements, each by itself: OUT is of shape (blocks, bits, bytes); N divides "
             "their number, and fills bytes",
     COUNT_RANGE},
    {"elem-bits", "B", ELEM_BITS(elem_bits),
     .help = "IN is of uint8, and has elements of 1, 2 or 4 bits in each byte; with --dtype u1 OUT is"},
    {"dtype", "DTYPE", TEXT(dtype),
     .help = "the way back: IN has planes, and OUT elements of that dtype ('<f4')"},
    {"n", "N", NUMBER(n), .help = "--dtype: how many elements planes are of; by default 8 a byte",
     RANGE(0, RIFFLE_MAX_LENGTH)},
    BIT_ORDER_OPTION(order),
    FORCE_OPTION,
    THREADS_OPTION(threads),
    VERBOSE_OPTION,
    {0},
};

const command bitshuffle_command = {
    .name = "bitshuffle",
    .summary = "turn elements of a .npy file into planes of bits",
    .usage = "IN.npy OUT.npy [OPTION]...",
    .about = "Writes plane p, the bits p of all elements of IN.npy in C order, to row p of\n"
             "OUT.npy, an array of uint8 of shape (bits of an element, bytes of a plane):\n"
             "bit i of row p is bit p of element i, each counted from the lowest. Bits\n"
             "behind the last element are 0. OUT.npy is synced to disk.\n",
    .options = options,
    .operands = 2,
    .operand_field = FIELD(const char *, in),
    .run = run,
};
