/* SPDX-License-Identifier: Apache-2.0
 *
 * What CUDA has and C++ has not, as far as src/kernels uses it, for the memory machine. Kernels are static: those
 * for GPUs have the same names.
 */
#ifndef RIFFLE_MACHINE_DEVICE_DEVICE_CUDA_H
#define RIFFLE_MACHINE_DEVICE_DEVICE_CUDA_H

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

/* The host's side of a call: its reads of the arguments are nobody's accesses. */
#define HOST_SIDE __attribute__((no_sanitize("thread")))

/** entry_of<kernel>::enter(args) calls the kernel with the arguments that args points to, in their order. */
template <auto kernel> struct entry_of;
template <class... parameter, void (*kernel)(parameter...)> struct entry_of<kernel> {
    struct call {
        HOST_SIDE call(const parameter &...argument) { kernel(argument...); }
    };
    template <class type> HOST_SIDE static const type &next(void *const *&args) {
        return *static_cast<const type *>(*args++);
    }
    HOST_SIDE static void enter(void *const *args) {
        call{next<parameter>(args)...};
    } /* braces keep the order */
};

#endif
