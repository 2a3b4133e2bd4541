/* SPDX-License-Identifier: Apache-2.0
 *
 * The families of kernels. One is a list (kernels/NAME/list.h, its lines as move/kernels/list.h says), and an object for each
 * device that has its instances: a family is compiled by itself.
 */
#ifndef RIFFLE_DEVICE_FAMILIES_H
#define RIFFLE_DEVICE_FAMILIES_H

#include <stddef.h>
#include <stdint.h>

/** The families: moves, moves along indices used once, programs, hulls, sorts, merges, histograms, groups, checks, arrays of bits, matrices over F2, and all steps of
 *  a hull in one launch. */
#define EACH_FAMILY(FAMILY)                                                                                    \
    FAMILY(move)                                                                                               \
    FAMILY(once)                                                                                               \
    FAMILY(program) FAMILY(hull) FAMILY(sort) FAMILY(merge) FAMILY(histogram) FAMILY(group) FAMILY(check)      \
        FAMILY(bits) FAMILY(f2) FAMILY(hull_steps)

typedef enum kernel_family {
#define FAMILY(name) FAMILY_##name,
    EACH_FAMILY(FAMILY)
#undef FAMILY
        KERNEL_FAMILIES
} kernel_family;

/** A kernel on the memory machine: runs it once, as the thread that is running. */
typedef void (*machine_entry)(void *const *args);

#ifdef __cplusplus
extern "C" {
#endif

/** The kernel of that number for elements of so many bytes, on a GPU and on the memory machine; NULL where the list has
 *  none for them. */
#define FAMILY(name)                                                                                           \
    const void *cuda_##name##_kernel(unsigned number, size_t elem_bytes);                                      \
    machine_entry machine_##name##_kernel(unsigned number, size_t elem_bytes);
EACH_FAMILY(FAMILY)
#undef FAMILY

#ifdef __cplusplus
}
#endif

#endif
