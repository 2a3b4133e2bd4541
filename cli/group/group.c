/* SPDX-License-Identifier: Apache-2.0
 *
 * riffle group: rows of IN.npy brought together by the keys of KEYS.npy, straight into the mapped temporary of OUT.npy, and rows of further
 * columns with them. Groups are counted first, since they say how many rows OUT has.
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
#include "group/beside.h"
#include "group/columns.h"
#include "group/job.h"
#include "ranks/ranks.h"
#include "riffle/group.h"

static size_t offsets_count(const job *work) { return (size_t)work->ask.groups + 1; }
static size_t offsets_bytes(const job *work) { return offsets_count(work) * sizeof(uint64_t); }

static size_t keys_bytes(const job *work) {
    return (size_t)riffle_npy_input_length(work->keys) * riffle_type_bytes(work->key_type);
}

/* ------------------------------------------------------------------- phases */

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
    exit_status = check_keys(work);
    return exit_status == EXIT_DONE ? columns_open(&work->ask.columns, file) : exit_status;
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

/* Bytes of a row of the column, of which number 0 is IN; 0 where no rows are moved, and until groups have been counted. */
static size_t row_bytes(const job *work, unsigned column) {
    if (work->rows == 0) return 0;
    return column == 0 ? work->units.bytes : work->ask.columns.of[column - 1].units.bytes;
}

static unsigned columns_moved(const job *work) { return work->rows > 0 ? work->ask.columns.count : 0; }

/* On the CPU it always has a capacity, since then the library looks at each place: whoever cuts KEYS short makes zeros of keys that were counted as
 * others. A GPU reads a copy of its own. */
static uint64_t capacity_of(const request *ask) {
    return ask->capacity > 0 || ask->engine != RIFFLE_ENGINE_CPU ? ask->capacity : RIFFLE_MAX_LENGTH;
}

static riffle_status plan_for(const job *work, size_t index_bytes, riffle_group_plan **out) {
    size_t column_bytes[COLUMNS_MOST];
    const riffle_group_options options = {.by = work->ask.by,
                                          .keys_per_row = work->keys_per_row,
                                          .multiple = work->ask.multiple,
                                          .capacity = capacity_of(&work->ask),
                                          .index_bytes = index_bytes,
                                          .threads = work->ask.threads,
                                          .check = work->rows > 0 ? work->ask.check : RIFFLE_CHECK_NONE,
                                          .columns = columns_moved(work),
                                          .column_bytes = column_bytes};
    for (unsigned k = 0; k < options.columns; k++) column_bytes[k] = row_bytes(work, k + 1);
    return riffle_group_plan_create(work->file.part.header.shape[0], row_bytes(work, 0), work->key_type,
                                    work->ask.groups, work->ask.engine, &options, out);
}

static riffle_status execute(job *work, const riffle_group_plan *plan, riffle_group_arrays arrays) {
    const riffle_status status = align_keys(work, &arrays.keys);
    arrays.left_out = work->left_out;
    return status == RIFFLE_OK ? riffle_group_execute(plan, &arrays) : status;
}

