/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernels' own code, compiled with a hook before every access.
 */
#include "engines/simulate/kernels.h"
#include "machine/device/device_cuda.h"

#include "kernels/instances.h" /* in the words of device_cuda.h */

struct machine_entries {
    typedef machine_entry entry;
    template <auto kernel> HOST_SIDE static entry of() { return entry_of<kernel>::enter; }
};

machine_entry machine_kernel_entry(kernel_id kernel, size_t elem_bytes) {
    return instance_of<machine_entries>(kernel, elem_bytes);
}
