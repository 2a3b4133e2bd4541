/* SPDX-License-Identifier: Apache-2.0
 *
 * Takes, puts and shuffles of indices used once, on a GPU: the doors. The launches stand in launch/once.c.
 */
#include <inttypes.h>
#include <string.h>

#include "base/status.h"
#include "move/cuda/engine.h"
#include "move/gpu/once.h"
#include "move/gpu/rows.h"
#include "move/indices.h"
#include "perm/kind.h"
#include "riffle/cuda.h"

/* One call. */
typedef struct once_call {
    once_request r;
    once_arrays arrays;
    size_t workspace_bytes;
    plan_target target;
    once_shape shape;
    struct CUstream_st *stream;
} once_call;

/* ---------------------------------------------------------------- arguments */

static riffle_status check_workspace(const once_call *c, const call_array *arrays, unsigned count) {
    return arrays_check_workspace(arrays, count, c->arrays.workspace, c->workspace_bytes, c->shape.at.bytes);
}

static riffle_status check_aligned(const char *name, const void *array, size_t unit) {
    return array_check_aligned(name, array, unit, "the units of its rows");
}

static riffle_status check_call(const once_call *c) {
    const size_t unit = launch_unit_bytes(c->r.elem_bytes), e = c->r.elem_bytes;
    const uint64_t dst_rows = c->r.puts ? c->r.n : c->r.m, src_rows = c->r.puts ? c->r.m : c->r.n;
    const riffle_indices indices = {c->arrays.indices, c->arrays.index_bytes, c->r.m, c->r.n};
    riffle_status status = indices_check_arrays(&indices, e, c->arrays.dst, dst_rows, c->arrays.src, src_rows);
    if (status == RIFFLE_OK) status = check_aligned("dst", c->arrays.dst, unit);
    if (status == RIFFLE_OK) status = check_aligned("src", c->arrays.src, unit);
    call_array all[INDICES_ARRAYS];
    indices_arrays(&indices, e, c->arrays.dst, dst_rows, c->arrays.src, src_rows, all);
    return status == RIFFLE_OK ? check_workspace(c, all, INDICES_ARRAYS) : status;
}

/* ----------------------------------------------------------------- launches */

static void prepare_workspace(const once_call *c, launch_list *out) {
    char *const workspace = c->arrays.workspace;
    const once_layout *const at = &c->shape.at;
    launch_append_fill(out, workspace + at->record, 0xff, sizeof(once_record));
    if (!c->r.is_random) launch_append_fill(out, workspace + at->marks, 0, at->marks_bytes);
}

static riffle_status queue(const once_call *c) {
    device gpu;
    launch_list list;
    const riffle_status status = device_of_cuda(&gpu);
    if (status != RIFFLE_OK) return status;
    launch_list_begin(&list);
    prepare_workspace(c, &list);
    if (c->r.m > 0) launch_once(&c->r, &c->shape, &c->arrays, &c->target, &list);
    return device_load_and_run(&gpu, "a move along indices", "launching a move along indices", &list,
                               c->stream);
}

/* -------------------------------------------------------------------- doors */

/* Fills in all that is known before the arrays are. */
static riffle_status shape_call(once_call *c) {
    const uint64_t most_blocks = LAUNCH_MAX_BLOCKS;
    const riffle_status status = cuda_engine_target(&c->target);
    if (status != RIFFLE_OK) return status;
    c->shape = once_choose(&c->r, &c->target);
    const uint64_t units = c->r.elem_bytes / launch_unit_bytes(c->r.elem_bytes);
    if (c->shape.sorts || c->r.m * units / ROWS_THREADS < most_blocks) return RIFFLE_OK;
    return fail(RIFFLE_ERROR_UNSUPPORTED, "%" PRIu64 " rows of %zu bytes are more than a GPU's grid holds",
                c->r.m, c->r.elem_bytes);
}

static once_request taking(const riffle_indices *indices, size_t row_bytes) {
    return (once_request){.n = indices->n, .m = indices->m, .elem_bytes = row_bytes};
}

static once_request putting(const riffle_indices *indices, size_t row_bytes) {
    return (once_request){.puts = true, .n = indices->n, .m = indices->m, .elem_bytes = row_bytes};
}

static riffle_status ask_bytes(const riffle_indices *indices, const once_request *r, size_t *out) {
    riffle_indices asked = *indices;
    asked.entries = (const void *)(uintptr_t)WORKSPACE_ALIGNMENT; /* anything: it is not looked at */
    once_call c = {.r = *r, .arrays.index_bytes = indices->entry_bytes};
    riffle_status status = indices_check_rows(&asked, r->elem_bytes);
    if (status == RIFFLE_OK) status = shape_call(&c);
    if (status == RIFFLE_OK) *out = c.shape.at.bytes;
    return status;
}

static riffle_status move(once_call *c, void *dst, const void *src, void *workspace, size_t workspace_bytes,
                          struct CUstream_st *stream) {
    riffle_status status = shape_call(c);
    c->arrays.dst = dst, c->arrays.src = src, c->arrays.workspace = workspace;
    c->workspace_bytes = workspace_bytes;
    c->stream = stream;
    if (status == RIFFLE_OK) status = c->r.m == 0 ? check_workspace(c, NULL, 0) : check_call(c);
    return status == RIFFLE_OK ? queue(c) : status;
}

