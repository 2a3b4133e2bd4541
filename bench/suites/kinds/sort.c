/* SPDX-License-Identifier: Apache-2.0 */
#include "riffle/sort.h"

#include <stdio.h>
#include <string.h>

#include "bench/data.h"
#include "bench/host.h"
#include "kinds/kinds.h"
#include "sorts/sorts.h"
#include "system/clock.h"

static uint64_t length_of(const bench_row *row) { return row->n * (row->batch > 0 ? row->batch : 1); }

/* Elements of 16 bytes are a number without a sign. */
static riffle_status key_of(const bench_row *row, riffle_sort_key *out) {
    const riffle_status status = riffle_sort_key_of_type(row->type, 0, out);
    if (status != RIFFLE_OK) return status;
    out->elem_bytes = row->elem_bytes;
    if (!bench_sort_is_rows(row)) {
        out->field[0].bytes = row->elem_bytes;
        return status;
    }
    for (out->fields = 1; out->fields < 3; out->fields++) {
        out->field[out->fields] = out->field[0];
        out->field[out->fields].offset = out->fields * sizeof(int64_t);
    }
    return status;
}

static riffle_sort_task task_of(const bench_row *row) {
    if (bench_sort_count(row) > 0) return RIFFLE_SORT_TASK_TOP;
    if (bench_sort_parts(row)) return RIFFLE_SORT_TASK_PARTITION;
    return bench_sort_is_merge(row) ? RIFFLE_SORT_TASK_MERGE : RIFFLE_SORT_TASK_SORT;
}

static riffle_status plan_sort(const bench_row *row, const bench_settings *settings, riffle_sort_plan **plan,
                               bench_result *out) {
    const riffle_sort_options options = {.task = task_of(row),
                                         .segments = row->batch,
                                         .count = bench_sort_parts(row) ? row->n / 2 : bench_sort_count(row),
                                         .index_bytes = bench_sort_indices(row),
                                         .check = row->check,
                                         .threads = settings->threads};
    riffle_sort_key key;
    const double began = seconds_now();
    riffle_status status = key_of(row, &key);
    if (status == RIFFLE_OK)
        status = riffle_sort_plan_create(length_of(row), &key, settings->engine, &options, plan);
    if (status != RIFFLE_OK) return bench_fail(status, out);
    out->plan_seconds = seconds_now() - began;
    out->threads = riffle_sort_plan_threads(*plan);
    out->workspace_bytes = riffle_sort_plan_workspace_bytes(*plan);
    return RIFFLE_OK;
}

/* --------------------------------------------------------------------------------------- on the host */

/* The arrays of a row; of keys and indices what it asks for. */
typedef struct host_arrays {
    void *numbers, *keys, *indices, *copy;
    size_t bytes, key_bytes, index_bytes;
} host_arrays;

static riffle_status allocate(const bench_row *row, host_arrays *a) {
    a->bytes = length_of(row) * row->elem_bytes;
    a->key_bytes = bench_sort_moves(row) ? a->bytes : 0;
    a->index_bytes = length_of(row) * bench_sort_indices(row);
    riffle_status status = riffle_buffer_create(a->bytes, &a->numbers);
    if (status == RIFFLE_OK && a->key_bytes > 0) status = riffle_buffer_create(a->key_bytes, &a->keys);
    if (status == RIFFLE_OK && a->index_bytes > 0) status = riffle_buffer_create(a->index_bytes, &a->indices);
    if (status == RIFFLE_OK) status = riffle_buffer_create(a->bytes, &a->copy);
    return status;
}

static void free_arrays(host_arrays *a) {
    riffle_buffer_free(a->numbers, a->bytes);
    riffle_buffer_free(a->keys, a->key_bytes);
    riffle_buffer_free(a->indices, a->index_bytes);
    riffle_buffer_free(a->copy, a->bytes);
}

static double copy_seconds(const host_arrays *a, unsigned threads) {
    const double began = seconds_now();
    bench_host_copy(a->copy, a->numbers, a->bytes, threads);
    return seconds_now() - began;
}

