/* SPDX-License-Identifier: Apache-2.0
 *
 * riffle permute: IN.npy is mapped, moved along the permutation straight into the mapped temporary of
 * OUT.npy, and that renamed. The work is a list of phases; the first that fails ends it.
 *
 *     input ------------------------- plan ------------------------> output     elements, rows in C order
 *     input -- to C order --> buffer -- plan ----------------------> output     other parts of IN, --rows of Fortran order
 *     input -- to C order -----------------------------------------> output     --view alone
 *     input -- to C order --> output -- plan ----------------------> output     --in-place: OUT is IN
 *
 * In place means one array in memory, not one on the disk: a file that is moved within itself would be lost with a
 * process that is killed. So IN, too, is replaced by a whole file, and what moves in place is that file's map.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arrays/array.h"
#include "arrays/program_text.h"
#include "arrays/slices.h"
#include "arrays/table_files.h"
#include "arrays/transfer.h"
#include "arrays/wisdom.h"
#include "frame/command.h"
#include "frame/message.h"
#include "frame/options.h"
#include "frame/readers.h"
#include "ranks/ranks.h"
#include "riffle/bits.h"

enum { OPEN, READ_SPEC, CREATE, PLAN, MOVE, SYNC, PHASE_COUNT };

typedef struct request {
    const char *in, *out; /* the operands; in place out is in */
    const char *by;       /* NULL: only --view */
    slices view;
    bool rows, in_place, force, verbose, mpi;
    riffle_engine engine;
    riffle_plan_options options;
    const char *wisdom; /* NULL: no file */
    unsigned elem_bits; /* packed elements'; 0: whole bytes */
    riffle_bit_order order;
} request;

typedef struct job {
    transfer file;
    request ask;
    array_units units;
    riffle_perm *perm;        /* the permutation by --by */
    bool at_once;             /* into C order and along P in one move */
    riffle_plan *plan;        /* NULL where there is nothing to move, or --view alone moves it */
    riffle_bits_plan *packed; /* instead, of packed elements */
    riffle_algorithm algorithm;
} job;

static int open_input(transfer *file) {
    job *const work = (job *)file;
    const int exit_status = transfer_open(file);
    if (exit_status != EXIT_DONE) return exit_status;
    char why[SLICES_WHY];
    if (work->ask.view.count > 0 && !slices_apply(&work->ask.view, &file->part, why))
        return transfer_refuse(file, "%s: --view: %s; choose a part that is there", file->in, why);
    if (work->ask.rows && file->part.header.rank == 0)
        return transfer_refuse(file, "%s: a 0-dimensional array has no rows; leave out --rows", file->in);
    work->units = array_units_of(&file->part, work->ask.rows);
    if (work->ask.elem_bits == 0) return EXIT_DONE;
    if (!array_is_of_bytes(&file->part.header)) return transfer_refuse_unpacked(file, work->ask.elem_bits);
    work->units.count *= 8 / work->ask.elem_bits;
    return EXIT_DONE;
}

/* OUT is no table of --by. */
static int spare_tables(transfer *file, const char *by) {
    char *const name = malloc(strlen(by) + 1);
    if (name == NULL) return transfer_refuse(file, "no memory for the names of tables");
    int exit_status = EXIT_DONE;
    while (exit_status == EXIT_DONE && (by = table_files_next(by, name)) != NULL)
        exit_status = transfer_spare(file, name);
    free(name);
    return exit_status;
}

static int read_spec(transfer *file) {
    job *const work = (job *)file;
    if (work->ask.by == NULL) return EXIT_DONE;
    riffle_status status = riffle_perm_parse(work->ask.by, work->units.count, &work->perm);
    if (status == RIFFLE_OK) return spare_tables(file, work->ask.by);
    progress_stop(&file->line);
    return complain_permutation(work->ask.by, work->units.count, status);
}

static int create_output(transfer *file) {
    job *const work = (job *)file;
    riffle_npy_header header = file->part.header;
    if (work->perm != NULL && !array_output_header(&file->part.header, work->perm, work->ask.rows, &header))
        return transfer_refuse_rank(file);
    uint64_t shape[RIFFLE_MAX_RANK];
    if (work->ask.elem_bits > 0 && riffle_perm_output_shape(work->perm, shape) > 0 &&
        !array_pack_last_axis(&header, work->ask.elem_bits))
        return transfer_refuse(file,
                               "%s: the last axis of %llu elements of %u bit%s does not fill bytes; "
                               "'SPEC|transpose:%llux1' writes all in one row",
                               file->out, (unsigned long long)header.shape[header.rank - 1],
                               work->ask.elem_bits, work->ask.elem_bits == 1 ? "" : "s",
                               (unsigned long long)work->units.count);
    return transfer_create(file, &header);
}

