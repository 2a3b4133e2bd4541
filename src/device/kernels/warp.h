/* SPDX-License-Identifier: Apache-2.0
 *
 * Operations of a warp's lanes. All lanes come to each of them.
 */
#ifndef RIFFLE_DEVICE_KERNELS_WARP_H
#define RIFFLE_DEVICE_KERNELS_WARP_H

#include "device/kernels/device.h"
#include "device/kernels/lanes.h"

static const uint32_t WARP_ALL_LANES = 0xffffffff;

static __device__ inline uint32_t warp_lane() { return threadIdx.x % WARP_LANES; }

/** The value of another lane, which may be a different one for each. */
static __device__ inline uint32_t warp_from_lane(uint32_t value, uint32_t lane) {
    return __shfl_sync(WARP_ALL_LANES, value, lane);
}
static __device__ inline uint64_t warp_from_lane(uint64_t value, uint32_t lane) {
    const uint32_t low = warp_from_lane((uint32_t)value, lane);
    return (uint64_t)warp_from_lane((uint32_t)(value >> 32), lane) << 32 | low;
}

/** The value of the lane whose number differs by those bits. */
static __device__ inline uint32_t warp_across(uint32_t value, uint32_t bits) {
    return __shfl_xor_sync(WARP_ALL_LANES, value, bits);
}
static __device__ inline uint64_t warp_across(uint64_t value, uint32_t bits) {
    const uint32_t low = warp_across((uint32_t)value, bits), high = warp_across((uint32_t)(value >> 32), bits);
    return (uint64_t)high << 32 | low;
}

/** The sum of the values of the lanes up to this one. */
static __device__ inline uint32_t warp_sum_up(uint32_t value) {
    UNROLL
    for (uint32_t by = 1; by < WARP_LANES; by *= 2) {
        const uint32_t other = __shfl_up_sync(WARP_ALL_LANES, value, by);
        if (warp_lane() >= by) value += other;
    }
    return value;
}

/** The sum (XOR) of the lanes' values, in all of them. */
static __device__ inline uint32_t warp_sum_bits(uint32_t value) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    return __reduce_xor_sync(WARP_ALL_LANES, value);
#else
    UNROLL
    for (uint32_t by = 1; by < WARP_LANES; by *= 2) value ^= warp_across(value, by);
    return value;
#endif
}

/** Their sum, in all of them. */
static __device__ inline uint32_t warp_sum(uint32_t value) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    return __reduce_add_sync(WARP_ALL_LANES, value);
#else
    UNROLL
    for (uint32_t by = 1; by < WARP_LANES; by *= 2) value += warp_across(value, by);
    return value;
#endif
}

/** The least of the lanes' values, in all of them. */
static __device__ inline uint32_t warp_min(uint32_t value) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    return __reduce_min_sync(WARP_ALL_LANES, value);
#else
    UNROLL
    for (uint32_t by = 1; by < WARP_LANES; by *= 2) {
        const uint32_t other = warp_across(value, by);
        if (other < value) value = other;
    }
    return value;
#endif
}
static __device__ inline uint64_t warp_min(uint64_t value) {
    UNROLL
    for (uint32_t by = WARP_LANES / 2; by > 0; by /= 2) {
        const uint64_t other = warp_from_lane(value, warp_lane() ^ by);
        if (other < value) value = other;
    }
    return value;
}

#endif
