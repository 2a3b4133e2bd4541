/* SPDX-License-Identifier: Apache-2.0
 *
 * A take between host arrays: all of them are carried to the GPU, and the rows back once the indices are found right.
 */
#include "device/carry.h"
#include "move/indices.h"
#include "riffle/cuda.h"

enum { WORKSPACE = INDICES_ARRAYS, CARRIED };

typedef struct host_take {
    riffle_indices indices; /* their entries are the host's */
    size_t row_bytes;
} host_take;

static riffle_status run_there(const void *context, call_array *a) {
    const host_take *const t = context;
    riffle_indices indices = t->indices;
    indices.entries = a[INDICES_ENTRIES].there;
    void *const workspace = a[WORKSPACE].there;
    const riffle_status status =
        riffle_cuda_take(&indices, t->row_bytes, a[INDICES_DST].there, a[INDICES_SRC].there, workspace,
                         call_array_bytes(&a[WORKSPACE]), NULL);
    return status == RIFFLE_OK ? riffle_cuda_indices_check(&indices, workspace, NULL) : status;
}

riffle_status riffle_cuda_take_host(const riffle_indices *indices, size_t row_bytes, void *dst,
                                    const void *src) {
    size_t workspace_bytes;
    device gpu;
    riffle_status status = indices_check_rows(indices, row_bytes);
    if (status == RIFFLE_OK)
        status = indices_check_arrays(indices, row_bytes, dst, indices->m, src, indices->n);
    if (status == RIFFLE_OK) status = riffle_cuda_take_workspace_bytes(indices, row_bytes, &workspace_bytes);
    if (status == RIFFLE_OK) status = device_of_cuda(&gpu);
    if (status != RIFFLE_OK || indices->m == 0) return status;
    const host_take t = {*indices, row_bytes};
    call_array all[CARRIED];
    indices_arrays(indices, row_bytes, dst, indices->m, src, indices->n, all);
    all[WORKSPACE] = call_array_of_bytes("the workspace of a take", NULL, workspace_bytes, ARRAY_SCRATCH);
    return device_carry(&gpu, "taking rows of host arrays on a GPU", all, CARRIED, run_there, &t);
}
