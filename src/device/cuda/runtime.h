/* SPDX-License-Identifier: Apache-2.0
 *
 * The current GPU, its memory, and how what CUDA says becomes what riffle says.
 */
#ifndef RIFFLE_DEVICE_CUDA_RUNTIME_H
#define RIFFLE_DEVICE_CUDA_RUNTIME_H

#include <cuda_runtime_api.h>

#include "device/device.h"
#include "riffle/cuda.h"

/** RIFFLE_OK for cudaSuccess; else fails with CUDA's own words behind `attempt` ("uploading the map"). */
riffle_status cuda_result(cudaError_t error, const char *attempt);

/** The current device's index. RIFFLE_ERROR_UNSUPPORTED where no driver or no GPU is. */
riffle_status cuda_device_current(int *out);

/** device_of_cuda and riffle_cuda_describe. */
riffle_status cuda_device(device *out);
riffle_status cuda_describe(riffle_cuda_device *out);

/** An attribute of a device, named `what` in the error. */
riffle_status cuda_device_attribute(int device, enum cudaDeviceAttr attribute, const char *what, int *out);

/** Device memory for `what`; *out is NULL for 0 bytes. cudaFree gives it back. */
riffle_status cuda_allocate(const char *what, size_t bytes, void **out);

/** RIFFLE_OK if the device has `bytes` bytes of memory free for `what`; else RIFFLE_ERROR_OUT_OF_MEMORY with
 *  both. */
riffle_status cuda_check_free(const char *what, size_t bytes);

/** Makes a kernel ready on the current device, so that its first launch has nothing to load and may be part of
 *  a graph, and, if shared_bytes is not 0, lets it ask for so much shared memory, more than a kernel has by itself. */
riffle_status cuda_load_kernel(const void *kernel, size_t shared_bytes);

#endif
