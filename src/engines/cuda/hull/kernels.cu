/* SPDX-License-Identifier: Apache-2.0
 *
 * src/kernels/hull, compiled for GPUs.
 */
#include "engines/cuda/kernels.h"

#define ONLY_HULL_KERNELS
#include "kernels/instances.h"

struct hull_addresses {
    typedef const void *entry;
    template <auto kernel> static entry of() { return reinterpret_cast<entry>(kernel); }
};

const void *cuda_hull_kernel(kernel_id kernel, size_t elem_bytes) {
    return instance_of<hull_addresses>(kernel, elem_bytes);
}
