/* SPDX-License-Identifier: Apache-2.0
 *
 * riffle take: rows of IN.npy in the order that INDICES.npy says, straight into the mapped temporary of OUT.npy.
 * Indices of every integer type are brought into one first; below zero they count from the end, as NumPy's do.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "arrays/array.h"
#include "arrays/unfinished.h"
#include "frame/command.h"
#include "frame/message.h"
#include "frame/progress.h"
#include "frame/readers.h"
#include "riffle.h"
#include "riffle/cuda.h"
#include "riffle/indices.h"
#include "riffle/npy.h"
#include "system/clock.h"
#include "system/threads.h"

typedef struct request {
    const char *in, *indices, *out; /* the operands */
    bool verbose;
    riffle_engine engine;
    unsigned threads;
} request;

typedef struct job {
    request ask;
    riffle_npy_input *input, *indices;
    array_part part;   /* all of IN */
    array_units units; /* its rows */
    uint64_t *entries; /* of INDICES, in C order */
    void *c_order;     /* IN's rows put together, where they do not lie in one piece, or NULL */
    riffle_npy_output *output;
    bool changes_owner; /* OUT's */
    double seconds;     /* of the move */
    progress line;
} job;

static int fail_at(job *work, const char *place, riffle_status status) {
    progress_stop(&work->line);
    return complain_status(place, status);
}

static uint64_t entries_of(const job *work) { return riffle_npy_length(work->indices); }

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

/* An entry as a row's number, from the end where it is below zero. */
static uint64_t row_of(const integer *type, const char *entry, uint64_t rows) {
    uint64_t value = 0;
    memcpy(&value, entry, type->bytes); /* little-endian, as this machine is */
    if (type->is_swapped) value = swapped(value, type->bytes);
    const uint64_t sign = UINT64_C(1) << (8 * type->bytes - 1);
    if (!type->is_signed || (value & sign) == 0) return value;
    return rows + (value | ~(sign | (sign - 1)));
}

static void convert(const job *work, const integer *type) {
    const char *const entry = riffle_npy_data(work->indices);
    for (uint64_t k = 0; k < entries_of(work); ++k)
        work->entries[k] = row_of(type, entry + k * type->bytes, work->units.count);
}

static int read_indices(job *work) {
    const riffle_npy_header *const header = riffle_npy_get_header(work->indices);
    integer type;
    if (!read_integer(header->descr, &type)) {
        progress_stop(&work->line);
        complain("%s: dtype %s; indices are integers of 1, 2, 4 or 8 bytes", work->ask.indices, header->descr);
        return EXIT_FAILED;
    }
    if (header->fortran_order && header->rank > 1) {
        progress_stop(&work->line);
        complain("%s: is in Fortran order; save its transpose, or numpy.ascontiguousarray of it",
                 work->ask.indices);
        return EXIT_FAILED;
    }
    void *entries;
    riffle_status status = riffle_buffer_create(entries_of(work) * sizeof *work->entries, &entries);
    if (status != RIFFLE_OK) return fail_at(work, "room for indices", status);
    work->entries = entries;
    convert(work, &type);
    status = riffle_npy_check(work->indices); /* else zeros that were read would be taken */
    return status == RIFFLE_OK ? EXIT_DONE : fail_at(work, work->ask.indices, status);
}

/* ------------------------------------------------------------------- phases */

static int open_inputs(job *work) {
    riffle_status status = riffle_npy_open(work->ask.in, &work->input);
    if (status != RIFFLE_OK) return fail_at(work, work->ask.in, status);
    status = riffle_npy_open(work->ask.indices, &work->indices);
    if (status != RIFFLE_OK) return fail_at(work, work->ask.indices, status);
    work->part = array_whole(riffle_npy_get_header(work->input), riffle_npy_length(work->input));
    if (work->part.header.rank == 0) {
        progress_stop(&work->line);
        complain("%s: a 0-dimensional array has no rows to take", work->ask.in);
        return EXIT_FAILED;
    }
    work->units = array_units_of(&work->part, true);
    return EXIT_DONE;
}

/* The shape of INDICES, and behind it that of a row. */
static int create_output(job *work) {
    riffle_npy_header header = work->part.header;
    const riffle_npy_header *const indices = riffle_npy_get_header(work->indices);
    const unsigned kept = header.rank - 1;
    if (indices->rank + kept > RIFFLE_MAX_RANK) {
        progress_stop(&work->line);
        complain("%s: the result would have more than %d dimensions; reshape it first", work->ask.in,
                 RIFFLE_MAX_RANK);
        return EXIT_FAILED;
    }
    memcpy(header.shape, indices->shape, indices->rank * sizeof header.shape[0]);
    memcpy(header.shape + indices->rank, work->part.header.shape + 1, kept * sizeof header.shape[0]);
    header.rank = indices->rank + kept;
    unfinished_hold();
    const riffle_status status = riffle_npy_create(work->ask.out, &header, work->input, &work->output);
    unfinished_watch(work->output);
    if (status == RIFFLE_OK) return EXIT_DONE;
    fail_at(work, work->ask.out, status);
    return status == RIFFLE_ERROR_INVALID_ARGUMENT ? EXIT_USAGE : EXIT_FAILED;
}

