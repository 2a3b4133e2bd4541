/* SPDX-License-Identifier: Apache-2.0
 *
 * From a line of kernels/list.h and the size of an element to the template's instance: what
 * made::of<instance>() makes of it, and nullptr where the line does not name the size. A template whose
 * parameters are not those of its line does not compile. Who wants some instances alone defines KERNEL_IS_HERE.
 */
#ifndef RIFFLE_KERNELS_INSTANCES_H
#define RIFFLE_KERNELS_INSTANCES_H

/* Include every file of src/kernels; cmake/RiffleKernels.cmake writes them. */
#ifndef ONLY_HULL_KERNELS
#include "kernel_files.h"
#endif
#ifndef NO_HULL_KERNELS
#include "hull_kernel_files.h"
#endif
#include "kernels/device.h"
#include "kernels/kernel.h"

#ifndef KERNEL_IS_HERE
#define KERNEL_IS_HERE(name, bytes) true
#endif

template <class made, class element> static typename made::entry instance_for(kernel_id kernel) {
    switch ((int)kernel) {
#define ARGUMENT(type, name) , type
#define KERNEL_AS(id, name, instance, bytes, ...)                                                              \
    case KERNEL_##id:                                                                                          \
        if constexpr (((bytes) & sizeof(element)) != 0 && KERNEL_IS_HERE(#name, sizeof(element))) {            \
            constexpr void (*found)(element *, const element *__VA_ARGS__) = instance;                         \
            return made::template of<found>();                                                                 \
        }                                                                                                      \
        break;
#include "kernels/list.h"
    default: break;
    }
    return nullptr;
}

template <class made> static typename made::entry instance_of(kernel_id kernel, unsigned long elem_bytes) {
    switch (elem_bytes) {
    case 1: return instance_for<made, uint8_t>(kernel);
    case 2: return instance_for<made, uint16_t>(kernel);
    case 4: return instance_for<made, uint32_t>(kernel);
    case 8: return instance_for<made, uint64_t>(kernel);
    case 16: return instance_for<made, vector16>(kernel);
    default: return nullptr;
    }
}

#endif
