/* SPDX-License-Identifier: Apache-2.0 */
#include "files.h"

enum { OUT, INDICES };

typedef struct sorting {
    files_job job; /* first */
    const riffle_mpi_files_sort *ask;
    riffle_sort_key key;
} sorting;

static riffle_status plan_sort(files_job *job) {
    sorting *const s = (sorting *)job;
    char words[512] = "";
    const riffle_status status =
        s->ask->key_of(s->ask->context, riffle_npy_input_header(job->input), &s->key, words, sizeof words);
    if (status != RIFFLE_OK) return mpi_fail(status, "%s: %s", s->ask->in, words);
    if (s->key.elem_bytes != job->bytes)
        return mpi_fail(RIFFLE_ERROR_INVALID_ARGUMENT, "%s has elements of %zu bytes, and the key is of %zu",
                        s->ask->in, job->bytes, s->key.elem_bytes);
    job->target[OUT].header.rank = 1;
    job->target[OUT].header.shape[0] = job->n;
    job->src = job->target[OUT].part = files_equal_part(job, job->n, job->bytes);
    if (s->ask->indices != NULL)
        files_set_numbers(&job->target[INDICES], job->n, files_equal_part(job, job->n, sizeof(uint64_t)));
    return RIFFLE_OK;
}

static riffle_status execute(files_job *job) {
    const sorting *const s = (const sorting *)job;
    riffle_mpi_sort_report report = {0};
    const riffle_mpi_sort_arrays arrays = {.from_keys = job->src.data,
                                           .from_count = job->src.count,
                                           .keys = job->target[OUT].part.data,
                                           .count = job->target[OUT].part.count,
                                           .indices = job->target[INDICES].part.data};
    const riffle_mpi_sort_options options = {.indices = s->ask->indices != NULL, .threads = s->ask->threads};
    const riffle_status status = riffle_mpi_sort(&s->key, &arrays, MPI_COMM_WORLD, &options, &report);
    job->report->volume = report.volume;
    job->report->messages = report.messages;
    return status;
}

static const files_way way = {.name = "sort", .plan = plan_sort, .execute = execute};

riffle_status riffle_mpi_sort_files(const riffle_mpi_files_sort *ask, riffle_mpi_files_watch *watch,
                                    riffle_mpi_files_report *report) {
    if (ask == NULL || report == NULL || ask->in == NULL || ask->out == NULL || ask->key_of == NULL)
        return mpi_fail(RIFFLE_ERROR_INVALID_ARGUMENT, "ask, report, or a name or key_of in ask is NULL");
    sorting s = {.job = {.way = &way,
                         .in = ask->in,
                         .target = {[OUT].path = ask->out, [INDICES].path = ask->indices},
                         .watch = watch,
                         .report = report},
                 .ask = ask};
    return files_do(&s.job);
}
