/* SPDX-License-Identifier: Apache-2.0
 *
 * riffle take: rows of IN.npy in the order that INDICES.npy says, straight into the mapped temporary of OUT.npy.
 * Indices of every integer type are brought into one first; below zero they count from the end, as NumPy's do.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "arrays/array.h"
#include "arrays/transfer.h"
#include "frame/command.h"
#include "frame/message.h"
#include "frame/options.h"
#include "frame/readers.h"
#include "riffle/cuda.h"
#include "riffle/indices.h"

typedef struct request {
    const char *in, *indices, *out; /* the operands */
    bool force, verbose;
    riffle_engine engine;
    unsigned threads;
} request;

typedef struct job {
    transfer file;
    request ask;
    riffle_npy_input *indices;
    array_units units; /* IN's rows */
    uint64_t *entries; /* entries of INDICES, in C order */
} job;

static uint64_t entries_of(const job *work) { return riffle_npy_input_length(work->indices); }

/* ------------------------------------------------------------------ indices */

/* An integer type of NumPy's. */
typedef struct integer {
    size_t bytes;
    bool is_signed, is_swapped;
} integer;

static bool read_integer(const char *descr, integer *out) {
    if (strlen(descr) != strlen("'<i8'") || strchr("<>=|", descr[1]) == NULL ||
        strchr("iu", descr[2]) == NULL || strchr("1248", descr[3]) == NULL)
        return false;
    const bool is_big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
    *out = (integer){(size_t)(descr[3] - '0'), descr[2] == 'i', descr[1] == (is_big ? '<' : '>')};
    return true;
}

static uint64_t swapped(uint64_t value, size_t bytes) { return __builtin_bswap64(value) >> (64 - 8 * bytes); }

/* An entry, a signed one as int64_t has it. */
static uint64_t value_of(const integer *type, const char *entry) {
    uint64_t value = 0;
    memcpy(&value, entry, type->bytes); /* little-endian, as this machine is */
    if (type->is_swapped) value = swapped(value, type->bytes);
    const uint64_t sign = UINT64_C(1) << (8 * type->bytes - 1);
    return !type->is_signed || (value & sign) == 0 ? value : value | ~(sign | (sign - 1));
}

/* Entries become numbers of rows, from the end where they are below zero. Returns how many did; the next one, signed,
 * names no row. Unsigned ones that name none are the library's to find. */
static uint64_t convert(const job *work, const integer *type) {
    const char *const entry = riffle_npy_input_data(work->indices);
    const uint64_t rows = work->units.count;
    for (uint64_t k = 0; k < entries_of(work); ++k) {
        const uint64_t value = value_of(type, entry + k * type->bytes);
        work->entries[k] = type->is_signed && (int64_t)value < 0 ? rows + value : value;
        if (type->is_signed && work->entries[k] >= rows && rows > 0) return k;
    }
    return entries_of(work);
}

static int refuse_entry(job *work, const integer *type, uint64_t k) {
    const char *const entry = riffle_npy_input_data(work->indices);
    const uint64_t rows = work->units.count;
    return transfer_refuse(
        &work->file,
        "%s: indices: number %" PRIu64 " is %" PRId64 "; of %" PRIu64 " rows they are -%" PRIu64 " to %" PRIu64,
        work->ask.indices, k, (int64_t)value_of(type, entry + k * type->bytes), rows, rows, rows - 1);
}

static int read_indices(transfer *file) {
    job *const work = (job *)file;
    const riffle_npy_header *const header = riffle_npy_input_header(work->indices);
    integer type;
    if (!read_integer(header->descr, &type))
        return transfer_refuse(file, "%s: dtype %s; indices are integers of 1, 2, 4 or 8 bytes",
                               work->ask.indices, header->descr);
    if (header->fortran_order && header->rank > 1)
        return transfer_refuse(file,
                               "%s: is in Fortran order; save its transpose, or numpy.ascontiguousarray of it",
                               work->ask.indices);
    void *entries;
    riffle_status status = riffle_buffer_create(entries_of(work) * sizeof *work->entries, &entries);
    if (status != RIFFLE_OK) return transfer_result(file, "room for indices", status);
    work->entries = entries;
    const uint64_t right = convert(work, &type);
    status = riffle_npy_input_check(work->indices); /* else zeros that were read would be taken */
    if (status == RIFFLE_OK && right < entries_of(work)) return refuse_entry(work, &type, right);
    return transfer_result(file, work->ask.indices, status);
}

