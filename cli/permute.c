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
#include <string.h>

#include "arrays/array.h"
#include "arrays/slices.h"
#include "arrays/unfinished.h"
#include "frame/command.h"
#include "frame/message.h"
#include "frame/progress.h"
#include "frame/readers.h"
#include "riffle.h"
#include "riffle/npy.h"
#include "system/clock.h"
#include "system/threads.h"

enum { OPEN, READ_SPEC, CREATE, PLAN, MOVE, SYNC, PHASE_COUNT };

typedef struct request {
    const char *in, *out; /* the operands; in place out is in */
    const char *by;       /* NULL: only --view */
    slices view;
    bool rows, in_place, verbose;
    riffle_engine engine;
    riffle_plan_options options;
} request;

typedef struct job {
    request ask;
    riffle_npy_input *input;
    array_part part; /* of the input, that moves */
    array_units units;
    riffle_perm *perm; /* what --by says */
    riffle_npy_output *output;
    bool changes_owner; /* OUT's */
    void *c_order;      /* where units are put together first: a buffer, in place OUT itself, or NULL */
    riffle_plan *plan;  /* NULL where there is nothing to move, or --view alone moves it */
    riffle_algorithm algorithm;
    double seconds[PHASE_COUNT];
    progress line;
} job;

static int fail_at(job *work, const char *place, riffle_status status) {
    progress_stop(&work->line);
    return complain_status(place, status);
}

static int open_input(job *work) {
    riffle_status status = riffle_npy_open(work->ask.in, &work->input);
    if (status != RIFFLE_OK) return fail_at(work, work->ask.in, status);
    work->part = array_whole(riffle_npy_get_header(work->input), riffle_npy_length(work->input));
    char why[SLICES_WHY];
    if (work->ask.view.count > 0 && !slices_apply(&work->ask.view, &work->part, why)) {
        progress_stop(&work->line);
        complain("%s: --view: %s; choose a part that is there", work->ask.in, why);
        return EXIT_FAILED;
    }
    if (work->ask.rows && work->part.header.rank == 0) {
        progress_stop(&work->line);
        complain("%s: a 0-dimensional array has no rows; leave out --rows", work->ask.in);
        return EXIT_FAILED;
    }
    work->units = array_units_of(&work->part, work->ask.rows);
    return EXIT_DONE;
}

static int read_spec(job *work) {
    if (work->ask.by == NULL) return EXIT_DONE;
    riffle_status status = riffle_perm_parse(work->ask.by, work->units.count, &work->perm);
    if (status == RIFFLE_OK) return EXIT_DONE;
    progress_stop(&work->line);
    return complain_spec(work->ask.by, status);
}

static int create_output(job *work) {
    riffle_npy_header header = work->part.header;
    if (work->perm != NULL && !array_output_header(&work->part.header, work->perm, work->ask.rows, &header)) {
        progress_stop(&work->line);
        complain("%s: the result would have more than %d dimensions; reshape it first", work->ask.in,
                 RIFFLE_MAX_RANK);
        return EXIT_FAILED;
    }
    unfinished_hold();
    const riffle_npy_input *const not_this = work->ask.in_place ? NULL : work->input;
    riffle_status status = riffle_npy_create(work->ask.out, &header, not_this, &work->output);
    unfinished_watch(work->output);
    if (status == RIFFLE_OK) return EXIT_DONE;
    fail_at(work, work->ask.out, status);
    return status == RIFFLE_ERROR_INVALID_ARGUMENT ? EXIT_USAGE : EXIT_FAILED;
}

static riffle_status plan_one(const job *work, const riffle_perm *perm, size_t bytes, riffle_plan **out) {
    return riffle_plan_create(perm, bytes, work->ask.engine, &work->ask.options, out);
}

/* All elements of a file in Fortran order need one move: into C order and along P at once. */
static riffle_status plan_fortran(job *work) {
    riffle_perm *to_c_order = NULL, *both = NULL;
    riffle_status status = array_to_c_order(&work->part.header, &to_c_order);
    if (status == RIFFLE_OK) status = riffle_perm_compose(to_c_order, work->perm, &both);
    if (status == RIFFLE_OK) status = plan_one(work, both, work->units.bytes, &work->plan);
    riffle_perm_free(both);
    riffle_perm_free(to_c_order);
    return status;
}

/* Units that lie scattered are put together first. */
static riffle_status plan_units(job *work) {
    riffle_status status = plan_one(work, work->perm, work->units.bytes, &work->plan);
    if (work->ask.in_place) {
        work->c_order = riffle_npy_output_data(work->output);
    } else if (status == RIFFLE_OK && !array_is_in_c_order(&work->part)) {
        status = riffle_buffer_create(work->units.count * work->units.bytes, &work->c_order);
    }
    return status;
}

static int plan_moves(job *work) {
    if (work->units.bytes == 0 || work->perm == NULL) return EXIT_DONE;
    const bool is_whole = work->ask.view.count == 0 && !work->ask.rows;
    const bool at_once = is_whole && !work->ask.in_place && !array_is_in_c_order(&work->part);
    riffle_status status = at_once ? plan_fortran(work) : plan_units(work);
    if (status != RIFFLE_OK) return fail_at(work, "planning", status);
    work->algorithm = riffle_plan_algorithm(work->plan);
    return EXIT_DONE;
}

