/* SPDX-License-Identifier: Apache-2.0
 *
 * riffle hull: the convex hull of the rows of POINTS.npy, as points or as indices, and what there is to measure of it.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arrays/program_text.h"
#include "arrays/same_file.h"
#include "arrays/transfer.h"
#include "frame/command.h"
#include "frame/exit.h"
#include "frame/message.h"
#include "frame/options.h"
#include "frame/readers.h"
#include "hull/picture.h"
#include "riffle/indices.h"

typedef struct request {
    const char *in, *out; /* the operands */
    const char *svg;
    bool indices, all, measure, force, verbose;
    riffle_engine engine;
    riffle_hull_algorithm algorithm;
    unsigned threads;
} request;

typedef struct job {
    transfer file;
    request ask;
    riffle_type type;
    uint64_t n, corners;
    const void *points; /* in C order, aligned */
    uint64_t *found;    /* indices, room for n */
    void *hull;         /* the corners, where a picture or measures need them */
    riffle_hull_measures measures;
} job;

static size_t point_bytes(const job *work) { return 2 * riffle_type_bytes(work->type); }

/* ------------------------------------------------------------------- phases */

/* The picture takes the place of no array. */
static int check_picture(transfer *file) {
    const char *const svg = ((const job *)file)->ask.svg;
    if (svg == NULL) return EXIT_DONE;
    if (!(is_same_file(svg, file->in) || is_same_file(svg, file->out))) return transfer_may_replace(file, svg);
    transfer_refuse(file, "%s: the picture and %s are the same file; give the picture another name", svg,
                    is_same_file(svg, file->in) ? "the input" : "the output");
    return EXIT_USAGE;
}

static int open_points(transfer *file) {
    job *const work = (job *)file;
    const int exit_status = transfer_open(file);
    if (exit_status != EXIT_DONE) return exit_status;
    const riffle_npy_header *const header = &file->part.header;
    if (header->rank != 2 || header->shape[1] != 2)
        return transfer_refuse(file,
                               "%s: points are an array of shape (n, 2), and this one has another; "
                               "numpy.column_stack((x, y)) makes one",
                               file->in);
    if (!program_type_of(header->descr, &work->type) || work->type > RIFFLE_TYPE_F64 ||
        work->type == RIFFLE_TYPE_F16)
        return transfer_refuse(
            file,
            "%s: dtype %s; points are little-endian integers, float32 or float64; convert them with astype",
            file->in, header->descr);
    work->n = header->shape[0];
    return EXIT_DONE;
}

static riffle_status find_by(job *work) {
    const riffle_hull_options options = {
        .all = work->ask.all, .index_bytes = 8, .threads = work->ask.threads, .algorithm = work->ask.algorithm};
    riffle_hull_plan *plan = NULL;
    riffle_status status = riffle_hull_plan_create(work->n, work->type, work->ask.engine, &options, &plan);
    if (status != RIFFLE_OK) return status;
    status = riffle_hull_execute(
        plan, &(riffle_hull_arrays){.hulls = work->found, .lengths = &work->corners, .points = work->points});
    riffle_hull_plan_free(plan);
    return status;
}

static int find_hull(transfer *file) {
    job *const work = (job *)file;
    void *found;
    riffle_status status = riffle_buffer_create(work->n * sizeof *work->found, &found);
    if (status != RIFFLE_OK) return transfer_result(file, "room for the hull", status);
    work->found = found;
    status = transfer_aligned(file, riffle_type_bytes(work->type), &work->points);
    if (status == RIFFLE_OK) status = find_by(work);
    return transfer_result(file, status == RIFFLE_ERROR_INVALID_ARGUMENT ? file->in : "hull", status);
}

static riffle_status take_corners(const job *work, void *to) {
    const riffle_indices indices = {work->found, sizeof *work->found, work->corners, work->n};
    return riffle_take(&indices, point_bytes(work), to, work->points,
                       &(riffle_call_options){.threads = work->ask.threads});
}

static int measure(transfer *file) {
    job *const work = (job *)file;
    if (!work->ask.measure && work->ask.svg == NULL) return EXIT_DONE;
    riffle_status status = riffle_buffer_create(work->corners * point_bytes(work), &work->hull);
    if (status == RIFFLE_OK) status = take_corners(work, work->hull);
    if (status == RIFFLE_OK && work->ask.measure)
        status = riffle_hull_measure(work->corners, work->type, work->hull, &work->measures);
    return transfer_result(file, "measuring", status);
}

static int write_hull(transfer *file) {
    job *const work = (job *)file;
    riffle_npy_header header = file->part.header;
    header.shape[0] = work->corners;
    header.fortran_order = 0;
    if (work->ask.indices) {
        header.rank = 1;
        header.descr = "'<i8'";
        header.elem_bytes = sizeof *work->found;
    }
    const int exit_status = transfer_create(file, &header);
    if (exit_status != EXIT_DONE || work->corners == 0) return exit_status;
    void *const to = riffle_npy_output_data(file->output);
    if (!work->ask.indices) return transfer_result(file, "taking the corners", take_corners(work, to));
    memcpy(to, work->found, work->corners * sizeof *work->found);
    return EXIT_DONE;
}

