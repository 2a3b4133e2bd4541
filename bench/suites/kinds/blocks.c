/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>

#include "kinds/kinds.h"

#ifdef BENCH_GPU
#include "bench/data.h"
#include "gpu/arrays.h"
#include "riffle/papers.h"

static riffle_status run(const riffle_perm *perm, const bench_row *row, riffle_algorithm algorithm,
                         cuda_arrays *arrays, double *seconds, bench_result *out) {
    const bench_blocks_row *const of = row->of;
    double all = 0;
    const riffle_status status = riffle_cuda_permute_in_blocks(perm, row->elem_bytes, algorithm, of->blocks,
                                                               of->repetitions, arrays->dst, arrays->src, &all);
    if (status != RIFFLE_OK) return bench_fail(status, out);
    *seconds = all / (double)of->repetitions;
    return RIFFLE_OK;
}

/* Copy pays no heed to the permutation. */
static riffle_status check(const riffle_perm *perm, const bench_row *row, cuda_arrays *arrays,
                           bench_result *out) {
    riffle_perm *identity;
    riffle_status status = riffle_perm_identity(row->n, &identity);
    if (status != RIFFLE_OK) return bench_fail(status, out);
    const bench_move move = bench_move_of(row, row->algorithm == RIFFLE_ALGORITHM_COPY ? identity : perm);
    status = cuda_arrays_fetch(arrays, out);
    out->right = status == RIFFLE_OK && bench_all_is_right(&move, arrays->host);
    riffle_perm_free(identity);
    return status;
}

static riffle_status measure(const riffle_perm *perm, const bench_row *row, cuda_arrays *arrays,
                             bench_result *out) {
    riffle_status status = cuda_arrays_create(row, arrays, out);
    if (status == RIFFLE_OK) status = run(perm, row, RIFFLE_ALGORITHM_COPY, arrays, &out->copy_seconds, out);
    if (status == RIFFLE_OK) status = cuda_arrays_prepare(arrays, out);
    if (status == RIFFLE_OK) status = cuda_check(cudaStreamSynchronize(arrays->stream), "poisoning dst", out);
    if (status == RIFFLE_OK) status = run(perm, row, row->algorithm, arrays, &out->seconds, out);
    return status == RIFFLE_OK ? check(perm, row, arrays, out) : status;
}

static riffle_status on_gpu(const bench_row *row, const bench_settings *settings, bench_result *out) {
    bench_row held = *row;
    riffle_perm *perm;
    (void)settings;
    held.batch = ((const bench_blocks_row *)row->of)->blocks;
    riffle_status status = riffle_perm_parse(row->by, row->n, &perm);
    if (status != RIFFLE_OK) return bench_fail(status, out);
    cuda_arrays arrays;
    status = measure(perm, &held, &arrays, out);
    cuda_arrays_free(&arrays);
    riffle_perm_free(perm);
    return status;
}
#endif

static void name(const bench_row *row, char *by, size_t capacity) {
    snprintf(by, capacity, "%u x %s", ((const bench_blocks_row *)row->of)->blocks, row->by);
}

static void json_row(const bench_row *row) {
    const bench_blocks_row *const of = row->of;
    printf(", \"blocks\": %u, \"repetitions\": %llu", of->blocks, (unsigned long long)of->repetitions);
}

const bench_kind bench_blocks = {.on_gpu = BENCH_GPU_HALF(on_gpu), .name = name, .json_row = json_row};
