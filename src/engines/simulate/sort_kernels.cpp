/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernels of sorts, compiled with a hook before every access.
 */
#include "engines/simulate/sort_kernels.h"
#include "machine/device/device_cuda.h"

#include "kernels/sort/instances.h" /* in the words of device_cuda.h */

struct machine_sort_entries {
    typedef machine_sort_entry entry;
    template <auto kernel> HOST_SIDE static entry of() { return entry_of<kernel>::enter; }
};

machine_sort_entry machine_sort_kernel(sort_kernel kernel, size_t key_bytes) {
    return sort_instance_of<machine_sort_entries>(kernel, key_bytes);
}
