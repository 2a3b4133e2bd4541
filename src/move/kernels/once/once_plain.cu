/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels for indices used once where nothing is sorted and kernels for rows move (rows.cu).
 */
#include "move/kernels/once/once_device.h"

/** Marks in b, a bit each, what is put to, and records what is put to twice. A thread has an index. */
template <class entry, class element>
__global__ void once_mark(element *__restrict__ b, const element *, const GRID_CONSTANT once_table t) {
    const uint64_t k = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (k >= t.m) return;
    const uint64_t index = ((const entry *)t.indices)[k];
    const uint32_t bit = 1u << index % 32;
    if (index < t.n && ATOMIC_OR(&b[index / 32], bit) & bit) once_lower(&t.record->clash, index);
}

/** Writes a random permutation to b. */
template <class element>
__global__ void once_write_random(element *__restrict__ b, const element *, const GRID_CONSTANT once_table t) {
    const uint64_t k = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (k < t.n) b[k] = once_random_at(&t, (uint32_t)k);
}

/** b is dst, a src: an index after the other, ONCE_GATHERED a thread, a block's side by side. Data that is read and written
 *  once does not drive the elements, which may be read again, out of the second-level cache. */
template <class entry, class element>
__global__ void LAUNCH_BOUNDS(ONCE_COUNT_THREADS, 1)
    once_gather(element *__restrict__ b, const element *__restrict__ a, const GRID_CONSTANT once_table t) {
    const uint64_t first = (uint64_t)blockIdx.x * (ONCE_GATHERED * blockDim.x) + threadIdx.x;
    element held[ONCE_GATHERED];
    UNROLL
    for (uint32_t i = 0; i < ONCE_GATHERED; ++i) {
        const uint64_t k = first + i * blockDim.x;
        if (k >= t.m) continue;
        uint64_t index = LOAD_STREAMED((const entry *)t.indices + k);
        if (index >= t.n) {
            once_lower(&t.record->out_of_range, k);
            index = 0;
        }
        held[i] = a[index];
    }
    UNROLL
    for (uint32_t i = 0; i < ONCE_GATHERED; ++i) {
        const uint64_t k = first + i * blockDim.x;
        if (k < t.m) STORE_STREAMED(b + k, held[i]);
    }
}
