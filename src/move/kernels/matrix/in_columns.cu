/* SPDX-License-Identifier: Apache-2.0
 *
 * Columns permuted in place, a strip of them in shared memory at a time: element (i, j) comes from row (i step - i / group +
 * j / block) mod rows of its column, or goes there on the way back. A thread has every so many rows of one column.
 */
#include "device/kernels/device.h"
#include "move/kernels/matrix/in_place_lines.h"

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

enum { COLUMN_MOVES = 8 }; /* elements of a thread, read before the first is put down */

/* A thread's part of a column: rows i, i + lines, ..., `pitch` elements apart on the side that is in order, and a strip apart on
 * the other, where their places are counted up. */
template <class element>
static __device__ inline void spread_column(element *to, const element *from, const in_columns_table *t,
                                            uint32_t i, uint32_t lines, uint32_t pitch, column_place at) {
    for (; i < t->rows; i += COLUMN_MOVES * lines) {
        element held[COLUMN_MOVES];
        UNROLL
        for (uint32_t k = 0; k < COLUMN_MOVES; ++k)
            if (i + k * lines < t->rows) held[k] = from[(uint64_t)(i + k * lines) * pitch];
        UNROLL
        for (uint32_t k = 0; k < COLUMN_MOVES; ++k) {
            if (i + k * lines < t->rows) to[at.row << t->strip_log2] = held[k];
            next_row(t, &at);
        }
    }
}

template <class element>
static __device__ inline void collect_column(element *to, const element *from, const in_columns_table *t,
                                             uint32_t i, uint32_t lines, uint32_t pitch, column_place at) {
    for (; i < t->rows; i += COLUMN_MOVES * lines) {
        element held[COLUMN_MOVES];
        UNROLL
        for (uint32_t k = 0; k < COLUMN_MOVES; ++k) {
            if (i + k * lines < t->rows) held[k] = from[at.row << t->strip_log2];
            next_row(t, &at);
        }
        UNROLL
        for (uint32_t k = 0; k < COLUMN_MOVES; ++k)
            if (i + k * lines < t->rows) to[(uint64_t)(i + k * lines) * pitch] = held[k];
    }
}

template <class element>
static __device__ inline void copy_column(element *to, uint32_t to_pitch, const element *from,
                                          uint32_t from_pitch, uint32_t rows, uint32_t i, uint32_t lines) {
    for (; i < rows; i += COLUMN_MOVES * lines) {
        element held[COLUMN_MOVES];
        UNROLL
        for (uint32_t k = 0; k < COLUMN_MOVES; ++k)
            if (i + k * lines < rows) held[k] = from[(uint64_t)(i + k * lines) * from_pitch];
        UNROLL
        for (uint32_t k = 0; k < COLUMN_MOVES; ++k)
            if (i + k * lines < rows) to[(uint64_t)(i + k * lines) * to_pitch] = held[k];
    }
}

template <class element>
__global__ void LAUNCH_BOUNDS(1024, 1)
    in_columns(element *b, const element *a, const GRID_CONSTANT in_columns_table t) {
    extern __shared__ uint64_t shared_memory[];
    const uint32_t k = threadIdx.x & ((1u << t.strip_log2) - 1), i = threadIdx.x >> t.strip_log2;
    const uint32_t lines = blockDim.x >> t.strip_log2, j = (blockIdx.x << t.strip_log2) + k;
    element *const aside = (element *)shared_memory + k;
    const column_place at = first_row(&t, i, j);
    const bool exists = j < t.cols;
    if (exists && t.back) spread_column<element>(aside, a + j, &t, i, lines, t.cols, at);
    if (exists && !t.back) copy_column<element>(aside, 1u << t.strip_log2, a + j, t.cols, t.rows, i, lines);
    __syncthreads();
    if (exists && t.back) copy_column<element>(b + j, t.cols, aside, 1u << t.strip_log2, t.rows, i, lines);
    if (exists && !t.back) collect_column<element>(b + j, aside, &t, i, lines, t.cols, at);
}