static int draw(transfer *file) {
    const job *const work = (job *)file;
    if (work->ask.svg == NULL) return EXIT_DONE;
    const hull_picture picture = {work->type,    work->n,    work->points,
                                  work->corners, work->hull, work->ask.measure ? &work->measures : NULL};
    size_t bytes;
    char *const text = hull_draw(&picture, &bytes);
    if (text == NULL) return transfer_refuse(file, "%s: no memory for the picture", work->ask.svg);
    return transfer_create_text(file, work->ask.svg, text, bytes);
}

enum { CHECK, OPEN, FIND, MEASURE, WRITE, DRAW, SYNC, PHASE_COUNT };

static const transfer_phase phases[PHASE_COUNT] = {
    [CHECK] = {"opening", check_picture},     [OPEN] = {"opening", open_points},
    [FIND] = {"finding the hull", find_hull}, [MEASURE] = {"measuring", measure},
    [WRITE] = {"writing", write_hull},        [DRAW] = {"drawing", draw},
    [SYNC] = {"syncing", transfer_place},
};

/* ------------------------------------------------------------------ reports */

enum { MEASURE_DIGITS = 12, PLACE_DIGITS = 9 };

/* A measure may be more than doubles hold, though no coordinate is. */
static void print_number(const char *before, int digits, double x) {
    if (isfinite(x)) {
        printf("%s%.*g", before, digits, x);
    } else {
        printf("%s%s", before, x > 0 ? "more than 1.79e+308" : "less than -1.79e+308");
    }
}

static void print_measures(const transfer *file) {
    const job *const work = (const job *)file;
    if (!work->ask.measure) return;
    const riffle_hull_measures *const m = &work->measures;
    printf("corners:   %" PRIu64, work->corners);
    print_number("\narea:      ", MEASURE_DIGITS, m->area);
    print_number("\nperimeter: ", MEASURE_DIGITS, m->perimeter);
    print_number("\ndiameter:  ", MEASURE_DIGITS, m->diameter);
    if (work->corners > 0)
        printf(", points %" PRIu64 " and %" PRIu64, work->found[m->diameter_ends[0]],
               work->found[m->diameter_ends[1]]);
    print_number("\nrectangle: ", MEASURE_DIGITS, m->rectangle_area);
    print_number(", ", MEASURE_DIGITS, m->rectangle_length);
    print_number(" by ", MEASURE_DIGITS, m->rectangle_breadth);
    for (unsigned k = 0; k < 4; k++) {
        print_number(k > 0 ? " (" : "\n           (", PLACE_DIGITS, m->rectangle[k][0]);
        print_number(", ", PLACE_DIGITS, m->rectangle[k][1]);
        printf(")");
    }
    printf("\n");
}

static void report(const transfer *file) {
    const job *const work = (const job *)file;
    complain("%s: %" PRIu64 " corner%s of the hull of %" PRIu64 " point%s in %.3f s", work->ask.out,
             work->corners, work->corners == 1 ? "" : "s", work->n, work->n == 1 ? "" : "s",
             work->file.seconds[FIND]);
}

static void clean_up(transfer *file) {
    job *const work = (job *)file;
    if (work->found != NULL) riffle_buffer_free(work->found, work->n * sizeof *work->found);
    if (work->hull != NULL) riffle_buffer_free(work->hull, work->corners * point_bytes(work));
}

static const transfer_command way = {.name = "hull",
                                     .phases = phases,
                                     .count = PHASE_COUNT,
                                     .print = print_measures,
                                     .report = report,
                                     .clean_up = clean_up};

static int run(int argc, char **argv) {
    job work = {0};
    int exit_status;
    if (!options_read(&hull_command, argc, argv, &work.ask, &exit_status)) return exit_status;
    return finish_stdout(transfer_do(
        &work.file, &way,
        &(transfer_asked){work.ask.in, work.ask.out, work.ask.force, work.ask.verbose, &work.ask.threads}));
}

static const command_option options[] = {
    {"indices", NULL, SWITCH(indices),
     .help = "write which points the corners are, as int64, instead of the points"},
    {"all", NULL, SWITCH(all), .help = "keep points that lie between two corners too"},
    {"measure", NULL, SWITCH(measure),
     .help =
         "print the area, the perimeter, the diameter and the smallest rectangle around it, of any direction"},
    {"svg", "FILE", FILE_NAME(svg),
     .help = "draw the points, thinned, and the hull; with --measure what was measured too"},
    {"engine", "NAME", ENGINE(engine), .help = "where to find it: cpu (the default) or cuda"},
    {"algorithm", "NAME", option_hull_algorithm, FIELD(riffle_hull_algorithm, algorithm),
     .help = "auto (the default), or paper: the dissertation's (docs/hull.md), to compare; on the CPU its "
             "sequential "
             "one"},
    FORCE_OPTION,
    THREADS_OPTION(threads),
    VERBOSE_OPTION,
    {0},
};

const command hull_command = {
    .name = "hull",
    .summary = "find the convex hull of points in the plane, exactly",
    .usage = "POINTS.npy OUT.npy [OPTION]...",
    .about = "Finds the convex hull of the rows of POINTS.npy, an array of shape (n, 2) of\n"
             "float32, float64 or integers, and writes its corners to OUT.npy:\n"
             "counter-clockwise, from the one with the least x, of these the least y. Of\n"
             "equal points the first counts. No rounding changes the result.\n"
             "OUT.npy is synced to disk.\n",
    .options = options,
    .operands = 2,
    .operand_field = FIELD(const char *, in),
    .run = run,
};
