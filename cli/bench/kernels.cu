/* SPDX-License-Identifier: Apache-2.0
 *
 * What the bench does on a GPU beside the moves: fills an array, fetches a sample of another, and copies as a
 * plain kernel does it, each thread one vector or four.
 */
#include <stdint.h>

#include "bench/word.h"

static __device__ inline uint64_t thread_number() { return (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; }

extern "C" __global__ void riffle_bench_fill(uint64_t *words, uint64_t count) {
    const uint64_t k = thread_number();
    if (k < count) words[k] = bench_word(k);
}

/* out[k] = array[at[k]], of elements of elem_bytes; a byte a thread. */
extern "C" __global__ void riffle_bench_pick(unsigned char *out, const unsigned char *array, const uint64_t *at,
                                             uint64_t count, uint64_t elem_bytes) {
    const uint64_t k = thread_number();
    if (k < count * elem_bytes) out[k] = array[at[k / elem_bytes] * elem_bytes + k % elem_bytes];
}

/* All of a thread's loads are under way before its first store. */
template <unsigned VECTORS>
static __device__ inline void copy_vectors(uint4 *__restrict__ to, const uint4 *__restrict__ from,
                                           uint64_t count) {
    const uint64_t first = (uint64_t)blockIdx.x * blockDim.x * VECTORS + threadIdx.x;
    uint4 held[VECTORS];
#pragma unroll
    for (unsigned k = 0; k < VECTORS; ++k)
        if (first + k * blockDim.x < count) held[k] = from[first + k * blockDim.x];
#pragma unroll
    for (unsigned k = 0; k < VECTORS; ++k)
        if (first + k * blockDim.x < count) to[first + k * blockDim.x] = held[k];
}

extern "C" __global__ void riffle_bench_copy_1(uint4 *to, const uint4 *from, uint64_t count) {
    copy_vectors<1>(to, from, count);
}

extern "C" __global__ void riffle_bench_copy_4(uint4 *to, const uint4 *from, uint64_t count) {
    copy_vectors<4>(to, from, count);
}
