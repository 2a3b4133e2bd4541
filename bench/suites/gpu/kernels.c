/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/kernels.h"

enum { THREADS = 256 };

uint64_t bench_vectors(size_t bytes) { return (bytes + BENCH_VECTOR_BYTES - 1) / BENCH_VECTOR_BYTES; }

cudaError_t bench_launch(bench_kernel *kernel, uint64_t threads, void **arguments, cudaStream_t stream) {
    const dim3 grid = {(unsigned)((threads + THREADS - 1) / THREADS), 1, 1}, block = {THREADS, 1, 1};
    return cudaLaunchKernel((const void *)kernel, grid, block, arguments, 0, stream);
}
