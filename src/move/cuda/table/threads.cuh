/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels with one thread for each of `count` elements, in blocks of THREADS.
 */
#ifndef RIFFLE_MOVE_CUDA_TABLE_THREADS_CUH
#define RIFFLE_MOVE_CUDA_TABLE_THREADS_CUH

#include <stdint.h>

enum { THREADS = 256 };

/* Elements may be 2^32 and more; blocks fit a grid up to 2^39 of them. */
static __device__ __forceinline__ uint64_t thread_number() {
    return (uint64_t)blockIdx.x * THREADS + threadIdx.x;
}

static inline unsigned blocks_for(uint64_t count) { return (unsigned)((count + THREADS - 1) / THREADS); }

#endif