static riffle_status plan_one(const job *work, const riffle_perm *perm, size_t bytes, riffle_plan **out) {
    return riffle_plan_create(perm, bytes, work->ask.engine, &work->ask.options, out);
}

/* All elements of a file in Fortran order need one move: into C order and along P at once. */
static riffle_status plan_fortran(job *work) {
    riffle_perm *to_c_order = NULL, *both = NULL;
    riffle_status status = array_to_c_order(&work->file.part.header, &to_c_order);
    if (status == RIFFLE_OK) status = riffle_perm_compose(to_c_order, work->perm, &both);
    if (status == RIFFLE_OK) status = plan_one(work, both, work->units.bytes, &work->plan);
    riffle_perm_free(both);
    riffle_perm_free(to_c_order);
    return status;
}

static riffle_status plan_packed(job *work) {
    const riffle_bits_options options = {
        .threads = work->ask.options.threads, .order = work->ask.order, .engine = work->ask.engine};
    return riffle_bits_plan_create(work->perm, work->ask.elem_bits, &options, &work->packed);
}

static int plan_moves(transfer *file) {
    job *const work = (job *)file;
    if (work->units.bytes == 0 || work->perm == NULL) return EXIT_DONE;
    if (work->ask.elem_bits > 0) return transfer_result(file, "planning", plan_packed(work));
    const bool is_whole = work->ask.view.count == 0 && !work->ask.rows;
    riffle_status status = wisdom_take(work->ask.wisdom);
    if (status != RIFFLE_OK) return transfer_result(file, "planning", status);
    work->at_once = is_whole && !work->ask.in_place && !array_is_in_c_order(&file->part);
    status = work->at_once ? plan_fortran(work) : plan_one(work, work->perm, work->units.bytes, &work->plan);
    if (status == RIFFLE_OK) status = wisdom_put(work->ask.wisdom);
    if (status == RIFFLE_OK) work->algorithm = riffle_plan_algorithm(work->plan);
    return transfer_result(file, "planning", status);
}

/* Units that lie scattered are put together first; in place in OUT itself. */
static riffle_status move_planned(job *work, void *dst) {
    const void *src = transfer_first(&work->file);
    riffle_status status = RIFFLE_OK;
    if (work->ask.in_place) {
        status = transfer_copy(&work->file, dst);
        src = dst;
    } else if (!work->at_once) {
        status = transfer_in_c_order(&work->file, &src);
    }
    return status == RIFFLE_OK ? riffle_execute(work->plan, dst, src) : status;
}

static riffle_status move_packed(job *work, void *dst) {
    const void *src;
    const riffle_status status = transfer_aligned(&work->file, 1, &src);
    return status == RIFFLE_OK ? riffle_bits_execute(work->packed, dst, src) : status;
}

static int move_all(transfer *file) {
    job *const work = (job *)file;
    void *const dst = riffle_npy_output_data(file->output);
    riffle_status status = RIFFLE_OK;
    if (work->packed != NULL) {
        status = move_packed(work, dst);
    } else if (work->plan != NULL) {
        status = move_planned(work, dst);
    } else if (work->perm == NULL) {
        status = transfer_copy(file, dst);
    }
    return transfer_result(file, "moving", status);
}

static const transfer_phase phases[PHASE_COUNT] = {
    [OPEN] = {"opening", open_input},
    [READ_SPEC] = {"reading the permutation", read_spec},
    [CREATE] = {"making room", create_output},
    [PLAN] = {"planning", plan_moves},
    [MOVE] = {"moving", move_all},
    [SYNC] = {"syncing", transfer_place},
};

static void report(const transfer *file) {
    const job *const work = (const job *)file;
    const unsigned bits = work->ask.elem_bits;
    const size_t size = bits > 0 ? bits : work->units.bytes;
    const double mib = (double)work->units.count * (double)size / (bits > 0 ? 8 << 20 : 1 << 20);
    const double *seconds = work->file.seconds;
    const char *way = work->packed != NULL     ? "bits"
                      : work->plan != NULL     ? riffle_algorithm_string(work->algorithm)
                      : work->units.bytes == 0 ? "nothing to move"
                                               : "copy of a view";
    complain("%s: %llu %s of %zu %s%s (%.1f MiB) moved by '%s'%s", work->ask.out,
             (unsigned long long)work->units.count, work->ask.rows ? "rows" : "elements", size,
             bits > 0 ? "bit" : "byte", size == 1 ? "" : "s", mib, way, work->ask.in_place ? " in place" : "");
    complain("read SPEC %.3f s, make room %.3f s, plan %.3f s, move %.3f s, sync %.3f s", seconds[READ_SPEC],
             seconds[CREATE], seconds[PLAN], seconds[MOVE], seconds[SYNC]);
}

static void clean_up(transfer *file) {
    job *const work = (job *)file;
    riffle_plan_free(work->plan);
    riffle_bits_plan_free(work->packed);
    riffle_perm_free(work->perm);
}

