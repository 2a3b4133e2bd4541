/* SPDX-License-Identifier: Apache-2.0
 *
 * Indices that are used once: riffle_cuda_take, riffle_cuda_put and riffle_cuda_shuffle, whose every call does all that has to be
 * done.
 */
#include "kinds/kinds.h"

#ifdef BENCH_GPU
#include "gpu/timing.h"
#include "riffle/cuda.h"

enum { SEED = 1 };

/* The arguments of a call. */
typedef struct once_call {
    const bench_row *row;
    riffle_indices indices; /* their entries are the device's; NULL for a shuffle */
    void *workspace;
    size_t workspace_bytes;
} once_call;

static riffle_status queue_call(const void *by, void *dst, const void *src, cudaStream_t stream,
                                bench_result *out) {
    const once_call *const c = by;
    const bench_once_row *const of = c->row->of;
    const size_t e = c->row->elem_bytes;
    riffle_status status;
    if (of->entry_bytes == 0)
        status = riffle_cuda_shuffle(c->row->n, SEED, e, dst, src, c->workspace, c->workspace_bytes, stream);
    else
        status = (of->puts ? riffle_cuda_put : riffle_cuda_take)(&c->indices, e, dst, src, c->workspace,
                                                                 c->workspace_bytes, stream);
    return status == RIFFLE_OK ? status : bench_fail(status, out);
}

/* The table of random:1, in entries of either size. */
static riffle_status upload(const riffle_perm *perm, size_t entry_bytes, void **out, bench_result *result) {
    const uint64_t n = riffle_perm_length(perm);
    void *host = NULL, *device = NULL;
    riffle_status status = riffle_buffer_create(n * entry_bytes, &host);
    if (status != RIFFLE_OK) return bench_fail(status, result);
    uint64_t *const to_8 = host;
    uint32_t *const to_4 = host;
#pragma omp parallel for schedule(static)
    for (uint64_t k = 0; k < n; ++k)
        if (entry_bytes == 4)
            to_4[k] = (uint32_t)riffle_perm_at(perm, k);
        else
            to_8[k] = riffle_perm_at(perm, k);
    cudaError_t error = cudaMalloc(&device, n * entry_bytes);
    if (error == cudaSuccess) error = cudaMemcpy(device, host, n * entry_bytes, cudaMemcpyHostToDevice);
    riffle_buffer_free(host, n * entry_bytes);
    *out = device;
    return cuda_check(error, "making indices on the GPU", result);
}

static riffle_status ask_bytes(const bench_row *row, size_t *out) {
    const bench_once_row *const of = row->of;
    const riffle_indices asked = {NULL, of->entry_bytes, row->n, row->n};
    if (of->entry_bytes == 0) return riffle_cuda_shuffle_workspace_bytes(row->n, row->elem_bytes, out);
    return (of->puts ? riffle_cuda_put_workspace_bytes
                     : riffle_cuda_take_workspace_bytes)(&asked, row->elem_bytes, out);
}

static riffle_status prepare(const bench_row *row, const riffle_perm *perm, once_call *c, bench_result *out) {
    const size_t entry_bytes = ((const bench_once_row *)row->of)->entry_bytes;
    void *entries = NULL;
    riffle_status status = ask_bytes(row, &c->workspace_bytes);
    if (status != RIFFLE_OK) return bench_fail(status, out);
    status = cuda_check(cudaMalloc(&c->workspace, c->workspace_bytes), "making a workspace", out);
    if (status == RIFFLE_OK && entry_bytes > 0) status = upload(perm, entry_bytes, &entries, out);
    c->indices = (riffle_indices){entries, entry_bytes, row->n, row->n};
    return status;
}

/* `perm` says where a put's elements go, and where a take's come from. */
static riffle_status measure(const bench_row *row, const bench_settings *settings, const riffle_perm *perm,
                             const riffle_perm *moved, bench_result *out) {
    enum { USUAL_REPEAT = 20 };
    const bench_move move = bench_move_of(row, moved);
    once_call c = {.row = row};
    const cuda_mover mover = {queue_call, &c};
    cuda_arrays arrays;
    riffle_status status = cuda_arrays_create(row, &arrays, out);
    if (status == RIFFLE_OK) status = prepare(row, perm, &c, out);
    if (status == RIFFLE_OK) status = bench_cuda_check(&mover, &move, &arrays, out);
    if (status == RIFFLE_OK && out->right)
        status = bench_cuda_time(&mover, settings->repeat > 0 ? settings->repeat : USUAL_REPEAT, &arrays, out);
    out->workspace_bytes = c.workspace_bytes;
    cudaFree((void *)c.indices.entries);
    cudaFree(c.workspace);
    cuda_arrays_free(&arrays);
    return status;
}

static riffle_status on_gpu(const bench_row *row, const bench_settings *settings, bench_result *out) {
    const bench_once_row *const of = row->of;
    riffle_perm *perm, *inverse = NULL;
    riffle_status status = riffle_perm_random(row->n, SEED, &perm);
    if (status != RIFFLE_OK) return bench_fail(status, out);
    status = riffle_perm_invert(perm, &inverse);
    if (status == RIFFLE_OK) {
        const bool takes = of->entry_bytes > 0 && !of->puts;
        status = measure(row, settings, perm, takes ? inverse : perm, out);
    } else {
        bench_fail(status, out);
    }
    riffle_perm_free(inverse);
    riffle_perm_free(perm);
    return status;
}
#endif

const bench_kind bench_once = {.on_gpu = BENCH_GPU_HALF(on_gpu)};
