/* SPDX-License-Identifier: Apache-2.0
 *
 * The objects that kernels are in (kernels.cu), and the kernel that is asked for.
 */
#include "engines/cuda/kernels.h"

#include <stdbool.h>

enum { SIZES = 5 };

/* NULL where the object has no such kernel. */
typedef const void *kernel_finder(kernel_id kernel);

#define FINDERS(room)                                                                                          \
    cuda_kernel_##room##_1, cuda_kernel_##room##_2, cuda_kernel_##room##_4, cuda_kernel_##room##_8,            \
        cuda_kernel_##room##_16

extern kernel_finder FINDERS(moves);
extern kernel_finder FINDERS(once);
extern kernel_finder FINDERS(fused);

static kernel_finder *const finders[][SIZES] = {{FINDERS(moves)}, {FINDERS(once)}, {FINDERS(fused)}};

const void *cuda_kernel(kernel_id kernel, size_t elem_bytes) {
    const bool is_size = elem_bytes > 0 && (elem_bytes & (elem_bytes - 1)) == 0;
    const unsigned size = is_size ? (unsigned)__builtin_ctzll(elem_bytes) : SIZES;
    for (size_t room = 0; size < SIZES && room < sizeof finders / sizeof finders[0]; room++) {
        const void *const found = finders[room][size](kernel);
        if (found != NULL) return found;
    }
    return cuda_hull_kernel(kernel, elem_bytes);
}