/* Rows in Fortran order lie scattered: they are put together first. */
static riffle_status rows_together(job *work, const void **out) {
    const array_part *const part = &work->part;
    *out = riffle_npy_data(work->input);
    if (array_is_in_c_order(part)) return RIFFLE_OK;
    riffle_status status = riffle_buffer_create(work->units.count * work->units.bytes, &work->c_order);
    if (status == RIFFLE_OK)
        status = riffle_copy_strided(part->header.rank, part->header.shape, part->header.elem_bytes,
                                     work->c_order, NULL, *out, part->strides, work->ask.threads);
    *out = work->c_order;
    return status;
}

static riffle_status take_by(const job *work, const void *src) {
    const riffle_indices indices = {work->entries, sizeof *work->entries, entries_of(work), work->units.count};
    const size_t row_bytes = work->units.bytes > 0 ? work->units.bytes : 1;
    void *const dst = riffle_npy_output_data(work->output);
    if (work->ask.engine == RIFFLE_ENGINE_CUDA) return riffle_cuda_take_host(&indices, row_bytes, dst, src);
    return riffle_take(&indices, row_bytes, dst, src, work->ask.threads);
}

static int take_rows(job *work) {
    const double began = seconds_now();
    const void *src;
    if (work->units.bytes == 0 && work->units.count > 0) return EXIT_DONE; /* rows of nothing */
    riffle_status status = rows_together(work, &src);
    if (status == RIFFLE_OK) status = take_by(work, src);
    work->seconds = seconds_now() - began;
    if (status == RIFFLE_OK) return EXIT_DONE;
    return fail_at(work, status == RIFFLE_ERROR_INVALID_ARGUMENT ? work->ask.indices : "take", status);
}

static int sync_output(job *work) {
    riffle_status status = riffle_npy_check(work->input);
    if (status != RIFFLE_OK) return fail_at(work, work->ask.in, status);
    status = unfinished_commit(&work->output, &work->changes_owner);
    return status == RIFFLE_OK ? EXIT_DONE : fail_at(work, work->ask.out, status);
}

static const struct {
    const char *name;
    int (*run)(job *);
} phases[] = {
    {"opening", open_inputs},       {"reading the indices", read_indices},
    {"making room", create_output}, {"taking", take_rows},
    {"syncing", sync_output},
};

static int run_phases(job *work) {
    int exit_status = EXIT_DONE;
    progress_start(&work->line, phases[0].name);
    for (size_t k = 0; k < sizeof phases / sizeof phases[0] && exit_status == EXIT_DONE; ++k) {
        progress_phase(&work->line, phases[k].name);
        exit_status = phases[k].run(work);
    }
    progress_stop(&work->line);
    return exit_status;
}

static void report(const job *work) {
    complain("%s: %" PRIu64 " rows of %zu bytes taken from %" PRIu64 " in %.3f s", work->ask.out,
             entries_of(work), work->units.bytes, work->units.count, work->seconds);
}

static void clean_up(job *work) {
    unfinished_hold();
    riffle_npy_abort(work->output);
    unfinished_end();
    riffle_buffer_free(work->c_order, work->units.count * work->units.bytes);
    if (work->entries != NULL) riffle_buffer_free(work->entries, entries_of(work) * sizeof *work->entries);
    riffle_npy_close(work->indices);
    riffle_npy_close(work->input);
}

static int run(int argc, char **argv) {
    job work = {0};
    int exit_status;
    if (!options_read(&take_command, argc, argv, &work.ask, &exit_status)) return exit_status;
    unfinished_begin(work.ask.out);
    work.ask.threads = threads_settle("take", work.ask.threads);
    exit_status = run_phases(&work);
    if (exit_status == EXIT_DONE && work.changes_owner) complain_changed_owner(work.ask.out);
    if (exit_status == EXIT_DONE && work.ask.verbose) report(&work);
    clean_up(&work);
    return exit_status;
}

static const command_option options[] = {
    ENGINE_OPTION,
    THREADS_OPTION(threads),
    {"verbose", NULL, SWITCH(verbose), .help = "say on stderr what was done and how long it took"},
    {0},
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
