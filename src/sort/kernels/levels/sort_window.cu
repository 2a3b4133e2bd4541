/* SPDX-License-Identifier: Apache-2.0
 *
 * Where only some places of one array are asked for, the second level sorts no more than the buckets of the first that have
 * them: the window.
 *
 *     buckets   | 0 | 1 | 2 | 3 | 4 | ...          places t.needed to t.needed_end - 1 lie in 1 and 2:
 *     segments      | 1 | 2 |                      all others are empty, at its ends
 */
#include "sort/kernels/sort_record.h"
#include "sort/kernels/tables/level.h"

/** b is where the second level's segments begin; t.window receives where the window does, and ends. One block. */
template <class element>
__global__ void sort_window(element *__restrict__ b, const element *, const GRID_CONSTANT sort_window_table t) {
    extern __shared__ uint64_t shared_memory[];
    uint32_t *const window = (uint32_t *)shared_memory;
    if (threadIdx.x < 2) window[threadIdx.x] = t.n;
    __syncthreads();
    for (uint32_t s = threadIdx.x; s < t.segments; s += blockDim.x) {
        if (b[s] <= t.needed && b[s + 1] > t.needed) window[0] = b[s];
        if (b[s] < t.needed_end && b[s + 1] >= t.needed_end) window[1] = b[s + 1];
    }
    __syncthreads();
    const uint32_t low = window[0], high = window[1];
    for (uint32_t s = threadIdx.x; s <= t.segments; s += blockDim.x) {
        const uint32_t begin = b[s];
        b[s] = begin < low ? low : begin < high ? begin : high;
    }
    if (threadIdx.x < 2) t.window[threadIdx.x] = window[threadIdx.x];
}

/** Copies what lies outside of the window, from a to b, and what is carried: it is in its bucket. */
template <bool carries, class element>
__global__ void sort_outside(element *__restrict__ b, const element *__restrict__ a,
                             const GRID_CONSTANT sort_outside_table t) {
    const uint64_t k = (uint64_t)blockIdx.x * SORT_ROW_THREADS + threadIdx.x;
    if (k >= t.n || (k >= t.window[0] && k < t.window[1])) return;
    b[k] = sort_put<element>(t.coder, sort_of<element>::get(a[k]));
    if (carries) t.carried.to[k] = t.carried.from[k];
}
