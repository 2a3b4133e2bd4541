/* SPDX-License-Identifier: Apache-2.0
 *
 * Counts keys. Threads read whole words; keys before the first and behind the last of them are read one by one. Keys of a byte are
 * counted in shared memory, in a table of each warp, since warps would wait for each other's additions:
 *
 *     shared    | 256 counts of warp 0 | 256 counts of warp 1 | ...
 *
 * and a thread adds up the tables' counts of one key. Keys of two bytes are counted where the counts lie, in the second-level cache. A
 * word whose keys are all the same is one addition.
 *
 * b is NULL, a the keys.
 */
#include "device/kernels/device.h"
#include "histogram/kernels/shape.h"

struct histogram_in_shared {
    uint32_t *counts;
    __device__ void add(uint32_t key, uint32_t times) const { ATOMIC_ADD(&counts[key], times); }
};

struct histogram_in_memory {
    uint64_t *counts;
    __device__ void add(uint32_t key, uint32_t times) const {
        ATOMIC_ADD((unsigned long long *)&counts[key], (unsigned long long)times);
    }
};

template <class element, class table> static __device__ inline void count_word(uint64_t word, const table &to) {
    enum { KEYS = HISTOGRAM_WORD_BYTES / sizeof(element), BITS = 8 * sizeof(element) };
    const uint64_t ones = ~(uint64_t)0 / (((uint64_t)1 << BITS) - 1); /* 1 in each key */
    const uint32_t first = (element)word;
    if (word == first * ones) {
        to.add(first, KEYS);
        return;
    }
    UNROLL
    for (uint32_t k = 0; k < KEYS; ++k) to.add((element)(word >> k * BITS), 1);
}

template <class element, class table>
static __device__ inline void count_all(const element *a, uint64_t n, const table &to) {
    const uint64_t thread = (uint64_t)blockIdx.x * HISTOGRAM_THREADS + threadIdx.x,
                   threads = (uint64_t)gridDim.x * HISTOGRAM_THREADS;
    const uint64_t ahead = (0 - (uint64_t)a) % HISTOGRAM_WORD_BYTES / sizeof(element);
    const uint64_t head = ahead < n ? ahead : n;
    const uint64_t each = HISTOGRAM_WORD_BYTES / sizeof(element), words = (n - head) / each;
    const uint64_t *const word = (const uint64_t *)(a + head);
    if (thread < head) to.add(a[thread], 1);
    for (uint64_t k = thread; k < words; k += threads) count_word<element>(LOAD_STREAMED(word + k), to);
    const uint64_t tail = head + words * each + thread;
    if (tail < n) to.add(a[tail], 1);
}

template <class element>
__global__ void histogram_bytes(element *, const element *a, uint64_t n, uint64_t *counts) {
    extern __shared__ uint64_t shared_memory[];
    uint32_t *const shared = (uint32_t *)shared_memory;
    for (uint32_t warp = 0; warp < HISTOGRAM_WARPS; ++warp) shared[warp * HISTOGRAM_VALUES + threadIdx.x] = 0;
    __syncthreads();
    count_all(a, n, histogram_in_shared{shared + threadIdx.x / 32 * HISTOGRAM_VALUES});
    __syncthreads();
    uint64_t sum = 0;
    for (uint32_t warp = 0; warp < HISTOGRAM_WARPS; ++warp)
        sum += shared[warp * HISTOGRAM_VALUES + threadIdx.x];
    if (sum > 0) ATOMIC_ADD((unsigned long long *)&counts[threadIdx.x], (unsigned long long)sum);
}

template <class element>
__global__ void histogram_pairs(element *, const element *a, uint64_t n, uint64_t *counts) {
    count_all(a, n, histogram_in_memory{counts});
}
