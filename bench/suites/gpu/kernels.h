/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernels of bench/kernels.cu as the host names and launches them. Nobody calls them, only their addresses
 * are taken, so their parameters are left to their own file.
 */
#ifndef RIFFLE_BENCH_SUITES_GPU_KERNELS_H
#define RIFFLE_BENCH_SUITES_GPU_KERNELS_H

#include <cuda_runtime_api.h>
#include <stdint.h>

typedef void bench_kernel(void);

extern bench_kernel riffle_bench_fill, riffle_bench_pick, riffle_bench_misplaced, riffle_bench_fill_numbers,
    riffle_bench_look_at_numbers, riffle_bench_look_at_indices, riffle_bench_look_at_top, riffle_bench_copy_1,
    riffle_bench_copy_4;

enum { BENCH_VECTOR_BYTES = 16 };

/** Vectors that hold so many bytes; arrays are made of whole ones. */
uint64_t bench_vectors(size_t bytes);

/** Queues a kernel for at least so many threads. */
cudaError_t bench_launch(bench_kernel *kernel, uint64_t threads, void **arguments, cudaStream_t stream);

#endif
