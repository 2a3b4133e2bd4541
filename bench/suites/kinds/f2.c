/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows of matrices over F2, on the host and on a GPU: n is bytes of a matrix, `way` its rows and columns. src is the left factor, and the matrix that is transposed; the right
 * factor is the left one with its rows turned upside down. Results are looked at bit by bit, in a sample.
 */
#include "riffle/f2.h"

#include <stdio.h>
#include <string.h>

#include "bench/data.h"
#include "bench/host.h"
#include "kinds/kinds.h"

#ifdef BENCH_GPU
#include "gpu/timing.h"
#endif

typedef struct f2_call {
    uint64_t rows;
    bool is_product;
    void *right; /* where src is */
    riffle_call_options options;
} f2_call;

static riffle_f2_matrix matrix_of(const f2_call *c, const void *words) {
    return (riffle_f2_matrix){c->rows, c->rows, riffle_f2_stride(c->rows), (uint64_t *)(uintptr_t)words};
}

static f2_call call_of(const bench_row *row, const bench_settings *settings) {
    return (f2_call){.rows = row->way,
                     .is_product = strcmp(row->by, "product") == 0,
                     .options = {.threads = settings->threads}};
}

static void fill_right(const f2_call *c, uint64_t *right, const uint64_t *left) {
    const size_t stride = riffle_f2_stride(c->rows);
    for (uint64_t i = 0; i < c->rows; i++)
        memcpy(right + i * stride, left + (c->rows - 1 - i) * stride, stride * sizeof *left);
}

static riffle_status run(const void *by, void *dst, const void *src) {
    const f2_call *const c = by;
    const riffle_f2_matrix to = matrix_of(c, dst), a = matrix_of(c, src), b = matrix_of(c, c->right);
    return c->is_product ? riffle_f2_product(&to, &a, &b, &c->options)
                         : riffle_f2_transpose(&to, &a, &c->options);
}

static unsigned bit_at(const f2_call *c, const void *words, uint64_t i, uint64_t j) {
    return (unsigned)(((const uint64_t *)words)[i * riffle_f2_stride(c->rows) + j / 64] >> j % 64 & 1);
}

static unsigned wanted_at(const f2_call *c, const void *src, const void *right, uint64_t i, uint64_t j) {
    unsigned sum = 0;
    if (!c->is_product) return bit_at(c, src, j, i);
    for (uint64_t k = 0; k < c->rows; k++) sum ^= bit_at(c, src, i, k) & bit_at(c, right, k, j);
    return sum;
}

static bool is_right(const f2_call *c, const void *dst, const void *src, const void *right) {
    enum { SAMPLE = 1 << 11 };
    for (uint64_t k = 0; k < SAMPLE; k++) {
        const uint64_t at = k * 0x9e3779b97f4a7c15, i = (at >> 32) % c->rows, j = (at & 0xffffffff) % c->rows;
        if (bit_at(c, dst, i, j) != wanted_at(c, src, right, i, j)) return false;
    }
    return true;
}

static riffle_status measure(f2_call *c, size_t bytes, unsigned repeat, void *dst, void *src,
                             bench_result *out) {
    const bench_host_mover mover = {run, c};
    double seconds;
    bench_fill(src, bytes);
    fill_right(c, c->right, src);
    memset(dst, BENCH_POISON, bytes);
    riffle_status status = bench_host_first(&mover, dst, src, &seconds);
    out->right = status == RIFFLE_OK && is_right(c, dst, src, c->right);
    if (out->right) status = bench_host_time(&mover, bytes, repeat, seconds, dst, src, out);
    return status;
}

static riffle_status on_host(const bench_row *row, const bench_settings *settings, bench_result *out) {
    const size_t bytes = bench_row_bytes(row);
    f2_call c = call_of(row, settings);
    void *dst = NULL, *src = NULL;
    out->threads = settings->threads;
    riffle_status status = riffle_buffer_create(bytes, &src);
    if (status == RIFFLE_OK) status = riffle_buffer_create(bytes, &dst);
    if (status == RIFFLE_OK) status = riffle_buffer_create(bytes, &c.right);
    if (status == RIFFLE_OK) status = measure(&c, bytes, settings->repeat, dst, src, out);
    if (status != RIFFLE_OK) bench_fail(status, out);
    riffle_buffer_free(dst, bytes);
    riffle_buffer_free(src, bytes);
    riffle_buffer_free(c.right, bytes);
    return status;
}

#ifdef BENCH_GPU
static riffle_status queue(const void *by, void *dst, const void *src, cudaStream_t stream, bench_result *out) {
    const f2_call *const c = by;
    const riffle_f2_matrix to = matrix_of(c, dst), a = matrix_of(c, src), b = matrix_of(c, c->right);
    const riffle_status status =
        c->is_product ? riffle_cuda_f2_product(&to, &a, &b, stream) : riffle_cuda_f2_transpose(&to, &a, stream);
    return status == RIFFLE_OK ? status : bench_fail(status, out);
}

/* Both factors on the host, and the right one on the GPU too. */
static riffle_status check_there(f2_call *c, uint64_t *src, uint64_t *right, cuda_arrays *arrays,
                                 bench_result *out) {
    const cuda_mover mover = {queue, c};
    bench_fill((unsigned char *)src, arrays->bytes);
    fill_right(c, right, src);
    riffle_status status = cuda_check(cudaMalloc(&c->right, arrays->bytes), "memory for the right factor", out);
    if (status == RIFFLE_OK)
        status = cuda_check(cudaMemcpy(c->right, right, arrays->bytes, cudaMemcpyHostToDevice),
                            "bringing the right factor", out);
    if (status == RIFFLE_OK) status = cuda_arrays_prepare(arrays, out);
    if (status == RIFFLE_OK) status = cuda_arrays_move(arrays, &mover, out);
    if (status == RIFFLE_OK) status = cuda_arrays_fetch(arrays, out);
    out->right = status == RIFFLE_OK && is_right(c, arrays->host, src, right);
    return status;
}

static riffle_status on_gpu(const bench_row *row, const bench_settings *settings, bench_result *out) {
    enum { USUAL_REPEAT = 20 };
    f2_call c = call_of(row, settings);
    cuda_arrays arrays;
    void *src = NULL, *right = NULL;
    const cuda_mover mover = {queue, &c};
    riffle_status status = cuda_arrays_create(row, &arrays, out);
    if (status == RIFFLE_OK) status = riffle_buffer_create(arrays.bytes, &src);
    if (status == RIFFLE_OK) status = riffle_buffer_create(arrays.bytes, &right);
    if (status == RIFFLE_OK) status = check_there(&c, src, right, &arrays, out);
    if (status == RIFFLE_OK && out->right)
        status = bench_cuda_time(&mover, settings->repeat > 0 ? settings->repeat : USUAL_REPEAT, &arrays, out);
    cudaFree(c.right);
    riffle_buffer_free(src, arrays.bytes);
    riffle_buffer_free(right, arrays.bytes);
    cuda_arrays_free(&arrays);
    return status;
}
#endif

static const char *algorithm(const bench_row *row) {
    (void)row;
    return "f2";
}

static void name(const bench_row *row, char *by, size_t capacity) {
    snprintf(by, capacity, "%s of %u x %u", row->by, row->way, row->way);
}

static void json_row(const bench_row *row) { printf(", \"rows\": %u", row->way); }

const bench_kind bench_f2 = {.on_host = on_host,
                             .on_gpu = BENCH_GPU_HALF(on_gpu),
                             .algorithm = algorithm,
                             .name = name,
                             .json_row = json_row};
