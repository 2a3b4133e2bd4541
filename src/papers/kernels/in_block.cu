/* SPDX-License-Identifier: Apache-2.0
 *
 * The DMM paper's experiment (Kasagi, Nakano, Ito 2012, section VI): each block permutes an array of n elements
 * from a to b in its shared memory, `repetitions` times, so that the move can be timed by itself. Block k's
 * array is the k-th of src and of dst; p, q, s and d lie in shared memory too, as 16-bit numbers.
 *
 *     shared memory:   a, `cells` elements | b, `cells` elements | indices, `cells` each
 *
 * cells is n rounded up to whole warps, because the conflict-free order has moves of padding: cells n and above
 * of a and b are moved, but come from and go to nowhere. Volatile has every repetition really read and write.
 */
#include "device/kernels/device.h"

/** b[i] = a[i]. */
template <class element>
__global__ void copy_in_block(element *dst, const element *src, uint32_t n, uint32_t cells,
                              uint64_t repetitions) {
    extern __shared__ uint64_t shared_memory[];
    volatile element *const a = (element *)shared_memory, *const b = a + cells;
    const uint64_t array = (uint64_t)blockIdx.x * n;
    for (uint32_t i = threadIdx.x; i < n; i += blockDim.x) a[i] = src[array + i];
    __syncthreads();
    for (uint64_t r = 0; r < repetitions; ++r) {
        for (uint32_t i = threadIdx.x; i < n; i += blockDim.x) b[i] = a[i];
        __syncthreads();
    }
    for (uint32_t i = threadIdx.x; i < n; i += blockDim.x) dst[array + i] = b[i];
}

/** D-designated: b[p[i]] = a[i]. */
template <class element>
__global__ void scatter_in_block(element *dst, const element *src, const uint16_t *table, uint32_t n,
                                 uint32_t cells, uint64_t repetitions) {
    extern __shared__ uint64_t shared_memory[];
    volatile element *const a = (element *)shared_memory, *const b = a + cells;
    volatile uint16_t *const p = (uint16_t *)((element *)shared_memory + 2 * cells);
    const uint64_t array = (uint64_t)blockIdx.x * n;
    for (uint32_t i = threadIdx.x; i < n; i += blockDim.x) {
        a[i] = src[array + i];
        p[i] = table[i];
    }
    __syncthreads();
    for (uint64_t r = 0; r < repetitions; ++r) {
        for (uint32_t i = threadIdx.x; i < n; i += blockDim.x) b[p[i]] = a[i];
        __syncthreads();
    }
    for (uint32_t i = threadIdx.x; i < n; i += blockDim.x) dst[array + i] = b[i];
}

/** S-designated: b[i] = a[q[i]]. */
template <class element>
__global__ void gather_in_block(element *dst, const element *src, const uint16_t *table, uint32_t n,
                                uint32_t cells, uint64_t repetitions) {
    extern __shared__ uint64_t shared_memory[];
    volatile element *const a = (element *)shared_memory, *const b = a + cells;
    volatile uint16_t *const q = (uint16_t *)((element *)shared_memory + 2 * cells);
    const uint64_t array = (uint64_t)blockIdx.x * n;
    for (uint32_t i = threadIdx.x; i < n; i += blockDim.x) {
        a[i] = src[array + i];
        q[i] = table[i];
    }
    __syncthreads();
    for (uint64_t r = 0; r < repetitions; ++r) {
        for (uint32_t i = threadIdx.x; i < n; i += blockDim.x) b[i] = a[q[i]];
        __syncthreads();
    }
    for (uint32_t i = threadIdx.x; i < n; i += blockDim.x) dst[array + i] = b[i];
}

/** b[d[k]] = a[s[k]] for all cells, padding included, free of bank conflicts (papers/schedules/row_wise.h). */
template <class element>
__global__ void conflict_free_in_block(element *dst, const element *src, const uint16_t *sources,
                                       const uint16_t *destinations, uint32_t n, uint32_t cells,
                                       uint64_t repetitions) {
    extern __shared__ uint64_t shared_memory[];
    volatile element *const a = (element *)shared_memory, *const b = a + cells;
    volatile uint16_t *const s = (uint16_t *)((element *)shared_memory + 2 * cells), *const d = s + cells;
    const uint64_t array = (uint64_t)blockIdx.x * n;
    for (uint32_t k = threadIdx.x; k < cells; k += blockDim.x) {
        a[k] = k < n ? src[array + k] : 0;
        s[k] = sources[k];
        d[k] = destinations[k];
    }
    __syncthreads();
    for (uint64_t r = 0; r < repetitions; ++r) {
        for (uint32_t k = threadIdx.x; k < cells; k += blockDim.x) b[d[k]] = a[s[k]];
        __syncthreads();
    }
    for (uint32_t i = threadIdx.x; i < n; i += blockDim.x) dst[array + i] = b[i];
}
