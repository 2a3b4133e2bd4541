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
#include "ranks/ranks.h"

typedef struct request {
    const char *in, *out; /* the operands */
    const char *keys, *offsets, *counts, *places;
    uint64_t groups, multiple, capacity;
    riffle_group_by by;
    bool check, mpi, force, verbose;
    riffle_engine engine;
    unsigned threads;
} request;

/* A file of int64 beside OUT. */
typedef struct beside {
    const char *name, *path; /* path NULL: it is not wanted */
    riffle_npy_output *output;
} beside;

enum { OFFSETS, COUNTS, PLACES, BESIDES };

typedef struct job {
    transfer file;
    request ask;
    riffle_npy_input *keys;
    riffle_type key_type;
    uint64_t keys_per_row;
    array_units units;  /* IN's rows */
    void *aligned_keys; /* a copy of KEYS, where they do not lie at a multiple of their length */
    uint64_t *offsets;  /* groups + 1 numbers, and as many of another count */
    beside beside[BESIDES];
    uint64_t rows; /* OUT has */
    uint64_t left_out[2];
} job;

static size_t offsets_count(const job *work) { return (size_t)work->ask.groups + 1; }
static size_t offsets_bytes(const job *work) { return offsets_count(work) * sizeof(uint64_t); }

static size_t keys_bytes(const job *work) {
    return (size_t)riffle_npy_input_length(work->keys) * riffle_type_bytes(work->key_type);
}

/* ------------------------------------------------------------------- phases */

/* Another file of the command that the path of number k names, or NULL. */
static const char *same_as(const job *work, int k) {
    const beside *const all = work->beside;
    if (is_same_file(all[k].path, work->file.in)) return "the input";
    if (is_same_file(all[k].path, work->ask.keys)) return "the keys";
    if (is_same_file(all[k].path, work->file.out)) return "the output";
    for (int other = 0; other < k; other++)
        if (all[other].path != NULL && is_same_file(all[k].path, all[other].path)) return all[other].name;
    return NULL;
}

static int check_beside(transfer *file) {
    job *const work = (job *)file;
    beside *const all = work->beside;
    int exit_status = EXIT_DONE;
    all[OFFSETS] = (beside){.name = "the offsets", .path = work->ask.offsets};
    all[COUNTS] = (beside){.name = "the counts", .path = work->ask.counts};
    all[PLACES] = (beside){.name = "the places", .path = work->ask.places};
    for (int k = 0; k < BESIDES && exit_status == EXIT_DONE; k++) {
        if (all[k].path == NULL) continue;
        const char *const other = same_as(work, k);
        if (other != NULL) {
            transfer_refuse(file, "%s: %s and %s are the same file; give %s another name", all[k].path,
                            all[k].name, other, all[k].name);
            return EXIT_USAGE;
        }
        exit_status = transfer_may_replace(file, all[k].path);
    }
    return exit_status;
}

/* Integers, and bools as the numbers 0 and 1. */
static bool key_type_of(const char *descr, riffle_type *out) {
    if (strcmp(descr, "'|b1'") == 0) {
        *out = RIFFLE_TYPE_U8;
        return true;
    }
    return program_type_of(descr, out) && *out <= RIFFLE_TYPE_U64;
}

