/* SPDX-License-Identifier: Apache-2.0
 *
 * Words put together of two others' bits.
 */
#ifndef RIFFLE_BITS_KERNELS_MERGE_H
#define RIFFLE_BITS_KERNELS_MERGE_H

#include "device/kernels/device.h"

/** The bits of a that `of_a` has, and the others of b. One instruction. */
static __device__ inline uint32_t merge(uint32_t a, uint32_t b, uint32_t of_a) { return ((a ^ b) & of_a) ^ b; }

#endif