static riffle_status sort_once(const riffle_sort_plan *plan, const host_arrays *a, double *seconds) {
    const riffle_sort_arrays of = {.keys = a->keys, .indices = a->indices, .from_keys = a->numbers};
    const double began = seconds_now();
    const riffle_status status = riffle_sort_execute(plan, &of);
    *seconds = seconds_now() - began;
    return status;
}

static void poison(const host_arrays *a) {
    if (a->keys != NULL) memset(a->keys, BENCH_POISON, a->key_bytes);
    if (a->indices != NULL) memset(a->indices, BENCH_POISON, a->index_bytes);
}

static bool is_right(const bench_numbers *of, const host_arrays *a) {
    if (of->count > 0)
        return bench_sort_is_top(of,
                                 &(bench_top){.numbers = a->numbers, .keys = a->keys, .indices = a->indices});
    if (a->indices != NULL && !bench_sort_is_order(of, a->numbers, a->indices)) return false;
    return a->keys == NULL || bench_sort_is_sorted(of, a->numbers, a->keys);
}

/* The first run is the one that is checked. */
static riffle_status measure_arrays(const bench_row *row, const bench_settings *settings,
                                    const riffle_sort_plan *plan, const host_arrays *a, bench_result *out) {
    double seconds[BENCH_MAX_REPEAT], copies[BENCH_MAX_REPEAT], first;
    bench_numbers numbers;
    if (!bench_sort_numbers(row, &numbers)) return RIFFLE_ERROR_INVALID_ARGUMENT;
    bench_sort_fill(&numbers, a->numbers);
    poison(a);
    riffle_status status = sort_once(plan, a, &first);
    if (status != RIFFLE_OK) return status;
    out->right = is_right(&numbers, a);
    const unsigned repeat = bench_host_repeats(first, settings->repeat);
    copy_seconds(a, out->threads > 0 ? out->threads : 1);
    for (unsigned k = 0; out->right && k < repeat; ++k) {
        copies[k] = copy_seconds(a, out->threads > 0 ? out->threads : 1);
        status = sort_once(plan, a, &seconds[k]);
        if (status != RIFFLE_OK) return status;
    }
    if (!out->right) return RIFFLE_OK;
    out->seconds = bench_median(seconds, repeat);
    out->copy_seconds = bench_median(copies, repeat);
    return RIFFLE_OK;
}

static riffle_status on_host(const bench_row *row, const bench_settings *settings, bench_result *out) {
    riffle_sort_plan *plan = NULL;
    host_arrays a = {0};
    riffle_status status = plan_sort(row, settings, &plan, out);
    if (status != RIFFLE_OK) return status;
    status = allocate(row, &a);
    if (status == RIFFLE_OK) status = measure_arrays(row, settings, plan, &a, out);
    if (status != RIFFLE_OK) bench_fail(status, out);
    free_arrays(&a);
    riffle_sort_plan_free(plan);
    return status;
}

/* ----------------------------------------------------------------------------------------- on a GPU */

#ifdef BENCH_GPU
#include "gpu/kernels.h"
#include "gpu/timing.h"
#include "kinds/sort.h"
#include "riffle/cuda.h"

/* A sorter as a mover, with the row's indices. */
typedef struct sort_call {
    const bench_row *row;
    const cuda_sorter *sorter;
    void *indices; /* NULL where none are asked for */
} sort_call;

static riffle_status queue_call(const void *by, void *dst, const void *src, cudaStream_t stream,
                                bench_result *out) {
    const sort_call *const c = by;
    return c->sorter->queue(c->sorter->by, dst, c->indices, src, stream, out);
}

static riffle_status fill(const cuda_arrays *arrays, bench_numbers *of, bench_result *out) {
    void *to = arrays->src;
    void *arguments[] = {of, &to};
    return cuda_check(bench_launch(riffle_bench_fill_numbers, of->all, arguments, arrays->stream),
                      "making numbers", out);
}

