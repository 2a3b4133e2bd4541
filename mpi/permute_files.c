/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "agree.h"
#include "files.h"

typedef struct moving {
    files_job job; /* first */
    const riffle_mpi_files *ask;
    riffle_perm *perm;
    riffle_mpi_plan *plan;
} moving;

/* The shape that the permutation gives, before the rest of a row's. */
static riffle_status make_header(moving *m) {
    const riffle_npy_header *const from = riffle_npy_input_header(m->job.input);
    uint64_t shape[RIFFLE_MAX_RANK];
    const unsigned given = riffle_perm_output_shape(m->perm, shape);
    const unsigned kept = m->ask->rows ? from->rank - 1 : 0;
    if (given == 0) return RIFFLE_OK;
    if (given + kept > RIFFLE_MAX_RANK)
        return mpi_fail(RIFFLE_ERROR_UNSUPPORTED, "%s would have more than %d dimensions", m->ask->out,
                        RIFFLE_MAX_RANK);
    memcpy(m->job.target[0].header.shape, shape, given * sizeof *shape);
    memcpy(m->job.target[0].header.shape + given, from->shape + 1, kept * sizeof *shape);
    m->job.target[0].header.rank = given + kept;
    return RIFFLE_OK;
}

static riffle_status plan_move(files_job *job) {
    moving *const m = (moving *)job;
    riffle_status status = m->ask->rows ? files_take_rows(job) : RIFFLE_OK;
    if (status == RIFFLE_OK) status = riffle_perm_parse(m->ask->by, job->n, &m->perm);
    if (status == RIFFLE_OK) status = make_header(m);
    const claim rows = {"whether rows are moved", m->ask->rows, false};
    status = agree_on(MPI_COMM_WORLD, status, &rows, 1);
    if (status != RIFFLE_OK || job->bytes == 0) return status;
    /* Shared rooms take longer to get than one move gains by them. */
    const riffle_mpi_options options = {.threads = m->ask->threads, .transport = RIFFLE_MPI_TRANSPORT_AWARE};
    status = riffle_mpi_plan_create(m->perm, job->bytes, MPI_COMM_WORLD, &options, &m->plan);
    if (status != RIFFLE_OK) return status;
    job->src = job->target[0].part = files_equal_part(job, job->n, job->bytes);
    riffle_mpi_plan_volume(m->plan, &job->report->volume, &job->report->messages);
    return RIFFLE_OK;
}

static riffle_status execute(files_job *job) {
    const moving *const m = (const moving *)job;
    return m->plan != NULL ? riffle_mpi_execute(m->plan, job->target[0].part.data, job->src.data) : RIFFLE_OK;
}

static void release(files_job *job) {
    moving *const m = (moving *)job;
    riffle_mpi_plan_free(m->plan);
    riffle_perm_free(m->perm);
}

static const files_way way = {.name = "permute", .plan = plan_move, .execute = execute, .release = release};

riffle_status riffle_mpi_permute_files(const riffle_mpi_files *ask, riffle_mpi_files_watch *watch,
                                       riffle_mpi_files_report *report) {
    if (ask == NULL || report == NULL || ask->in == NULL || ask->out == NULL || ask->by == NULL)
        return mpi_fail(RIFFLE_ERROR_INVALID_ARGUMENT, "ask, report, or a name in ask is NULL");
    moving m = {
        .job = {.way = &way, .in = ask->in, .target[0].path = ask->out, .watch = watch, .report = report},
        .ask = ask};
    return files_do(&m.job);
}
