/* SPDX-License-Identifier: Apache-2.0
 *
 * riffle group: rows of IN.npy brought together by the keys of KEYS.npy, straight into the mapped temporary of OUT.npy. Groups are counted
 * first, since they say how many rows OUT has.
 */
#include "riffle/group.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "arrays/array.h"
#include "arrays/program_text.h"
#include "arrays/same_file.h"
#include "arrays/transfer.h"
#include "frame/command.h"
#include "frame/message.h"
#include "frame/options.h"
#include "frame/readers.h"

typedef struct request {
    const char *in, *out; /* the operands */
    const char *keys, *offsets;
    uint64_t groups, multiple, capacity;
    riffle_group_by by;
    bool force, verbose;
    riffle_engine engine;
    unsigned threads;
} request;

typedef struct job {
    transfer file;
    request ask;
    riffle_npy_input *keys;
    riffle_type key_type;
    uint64_t keys_per_row;
    array_units units;  /* IN's rows */
    void *aligned_keys; /* a copy of KEYS, where they do not lie at a multiple of their length */
    void *offsets;      /* groups + 1 numbers */
    uint64_t rows;      /* OUT has */
    uint64_t left_out[2];
} job;

static size_t offsets_bytes(const job *work) { return (size_t)(work->ask.groups + 1) * sizeof(uint64_t); }

static size_t keys_bytes(const job *work) {
    return (size_t)riffle_npy_input_length(work->keys) * riffle_type_bytes(work->key_type);
}

/* ------------------------------------------------------------------- phases */

static int check_offsets(transfer *file) {
    const request *const ask = &((const job *)file)->ask;
    if (ask->offsets == NULL) return EXIT_DONE;
    const char *const other = is_same_file(ask->offsets, file->in)    ? "the input"
                              : is_same_file(ask->offsets, ask->keys) ? "the keys"
                              : is_same_file(ask->offsets, file->out) ? "the output"
                                                                      : NULL;
    if (other == NULL) return transfer_may_replace(file, ask->offsets);
    transfer_refuse(file, "%s: the offsets and %s are the same file; give the offsets another name",
                    ask->offsets, other);
    return EXIT_USAGE;
}

static int check_keys(job *work) {
    const riffle_npy_header *const header = riffle_npy_input_header(work->keys);
    const uint64_t n = work->file.part.header.shape[0];
    if (!program_type_of(header->descr, &work->key_type) || work->key_type > RIFFLE_TYPE_U64)
        return transfer_refuse(
            &work->file,
            "%s: dtype %s; keys are little-endian integers of 1 to 8 bytes; convert them with "
            "astype",
            work->ask.keys, header->descr);
    if (header->rank < 1 || header->rank > 2 || header->shape[0] != n)
        return transfer_refuse(&work->file,
                               "%s: keys are an array of shape (%" PRIu64
                               ",), one of each row of %s, or (%" PRIu64
                               ", k), k of each; this one has another",
                               work->ask.keys, n, work->file.in, n);
    if (header->fortran_order && header->rank > 1)
        return transfer_refuse(&work->file,
                               "%s: is in Fortran order; save its transpose, or numpy.ascontiguousarray of it",
                               work->ask.keys);
    work->keys_per_row = header->rank == 2 ? header->shape[1] : 1;
    if (work->keys_per_row > 0) return EXIT_DONE;
    return transfer_refuse(&work->file, "%s: rows have no keys; they have at least one each", work->ask.keys);
}

static int open_inputs(transfer *file) {
    job *const work = (job *)file;
    int exit_status = transfer_open(file);
    if (exit_status == EXIT_DONE)
        exit_status = transfer_result(file, work->ask.keys, riffle_npy_input_open(work->ask.keys, &work->keys));
    if (exit_status == EXIT_DONE) exit_status = transfer_spare(file, work->ask.keys);
    if (exit_status != EXIT_DONE) return exit_status;
    if (file->part.header.rank == 0)
        return transfer_refuse(file, "%s: a 0-dimensional array has no rows to group", file->in);
    work->units = array_units_of(&file->part, true);
    return check_keys(work);
}