/* Sets sums[0] to how many places of `found` are wrong and sums[1] to the looks' sum (sorts/number.h). */
static riffle_status add_looks(bench_kernel *kernel, bench_numbers *of, const cuda_arrays *arrays, void *found,
                               unsigned long long sums[2], bench_result *out) {
    enum { THREADS = 1 << 20 };
    void *device = NULL, *numbers = arrays->src;
    void *arguments[] = {of, &numbers, &found, &device};
    const size_t bytes = 2 * sizeof *sums;
    cudaError_t error = cudaMalloc(&device, bytes);
    if (error == cudaSuccess) error = cudaMemsetAsync(device, 0, bytes, arrays->stream);
    if (error == cudaSuccess) error = bench_launch(kernel, THREADS, arguments, arrays->stream);
    if (error == cudaSuccess) error = cudaStreamSynchronize(arrays->stream);
    if (error == cudaSuccess) error = cudaMemcpy(sums, device, bytes, cudaMemcpyDeviceToHost);
    cudaFree(device);
    return cuda_check(error, "looking at what was sorted", out);
}

static riffle_status look_at_sorted(const sort_call *c, bench_numbers *of, const cuda_arrays *arrays,
                                    bench_result *out) {
    unsigned long long of_numbers[2] = {0, 0}, of_indices[2] = {0, 0};
    riffle_status status = RIFFLE_OK;
    if (bench_sort_moves(c->row))
        status = add_looks(riffle_bench_look_at_numbers, of, arrays, arrays->dst, of_numbers, out);
    if (status == RIFFLE_OK && c->indices != NULL)
        status = add_looks(riffle_bench_look_at_indices, of, arrays, c->indices, of_indices, out);
    out->right = status == RIFFLE_OK && (of_numbers[0] | of_numbers[1] | of_indices[0] | of_indices[1]) == 0;
    return status;
}

/* Sets looks[s] to what the looks at segment s add up to (sorts/top.h). */
static riffle_status add_top_looks(bench_numbers *of, bench_top *top, cudaStream_t stream,
                                   bench_top_look *looks, bench_result *out) {
    enum { THREADS = 1 << 20 };
    void *device = NULL;
    void *arguments[] = {of, top, &device};
    const size_t bytes = of->all / of->n * sizeof *looks;
    cudaError_t error = cudaMalloc(&device, bytes);
    if (error == cudaSuccess) error = cudaMemsetAsync(device, 0, bytes, stream);
    if (error == cudaSuccess) error = bench_launch(riffle_bench_look_at_top, THREADS, arguments, stream);
    if (error == cudaSuccess) error = cudaStreamSynchronize(stream);
    if (error == cudaSuccess) error = cudaMemcpy(looks, device, bytes, cudaMemcpyDeviceToHost);
    cudaFree(device);
    return cuda_check(error, "looking at the first of many", out);
}

static riffle_status look_at_top(const sort_call *c, bench_numbers *of, const cuda_arrays *arrays,
                                 bench_result *out) {
    bench_top top = {.numbers = arrays->src, .keys = arrays->dst, .indices = c->indices};
    const uint64_t segments = of->all / of->n;
    void *room = NULL;
    riffle_status status = riffle_buffer_create(segments * sizeof(bench_top_look), &room);
    if (status != RIFFLE_OK) return bench_fail(status, out);
    bench_top_look *const looks = room;
    status = add_top_looks(of, &top, arrays->stream, looks, out);
    out->right = status == RIFFLE_OK;
    for (uint64_t s = 0; out->right && s < segments; ++s) out->right = bench_top_is_right(of, &top, looks[s]);
    riffle_buffer_free(room, segments * sizeof *looks);
    return status;
}

/* All results are looked at, by the GPU. */
static riffle_status check(const sort_call *c, bench_numbers *of, cuda_arrays *arrays, bench_result *out) {
    const cuda_mover mover = {queue_call, c};
    riffle_status status = fill(arrays, of, out);
    if (status == RIFFLE_OK) status = cuda_arrays_prepare(arrays, out);
    if (status == RIFFLE_OK) status = cuda_arrays_move(arrays, &mover, out);
    if (status != RIFFLE_OK) return status;
    return (of->count > 0 ? look_at_top : look_at_sorted)(c, of, arrays, out);
}

