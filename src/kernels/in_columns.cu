/* SPDX-License-Identifier: Apache-2.0
 *
 * Columns permuted in place, a strip of them in shared memory at a time: element (i, j) comes from row (i step - i / group +
 * j / block) mod rows of its column, or goes there on the way back. A thread has every so many rows of one column.
 */
#include "kernels/device.h"
#include "kernels/in_place_lines.h"

/* The row that a thread's element belongs to: of its column the offset is added already. */
typedef struct column_place {
    uint32_t row, within;
} column_place;

static __device__ inline column_place first_row(const in_columns_table *t, uint32_t i, uint32_t j) {
    column_place at;
    at.row = (uint32_t)(((uint64_t)i * t->step + t->rows - i / t->group % t->rows + j / t->block) % t->rows);
    at.within = i % t->group;
    return at;
}

static __device__ inline void next_row(const in_columns_table *t, column_place *at) {
    at->row += t->lines_step;
    if (at->row >= t->rows) at->row -= t->rows;
    at->within += t->lines_within;
    if (at->within < t->group) return;
    at->within -= t->group;
    at->row = at->row == 0 ? t->rows - 1 : at->row - 1;
}

template <class element>
__global__ void in_columns(element *b, const element *a, const GRID_CONSTANT in_columns_table t) {
    extern __shared__ uint64_t shared_memory[];
    element *const aside = (element *)shared_memory;
    const uint32_t k = threadIdx.x & ((1u << t.strip_log2) - 1), i0 = threadIdx.x >> t.strip_log2;
    const uint32_t lines = blockDim.x >> t.strip_log2, j = (blockIdx.x << t.strip_log2) + k;
    if (j < t.cols) {
        column_place at = first_row(&t, i0, j);
        for (uint32_t i = i0; i < t.rows; i += lines, next_row(&t, &at))
            aside[((t.back ? at.row : i) << t.strip_log2) + k] = a[(uint64_t)i * t.cols + j];
    }
    __syncthreads();
    if (j >= t.cols) return;
    column_place at = first_row(&t, i0, j);
    for (uint32_t i = i0; i < t.rows; i += lines, next_row(&t, &at))
        b[(uint64_t)i * t.cols + j] = aside[((t.back ? i : at.row) << t.strip_log2) + k];
}