static int check_keys(job *work) {
    const riffle_npy_header *const header = riffle_npy_input_header(work->keys);
    const uint64_t n = work->file.part.header.shape[0];
    if (!key_type_of(header->descr, &work->key_type))
        return transfer_refuse(
            &work->file,
            "%s: dtype %s; keys are little-endian integers of 1 to 8 bytes, or bools; convert "
            "them with astype",
            work->ask.keys, header->descr);
    if (header->rank < 1 || header->rank > 2 || header->shape[0] != n)
        return transfer_refuse(&work->file,
                               "%s: keys are an array of shape (%" PRIu64
                               ",), one of each row of %s, or (%" PRIu64
                               ", k), k of each; this one has another",
                               work->ask.keys, n, work->file.in, n);
    if (header->fortran_order && header->rank > 1)
        return transfer_refuse(&work->file, "%s: is in Fortran order; save numpy.ascontiguousarray of it",
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

/* A plan for rows of so many bytes, or where that is 0 for offsets alone. It always has a capacity, since then the library looks at each place:
 * whoever cuts KEYS short makes zeros of keys that were counted as others. */
static riffle_status plan_for(const job *work, size_t row_bytes, size_t index_bytes, riffle_group_plan **out) {
    const riffle_group_options options = {
        .by = work->ask.by,
        .keys_per_row = work->keys_per_row,
        .multiple = work->ask.multiple,
        .capacity = work->ask.capacity > 0 ? work->ask.capacity : RIFFLE_MAX_LENGTH,
        .index_bytes = index_bytes,
        .threads = work->ask.threads,
        .check = work->ask.check && row_bytes > 0 ? RIFFLE_CHECK_FULL : RIFFLE_CHECK_NONE};
    return riffle_group_plan_create(work->file.part.header.shape[0], row_bytes, work->key_type,
                                    work->ask.groups, work->ask.engine, &options, out);
}

static void *numbers_of(const beside *file) {
    return file->output != NULL ? riffle_npy_output_data(file->output) : NULL;
}

static riffle_status execute(job *work, const riffle_group_plan *plan, riffle_group_arrays arrays) {
    const riffle_status status = align_keys(work, &arrays.keys);
    arrays.left_out = work->left_out;
    return status == RIFFLE_OK ? riffle_group_execute(plan, &arrays) : status;
}

static riffle_status find_offsets(job *work) {
    riffle_group_plan *plan = NULL;
    riffle_status status = plan_for(work, 0, 0, &plan);
    if (status == RIFFLE_OK) status = execute(work, plan, (riffle_group_arrays){.offsets = work->offsets});
    riffle_group_plan_free(plan);
    return status;
}

static int count_groups(transfer *file) {
    job *const work = (job *)file;
    void *offsets;
    riffle_status status = riffle_buffer_create(2 * offsets_bytes(work), &offsets);
    if (status != RIFFLE_OK) return transfer_result(file, "group", status);
    work->offsets = offsets;
    status = find_offsets(work);
    if (status != RIFFLE_OK) return transfer_result(file, "group", status);
    work->rows = work->offsets[work->ask.groups];
    return transfer_result(file, work->ask.keys, riffle_npy_input_check(work->keys));
}

static int create_beside(job *work, int k) {
    riffle_npy_header header = {.descr = "'<i8'", .elem_bytes = sizeof(uint64_t), .rank = 1};
    beside *const file = &work->beside[k];
    if (file->path == NULL) return EXIT_DONE;
    header.shape[0] = work->ask.groups + (k == OFFSETS);
    if (k == PLACES) {
        const riffle_npy_header *const keys = riffle_npy_input_header(work->keys);
        header.rank = keys->rank;
        memcpy(header.shape, keys->shape, sizeof header.shape);
    }
    return transfer_create_beside(&work->file, file->path, &header, &file->output);
}

static int create_outputs(transfer *file) {
    job *const work = (job *)file;
    riffle_npy_header header = file->part.header;
    header.shape[0] = work->rows;
    header.fortran_order = 0;
    int exit_status = transfer_create(file, &header);
    for (int k = 0; k < BESIDES && exit_status == EXIT_DONE; k++) exit_status = create_beside(work, k);
    return exit_status;
}

/* OUT has room for the rows that there are, and a plan may want more. */
static riffle_status group_by_way_of(job *work, const riffle_group_plan *plan, riffle_group_arrays arrays) {
    const size_t bytes = (size_t)riffle_group_plan_room(plan) * work->units.bytes;
    riffle_status status = riffle_buffer_create(bytes, &arrays.rows);
    if (status != RIFFLE_OK) return status;
    status = execute(work, plan, arrays);
    if (status == RIFFLE_OK)
        memcpy(riffle_npy_output_data(work->file.output), arrays.rows, (size_t)work->rows * work->units.bytes);
    riffle_buffer_free(arrays.rows, bytes);
    return status;
}

static riffle_status group_arrays(job *work, const riffle_group_plan *plan, riffle_group_arrays arrays) {
    if (arrays.from_rows == NULL) return execute(work, plan, arrays);
    if (riffle_group_plan_room(plan) > work->rows) return group_by_way_of(work, plan, arrays);
    arrays.rows = riffle_npy_output_data(work->file.output);
    return execute(work, plan, arrays);
}

static riffle_status group_rows(job *work) {
    riffle_group_arrays arrays = {.offsets = work->offsets + offsets_count(work),
                                  .counts = numbers_of(&work->beside[COUNTS]),
                                  .places = numbers_of(&work->beside[PLACES])};
    riffle_group_plan *plan = NULL;
    const size_t row_bytes = work->rows > 0 ? work->units.bytes : 0;
    riffle_status status = row_bytes > 0 ? transfer_aligned(&work->file, 16, &arrays.from_rows) : RIFFLE_OK;
    if (status == RIFFLE_OK)
        status = plan_for(work, row_bytes, arrays.places != NULL ? sizeof(uint64_t) : 0, &plan);
    if (status == RIFFLE_OK) status = group_arrays(work, plan, arrays);
    riffle_group_plan_free(plan);
    return status;
}

/* Rows were counted by KEYS, and grouped by them: they were the same. */
static int check_unchanged(job *work) {
    const riffle_status status = riffle_npy_input_check(work->keys);
    if (status != RIFFLE_OK) return transfer_result(&work->file, work->ask.keys, status);
    if (memcmp(work->offsets, work->offsets + offsets_count(work), offsets_bytes(work)) == 0) return EXIT_DONE;
    return transfer_refuse(&work->file,
                           "%s: was changed while it was read; run this again once nothing writes to it",
                           work->ask.keys);
}

static int group(transfer *file) {
    job *const work = (job *)file;
    void *const offsets = numbers_of(&work->beside[OFFSETS]);
    const riffle_status status = group_rows(work);
    if (status != RIFFLE_OK) return transfer_result(file, "group", status);
    if (offsets != NULL) memcpy(offsets, work->offsets, offsets_bytes(work));
    return check_unchanged(work);
}

enum { CHECK, OPEN, COUNT, CREATE, GROUP, SYNC, PHASE_COUNT };

static const transfer_phase phases[PHASE_COUNT] = {
    [CHECK] = {"opening", check_beside},  [OPEN] = {"opening", open_inputs},
    [COUNT] = {"counting", count_groups}, [CREATE] = {"making room", create_outputs},
    [GROUP] = {"grouping", group},        [SYNC] = {"syncing", transfer_place},
};

/* ------------------------------------------------------------------ messages */

static void say_left_out(const transfer *file) {
    const job *const work = (const job *)file;
    complain_left_out(work->ask.out, work->ask.groups, work->left_out[0], work->left_out[1]);
}

static void report(const transfer *file) {
    const job *const work = (const job *)file;
    complain("%s: %" PRIu64 " rows of %zu bytes in %" PRIu64 " groups in %.3f s", work->ask.out, work->rows,
             work->units.bytes, work->ask.groups, work->file.seconds[COUNT] + work->file.seconds[GROUP]);
}

static void clean_up(transfer *file) {
    job *const work = (job *)file;
    if (work->offsets != NULL) riffle_buffer_free(work->offsets, 2 * offsets_bytes(work));
    if (work->aligned_keys != NULL) riffle_buffer_free(work->aligned_keys, keys_bytes(work));
    riffle_npy_input_close(work->keys);
}

static const transfer_command way = {.name = "group",
                                     .phases = phases,
                                     .count = PHASE_COUNT,
                                     .print = say_left_out,
                                     .report = report,
                                     .clean_up = clean_up};

static int group_over_ranks(const request *ask) {
    return ranks_group(&(riffle_mpi_files_group){.in = ask->in,
                                                 .out = ask->out,
                                                 .keys = ask->keys,
                                                 .offsets = ask->offsets,
                                                 .counts = ask->counts,
                                                 .places = ask->places,
                                                 .type_of = key_type_of,
                                                 .groups = ask->groups,
                                                 .by = ask->by,
                                                 .multiple = ask->multiple,
                                                 .capacity = ask->capacity,
                                                 .threads = ask->threads},
                       ask->verbose);
}

static int run(int argc, char **argv) {
    job work = {0};
    int exit_status;
    if (!options_read(&group_command, argc, argv, &work.ask, &exit_status)) return exit_status;
    if (work.ask.mpi) return group_over_ranks(&work.ask);
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
     .help = "the keys, integers or bools: one of each row, or k of each as an array (n, k)",
     .missing = "no keys given; say which with --keys KEYS.npy"},
    {"groups", "K", NUMBER(groups), .help = "how many groups", RANGE(1, RIFFLE_GROUP_MAX_GROUPS),
     .missing = "no number of groups given; say how many with --groups K"},
    {"offsets", "FILE", FILE_NAME(offsets),
     .help = "write where each group begins, and where the last one ends, as int64"},
    {"counts", "FILE", FILE_NAME(counts),
     .help = "write how many rows each group has, without padding, as int64"},
    {"places", "FILE", FILE_NAME(places),
     .help = "write where each key's row went in OUT, -1 where it was left out, as int64 of KEYS' shape"},
    {"by", "WAY", read_by, FIELD(riffle_group_by, by),
     .help = "how keys name groups: value (the default), hash, or top: ranges of keys, all as long"},
    {"multiple", "M", NUMBER(multiple), .help = "pad each group with rows of zeros to a multiple of M rows",
     COUNT_RANGE},
    {"capacity", "C", NUMBER(capacity), .help = "keep the first C rows of each group alone", COUNT_RANGE},
    CHECK_OPTION,
    {"engine", "NAME", ENGINE(engine), .help = "where to group: cpu (the default) or cuda"},
    {"mpi", NULL, SWITCH(mpi),
     .help = "started by mpirun: all ranks group the rows together, each reads and writes a part"},
    FORCE_OPTION,
    THREADS_OPTION(threads),
    VERBOSE_OPTION,
    {0},
};

static const command_form forms[] = {
    {"mpi", .takes = "keys groups offsets counts places by multiple capacity threads verbose"},
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
    .forms = forms,
    .operands = 2,
    .operand_field = FIELD(const char *, in),
    .run = run,
};
