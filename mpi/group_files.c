/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows of IN are brought together by KEYS. Groups are counted before rows are read, since that says how many rows OUT has and where each
 * rank's begin:
 *
 *     KEYS -- read, count --> each rank's rows of each group -- add --> OFFSETS, OUT's shape        IN -- read, group --> OUT
 */
#include <stdlib.h>
#include <string.h>

#include "agree.h"
#include "arrays/same_file.h"
#include "files.h"

typedef struct grouping {
    files_job job; /* first */
    const riffle_mpi_files_group *ask;
    riffle_npy_input *opened;
    riffle_type type;
    files_part keys;
    uint64_t *counts, *offsets; /* of all ranks' rows; one memory */
    riffle_mpi_groups groups;   /* once they are there */
} grouping;

/* ------------------------------------------------------------------ files */

static riffle_status check_names(const riffle_mpi_files_group *ask) {
    const struct {
        const char *written, *other;
    } pairs[] = {{ask->out, ask->keys}, {ask->offsets, ask->keys}, {ask->offsets, ask->out}};
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++)
        if (pairs[k].written != NULL && is_same_file(pairs[k].written, pairs[k].other))
            return mpi_fail(RIFFLE_ERROR_INVALID_ARGUMENT,
                            "%s and %s are the same file; give what is written another name", pairs[k].written,
                            pairs[k].other);
    return RIFFLE_OK;
}

static riffle_status open_keys(grouping *g) {
    riffle_status status = files_take_rows(&g->job);
    if (status == RIFFLE_OK) status = check_names(g->ask);
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
        {"the name of the file of offsets", hash_text(7, g->ask->offsets), false},
        {"the rows of the file to read", g->job.n, true},
        {"the type of keys", (uint64_t)g->type, false},
        {"the number of groups", g->ask->groups, true},
        {"how keys name groups", (uint64_t)g->ask->by, false},
    };
    return agree_on(MPI_COMM_WORLD, own, claims, sizeof claims / sizeof *claims);
}

/* ------------------------------------------------------------------ counts */

static riffle_status allocate(grouping *g) {
    const size_t numbers = 2 * (size_t)g->ask->groups + 1;
    g->counts = calloc(numbers, sizeof *g->counts);
    if (g->counts == NULL) return mpi_fail_memory("counts of groups", numbers * sizeof *g->counts);
    g->offsets = g->counts + g->ask->groups;
    return RIFFLE_OK;
}

static riffle_status count_own(grouping *g) {
    const riffle_group_options options = {.by = g->ask->by,
                                          .threads = g->ask->threads > 0 ? g->ask->threads : 1};
    riffle_group_plan *plan = NULL;
    riffle_status status =
        riffle_group_plan_create(g->keys.count, 0, g->type, g->ask->groups, RIFFLE_ENGINE_CPU, &options, &plan);
    if (status == RIFFLE_OK) status = allocate(g);
    if (status == RIFFLE_OK)
        status = riffle_group_execute(
            plan, &(riffle_group_arrays){.keys = g->keys.data, .offsets = g->offsets, .counts = g->counts});
    riffle_group_plan_free(plan);
    return status;
}

static riffle_status count_all(grouping *g) {
    const riffle_status status = mpi_result(
        MPI_Allreduce(MPI_IN_PLACE, g->counts, (int)g->ask->groups, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD),
        "MPI_Allreduce");
    g->offsets[0] = 0;
    for (uint64_t k = 0; k < g->ask->groups; k++) g->offsets[k + 1] = g->offsets[k] + g->counts[k];
    return status;
}

/* ------------------------------------------------------------------ steps */

/* Rank 0's, as is all of OUT but its elements. */
static riffle_status make_offsets(grouping *g) {
    if (g->ask->offsets == NULL || g->job.report->rank != 0) return RIFFLE_OK;
    const riffle_npy_header header = {
        .descr = "'<i8'", .elem_bytes = sizeof *g->offsets, .rank = 1, .shape = {g->ask->groups + 1}};
    riffle_npy_output **const file = &g->job.output[1];
    const riffle_status status = riffle_npy_output_create(g->ask->offsets, &header, g->job.input, file);
    if (status != RIFFLE_OK) return status;
    memcpy(riffle_npy_output_data(*file), g->offsets, (size_t)header.shape[0] * sizeof *g->offsets);
    return riffle_npy_output_sync(*file);
}

static riffle_status plan_groups(files_job *job) {
    grouping *const g = (grouping *)job;
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
    job->header.shape[0] = g->offsets[g->ask->groups];
    return make_offsets(g);
}

static riffle_status execute(files_job *job) {
    grouping *const g = (grouping *)job;
    riffle_mpi_groups *const got = &g->groups;
    const riffle_mpi_group_options options = {.by = g->ask->by, .threads = g->ask->threads};
    const riffle_status status = riffle_mpi_group(job->src.count, job->bytes, job->src.data, g->type,
                                                  g->keys.data, g->ask->groups, MPI_COMM_WORLD, &options, got);
    if (status != RIFFLE_OK) return status;
    job->dst = (files_part){.begin = g->offsets[got->first_group],
                            .count = got->offsets[got->groups],
                            .bytes = job->bytes,
                            .data = got->rows};
    job->report->volume = got->volume;
    job->report->messages = got->messages;
    return mpi_result(
        MPI_Allreduce(&got->left_out, &job->report->left_out, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD),
        "MPI_Allreduce");
}

static void release(files_job *job) {
    grouping *const g = (grouping *)job;
    riffle_mpi_group_free(&g->groups);
    job->dst.data = NULL; /* it was the groups' */
    riffle_buffer_free(g->keys.data, g->keys.count * g->keys.bytes);
    riffle_npy_input_close(g->opened);
    free(g->counts);
}

static const files_way way = {.name = "group", .plan = plan_groups, .execute = execute, .release = release};

riffle_status riffle_mpi_group_files(const riffle_mpi_files_group *ask, riffle_mpi_files_watch *watch,
                                     riffle_mpi_files_report *report) {
    if (ask == NULL || report == NULL || ask->in == NULL || ask->out == NULL || ask->keys == NULL ||
        ask->type_of == NULL)
        return mpi_fail(RIFFLE_ERROR_INVALID_ARGUMENT, "ask, report, or a name or type_of in ask is NULL");
    grouping g = {.job = {.way = &way,
                          .in = ask->in,
                          .out = ask->out,
                          .beside = ask->offsets,
                          .watch = watch,
                          .report = report},
                  .ask = ask};
    return files_do(&g.job);
}