/* The input's part in C order. */
static riffle_status put_together(const job *work, const char *first, void *to) {
    const array_part *part = &work->part;
    return riffle_copy_strided(part->header.rank, part->header.shape, part->header.elem_bytes, to, NULL, first,
                               part->strides, work->ask.options.threads);
}

static riffle_status move(const job *work) {
    const size_t skipped = (size_t)work->part.first * work->part.header.elem_bytes;
    const char *src = (const char *)riffle_npy_data(work->input) + skipped;
    void *const dst = riffle_npy_output_data(work->output);
    if (work->perm == NULL) return put_together(work, src, dst);
    if (work->plan == NULL) return RIFFLE_OK;
    if (work->c_order == NULL) return riffle_execute(work->plan, dst, src);
    const riffle_status status = put_together(work, src, work->c_order);
    return status == RIFFLE_OK ? riffle_execute(work->plan, dst, work->c_order) : status;
}

static int move_all(job *work) {
    const riffle_status status = move(work);
    return status == RIFFLE_OK ? EXIT_DONE : fail_at(work, "moving", status);
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
} phases[PHASE_COUNT] = {
    [OPEN] = {"opening", open_input},
    [READ_SPEC] = {"reading the permutation", read_spec},
    [CREATE] = {"making room", create_output},
    [PLAN] = {"planning", plan_moves},
    [MOVE] = {"moving", move_all},
    [SYNC] = {"syncing", sync_output},
};

static int run_phases(job *work) {
    progress_start(&work->line, phases[0].name);
    int exit_status = EXIT_DONE;
    for (int k = 0; k < PHASE_COUNT && exit_status == EXIT_DONE; ++k) {
        progress_phase(&work->line, phases[k].name);
        double began = seconds_now();
        exit_status = phases[k].run(work);
        work->seconds[k] = seconds_now() - began;
    }
    progress_stop(&work->line);
    return exit_status;
}

static void report(const job *work) {
    const double mib = (double)work->units.count * (double)work->units.bytes / (1 << 20);
    const double *seconds = work->seconds;
    const char *way = work->plan != NULL       ? riffle_algorithm_string(work->algorithm)
                      : work->units.bytes == 0 ? "nothing to move"
                                               : "copy of a view";
    complain("%s: %llu %s of %zu bytes (%.1f MiB) moved by '%s'%s", work->ask.out,
             (unsigned long long)work->units.count, work->ask.rows ? "rows" : "elements", work->units.bytes,
             mib, way, work->ask.in_place ? " in place" : "");
    complain("read SPEC %.3f s, make room %.3f s, plan %.3f s, move %.3f s, sync %.3f s", seconds[READ_SPEC],
             seconds[CREATE], seconds[PLAN], seconds[MOVE], seconds[SYNC]);
}

static void clean_up(job *work) {
    unfinished_hold();
    riffle_npy_abort(work->output);
    unfinished_end();
    riffle_plan_free(work->plan);
    if (!work->ask.in_place) riffle_buffer_free(work->c_order, work->units.count * work->units.bytes);
    riffle_perm_free(work->perm);
    riffle_npy_close(work->input);
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

/* --by, --view or both; the other options say how --by moves. */
static bool is_complete(const request *ask) {
    if (!is_placed(ask)) return false;
    if (ask->by != NULL) return true;
    if (ask->view.count == 0) {
        complain(
            "permute: no permutation given; say which with --by SPEC, or which part of IN with --view SLICES");
    } else if (ask->rows || ask->engine != RIFFLE_ENGINE_CPU ||
               ask->options.algorithm != RIFFLE_ALGORITHM_AUTO) {
        complain("permute: --rows, --engine and --algorithm say how --by moves; give --by SPEC too, or leave "
                 "them out");
    } else {
        return true;
    }
    return false;
}

static int run(int argc, char **argv) {
    job work = {.ask = {.options = {.executions = 1}}};
    int exit_status;
    if (!options_read(&permute_command, argc, argv, &work.ask, &exit_status)) return exit_status;
    if (!is_complete(&work.ask)) return EXIT_USAGE;
    if (work.ask.in_place) work.ask.out = work.ask.in;
    work.ask.options.in_place = work.ask.in_place;
    unfinished_begin(work.ask.out);
    work.ask.options.threads = threads_settle("permute", work.ask.options.threads);
    exit_status = run_phases(&work);
    if (exit_status == EXIT_DONE && work.changes_owner) complain_changed_owner(work.ask.out);
    if (exit_status == EXIT_DONE && work.ask.verbose) report(&work);
    clean_up(&work);
    return exit_status;
}

static const command_option options[] = {
    {"by", "SPEC", TEXT(by), .help = "the permutation"},
    {"view", "SLICES", SLICES(view),
     .help = "take IN[SLICES], as NumPy does, for IN: '::2, 5:20, ::-1'; integers and ... may be there too"},
    {"rows", NULL, SWITCH(rows), .help = "move whole rows: OUT[P(i)] = IN[i]"},
    {"in-place", NULL, SWITCH(in_place),
     .help = "put the result in IN's place, which is moved within one array; without OUT"},
    ENGINE_OPTION,
    ALGORITHM_OPTION(options.algorithm),
    THREADS_OPTION(options.threads),
    {"verbose", NULL, SWITCH(verbose), .help = "say on stderr what was done and how long it took"},
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
    .notes = SPEC_HELP,
    .operands = 2,
    .optional = 1,
    .operand_field = FIELD(const char *, in),
    .run = run,
};
