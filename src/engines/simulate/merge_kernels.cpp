/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernels that merge, compiled with a hook before every access.
 */
#include "engines/simulate/merge_kernels.h"
#include "machine/device/device_cuda.h"

#include "kernels/sort/merge/merge_instances.h" /* in the words of device_cuda.h */

struct machine_entries {
    typedef machine_entry entry;
    template <auto kernel> HOST_SIDE static entry of() { return entry_of<kernel>::enter; }
};

machine_entry machine_merge_entry(merge_kernel kernel, size_t key_bytes) {
    return merge_entry_of<machine_entries>(kernel, key_bytes);
}
