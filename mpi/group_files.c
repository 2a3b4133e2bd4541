/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows of IN are brought together by KEYS. Groups are counted before rows are read, since that says how many rows OUT has and where each
 * rank's begin:
 *
 *     KEYS -- read, count --> each rank's rows of each group -- add --> OFFSETS, COUNTS, PLACES, OUT's shape        IN -- read, group --> OUT
 *
 * Padding and capacities are of where rows come: owners get all rows of their groups, and lay out those that OUT has.
 */
#include <stdlib.h>
#include <string.h>

#include "agree.h"
#include "files.h"

enum { OUT, OFFSETS, COUNTS, PLACES };

typedef struct grouping {
    files_job job; /* first */
    const riffle_mpi_files_group *ask;
    riffle_npy_input *opened;
    riffle_type type;
    files_part keys;
    uint64_t *memory;            /* of the next five */
    uint64_t *counts, *offsets;  /* in OUT */
    uint64_t *own, *own_offsets; /* this rank's rows of each group, and where groups begin among them */
    uint64_t *before;            /* lower ranks' rows of each group */
    riffle_mpi_groups groups;    /* once they are there */
} grouping;

/* ------------------------------------------------------------------ files */

static riffle_status open_keys(grouping *g) {
    riffle_status status = files_take_rows(&g->job);
    if (status == RIFFLE_OK) status = files_check_apart(&g->job, g->ask->keys);
    if (status == RIFFLE_OK) status = riffle_npy_input_open(g->ask->keys, &g->opened);
    if (status != RIFFLE_OK) return status;
    const riffle_npy_header *const header = riffle_npy_input_header(g->opened);
    if (!g->ask->type_of(header->descr, &g->type))
        return mpi_fail(RIFFLE_ERROR_UNSUPPORTED,
                        "%s: dtype %s; keys are little-endian integers of 1 to 8 bytes, or bools; convert them "
                        "with astype",
                        g->ask->keys, header->descr);
    if (header->rank != 1 || header->shape[0] != g->job.n)
        return mpi_fail(RIFFLE_ERROR_INVALID_ARGUMENT,
                        "%s: keys of ranks are an array of shape (%llu,), one of each row of %s; this one has "
                        "another",
                        g->ask->keys, (unsigned long long)g->job.n, g->job.in);
    return RIFFLE_OK;
}

static riffle_status agree_on_keys(const grouping *g, riffle_status own) {
    const claim claims[] = {
        {"the name of the file of keys", hash_text(6, g->ask->keys), false},
        {"the rows of the file to read", g->job.n, true},
        {"the type of keys", (uint64_t)g->type, false},
        {"the number of groups", g->ask->groups, true},
        {"how keys name groups", (uint64_t)g->ask->by, false},
        {"the multiple of rows", g->ask->multiple, true},
        {"the capacity of groups", g->ask->capacity, true},
    };
    return agree_on(MPI_COMM_WORLD, own, claims, sizeof claims / sizeof *claims);
}

/* ------------------------------------------------------------------ counts */

static riffle_status allocate(grouping *g) {
    const size_t groups = (size_t)g->ask->groups, numbers = 5 * groups + 2;
    g->memory = calloc(numbers, sizeof *g->memory);
    if (g->memory == NULL) return mpi_fail_memory("counts of groups", numbers * sizeof *g->memory);
    g->counts = g->memory;
    g->own = g->counts + groups;
    g->before = g->own + groups;
    g->offsets = g->before + groups;
    g->own_offsets = g->offsets + groups + 1;
    return RIFFLE_OK;
}

static riffle_status plan_group(const grouping *g, uint64_t n, size_t row_bytes, riffle_group_options options,
                                riffle_group_plan **out) {
    options.by = g->ask->by;
    options.threads = g->ask->threads > 0 ? g->ask->threads : 1;
    return riffle_group_plan_create(n, row_bytes, g->type, g->ask->groups, RIFFLE_ENGINE_CPU, &options, out);
}

/* What one memory would be refused of all rows is refused here, in the same words. */
static riffle_status check_all(const grouping *g) {
    riffle_group_plan *plan = NULL;
    const riffle_group_options options = {.multiple = g->ask->multiple, .capacity = g->ask->capacity};
    const riffle_status status = plan_group(g, g->job.n, g->job.bytes, options, &plan);
    riffle_group_plan_free(plan);
    return status;
}