/* ------------------------------------------------------------------- phases */

static int open_inputs(transfer *file) {
    job *const work = (job *)file;
    int exit_status = transfer_open(file);
    if (exit_status == EXIT_DONE)
        exit_status =
            transfer_result(file, work->ask.indices, riffle_npy_input_open(work->ask.indices, &work->indices));
    if (exit_status != EXIT_DONE) return exit_status;
    exit_status = transfer_spare(file, work->ask.indices);
    if (exit_status != EXIT_DONE) return exit_status;
    if (file->part.header.rank == 0)
        return transfer_refuse(file, "%s: a 0-dimensional array has no rows to take", file->in);
    work->units = array_units_of(&file->part, true);
    return EXIT_DONE;
}

/* The shape of INDICES, and behind it that of a row. */
static int create_output(transfer *file) {
    job *const work = (job *)file;
    riffle_npy_header header = file->part.header;
    const riffle_npy_header *const indices = riffle_npy_input_header(work->indices);
    const unsigned kept = header.rank - 1;
    if (indices->rank + kept > RIFFLE_MAX_RANK) return transfer_refuse_rank(file);
    memcpy(header.shape, indices->shape, indices->rank * sizeof header.shape[0]);
    memcpy(header.shape + indices->rank, file->part.header.shape + 1, kept * sizeof header.shape[0]);
    header.rank = indices->rank + kept;
    return transfer_create(file, &header);
}

static riffle_status take_by(const job *work, const void *src) {
    const riffle_indices indices = {work->entries, sizeof *work->entries, entries_of(work), work->units.count};
    void *const dst = riffle_npy_output_data(work->file.output);
    if (work->ask.engine == RIFFLE_ENGINE_CUDA && work->units.bytes > 0)
        return riffle_cuda_take_host(&indices, work->units.bytes, dst, src);
    return riffle_take(&indices, work->units.bytes, dst, src,
                       &(riffle_call_options){.threads = work->ask.threads});
}

static int take_rows(transfer *file) {
    job *const work = (job *)file;
    const void *src;
    riffle_status status = transfer_in_c_order(file, &src);
    if (status == RIFFLE_OK) status = take_by(work, src);
    return transfer_result(file, status == RIFFLE_ERROR_INVALID_ARGUMENT ? work->ask.indices : "take", status);
}

enum { OPEN, READ_INDICES, CREATE, TAKE, SYNC, PHASE_COUNT };

static const transfer_phase phases[PHASE_COUNT] = {
    [OPEN] = {"opening", open_inputs},         [READ_INDICES] = {"reading the indices", read_indices},
    [CREATE] = {"making room", create_output}, [TAKE] = {"taking", take_rows},
    [SYNC] = {"syncing", transfer_place},
};

static void report(const transfer *file) {
    const job *const work = (const job *)file;
    complain("%s: %" PRIu64 " rows of %zu bytes taken from %" PRIu64 " in %.3f s", work->ask.out,
             entries_of(work), work->units.bytes, work->units.count, work->file.seconds[TAKE]);
}

static void clean_up(transfer *file) {
    job *const work = (job *)file;
    if (work->entries != NULL) riffle_buffer_free(work->entries, entries_of(work) * sizeof *work->entries);
    riffle_npy_input_close(work->indices);
}

static const transfer_command way = {
    .name = "take", .phases = phases, .count = PHASE_COUNT, .report = report, .clean_up = clean_up};

static int run(int argc, char **argv) {
    job work = {0};
    int exit_status;
    if (!options_read(&take_command, argc, argv, &work.ask, &exit_status)) return exit_status;
    return transfer_do(
        &work.file, &way,
        &(transfer_asked){work.ask.in, work.ask.out, work.ask.force, work.ask.verbose, &work.ask.threads});
}

static const command_option options[] = {
    ENGINE_OPTION, FORCE_OPTION, THREADS_OPTION(threads), VERBOSE_OPTION, {0},
};

const command take_command = {
    .name = "take",
    .summary = "take rows of a .npy file in any order, also repeatedly",
    .usage = "IN.npy INDICES.npy OUT.npy [OPTION]...",
    .about = "Takes the rows of IN.npy that INDICES.npy names and writes them to OUT.npy:\n"
             "OUT = IN[INDICES], as in NumPy. Indices may repeat and leave rows out; those\n"
             "below zero count from the end. OUT.npy is synced to disk.\n",
    .options = options,
    .operands = 3,
    .operand_field = FIELD(const char *, in),
    .run = run,
};
