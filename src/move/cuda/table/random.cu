/* SPDX-License-Identifier: Apache-2.0
 *
 * Random permutations written out (perm/random.c has the definition). A thread has PER_THREAD indices and goes
 * to the next one when the walk of the last has come below n, so that the threads of a warp wait for each
 * other's sums of walks, not for the longest walk at each index.
 */
#include "move/cuda/table/steps.h"

#include "move/cuda/table/threads.cuh"

enum { PER_THREAD = 16 };

/* The network once, on values as long as a table's entries: 32-bit arithmetic where those have 4 bytes. */
template <class entry> static __device__ __forceinline__ entry run(const feistel &net, entry value) {
    uint32_t a = (uint32_t)(value >> net.a_shift) & ((1u << net.a_width) - 1);
    uint32_t b = (uint32_t)(value >> net.b_shift) & ((1u << net.b_width) - 1);
    feistel_rounds(&net, &a, &b);
    return (entry)a << net.a_shift | (entry)b << net.b_shift;
}

/* 0 and 1 change places where swap is 1. */
template <class entry> static __device__ __forceinline__ entry swapped(entry value, uint32_t swap) {
    return value <= 1 ? value ^ swap : value;
}

/* The inverse changes 0 and 1 before the walk, the other after it. */
template <class entry>
static __global__ void __launch_bounds__(THREADS)
    write_random(const __grid_constant__ feistel net, uint32_t swap_before, uint32_t swap_after, uint64_t n,
                 entry *__restrict__ entries) {
    uint64_t i = (uint64_t)blockIdx.x * (THREADS * PER_THREAD) + threadIdx.x;
    const uint64_t end = min(n, ((uint64_t)blockIdx.x + 1) * (THREADS * PER_THREAD));
    const entry last = (entry)(n - 1);
    entry value = swapped((entry)i, swap_before);
    while (i < end) {
        value = run(net, value);
        if (value <= last) {
            entries[i] = swapped(value, swap_after);
            i += THREADS;
            value = swapped((entry)i, swap_before);
        }
    }
}

template <class entry>
static void launch_random(const feistel *net, bool inverted, uint32_t swap, uint64_t n, void *entries,
                          cudaStream_t stream) {
    const unsigned blocks = blocks_for((n + PER_THREAD - 1) / PER_THREAD);
    write_random<<<blocks, THREADS, 0, stream>>>(*net, inverted ? swap : 0, inverted ? 0 : swap, n,
                                                 (entry *)entries);
}

cudaError_t table_steps_random(const feistel *net, bool inverted, uint32_t swap, uint64_t n, void *entries,
                               size_t entry_bytes, cudaStream_t stream) {
    if (entry_bytes == 4)
        launch_random<uint32_t>(net, inverted, swap, n, entries, stream);
    else
        launch_random<uint64_t>(net, inverted, swap, n, entries, stream);
    return cudaGetLastError();
}
