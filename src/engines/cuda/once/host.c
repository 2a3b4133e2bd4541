/* SPDX-License-Identifier: Apache-2.0
 *
 * A take between host arrays: all of them are carried to the GPU, and the rows back once the indices are found right.
 *
 *     block on the GPU | dst | src | entries | workspace |
 */
#include "device/cuda/capture.h"
#include "device/cuda/runtime.h"
#include "engines/indices.h"
#include "riffle/cuda.h"

enum { ALIGNMENT = 256 };

/* One call, and where its arrays lie on the GPU. */
typedef struct host_take {
    riffle_indices indices; /* their entries are the host's */
    size_t row_bytes, src_bytes, dst_bytes, entries_bytes, workspace_bytes;
    size_t src_at, entries_at, workspace_at, bytes; /* in the block; dst begins it */
} host_take;

static size_t round_up(size_t bytes) { return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT; }

static host_take lay_out(const riffle_indices *indices, size_t row_bytes, size_t workspace_bytes) {
    host_take t = {.indices = *indices,
                   .row_bytes = row_bytes,
                   .src_bytes = indices->n * row_bytes,
                   .dst_bytes = indices->m * row_bytes,
                   .entries_bytes = indices->m * indices->entry_bytes,
                   .workspace_bytes = workspace_bytes};
    t.src_at = round_up(t.dst_bytes);
    t.entries_at = t.src_at + round_up(t.src_bytes);
    t.workspace_at = t.entries_at + round_up(t.entries_bytes);
    t.bytes = t.workspace_at + workspace_bytes;
    return t;
}

static riffle_status carry(const host_take *t, char *block, const void *src) {
    cudaError_t error = cudaMemcpy(block + t->src_at, src, t->src_bytes, cudaMemcpyHostToDevice);
    if (error == cudaSuccess)
        error = cudaMemcpy(block + t->entries_at, t->indices.entries, t->entries_bytes, cudaMemcpyHostToDevice);
    return cuda_result(error, "copying rows and indices to the GPU");
}

static riffle_status take_through(const host_take *t, char *block, void *dst, const void *src) {
    riffle_indices indices = t->indices;
    char *const workspace = block + t->workspace_at;
    indices.entries = block + t->entries_at;
    riffle_status status = carry(t, block, src);
    if (status == RIFFLE_OK)
        status = riffle_cuda_take(&indices, t->row_bytes, block, block + t->src_at, workspace,
                                  t->workspace_bytes, NULL);
    if (status == RIFFLE_OK) status = riffle_cuda_indices_check(&indices, workspace, NULL);
    if (status == RIFFLE_OK)
        status = cuda_result(cudaMemcpy(dst, block, t->dst_bytes, cudaMemcpyDeviceToHost),
                             "copying the rows back from the GPU");
    return status;
}

riffle_status riffle_cuda_take_host(const riffle_indices *indices, size_t row_bytes, void *dst,
                                    const void *src) {
    size_t workspace_bytes;
    void *block;
    enum cudaStreamCaptureMode mode;
    riffle_status status = indices_check_rows(indices, row_bytes);
    if (status == RIFFLE_OK)
        status = indices_check_arrays(indices, row_bytes, dst, indices->m, src, indices->n);
    if (status == RIFFLE_OK) status = riffle_cuda_take_bytes(indices, row_bytes, &workspace_bytes);
    if (status != RIFFLE_OK || indices->m == 0) return status;
    status = capture_pass_by("taking rows of host arrays on a GPU", NULL, &mode);
    if (status != RIFFLE_OK) return status;
    const host_take t = lay_out(indices, row_bytes, workspace_bytes);
    status = cuda_allocate("rows, indices and workspace on the GPU", t.bytes, &block);
    if (status == RIFFLE_OK) {
        status = take_through(&t, block, dst, src);
        cudaFree(block);
    }
    capture_leave(mode);
    return status;
}
