/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernels of a large family are an object for each size of an element, since CUDA loads all kernels of an object when it is
 * asked for the first one, and takes a millisecond for each MB. RiffleCuda.cmake says which families, and which object one is:
 *
 *     KERNELS_BYTES    bytes of its elements
 *     KERNELS_FINDER   the function that finds the object's kernels (device/cuda/objects.c)
 */
#ifndef RIFFLE_DEVICE_CUDA_OBJECTS_H
#define RIFFLE_DEVICE_CUDA_OBJECTS_H

#define KERNEL_IS_HERE(name, bytes) ((bytes) == KERNELS_BYTES)

#endif
