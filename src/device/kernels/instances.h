/* SPDX-License-Identifier: Apache-2.0
 *
 * From a line of a family's list, which KERNEL_LIST names, and the size of an element to the template's instance: what
 * made::of<instance>() makes of it, and nullptr where the line does not name the size. A template whose parameters are not
 * those of its line does not compile. The kernels have been included before. Who wants some instances alone defines
 * KERNEL_IS_HERE.
 */
#include "device/kernels/device.h"
#include KERNEL_LIST

#ifndef KERNEL_IS_HERE
#define KERNEL_IS_HERE(name, bytes) true
#endif

enum kernel_number : unsigned {
#define ARGUMENT(type, name)
#define SIGNATURE(takes)
#define KERNEL_AS(id, name, instance, bytes, takes) NUMBER_##id,
#include KERNEL_LIST
};

template <class made, class element> static typename made::entry instance_for(unsigned number) {
    switch (number) {
#define ARGUMENT(type, name) , type
#define SIGNATURE(takes)
#define KERNEL_AS(id, name, instance, bytes, takes)                                                            \
    case NUMBER_##id:                                                                                          \
        if constexpr (((bytes) & sizeof(element)) != 0 && KERNEL_IS_HERE(#name, sizeof(element))) {            \
            constexpr void (*found)(element *, const element *TAKES_##takes) = instance;                       \
            return made::template of<found>();                                                                 \
        }                                                                                                      \
        break;
#include KERNEL_LIST
    default: break;
    }
    return nullptr;
}

template <class made> static typename made::entry instance_of(unsigned number, unsigned long elem_bytes) {
    switch (elem_bytes) {
    case 1: return instance_for<made, uint8_t>(number);
    case 2: return instance_for<made, uint16_t>(number);
    case 4: return instance_for<made, uint32_t>(number);
    case 8: return instance_for<made, uint64_t>(number);
    case 16: return instance_for<made, vector16>(number);
    default: return nullptr;
    }
}
