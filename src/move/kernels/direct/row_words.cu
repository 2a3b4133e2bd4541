/* SPDX-License-Identifier: Apache-2.0
 *
 * Scatter and gather of rows that are no whole number of words of 16 bytes: a thread writes one word of b
 * (row_words.h).
 */
#include "move/kernels/direct/row_words.h"
#include "device/kernels/rows_map.h"

/** Row map[i] of b is row i of a. */
template <class element>
__global__ void LAUNCH_BOUNDS(ROWS_THREADS, 1)
    scatter_row_words(element *__restrict__ b, const element *__restrict__ a, const GRID_CONSTANT rows_table t,
                      const void *__restrict__ map) {
    const uint64_t k = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (k >= t.parts) return;
    const uint64_t row = rows_row(&t, k);
    move_word<element>((char *)b + rows_entry(&t, map, row) * t.row_bytes, (const char *)a, row * t.row_bytes,
                       t.row_bytes, t.array_bytes, k - row * t.row_parts);
}

/** Row i of b is row map[i] of a. */
template <class element>
__global__ void LAUNCH_BOUNDS(ROWS_THREADS, 1)
    gather_row_words(element *__restrict__ b, const element *__restrict__ a, const GRID_CONSTANT rows_table t,
                     const void *__restrict__ map) {
    const uint64_t k = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (k >= t.parts) return;
    const uint64_t row = rows_row(&t, k);
    move_word<element>((char *)b + row * t.row_bytes, (const char *)a, rows_entry(&t, map, row) * t.row_bytes,
                       t.row_bytes, t.array_bytes, k - row * t.row_parts);
}
