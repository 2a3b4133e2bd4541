/* SPDX-License-Identifier: Apache-2.0
 *
 * The language of the kernel files: CUDA C++ whose only C++ is a template over an element, an access or a table. nvcc compiles
 * them for GPUs, the host's compiler for the memory machine, which brings __global__, threadIdx, __syncthreads and so on by a
 * header of its own (machine/device/device_cuda.h).
 *
 * LOAD_STREAMED and STORE_STREAMED say that a word is used once, and need not stay in a cache.
 *
 * A thread that has several elements of a round to move loads AT_ONCE of them before it stores the first, so
 * that their latencies overlap. In a launch with as many threads as elements each moves one, and a round is the
 * papers'.
 */
#ifndef RIFFLE_DEVICE_KERNELS_DEVICE_H
#define RIFFLE_DEVICE_KERNELS_DEVICE_H

#include <stdint.h>

/* 16 bytes that are loaded and stored whole, and loops whose arrays are to stay in registers. */
#ifdef __CUDACC__
typedef uint4 vector16;
#define GRID_CONSTANT __grid_constant__
#define LAUNCH_BOUNDS(threads, blocks) __launch_bounds__(threads, blocks)
#define UNROLL _Pragma("unroll")
#define ROLL _Pragma("unroll 1")
#define ATOMIC_ADD(address, value) atomicAdd(address, value)
#define ATOMIC_OR(address, value) atomicOr(address, value)
#define ATOMIC_MIN(address, value) atomicMin(address, value)
#define ATOMIC_MAX(address, value) atomicMax(address, value)
#define ATOMIC_READ(address) read_once(address)
#define FETCH_EARLY(address) asm volatile("prefetch.global.L2 [%0];" ::"l"(address))
#define LOAD_STREAMED(address) __ldcs(address)
#define STORE_STREAMED(address, value) __stcs(address, value)
#define ALIGNED(bytes) __align__(bytes)
#else
typedef uint32_t vector16 __attribute__((vector_size(16)));
#define GRID_CONSTANT
#define LAUNCH_BOUNDS(threads, blocks)
#define UNROLL
#define ROLL
#define ATOMIC_ADD(address, value) __atomic_fetch_add(address, value, __ATOMIC_RELAXED)
#define ATOMIC_OR(address, value) __atomic_fetch_or(address, value, __ATOMIC_RELAXED)
#define ATOMIC_MIN(address, value) machine_atomic_min(address, value)
#define ATOMIC_MAX(address, value) machine_atomic_max(address, value)
#define ATOMIC_READ(address) __atomic_load_n(address, __ATOMIC_RELAXED)
#define FETCH_EARLY(address) ((void)(address))
#define LOAD_STREAMED(address) (*(address))
#define STORE_STREAMED(address, value) (*(address) = (value))
#define ALIGNED(bytes) __attribute__((aligned(bytes)))
#endif

enum { AT_ONCE = 4 };

#ifdef __CUDACC__
/* Reads a word that other threads may be changing. */
template <class word> static __device__ inline word read_once(const word *address) {
    return *(const volatile word *)address;
}
#endif

/* 1 if an odd number of bits is set. */
static __device__ inline uint32_t odd_bits(uint32_t x) { return (uint32_t)__popc(x) & 1; }

/* Copies a word from global memory to byte `to` (mod 2^32) of the block's, `ahead` bytes behind both, if the thread is to;
 * it goes on before the word has arrived, where the hardware has that for words of so many bytes. fetch_wait waits for all
 * that the thread has fetched. The condition is the instruction's own, so that addresses are computed once for several words. */
template <uint32_t ahead, class word>
static __device__ inline void fetch_if(bool is_to, char *shared, uint32_t to, const char *from) {
#ifdef __CUDACC__
    if constexpr (sizeof(word) >= 4) {
        asm volatile("{\n"
                     "    .reg .pred is_to;\n"
                     "    setp.ne.u32 is_to, %0, 0;\n"
                     "    @is_to cp.async.ca.shared.global [%1 + %3], [%2 + %3], %4;\n"
                     "}\n" ::"r"((uint32_t)is_to),
                     "r"((uint32_t)__cvta_generic_to_shared(shared) + to), "l"(from), "n"(ahead),
                     "n"(sizeof(word))
                     : "memory");
        return;
    }
#endif
    if (is_to) *(word *)(shared + (uint32_t)(to + ahead)) = *(const word *)(from + ahead);
}

static __device__ inline void fetch_wait() {
#ifdef __CUDACC__
    asm volatile("cp.async.wait_all;" ::: "memory");
#endif
}

#endif
