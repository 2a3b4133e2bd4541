/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernels of family move are an object for each room of them and each size of an element, since CUDA loads all kernels of
 * an object when it is asked for the first one, and takes a millisecond for each MB. RiffleCuda.cmake says which object one
 * is:
 *
 *     KERNELS_ROOM     of_moves, of_once, of_fused
 *     KERNELS_BYTES    of an element
 *     KERNELS_FINDER   the function that finds the object's kernels (device/cuda/objects.c)
 */
#ifndef RIFFLE_DEVICE_CUDA_OBJECTS_H
#define RIFFLE_DEVICE_CUDA_OBJECTS_H

namespace {

enum room { of_moves, of_once, of_fused };

constexpr bool begins_with(const char *name, const char *beginning) {
    while (*beginning != '\0' && *name == *beginning) ++name, ++beginning;
    return *beginning == '\0';
}

constexpr room room_of(const char *kernel) {
    return begins_with(kernel, "once_") ? of_once : begins_with(kernel, "fused") ? of_fused : of_moves;
}

} // namespace

#define KERNEL_IS_HERE(name, bytes) ((bytes) == KERNELS_BYTES && room_of(name) == KERNELS_ROOM)

#endif
