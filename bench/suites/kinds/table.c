/* SPDX-License-Identifier: Apache-2.0 */
#include "kinds/table.h"

#include <stdio.h>

#include "kinds/kinds.h"

#ifdef BENCH_GPU
#include "gpu/timing.h"
#include "kinds/tables.h"

riffle_status bench_cuda_upload(const riffle_perm *perm, void **table, bench_result *out) {
    const size_t bytes = riffle_perm_length(perm) * sizeof(uint32_t);
    uint32_t *host;
    const riffle_status status = bench_tabulate(perm, &host);
    if (status != RIFFLE_OK) return bench_fail(status, out);
    void *device = NULL;
    cudaError_t error = cudaMalloc(&device, bytes);
    if (error == cudaSuccess) error = cudaMemcpy(device, host, bytes, cudaMemcpyHostToDevice);
    riffle_buffer_free(host, bytes);
    if (error == cudaSuccess) {
        *table = device;
    } else {
        cudaFree(device);
    }
    return cuda_check(error, "making a table on the GPU", out);
}

/* Nobody needs the table once the plan is made. */
static riffle_status plan_table(const riffle_perm *perm, const bench_row *row, const bench_settings *settings,
                                riffle_plan **plan, bench_result *out) {
    void *table = NULL;
    riffle_status status = bench_cuda_upload(perm, &table, out);
    if (status == RIFFLE_OK) status = bench_cuda_plan(perm, table, row, settings, plan, out);
    cudaFree(table);
    return status;
}

static riffle_status on_gpu(const bench_row *row, const bench_settings *settings, bench_result *out) {
    riffle_perm *perm;
    riffle_plan *plan = NULL;
    riffle_status status = bench_table_perm(row->by, row->n, &perm);
    if (status != RIFFLE_OK) return bench_fail(status, out);
    status = plan_table(perm, row, settings, &plan, out);
    if (status == RIFFLE_OK) status = bench_cuda_measure_move(plan, perm, row, settings, out);
    riffle_plan_free(plan);
    riffle_perm_free(perm);
    return status;
}
#endif

static void name(const bench_row *row, char *by, size_t capacity) {
    snprintf(by, capacity, "table of %s", row->by);
}

static void json_row(const bench_row *row) {
    (void)row;
    printf(", \"table\": true");
}

const bench_kind bench_table_kind = {.on_gpu = BENCH_GPU_HALF(on_gpu), .name = name, .json_row = json_row};
