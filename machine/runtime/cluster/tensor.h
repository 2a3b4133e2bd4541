/* SPDX-License-Identifier: Apache-2.0
 *
 * Boxes of tensors in global memory, as tensor maps have them: dimension 0 is contiguous, and what lies outside of the tensor is zeros, and not written. In shared
 * memory a box lies densely, with pieces of 16 bytes that change places by the lines of 128 bytes that they are in:
 *
 *     swizzle of 128 bytes    bits 4 to 6 of the address ^= bits 7 to 9      of 64: 4 and 5 ^= 7 and 8      of 32: 4 ^= 7
 */
#ifndef RIFFLE_MACHINE_RUNTIME_CLUSTER_TENSOR_H
#define RIFFLE_MACHINE_RUNTIME_CLUSTER_TENSOR_H

#include <stddef.h>
#include <stdint.h>

#include "machine/device/device_api.h"

/** Bytes of a box. */
size_t tensor_box_bytes(const machine_tensor *t);

/** A stretch of a box in the tensor: where it is in global memory, and in the box. */
typedef void tensor_visit(void *own, uintptr_t global, size_t offset, size_t bytes);

/** All of them, for the box that begins at these coordinates. */
void tensor_each(const machine_tensor *t, const int at[MACHINE_TENSOR_DIMENSIONS], tensor_visit *visit,
                 void *own);

/** The place of a piece in shared memory: `offset` of the box that begins at address `to`. */
size_t tensor_place(const machine_tensor *t, uintptr_t to, size_t offset);

#endif
