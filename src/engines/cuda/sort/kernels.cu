/* SPDX-License-Identifier: Apache-2.0
 *
 * src/kernels/sort, compiled for GPUs.
 */
#include "engines/cuda/sort/kernels.h"

#include "kernels/sort/instances.h"

struct sort_addresses {
    typedef const void *entry;
    template <auto kernel> static entry of() { return reinterpret_cast<entry>(kernel); }
};

const void *cuda_sort_kernel(sort_kernel kernel, size_t key_bytes) {
    return sort_instance_of<sort_addresses>(kernel, key_bytes);
}
