/* SPDX-License-Identifier: Apache-2.0
 *
 * Sorting and scanning on the GPU, by CUB, for C. Working memory is the caller's: `temp`, of as many bytes as
 * device_sort_bytes or device_scan_bytes said for as many elements or more. All is queued on `stream`.
 */
#ifndef RIFFLE_MOVE_CUDA_PLANNER_SORT_H
#define RIFFLE_MOVE_CUDA_PLANNER_SORT_H

#include <stdint.h>

#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

/** An array and a second one as long, which sorting needs to move elements to and fro. */
typedef struct device_pair {
    uint32_t *now, *other;
} device_pair;

cudaError_t device_sort_bytes(uint64_t count, size_t *out);

/** Sorts `count` pairs by the lowest `bits` bits of their keys, stably. The result is in keys->now and
 *  values->now, which may change places with `other`. */
cudaError_t device_sort(void *temp, size_t temp_bytes, device_pair *keys, device_pair *values, uint64_t count,
                        unsigned bits, cudaStream_t stream);

cudaError_t device_scan_bytes(uint64_t count, size_t *out);

/** entries[i] = the sum of entries[0..i] modulo 2^32. */
cudaError_t device_scan(void *temp, size_t temp_bytes, uint32_t *entries, uint64_t count, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