/* The keys as the library takes them. */
static riffle_status align_keys(job *work, const void **out) {
    const void *const keys = riffle_npy_input_data(work->keys);
    *out = work->aligned_keys != NULL ? work->aligned_keys : keys;
    if (work->aligned_keys != NULL || (uintptr_t)keys % riffle_type_bytes(work->key_type) == 0)
        return RIFFLE_OK;
    const riffle_status status = riffle_buffer_create(keys_bytes(work), &work->aligned_keys);
    if (status == RIFFLE_OK) *out = memcpy(work->aligned_keys, keys, keys_bytes(work));
    return status;
}

/* A plan for rows of so many bytes, or where that is 0 for offsets alone. */
static riffle_status plan_for(const job *work, size_t row_bytes, riffle_group_plan **out) {
    const riffle_group_options options = {.by = work->ask.by,
                                          .keys_per_row = work->keys_per_row,
                                          .multiple = work->ask.multiple,
                                          .capacity = work->ask.capacity,
                                          .threads = work->ask.threads};
    return riffle_group_plan_create(work->file.part.header.shape[0], row_bytes, work->key_type,
                                    work->ask.groups, work->ask.engine, &options, out);
}

static riffle_status execute(job *work, const riffle_group_plan *plan, void *rows, const void *from) {
    riffle_group_arrays arrays = {
        .rows = rows, .from_rows = from, .offsets = work->offsets, .left_out = work->left_out};
    const riffle_status status = align_keys(work, &arrays.keys);
    return status == RIFFLE_OK ? riffle_group_execute(plan, &arrays) : status;
}

static riffle_status find_offsets(job *work) {
    riffle_group_plan *plan = NULL;
    riffle_status status = plan_for(work, 0, &plan);
    if (status == RIFFLE_OK) status = execute(work, plan, NULL, NULL);
    riffle_group_plan_free(plan);
    return status;
}

static int count_groups(transfer *file) {
    job *const work = (job *)file;
    riffle_status status = riffle_buffer_create(offsets_bytes(work), &work->offsets);
    if (status == RIFFLE_OK) status = find_offsets(work);
    if (status == RIFFLE_OK) status = riffle_npy_input_check(work->keys);
    if (status == RIFFLE_OK) work->rows = ((const uint64_t *)work->offsets)[work->ask.groups];
    return transfer_result(file, work->ask.keys, status);
}

static int create_outputs(transfer *file) {
    job *const work = (job *)file;
    riffle_npy_header header = file->part.header;
    header.shape[0] = work->rows;
    header.fortran_order = 0;
    const int exit_status = transfer_create(file, &header);
    if (exit_status != EXIT_DONE || work->ask.offsets == NULL) return exit_status;
    header = (riffle_npy_header){.descr = "'<i8'", .elem_bytes = sizeof(uint64_t), .rank = 1};
    header.shape[0] = work->ask.groups + 1;
    return transfer_create_second(file, work->ask.offsets, &header);
}

/* OUT has room for the rows that there are, and a plan may want more. */
static riffle_status group_by_way_of(job *work, const riffle_group_plan *plan, const void *from) {
    const size_t bytes = (size_t)riffle_group_plan_room(plan) * work->units.bytes;
    void *room;
    riffle_status status = riffle_buffer_create(bytes, &room);
    if (status != RIFFLE_OK) return status;
    status = execute(work, plan, room, from);
    if (status == RIFFLE_OK)
        memcpy(riffle_npy_output_data(work->file.output), room, (size_t)work->rows * work->units.bytes);
    riffle_buffer_free(room, bytes);
    return status;
}

static riffle_status group_rows(job *work) {
    const void *from;
    riffle_group_plan *plan = NULL;
    riffle_status status = transfer_aligned(&work->file, 16, &from);
    if (status != RIFFLE_OK || work->rows == 0 || work->units.bytes == 0) return status;
    status = plan_for(work, work->units.bytes, &plan);
    if (status == RIFFLE_OK)
        status = riffle_group_plan_room(plan) > work->rows
                     ? group_by_way_of(work, plan, from)
                     : execute(work, plan, riffle_npy_output_data(work->file.output), from);
    riffle_group_plan_free(plan);
    return status;
}

static int group(transfer *file) {
    job *const work = (job *)file;
    const riffle_status status = group_rows(work);
    if (status == RIFFLE_OK && file->second != NULL)
        memcpy(riffle_npy_output_data(file->second), work->offsets, offsets_bytes(work));
    return transfer_result(file, "group", status);
}

enum { CHECK, OPEN, COUNT, CREATE, GROUP, SYNC, PHASE_COUNT };

