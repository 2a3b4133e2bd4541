/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows permuted in place, each in shared memory: element j goes to ((i + j / block) mod rows + j rows) mod cols of row i, or
 * comes from there on the way back. A row of threads has a row of the matrix.
 */
#include "device/kernels/device.h"
#include "move/kernels/matrix/in_place_lines.h"

/* Where a thread's element goes. */
typedef struct row_place {
    uint32_t turn, product, within;
} row_place;

static __device__ inline row_place first_place(const in_rows_table *t, uint32_t row, uint32_t j) {
    row_place at;
    at.turn = (row + j / t->block) % t->rows;
    at.product = (uint32_t)((uint64_t)j * t->rows % t->cols);
    at.within = j % t->block;
    return at;
}

/* a + b mod n, for a, b < n. */
static __device__ inline uint32_t add_below(uint32_t a, uint32_t b, uint32_t n) {
    return a >= n - b ? a - (n - b) : a + b;
}

static __device__ inline void next_place(const in_rows_table *t, row_place *at) {
    at->product = add_below(at->product, t->product, t->cols);
    at->turn = add_below(at->turn, t->turns, t->rows);
    at->within += t->within;
    if (at->within < t->block) return;
    at->within -= t->block;
    at->turn = add_below(at->turn, 1, t->rows);
}

enum { ROW_MOVES = 8 }; /* elements of a thread, read before the first is put down */

/* Elements j, j + threads, ... of one side, in order, to or from the other, where their places are counted up. */
template <class element>
static __device__ inline void spread_row(element *to, const element *from, const in_rows_table *t,
                                         row_place at) {
    for (uint32_t j = threadIdx.x; j < t->cols; j += ROW_MOVES * blockDim.x) {
        element held[ROW_MOVES];
        UNROLL
        for (uint32_t k = 0; k < ROW_MOVES; ++k)
            if (j + k * blockDim.x < t->cols) held[k] = from[j + k * blockDim.x];
        UNROLL
        for (uint32_t k = 0; k < ROW_MOVES; ++k) {
            if (j + k * blockDim.x < t->cols) to[add_below(at.turn, at.product, t->cols)] = held[k];
            next_place(t, &at);
        }
    }
}

template <class element>
static __device__ inline void collect_row(element *to, const element *from, const in_rows_table *t,
                                          row_place at) {
    for (uint32_t j = threadIdx.x; j < t->cols; j += ROW_MOVES * blockDim.x) {
        element held[ROW_MOVES];
        UNROLL
        for (uint32_t k = 0; k < ROW_MOVES; ++k) {
            if (j + k * blockDim.x < t->cols) held[k] = from[add_below(at.turn, at.product, t->cols)];
            next_place(t, &at);
        }
        UNROLL
        for (uint32_t k = 0; k < ROW_MOVES; ++k)
            if (j + k * blockDim.x < t->cols) to[j + k * blockDim.x] = held[k];
    }
}

template <class element>
static __device__ inline void copy_row(element *to, const element *from, const in_rows_table *t) {
    for (uint32_t j = threadIdx.x; j < t->cols; j += ROW_MOVES * blockDim.x) {
        element held[ROW_MOVES];
        UNROLL
        for (uint32_t k = 0; k < ROW_MOVES; ++k)
            if (j + k * blockDim.x < t->cols) held[k] = from[j + k * blockDim.x];
        UNROLL
        for (uint32_t k = 0; k < ROW_MOVES; ++k)
            if (j + k * blockDim.x < t->cols) to[j + k * blockDim.x] = held[k];
    }
}

template <class element>
__global__ void LAUNCH_BOUNDS(512, 2)
    in_rows(element *b, const element *a, const GRID_CONSTANT in_rows_table t) {
    extern __shared__ uint64_t shared_memory[];
    element *const aside = (element *)shared_memory + (uint64_t)threadIdx.y * t.cols;
    const uint32_t row = blockIdx.x * blockDim.y + threadIdx.y;
    const uint64_t start = (uint64_t)row * t.cols;
    const row_place at = first_place(&t, row, threadIdx.x);
    if (row < t.rows && t.back) copy_row<element>(aside, a + start, &t);
    if (row < t.rows && !t.back) spread_row<element>(aside, a + start, &t, at);
    __syncthreads();
    if (row < t.rows && t.back) collect_row<element>(b + start, aside, &t, at);
    if (row < t.rows && !t.back) copy_row<element>(b + start, aside, &t);
}