riffle_status riffle_cuda_take_workspace_bytes(const riffle_indices *indices, size_t row_bytes, size_t *out) {
    RETURN_IF_NULL(indices, out);
    const once_request r = taking(indices, row_bytes);
    return ask_bytes(indices, &r, out);
}

riffle_status riffle_cuda_put_workspace_bytes(const riffle_indices *indices, size_t row_bytes, size_t *out) {
    RETURN_IF_NULL(indices, out);
    const once_request r = putting(indices, row_bytes);
    return ask_bytes(indices, &r, out);
}

static riffle_status move_along(const riffle_indices *indices, const once_request *r, void *dst,
                                const void *src, void *workspace, size_t workspace_bytes,
                                struct CUstream_st *stream) {
    const riffle_status status = indices_check_rows(indices, r->elem_bytes);
    once_call c = {.r = *r, .arrays = {.indices = indices->entries, .index_bytes = indices->entry_bytes}};
    return status == RIFFLE_OK ? move(&c, dst, src, workspace, workspace_bytes, stream) : status;
}

riffle_status riffle_cuda_take(const riffle_indices *indices, size_t row_bytes, void *dst, const void *src,
                               void *workspace, size_t workspace_bytes, struct CUstream_st *stream) {
    RETURN_IF_NULL(indices);
    const once_request r = taking(indices, row_bytes);
    return move_along(indices, &r, dst, src, workspace, workspace_bytes, stream);
}

riffle_status riffle_cuda_put(const riffle_indices *indices, size_t row_bytes, void *dst, const void *src,
                              void *workspace, size_t workspace_bytes, struct CUstream_st *stream) {
    RETURN_IF_NULL(indices);
    const once_request r = putting(indices, row_bytes);
    return move_along(indices, &r, dst, src, workspace, workspace_bytes, stream);
}

/* --------------------------------------------------------------------- check */

static riffle_status fetch(void *to, const void *from, size_t bytes, struct CUstream_st *stream) {
    device gpu;
    const riffle_status status = device_of_cuda(&gpu);
    return status == RIFFLE_OK ? gpu.ops->download(&gpu, "moving along indices", to, from, bytes, stream)
                               : status;
}

static riffle_status fail_range(const riffle_indices *indices, uint64_t position, struct CUstream_st *stream) {
    uint64_t value = 0; /* little-endian, as GPUs are: an entry of 4 bytes is its low half */
    const char *const entry = (const char *)indices->entries + position * indices->entry_bytes;
    const riffle_status status = fetch(&value, entry, indices->entry_bytes, stream);
    return status == RIFFLE_OK ? indices_fail_range(position, value, indices->n) : status;
}

riffle_status riffle_cuda_indices_check(const riffle_indices *indices, const void *workspace,
                                        struct CUstream_st *stream) {
    once_record record;
    RETURN_IF_NULL(workspace);
    riffle_status status = indices_check(indices);
    if (status == RIFFLE_OK) status = fetch(&record, workspace, sizeof record, stream);
    if (status != RIFFLE_OK) return status;
    if (record.out_of_range != UINT64_MAX) return fail_range(indices, record.out_of_range, stream);
    if (record.clash == UINT64_MAX) return RIFFLE_OK;
    return fail(RIFFLE_ERROR_NOT_A_PERMUTATION, "indices: two of them are %" PRIu64, record.clash);
}

/* ------------------------------------------------------------------- shuffle */

static riffle_status check_shuffle(uint64_t n, size_t row_bytes) {
    if (row_bytes == 0) return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "a row has at least 1 byte");
    if (n <= UINT32_MAX) return RIFFLE_OK;
    return fail(RIFFLE_ERROR_LENGTH, "a shuffle without a table has fewer than 2^32 rows, not %" PRIu64, n);
}

riffle_status riffle_cuda_shuffle_workspace_bytes(uint64_t n, size_t row_bytes, size_t *out) {
    RETURN_IF_NULL(out);
    once_call c = {.r = {true, true, n, n, row_bytes}};
    riffle_status status = check_shuffle(n, row_bytes);
    if (status == RIFFLE_OK) status = shape_call(&c);
    if (status == RIFFLE_OK) *out = c.shape.at.bytes;
    return status;
}

static riffle_status copy_row(void *dst, const void *src, size_t row_bytes, struct CUstream_st *stream) {
    device gpu;
    launch_list list;
    const riffle_status status = device_of_cuda(&gpu);
    if (status != RIFFLE_OK) return status;
    launch_list_begin(&list);
    launch_append_copy(&list, dst, src, row_bytes);
    return device_run(&gpu, "copying a row", &list, stream);
}

riffle_status riffle_cuda_shuffle(uint64_t n, uint64_t seed, size_t row_bytes, void *dst, const void *src,
                                  void *workspace, size_t workspace_bytes, struct CUstream_st *stream) {
    once_call c = {.r = {true, true, n, n, row_bytes}};
    riffle_perm *perm;
    riffle_status status = check_shuffle(n, row_bytes);
    if (status == RIFFLE_OK) status = riffle_perm_random(n, seed, &perm);
    if (status != RIFFLE_OK) return status;
    if (perm->kind == PERM_RANDOM) {
        c.arrays.random = perm;
        status = move(&c, dst, src, workspace, workspace_bytes, stream);
    } else if (n > 0) { /* a single row */
        status = copy_row(dst, src, row_bytes, stream);
    }
    riffle_perm_free(perm);
    return status;
}
