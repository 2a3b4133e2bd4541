/* SPDX-License-Identifier: Apache-2.0
 *
 * What CUDA has and C has not, as far as src/kernels uses it, for the memory machine.
 */
#ifndef RIFFLE_ENGINES_MACHINE_DEVICE_C_H
#define RIFFLE_ENGINES_MACHINE_DEVICE_C_H

#include "engines/machine/device.h"

#define __global__ __attribute__((noinline))
#define __device__
#define __shared__
#define shared_memory riffle_machine_shared_memory

#define threadIdx machine_thread_index()
#define blockIdx machine_block_index()
#define blockDim machine_block_dim()
#define gridDim machine_grid_dim()
#define warpSize machine_warp_size()
#define __syncthreads machine_sync_threads

#endif