static riffle_status allocate_indices(sort_call *c, const bench_numbers *of, bench_result *out) {
    const size_t bytes = of->all * of->index_bytes;
    if (bytes == 0) return RIFFLE_OK;
    cudaError_t error = cudaMalloc(&c->indices, bytes);
    if (error == cudaSuccess) error = cudaMemset(c->indices, BENCH_POISON, bytes);
    return cuda_check(error, "room for indices", out);
}

riffle_status bench_cuda_time_sort(const bench_row *row, unsigned repeat, const cuda_sorter *sorter,
                                   bench_result *out) {
    sort_call c = {.row = row, .sorter = sorter};
    const cuda_mover mover = {queue_call, &c};
    bench_numbers of;
    cuda_arrays arrays;
    if (!bench_sort_numbers(row, &of)) return RIFFLE_ERROR_INTERNAL;
    riffle_status status = cuda_arrays_create(row, &arrays, out);
    if (status == RIFFLE_OK) status = allocate_indices(&c, &of, out);
    if (status == RIFFLE_OK) status = check(&c, &of, &arrays, out);
    if (status == RIFFLE_OK && out->right) status = bench_cuda_time(&mover, repeat, &arrays, out);
    cudaFree(c.indices);
    cuda_arrays_free(&arrays);
    return status;
}

/* A plan, and what is asked of it. */
typedef struct planned {
    const bench_row *row;
    const riffle_sort_plan *plan;
} planned;

static riffle_status queue(const void *by, void *dst, void *indices, const void *src, cudaStream_t stream,
                           bench_result *out) {
    const planned *const p = by;
    const riffle_sort_arrays arrays = {
        .keys = bench_sort_moves(p->row) ? dst : NULL, .indices = indices, .from_keys = src};
    const riffle_status status = riffle_cuda_sort_execute(p->plan, &arrays, NULL, 0, stream);
    return status == RIFFLE_OK ? status : bench_fail(status, out);
}

static riffle_status on_gpu(const bench_row *row, const bench_settings *settings, bench_result *out) {
    enum { USUAL_REPEAT = 20 };
    riffle_sort_plan *plan = NULL;
    riffle_status status = plan_sort(row, settings, &plan, out);
    if (status != RIFFLE_OK) return status;
    status = bench_cuda_time_sort(row, settings->repeat > 0 ? settings->repeat : USUAL_REPEAT,
                                  &(cuda_sorter){queue, &(planned){row, plan}}, out);
    if (status == RIFFLE_OK && out->right && row->check != RIFFLE_CHECK_NONE &&
        riffle_cuda_sort_check(plan, NULL, NULL) != RIFFLE_OK)
        status = bench_fail(RIFFLE_ERROR_DAMAGED, out);
    riffle_sort_plan_free(plan);
    return status;
}
#endif

/* -------------------------------------------------------------------------------------- the record */

static const char *algorithm(const bench_row *row) {
    if (bench_sort_count(row) > 0) return "top";
    if (bench_sort_parts(row)) return "partition";
    return bench_sort_is_merge(row) ? "merge" : bench_sort_indices(row) > 0 ? "argsort" : "sort";
}

static void json_row(const bench_row *row) {
    if (bench_sort_count(row) > 0)
        printf(", \"count\": %llu, \"indices\": %zu", (unsigned long long)bench_sort_count(row),
               bench_sort_indices(row));
    if (bench_sort_parts(row))
        printf(", \"place\": %llu, \"indices\": %zu", (unsigned long long)row->n / 2, bench_sort_indices(row));
}

static void table_result(const bench_row *row, const bench_result *result) {
    (void)result;
    printf("  %s", riffle_type_string(row->type));
    if (bench_sort_count(row) > 0)
        printf("; the first %llu%s", (unsigned long long)bench_sort_count(row),
               bench_sort_indices(row) > 0 ? ", indices" : "");
    if (bench_sort_parts(row)) printf("; parted%s", bench_sort_indices(row) > 0 ? ", indices" : "");
}

const bench_kind bench_sort = {.on_host = on_host,
                               .on_gpu = BENCH_GPU_HALF(on_gpu),
                               .algorithm = algorithm,
                               .has_type = true,
                               .json_row = json_row,
                               .table_result = table_result};