/* Places are this rank's own as yet. */
static riffle_status count_own(grouping *g) {
    files_part *const places = &g->job.target[PLACES].part;
    const size_t index_bytes = g->ask->places != NULL ? sizeof(uint64_t) : 0;
    riffle_group_plan *plan = NULL;
    *places = (files_part){g->keys.begin, g->keys.count, index_bytes, NULL};
    riffle_status status = check_all(g);
    if (status == RIFFLE_OK)
        status = plan_group(g, g->keys.count, 0, (riffle_group_options){.index_bytes = index_bytes}, &plan);
    if (status == RIFFLE_OK) status = allocate(g);
    if (status == RIFFLE_OK) status = riffle_buffer_create(places->count * places->bytes, &places->data);
    if (status == RIFFLE_OK)
        status =
            riffle_group_execute(plan, &(riffle_group_arrays){.keys = g->keys.data,
                                                              .offsets = g->own_offsets,
                                                              .counts = g->own,
                                                              .places = index_bytes > 0 ? places->data : NULL});
    riffle_group_plan_free(plan);
    return status;
}

static uint64_t kept_of(const grouping *g, uint64_t rows) {
    return g->ask->capacity > 0 && rows > g->ask->capacity ? g->ask->capacity : rows;
}

static uint64_t padded_of(const grouping *g, uint64_t rows) {
    const uint64_t rest = g->ask->multiple > 0 ? rows % g->ask->multiple : 0;
    return rest > 0 ? rows + (g->ask->multiple - rest) : rows;
}

static riffle_status count_all(grouping *g) {
    const int groups = (int)g->ask->groups;
    riffle_status status = mpi_result(
        MPI_Allreduce(g->own, g->counts, groups, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD), "MPI_Allreduce");
    if (status == RIFFLE_OK)
        status = mpi_result(MPI_Exscan(g->own, g->before, groups, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD),
                            "MPI_Exscan");
    if (g->job.report->rank == 0)
        memset(g->before, 0, (size_t)groups * sizeof *g->before); /* which MPI leaves open */
    for (int k = 0; k < groups; k++) {
        const uint64_t kept = kept_of(g, g->counts[k]);
        g->job.report->full += g->counts[k] - kept;
        g->counts[k] = kept;
        g->offsets[k + 1] = g->offsets[k] + padded_of(g, kept);
    }
    return status;
}