static const transfer_phase phases[PHASE_COUNT] = {
    [CHECK] = {"opening", check_offsets}, [OPEN] = {"opening", open_inputs},
    [COUNT] = {"counting", count_groups}, [CREATE] = {"making room", create_outputs},
    [GROUP] = {"grouping", group},        [SYNC] = {"syncing", transfer_place},
};

/* ------------------------------------------------------------------ messages */

static void say_left_out(const transfer *file) {
    const job *const work = (const job *)file;
    if (work->left_out[0] + work->left_out[1] > 0)
        complain("%s: left out rows of %" PRIu64 " keys that name none of %" PRIu64 " groups, and of %" PRIu64
                 " whose group was full",
                 work->ask.out, work->left_out[0], work->ask.groups, work->left_out[1]);
}

static void report(const transfer *file) {
    const job *const work = (const job *)file;
    complain("%s: %" PRIu64 " rows of %zu bytes in %" PRIu64 " groups in %.3f s", work->ask.out, work->rows,
             work->units.bytes, work->ask.groups, work->file.seconds[COUNT] + work->file.seconds[GROUP]);
}

static void clean_up(transfer *file) {
    job *const work = (job *)file;
    if (work->offsets != NULL) riffle_buffer_free(work->offsets, offsets_bytes(work));
    if (work->aligned_keys != NULL) riffle_buffer_free(work->aligned_keys, keys_bytes(work));
    riffle_npy_input_close(work->keys);
}

static const transfer_command way = {.name = "group",
                                     .phases = phases,
                                     .count = PHASE_COUNT,
                                     .print = say_left_out,
                                     .report = report,
                                     .clean_up = clean_up};

static int run(int argc, char **argv) {
    job work = {0};
    int exit_status;
    if (!options_read(&group_command, argc, argv, &work.ask, &exit_status)) return exit_status;
    return transfer_do(
        &work.file, &way,
        &(transfer_asked){work.ask.in, work.ask.out, work.ask.force, work.ask.verbose, &work.ask.threads});
}

static bool read_by(const command_option *option, const char *text, void *field) {
    const char *words[RIFFLE_GROUP_BY_TOP + 2] = {NULL};
    for (int k = 0; k <= RIFFLE_GROUP_BY_TOP; k++) words[k] = riffle_group_by_string((riffle_group_by)k);
    return read_word(option, "way", text, words) >= 0 && riffle_group_by_parse(text, field) == RIFFLE_OK;
}

static const command_option options[] = {
    {"keys", "FILE", FILE_NAME(keys),
     .help = "the keys, integers: one of each row, or k of each as an array (n, k)",
     .missing = "no keys given; say which with --keys KEYS.npy"},
    {"groups", "K", NUMBER(groups), .help = "how many groups", RANGE(1, RIFFLE_GROUP_MAX_GROUPS),
     .missing = "no number of groups given; say how many with --groups K"},
    {"offsets", "FILE", FILE_NAME(offsets),
     .help = "write where each group begins, and where the last one ends, as int64"},
    {"by", "WAY", read_by, FIELD(riffle_group_by, by),
     .help = "how keys name groups: value (the default), hash, or top: ranges of keys, all as long"},
    {"multiple", "M", NUMBER(multiple), .help = "pad each group with rows of zeros to a multiple of M rows",
     COUNT_RANGE},
    {"capacity", "C", NUMBER(capacity), .help = "keep the first C rows of each group alone", COUNT_RANGE},
    {"engine", "NAME", ENGINE(engine), .help = "where to group: cpu (the default) or cuda"},
    FORCE_OPTION,
    THREADS_OPTION(threads),
    VERBOSE_OPTION,
    {0},
};

const command group_command = {
    .name = "group",
    .summary = "bring rows of a .npy file together by their keys",
    .usage = "IN.npy OUT.npy --keys KEYS.npy --groups K [OPTION]...",
    .about = "Brings the rows of IN.npy together whose keys name the same of K groups, and\n"
             "writes them to OUT.npy: those of group 0, of group 1, and so on, in the order of\n"
             "IN. Rows whose key names no group are left out, and stderr says how many.\n"
             "OUT.npy is synced to disk.\n",
    .options = options,
    .operands = 2,
    .operand_field = FIELD(const char *, in),
    .run = run,
};
