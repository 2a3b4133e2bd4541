/* SPDX-License-Identifier: Apache-2.0
 *
 * src/kernels, compiled for GPUs: an object for each room of them and each size of an element, since CUDA loads all kernels of
 * an object when it is asked for the first one, and takes a millisecond for each MB. RiffleCuda.cmake says which object this
 * is:
 *
 *     KERNELS_ROOM     of_moves, of_once, of_fused
 *     KERNELS_BYTES    of an element
 *     KERNELS_FINDER   the function that finds the object's kernels (kernels.c)
 */
#include "engines/cuda/kernels.h"

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

#define NO_HULL_KERNELS
#define KERNEL_IS_HERE(name, bytes) ((bytes) == KERNELS_BYTES && room_of(name) == KERNELS_ROOM)
#include "kernels/instances.h"

struct addresses {
    typedef const void *entry;
    template <auto kernel> static entry of() { return reinterpret_cast<entry>(kernel); }
};

extern "C" const void *KERNELS_FINDER(kernel_id kernel);

const void *KERNELS_FINDER(kernel_id kernel) { return instance_of<addresses>(kernel, KERNELS_BYTES); }
