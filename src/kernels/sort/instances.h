/* SPDX-License-Identifier: Apache-2.0
 *
 * From a line of kernels/sort/list.h and the size of a key to the template's instance: what made::of<instance>()
 * makes of it, and nullptr where the line does not name the size.
 */
#ifndef RIFFLE_KERNELS_SORT_INSTANCES_H
#define RIFFLE_KERNELS_SORT_INSTANCES_H

#include "kernels/sort/kernels.h"
#include "kernels/sort/sort_carry.cu"
#include "kernels/sort/sort_count.cu"
#include "kernels/sort/sort_leaves.cu"
#include "kernels/sort/sort_long.cu"
#include "kernels/sort/sort_move.cu"
#include "kernels/sort/sort_picks.cu"
#include "kernels/sort/sort_rows.cu"
#include "kernels/sort/sort_runs.cu"
#include "kernels/sort/sort_sample.cu"
#include "kernels/sort/sort_segments.cu"
#include "kernels/sort/sort_short.cu"
#include "kernels/sort/sort_squeeze.cu"
#include "kernels/sort/sort_ties.cu"
#include "kernels/sort/sort_window.cu"

template <class made, class element> static typename made::entry sort_instance_for(sort_kernel kernel) {
    switch (kernel) {
#define SORT_KERNEL(id, instance, bytes)                                                                       \
    case KERNEL_OF_##id:                                                                                       \
        if constexpr (((bytes) & sizeof(element)) != 0) {                                                      \
            constexpr void (*found)(element *, const element *, sort_table) = instance;                        \
            return made::template of<found>();                                                                 \
        }                                                                                                      \
        break;
#include "kernels/sort/list.h"
#undef SORT_KERNEL
    case SORT_KERNELS: break;
    }
    return nullptr;
}

template <class made>
static typename made::entry sort_instance_of(sort_kernel kernel, unsigned long key_bytes) {
    switch (key_bytes) {
    case 1: return sort_instance_for<made, uint8_t>(kernel);
    case 2: return sort_instance_for<made, uint16_t>(kernel);
    case 4: return sort_instance_for<made, uint32_t>(kernel);
    case 8: return sort_instance_for<made, uint64_t>(kernel);
    case 16: return sort_instance_for<made, vector16>(kernel);
    default: return nullptr;
    }
}

#endif