static riffle_status find_offsets(job *work) {
    riffle_group_plan *plan = NULL;
    riffle_status status = plan_for(work, 0, &plan);
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

static int create_outputs(transfer *file) {
    job *const work = (job *)file;
    riffle_npy_header header = file->part.header;
    header.shape[0] = work->rows;
    header.fortran_order = 0;
    const int exit_status = transfer_create(file, &header);
    return exit_status == EXIT_DONE ? beside_create(work) : exit_status;
}

static riffle_status find_rows(job *work, unsigned column, const void **out) {
    enum { ALIGN = 16 };
    if (column == 0) return transfer_aligned(&work->file, ALIGN, out);
    further_column *const one = &work->ask.columns.of[column - 1];
    return array_aligned(&one->part, riffle_npy_input_data(one->input), ALIGN, work->ask.threads, &one->c_order,
                         out);
}

static void *result_of(const job *work, unsigned column) {
    return column == 0 ? riffle_npy_output_data(work->file.output)
                       : beside_data(&work->beside[COLUMNS + column - 1]);
}

/* The output has room for the rows that there are; where the plan wants more, they are written to memory first. */
static riffle_status bring_column(job *work, unsigned column, uint64_t room, riffle_group_column *out) {
    const size_t bytes = row_bytes(work, column);
    if (bytes == 0) return RIFFLE_OK;
    const riffle_status status = find_rows(work, column, &out->from_rows);
    if (status != RIFFLE_OK) return status;
    if (room > work->rows) return riffle_buffer_create((size_t)room * bytes, &out->rows);
    out->rows = result_of(work, column);
    return RIFFLE_OK;
}

static void take_column(const job *work, unsigned column, uint64_t room, bool is_grouped,
                        riffle_group_column from) {
    const size_t bytes = row_bytes(work, column);
    if (from.rows == NULL || room <= work->rows) return;
    if (is_grouped) memcpy(result_of(work, column), from.rows, (size_t)work->rows * bytes);
    riffle_buffer_free(from.rows, (size_t)room * bytes);
}

static riffle_status group_arrays(job *work, const riffle_group_plan *plan, riffle_group_arrays arrays) {
    riffle_group_column all[1 + COLUMNS_MOST] = {{0}};
    const uint64_t room = riffle_group_plan_room(plan);
    const unsigned others = columns_moved(work);
    riffle_status status = RIFFLE_OK;
    for (unsigned k = 0; k <= others && status == RIFFLE_OK; k++) status = bring_column(work, k, room, &all[k]);
    arrays.rows = all[0].rows;
    arrays.from_rows = all[0].from_rows;
    arrays.columns = others > 0 ? all + 1 : NULL;
    if (status == RIFFLE_OK) status = execute(work, plan, arrays);
    for (unsigned k = 0; k <= others; k++) take_column(work, k, room, status == RIFFLE_OK, all[k]);
    return status;
}

static riffle_status group_rows(job *work) {
    const riffle_group_arrays arrays = {.offsets = work->offsets + offsets_count(work),
                                        .counts = beside_data(&work->beside[COUNTS]),
                                        .places = beside_data(&work->beside[PLACES])};
    riffle_group_plan *plan = NULL;
    riffle_status status = plan_for(work, arrays.places != NULL ? sizeof(uint64_t) : 0, &plan);
    if (status == RIFFLE_OK) status = group_arrays(work, plan, arrays);
    riffle_group_plan_free(plan);
    return status;
}

/* Rows were counted by KEYS, and grouped by them: they were the same, and columns there to their ends. */
static int check_unchanged(job *work) {
    const riffle_status status = riffle_npy_input_check(work->keys);
    if (status != RIFFLE_OK) return transfer_result(&work->file, work->ask.keys, status);
    if (memcmp(work->offsets, work->offsets + offsets_count(work), offsets_bytes(work)) == 0)
        return columns_check(&work->ask.columns, &work->file);
    return transfer_refuse(&work->file,
                           "%s: was changed while it was read; run this again once nothing writes to it",
                           work->ask.keys);
}

static int group(transfer *file) {
    job *const work = (job *)file;
    void *const offsets = beside_data(&work->beside[OFFSETS]);
    const riffle_status status = group_rows(work);
    if (status != RIFFLE_OK) return transfer_result(file, "group", status);
    if (offsets != NULL) memcpy(offsets, work->offsets, offsets_bytes(work));
    return check_unchanged(work);
}

enum { CHECK, OPEN, COUNT, CREATE, GROUP, SYNC, PHASE_COUNT };

static const transfer_phase phases[PHASE_COUNT] = {
    [CHECK] = {"opening", beside_check},  [OPEN] = {"opening", open_inputs},
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
    size_t bytes = work->units.bytes; /* all columns have */
    for (unsigned k = 0; k < work->ask.columns.count; k++) bytes += work->ask.columns.of[k].units.bytes;
    complain("%s: %" PRIu64 " rows of %zu bytes in %" PRIu64 " groups in %.3f s", work->ask.out, work->rows,
             bytes, work->ask.groups, work->file.seconds[COUNT] + work->file.seconds[GROUP]);
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

static int group_here(job *work) {
    request *const ask = &work->ask;
    return transfer_do(&work->file, &way,
                       &(transfer_asked){ask->in, ask->out, ask->force, ask->verbose, &ask->threads});
}

static int run(int argc, char **argv) {
    job work = {0};
    int exit_status;
    if (options_read(&group_command, argc, argv, &work.ask, &exit_status))
        exit_status = work.ask.mpi ? group_over_ranks(&work.ask) : group_here(&work);
    columns_end(&work.ask.columns);
    return exit_status;
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
    {"column", "FROM:TO", columns_read, FIELD(further_columns, columns),
     .help = "bring the rows of FROM, another column of the table, to the same places in TO, .npy files both; "
             "may be repeated, up to 64 times",
     .repeatable = true},
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
    {"check", "KIND", CHECK_KIND(check), .may_be_alone = true,
     .help =
         "write no result that is not what it should be: full (the default) reads it once more, passes adds up "
         "what is between two passes, which --engine cuda takes of rows of 1, 2, 4, 8 or 16 bytes alone in "
         "more than "
         "1024 "
         "groups"},
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
