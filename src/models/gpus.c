/* SPDX-License-Identifier: Apache-2.0
 *
 * GPUs that plans are explained for, though they are not here. The numbers are those that cudaGetDeviceProperties gives, but for memory, where the
 * driver takes some: these are the data sheets', as the bandwidths are.
 */
#include <strings.h>

#include "base/status.h"
#include "riffle/cuda.h"

typedef struct named_gpu {
    const char *name;
    riffle_cuda_device device;
    uint64_t bytes_per_second;
} named_gpu;

#define GIGABYTES(count) ((size_t)(count)*1000 * 1000 * 1000)

static const named_gpu gpus[] = {{"a100",
                                  {.name = "NVIDIA A100-SXM4-80GB",
                                   .compute_major = 8,
                                   .multiprocessors = 108,
                                   .block_threads = 1024,
                                   .shared_bytes = 163 << 10,
                                   .l2_bytes = 40 << 20,
                                   .memory_bytes = GIGABYTES(80)},
                                  UINT64_C(2039000000000)},
                                 {"h100",
                                  {.name = "NVIDIA H100 80GB HBM3",
                                   .compute_major = 9,
                                   .multiprocessors = 132,
                                   .block_threads = 1024,
                                   .shared_bytes = 227 << 10,
                                   .l2_bytes = 50 << 20,
                                   .memory_bytes = GIGABYTES(80)},
                                  UINT64_C(3350000000000)},
                                 {"h200",
                                  {.name = "NVIDIA H200",
                                   .compute_major = 9,
                                   .multiprocessors = 132,
                                   .block_threads = 1024,
                                   .shared_bytes = 227 << 10,
                                   .l2_bytes = 50 << 20,
                                   .memory_bytes = GIGABYTES(141)},
                                  UINT64_C(4800000000000)}};

riffle_status riffle_cuda_device_named(const char *name, riffle_cuda_device *out, uint64_t *bytes_per_second) {
    RETURN_IF_NULL(name, out);
    for (size_t k = 0; k < sizeof gpus / sizeof *gpus; k++) {
        if (strcasecmp(gpus[k].name, name) != 0) continue;
        *out = gpus[k].device;
        if (bytes_per_second != NULL) *bytes_per_second = gpus[k].bytes_per_second;
        return RIFFLE_OK;
    }
    return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "there is no GPU named '%.40s'; there are a100, h100 and h200",
                name);
}