/* A file of its own for the result, or --in-place, of the whole array. */
static bool is_placed(const request *ask) {
    if (ask->in_place && ask->out != NULL) {
        complain("%s: not expected with --in-place, which replaces %s; leave out one of the two", ask->out,
                 ask->in);
    } else if (ask->in_place && ask->view.count > 0) {
        complain(
            "permute: --view with --in-place would leave %s without the rest of its array; write the part to "
            "another file",
            ask->in);
    } else if (!ask->in_place && ask->out == NULL) {
        complain("permute: 1 of 2 file names given; name OUT.npy too, or replace IN.npy with --in-place");
    } else {
        return true;
    }
    return false;
}

static bool is_complete(const request *ask) {
    if (!is_placed(ask)) return false;
    if (ask->by != NULL || ask->view.count > 0) return true;
    complain("permute: no permutation given; say which with --by SPEC, or which part of IN with --view SLICES");
    return false;
}

static const transfer_command way = {
    .name = "permute", .phases = phases, .count = PHASE_COUNT, .report = report, .clean_up = clean_up};

static int run(int argc, char **argv) {
    job work = {.ask = {.options = {.executions = 1}}};
    int exit_status;
    if (!options_read(&permute_command, argc, argv, &work.ask, &exit_status)) return exit_status;
    if (!is_complete(&work.ask) || !wisdom_is_meant(&work.ask.options, work.ask.wisdom)) return EXIT_USAGE;
    if (work.ask.mpi)
        return ranks_permute(&(riffle_mpi_files){work.ask.in, work.ask.out, work.ask.by, work.ask.rows,
                                                 work.ask.options.threads},
                             work.ask.verbose);
    if (work.ask.options.effort == RIFFLE_EFFORT_MEASURE)
        work.ask.options.executions = 0; /* the file's plans are for many */
    if (work.ask.in_place) work.ask.out = work.ask.in;
    work.ask.options.in_place = work.ask.in_place;
    work.file.replaces_input = work.ask.in_place;
    return transfer_do(&work.file, &way,
                       &(transfer_asked){work.ask.in, work.ask.out, work.ask.force, work.ask.verbose,
                                         &work.ask.options.threads});
}

static const command_option options[] = {
    {"by", "SPEC", SPEC(by), .help = "the permutation"},
    {"view", "SLICES", SLICES(view),
     .help = "take IN[SLICES], as NumPy does, for IN: '::2, 5:20, ::-1'; integers and ... may be there too"},
    {"rows", NULL, SWITCH(rows), .help = "move whole rows: OUT[P(i)] = IN[i]"},
    {"in-place", NULL, SWITCH(in_place),
     .help = "put the result in IN's place, which is moved within one array; without OUT"},
    {"elem-bits", "B", ELEM_BITS(elem_bits),
     .help = "IN is of uint8, and has elements of 1, 2 or 4 bits in each byte, which are moved"},
    BIT_ORDER_OPTION(order),
    {"mpi", NULL, SWITCH(mpi),
     .help = "started by mpirun: all ranks move the array together, each reads and writes a part"},
    {"check", "KIND", CHECK_KIND(options.check), .may_be_alone = true,
     .help = "write nothing that is not what it should be: full (the default) reads the result once more, "
             "passes adds up what "
             "passes leave to the next ones, where there are several"},
    ENGINE_OPTION,
    ALGORITHM_OPTION(options.algorithm),
    EFFORT_OPTIONS,
    FORCE_OPTION,
    THREADS_OPTION(options.threads),
    VERBOSE_OPTION,
    {0},
};

static const command_form forms[] = {
    {"rows", .needs = "by"},
    {"check", .needs = "by"},
    {"engine", .needs = "by"},
    {"algorithm", .needs = "by"},
    {"elem-bits", .takes = "by bit-order engine force threads verbose", .needs = "by"},
    {"bit-order", .needs = "elem-bits"},
    {"mpi", .takes = "by rows threads verbose", .needs = "by"},
    {0},
};

const command permute_command = {
    .name = "permute",
    .summary = "permute the elements or rows of a .npy file",
    .usage = "IN.npy [OUT.npy] --by SPEC | --view SLICES [OPTION]...",
    .about = "Moves the elements of IN.npy along the permutation P that SPEC describes and\n"
             "writes them to OUT.npy: OUT.flat[P(i)] = IN.flat[i], as NumPy counts. Plans\n"
             "for one execution. When the command ends, OUT.npy is synced to disk. With\n"
             "--view, IN is a part of the array; without --by, OUT is that part. With\n"
             "--in-place the result replaces IN, whole or not at all.\n",
    .options = options,
    .forms = forms,
    .notes = SPEC_HELP,
    .operands = 2,
    .optional = 1,
    .operand_field = FIELD(const char *, in),
    .run = run,
};
