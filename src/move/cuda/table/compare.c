/* SPDX-License-Identifier: Apache-2.0
 *
 * Looks at a table: at a few of its entries, and whether all are as a form says.
 */
#include <string.h>

#include "base/status.h"
#include "move/cuda/table/shared.h"

riffle_status cuda_table_pick(const cuda_table *table, unsigned count, const uint64_t *indices, uint64_t *out,
                              struct CUstream_st *stream) {
    const table_entries entries = table_entries_of(table);
    const size_t bytes = count * sizeof *indices;
    uint64_t *there = NULL;
    riffle_status status = cuda_allocate("looking at a table", 2 * bytes, (void **)&there);
    if (status != RIFFLE_OK) return status;
    cudaError_t error = cudaMemcpyAsync(there, indices, bytes, cudaMemcpyHostToDevice, stream);
    if (error == cudaSuccess) error = table_steps_pick(&entries, there, there + count, count, stream);
    if (error == cudaSuccess)
        error = cudaMemcpyAsync(out, there + count, bytes, cudaMemcpyDeviceToHost, stream);
    status = table_result(table_wait(error, stream));
    cudaFree(there);
    return status;
}

static cudaError_t compare(const cuda_table *table, const cuda_form *form, uint32_t *differs,
                           cudaStream_t stream) {
    const table_entries entries = table_entries_of(table);
    table_affine affine = {.c = form->offset};
    _Static_assert(TABLE_STEPS_COLUMNS == RIFFLE_MAX_BITS, "a column for each bit of an index");
    if (!form->is_affine)
        return table_steps_compare_rotation(&entries, form->reflected, form->offset, differs, stream);
    memcpy(affine.column, form->column, form->bits * sizeof *affine.column);
    return table_steps_compare_affine(&entries, &affine, differs, stream);
}

riffle_status cuda_table_is_form(const cuda_table *table, const cuda_form *form, struct CUstream_st *stream,
                                 bool *out) {
    uint32_t *there = NULL, differs = 1;
    riffle_status status = cuda_allocate("comparing a table", sizeof differs, (void **)&there);
    if (status != RIFFLE_OK) return status;
    cudaError_t error = cudaMemsetAsync(there, 0, sizeof *there, stream);
    if (error == cudaSuccess) error = compare(table, form, there, stream);
    if (error == cudaSuccess)
        error = cudaMemcpyAsync(&differs, there, sizeof differs, cudaMemcpyDeviceToHost, stream);
    status = table_result(table_wait(error, stream));
    cudaFree(there);
    *out = differs == 0;
    return status;
}
