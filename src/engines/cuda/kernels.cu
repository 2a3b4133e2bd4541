/* SPDX-License-Identifier: Apache-2.0
 *
 * src/kernels, compiled for GPUs.
 */
#include "engines/cuda/kernels.h"

#define NO_HULL_KERNELS
#include "kernels/instances.h"

struct addresses {
    typedef const void *entry;
    template <auto kernel> static entry of() { return reinterpret_cast<entry>(kernel); }
};

const void *cuda_kernel(kernel_id kernel, size_t elem_bytes) {
    const void *const found = instance_of<addresses>(kernel, elem_bytes);
    return found != nullptr ? found : cuda_hull_kernel(kernel, elem_bytes);
}
