/* SPDX-License-Identifier: Apache-2.0
 *
 * CUDA's additions to C++, as far as riffle's kernels use them, for the memory machine. Kernels are static: those
 * for GPUs have the same names.
 */
#ifndef RIFFLE_MACHINE_DEVICE_DEVICE_CUDA_H
#define RIFFLE_MACHINE_DEVICE_DEVICE_CUDA_H

#include <strings.h>

#include "machine/device/device.h"

#define __global__ static __attribute__((noinline))
#define __device__
#define __shared__
#define shared_memory riffle_machine_shared_memory

#define threadIdx machine_thread_index()
#define blockIdx machine_block_index()
#define blockDim machine_block_dim()
#define gridDim machine_grid_dim()
#define warpSize machine_warp_size()
#define __syncthreads machine_sync_threads

/* Functions of a warp and of single numbers: seen from the kernel as one step, at the line of the call. Their blocks are none of the kernel's,
 * and so call no hook, where a compiler can be told. */
#if defined __has_attribute && __has_attribute(no_sanitize_coverage)
#define MACHINE_UNSEEN no_sanitize("thread"), no_sanitize_coverage
#elif defined __clang__
#define MACHINE_UNSEEN no_sanitize("thread", "coverage")
#else
#define MACHINE_UNSEEN no_sanitize("thread")
#endif
#define MACHINE_STEP static inline __attribute__((noinline, MACHINE_UNSEEN))
#define MACHINE_SITE __builtin_return_address(0)

MACHINE_STEP uint32_t __shfl_sync(unsigned mask, uint32_t value, unsigned from) {
    return (uint32_t)machine_warp_exchange(mask, value, MACHINE_SITE)[from];
}

MACHINE_STEP uint32_t __shfl_up_sync(unsigned mask, uint32_t value, unsigned by) {
    const unsigned long long *values = machine_warp_exchange(mask, value, MACHINE_SITE);
    return machine_lane() >= by ? (uint32_t)values[machine_lane() - by] : value;
}

MACHINE_STEP uint32_t __shfl_xor_sync(unsigned mask, uint32_t value, unsigned by) {
    return (uint32_t)machine_warp_exchange(mask, value, MACHINE_SITE)[machine_lane() ^ by];
}

MACHINE_STEP uint32_t __reduce_or_sync(unsigned mask, uint32_t value) {
    const unsigned long long *values = machine_warp_exchange(mask, value, MACHINE_SITE);
    uint32_t all = 0;
    for (unsigned k = 0; k < MACHINE_MAX_WIDTH; k++) all |= (uint32_t)values[k];
    return all;
}

MACHINE_STEP unsigned __ballot_sync(unsigned mask, bool vote) {
    return machine_warp_ballot(mask, vote, MACHINE_SITE);
}

MACHINE_STEP bool __all_sync(unsigned mask, bool vote) {
    return machine_warp_ballot(mask, !vote, MACHINE_SITE) == 0;
}

MACHINE_STEP void __syncwarp(void) { machine_warp_sync(~0u, MACHINE_SITE); }

MACHINE_STEP void machine_atomic_min(unsigned long long *address, unsigned long long value) {
    machine_access(address, sizeof value, MACHINE_ATOMIC, MACHINE_SITE);
    if (value < *address) *address = value;
}

MACHINE_STEP void machine_atomic_max(unsigned long long *address, unsigned long long value) {
    machine_access(address, sizeof value, MACHINE_ATOMIC, MACHINE_SITE);
    if (value > *address) *address = value;
}

static inline int __popc(unsigned bits) { return __builtin_popcount(bits); }

static inline int __ffs(int bits) { return __builtin_ffs(bits); }

static inline int __clz(int bits) { return bits == 0 ? 32 : __builtin_clz((unsigned)bits); }

static inline uint32_t __brev(uint32_t bits) {
    for (unsigned j = 0; j < 5; j++) {
        const unsigned distance = 1U << j;
        const uint32_t lower = (uint32_t)(UINT32_MAX / ((UINT64_C(1) << distance) + 1));
        bits = (bits >> distance & lower) | (bits & lower) << distance;
    }
    return bits;
}

static inline uint32_t __funnelshift_l(uint32_t low, uint32_t high, uint32_t by) {
    return (uint32_t)(((uint64_t)high << 32 | low) << (by & 31) >> 32);
}

static inline uint32_t __funnelshift_r(uint32_t low, uint32_t high, uint32_t by) {
    return (uint32_t)(((uint64_t)high << 32 | low) >> (by & 31));
}

/* Four of the eight bytes of a and b, the digits of `which` from the lowest on. */
static inline uint32_t __byte_perm(uint32_t a, uint32_t b, uint32_t which) {
    const uint64_t bytes = (uint64_t)b << 32 | a;
    uint32_t out = 0;
    for (unsigned k = 0; k < 4; k++) out |= (uint32_t)(bytes >> (which >> 4 * k & 7) * 8 & 255) << 8 * k;
    return out;
}

/* The host's side of a call: its reads of the arguments are nobody's accesses. */
#define HOST_SIDE __attribute__((no_sanitize("thread")))

/** entry_of<kernel>::enter(args) calls the kernel with the arguments that args points to, in their order. */
template <auto kernel> struct entry_of;
template <class... parameter, void (*kernel)(parameter...)> struct entry_of<kernel> {
    struct call {
        HOST_SIDE call(const parameter &...argument) { kernel(argument...); }
    };
    /* An argument, brought to the kernel's stack, from where it may be copied by a hook. bcopy is none; a compiler calls
     * memcpy, which is one, for a struct that it does not copy word by word: gcc does on aarch64. */
    template <class type> HOST_SIDE static type next(void *const *&args) {
        type argument;
        bcopy(*args++, &argument, sizeof argument);
        return argument;
    }
    HOST_SIDE static void enter(void *const *args) {
        call{next<parameter>(args)...};
    } /* braces keep the order */
};

#endif
