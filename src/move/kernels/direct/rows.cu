/* SPDX-License-Identifier: Apache-2.0
 *
 * Scatter and gather of rows of whole units, an element here being a unit, not a row: neighbouring threads move
 * neighbouring units, so that a warp touches as few sectors as its rows allow.
 *
 *     unit k of all  -->  row k / row_parts  --map-->  another row, the same unit of it
 *
 * A thread has every blockDim.x-th of a block's units, t.moves of them.
 */
#include "device/kernels/device.h"
#include "device/kernels/rows_map.h"

/** Row map[i] of b is row i of a. */
template <class element>
__global__ void LAUNCH_BOUNDS(ROWS_THREADS, 1)
    scatter_rows(element *__restrict__ b, const element *__restrict__ a, const GRID_CONSTANT rows_table t,
                 const void *__restrict__ map) {
    const uint64_t first = (uint64_t)blockIdx.x * (blockDim.x * t.moves) + threadIdx.x;
    element held[ROWS_MOVES];
    uint64_t to[ROWS_MOVES];
    UNROLL
    for (uint32_t i = 0; i < ROWS_MOVES; ++i) {
        const uint64_t k = first + i * blockDim.x;
        if (i >= t.moves || k >= t.parts) break;
        held[i] = a[k];
        to[i] = rows_image(&t, map, k);
    }
    UNROLL
    for (uint32_t i = 0; i < ROWS_MOVES; ++i) {
        if (i >= t.moves || first + i * blockDim.x >= t.parts) break;
        b[to[i]] = held[i];
    }
}

/** Row i of b is row map[i] of a. */
template <class element>
__global__ void LAUNCH_BOUNDS(ROWS_THREADS, 1)
    gather_rows(element *__restrict__ b, const element *__restrict__ a, const GRID_CONSTANT rows_table t,
                const void *__restrict__ map) {
    const uint64_t first = (uint64_t)blockIdx.x * (blockDim.x * t.moves) + threadIdx.x;
    element held[ROWS_MOVES];
    UNROLL
    for (uint32_t i = 0; i < ROWS_MOVES; ++i) {
        const uint64_t k = first + i * blockDim.x;
        if (i >= t.moves || k >= t.parts) break;
        held[i] = a[rows_image(&t, map, k)];
    }
    UNROLL
    for (uint32_t i = 0; i < ROWS_MOVES; ++i) {
        const uint64_t k = first + i * blockDim.x;
        if (i >= t.moves || k >= t.parts) break;
        b[k] = held[i];
    }
}
