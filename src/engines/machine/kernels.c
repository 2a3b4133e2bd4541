/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernels' own code, compiled as C with a hook before every access.
 */
#include "engines/machine/device_c.h"

/* The GPU's side of these kernels has the same names; here only the table below needs them. */
#undef __global__
#define __global__ static __attribute__((noinline, unused))

#include "kernels/families.h"

/* An entry is the host's side of a call: its reads of the arguments are nobody's accesses. */
#define HOST_SIDE __attribute__((no_sanitize("thread")))

#define ELEMENT_BYTES 4
#include "kernels/element.h"

#include "engines/machine/kernel_entries.h"
#undef ELEMENT_BYTES
#define ELEMENT_BYTES 8
#include "kernels/element.h"

#include "engines/machine/kernel_entries.h"
#undef ELEMENT_BYTES

#include "engines/machine/kernels.h"

static const machine_entry entries[LAUNCH_KERNELS][2] = {
    [LAUNCH_COPY] = {enter_copy_4, enter_copy_8},
    [LAUNCH_SCATTER] = {enter_scatter_4, enter_scatter_8},
    [LAUNCH_GATHER] = {enter_gather_4, enter_gather_8},
    [LAUNCH_TRANSPOSE] = {enter_transpose_4, enter_transpose_8},
    [LAUNCH_ROW_WISE] = {enter_row_wise_4, enter_row_wise_8},
};

HOST_SIDE machine_entry machine_kernel_entry(launch_kernel kernel, size_t elem_bytes) {
    if (elem_bytes != 4 && elem_bytes != 8) return NULL;
    return entries[kernel][elem_bytes == 8];
}
