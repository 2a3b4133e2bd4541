/* SPDX-License-Identifier: Apache-2.0
 *
 * Code that the files that work on tables on the device share.
 */
#ifndef RIFFLE_MOVE_CUDA_TABLE_SHARED_H
#define RIFFLE_MOVE_CUDA_TABLE_SHARED_H

#include "device/cuda/runtime.h"
#include "move/cuda/table/steps.h"
#include "move/cuda/table/table.h"

/** A table as kernels take it. */
static inline table_entries table_entries_of(const cuda_table *table) {
    return (table_entries){table->entries, table->entry_bytes, table->n};
}

static inline riffle_status table_result(cudaError_t error) {
    return cuda_result(error, "working on a table on the GPU");
}

/** Waits for the stream, also after an error: what is queued may use what is about to be freed. */
static inline cudaError_t table_wait(cudaError_t error, cudaStream_t stream) {
    const cudaError_t end = cudaStreamSynchronize(stream);
    return error != cudaSuccess ? error : end;
}

#endif
