/* SPDX-License-Identifier: Apache-2.0
 *
 * The objects that the kernels of family move are in (device/cuda/objects.h), and the kernel that is asked for.
 */
#include <stdbool.h>

#include "device/families.h"

enum { SIZES = 5 };

/* NULL where the object has no such kernel. */
typedef const void *kernel_finder(unsigned number);

#define FINDERS(room)                                                                                          \
    cuda_kernel_##room##_1, cuda_kernel_##room##_2, cuda_kernel_##room##_4, cuda_kernel_##room##_8,            \
        cuda_kernel_##room##_16

extern kernel_finder FINDERS(moves);
extern kernel_finder FINDERS(once);
extern kernel_finder FINDERS(fused);

static kernel_finder *const finders[][SIZES] = {{FINDERS(moves)}, {FINDERS(once)}, {FINDERS(fused)}};

const void *cuda_move_kernel(unsigned number, size_t elem_bytes) {
    const bool is_size = elem_bytes > 0 && (elem_bytes & (elem_bytes - 1)) == 0;
    const unsigned size = is_size ? (unsigned)__builtin_ctzll(elem_bytes) : SIZES;
    const void *found = NULL;
    for (size_t room = 0; found == NULL && size < SIZES && room < sizeof finders / sizeof finders[0]; room++)
        found = finders[room][size](number);
    return found;
}
