/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernels that merge, compiled for GPUs.
 */
#include "engines/cuda/sort/merge_kernels.h"

#include "kernels/sort/merge/merge_instances.h"

struct addresses {
    typedef const void *entry;
    template <auto kernel> static entry of() { return reinterpret_cast<entry>(kernel); }
};

const void *cuda_merge_kernel(merge_kernel kernel, size_t key_bytes) {
    return merge_entry_of<addresses>(kernel, key_bytes);
}
