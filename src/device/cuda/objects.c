/* SPDX-License-Identifier: Apache-2.0
 *
 * The objects of the families that have one for each size of an element (device/cuda/objects.h), and the kernel that is asked for.
 */
#include <stdbool.h>

#include "device/families.h"

enum { SIZES = 5 };

/* NULL where the object has no such kernel. */
typedef const void *kernel_finder(unsigned number);

static const void *find(kernel_finder *const *finders, unsigned number, size_t elem_bytes) {
    const bool is_size = elem_bytes > 0 && elem_bytes < 1 << SIZES && (elem_bytes & (elem_bytes - 1)) == 0;
    return is_size ? finders[__builtin_ctzll(elem_bytes)](number) : NULL;
}

#define FAMILY_BY_SIZE(family)                                                                                 \
    extern kernel_finder cuda_kernel_##family##_1, cuda_kernel_##family##_2, cuda_kernel_##family##_4,         \
        cuda_kernel_##family##_8, cuda_kernel_##family##_16;                                                   \
    const void *cuda_##family##_kernel(unsigned number, size_t elem_bytes) {                                   \
        static kernel_finder *const finders[SIZES] = {cuda_kernel_##family##_1, cuda_kernel_##family##_2,      \
                                                      cuda_kernel_##family##_4, cuda_kernel_##family##_8,      \
                                                      cuda_kernel_##family##_16};                              \
        return find(finders, number, elem_bytes);                                                              \
    }

FAMILY_BY_SIZE(move)
FAMILY_BY_SIZE(once)
FAMILY_BY_SIZE(program)
FAMILY_BY_SIZE(sort)