/* The group whose rows, of this rank, have place p. */
static uint64_t group_at(const grouping *g, uint64_t p) {
    uint64_t low = 0, high = g->ask->groups;
    while (high - low > 1) {
        const uint64_t middle = low + (high - low) / 2;
        if (g->own_offsets[middle] <= p)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Places in OUT follow from those among this rank's rows. */
static void place_all(const grouping *g) {
    const files_part *const part = &g->job.target[PLACES].part;
    uint64_t *const places = part->data;
    for (uint64_t i = 0; i < part->count && part->bytes > 0; i++) {
        if (places[i] == RIFFLE_GROUP_NOWHERE) continue;
        const uint64_t k = group_at(g, places[i]), within = g->before[k] + places[i] - g->own_offsets[k];
        places[i] = within < g->counts[k] ? g->offsets[k] + within : RIFFLE_GROUP_NOWHERE;
    }
}

/* ------------------------------------------------------------------ steps */

/* Numbers that all ranks have are rank 0's to write. */
static void set_all(const grouping *g, files_target *target, uint64_t n, uint64_t *numbers) {
    const uint64_t own = g->job.report->rank == 0 ? n : 0;
    files_set_numbers(target, n, (files_part){own > 0 ? 0 : n, own, sizeof *numbers, numbers});
}

static riffle_status plan_groups(files_job *job) {
    grouping *const g = (grouping *)job;
    files_target *const target = job->target;
    riffle_status status = agree_on_keys(g, open_keys(g));
    if (status != RIFFLE_OK) return status;
    job->src = files_equal_part(job, job->n, job->bytes);
    g->keys = files_equal_part(job, job->n, riffle_type_bytes(g->type));
    status =
        riffle_mpi_agree(MPI_COMM_WORLD, riffle_buffer_create(g->keys.count * g->keys.bytes, &g->keys.data));
    if (status == RIFFLE_OK) status = files_read(g->ask->keys, &g->keys);
    if (status == RIFFLE_OK) status = riffle_mpi_agree(MPI_COMM_WORLD, count_own(g));
    if (status == RIFFLE_OK) status = count_all(g);
    if (status != RIFFLE_OK) return status;
    place_all(g);
    target[OUT].header.shape[0] = g->offsets[g->ask->groups];
    set_all(g, &target[OFFSETS], g->ask->groups + 1, g->offsets);
    set_all(g, &target[COUNTS], g->ask->groups, g->counts);
    files_set_numbers(&target[PLACES], job->n, target[PLACES].part);
    return RIFFLE_OK;
}

/* This rank's groups as OUT has them: cut, and padded by the zeros that `rows` has. */
static void lay_out(const grouping *g, char *rows) {
    const riffle_mpi_groups *const got = &g->groups;
    const uint64_t *const to = g->offsets + got->first_group, *const count = g->counts + got->first_group;
    for (uint64_t k = 0; k < got->groups; k++)
        if (count[k] > 0)
            memcpy(rows + (to[k] - to[0]) * got->row_bytes,
                   (const char *)got->rows + got->offsets[k] * got->row_bytes,
                   (size_t)count[k] * got->row_bytes);
}

/* OUT's part: the groups as they came where that is as OUT has them. */
static riffle_status make_rows(grouping *g) {
    const riffle_mpi_groups *const got = &g->groups;
    const uint64_t begin = g->offsets[got->first_group];
    const bool is_as_it_came = g->ask->multiple <= 1 && g->ask->capacity == 0;
    files_part *const part = &g->job.target[OUT].part;
    *part = (files_part){.begin = begin,
                         .count = g->offsets[got->first_group + got->groups] - begin,
                         .bytes = g->job.bytes,
                         .data = is_as_it_came ? got->rows : NULL};
    const riffle_status status =
        is_as_it_came ? RIFFLE_OK : riffle_buffer_create(part->count * part->bytes, &part->data);
    if (status == RIFFLE_OK && !is_as_it_came && part->bytes > 0) lay_out(g, part->data);
    return status;
}

static riffle_status execute(files_job *job) {
    grouping *const g = (grouping *)job;
    riffle_mpi_groups *const got = &g->groups;
    const riffle_mpi_group_options options = {.by = g->ask->by, .threads = g->ask->threads};
    const riffle_status status = riffle_mpi_group(job->src.count, job->bytes, job->src.data, g->type,
                                                  g->keys.data, g->ask->groups, MPI_COMM_WORLD, &options, got);
    if (status != RIFFLE_OK) return status;
    job->report->volume = got->volume;
    job->report->messages = got->messages;
    const riffle_status summed = mpi_result(
        MPI_Allreduce(&got->left_out, &job->report->left_out, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD),
        "MPI_Allreduce");
    return summed == RIFFLE_OK ? make_rows(g) : summed;
}

/* A target's numbers, and rows as they came, are not the job's to free. */
static void release(files_job *job) {
    grouping *const g = (grouping *)job;
    files_target *const target = job->target;
    if (target[OUT].part.data == g->groups.rows) target[OUT].part.data = NULL;
    target[OFFSETS].part.data = target[COUNTS].part.data = NULL;
    riffle_mpi_group_free(&g->groups);
    riffle_buffer_free(g->keys.data, g->keys.count * g->keys.bytes);
    riffle_npy_input_close(g->opened);
    free(g->memory);
}

static const files_way way = {.name = "group", .plan = plan_groups, .execute = execute, .release = release};

riffle_status riffle_mpi_group_files(const riffle_mpi_files_group *ask, riffle_mpi_files_watch *watch,
                                     riffle_mpi_files_report *report) {
    if (ask == NULL || report == NULL || ask->in == NULL || ask->out == NULL || ask->keys == NULL ||
        ask->type_of == NULL)
        return mpi_fail(RIFFLE_ERROR_INVALID_ARGUMENT, "ask, report, or a name or type_of in ask is NULL");
    grouping g = {.job = {.way = &way,
                          .in = ask->in,
                          .target = {[OUT].path = ask->out,
                                     [OFFSETS].path = ask->offsets,
                                     [COUNTS].path = ask->counts,
                                     [PLACES].path = ask->places},
                          .watch = watch,
                          .report = report},
                  .ask = ask};
    return files_do(&g.job);
}
