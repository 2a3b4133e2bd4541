/* SPDX-License-Identifier: Apache-2.0
 *
 * The order of elements by a comparison of the user's, as launches (sort/kernels/own/sort_own.cu).
 */
#ifndef RIFFLE_SORT_GPU_OWN_H
#define RIFFLE_SORT_GPU_OWN_H

#include "sort/gpu/codes/launches.h"

/** The elements to sort, and where numbers go: all are the device's. */
typedef struct sort_own_arrays {
    const void *elements;
    const uint32_t *begin; /**< as sort_buffers has it; NULL: there is one segment */
    uint32_t n, segments;
    uint32_t *result;          /**< receives numbers in order */
    uint32_t *room;            /**< receives them on the way; n of them */
    void *workspace;           /**< sort_own_bytes(n) */
    const users_kernel *users; /**< the kernel with the comparison */
} sort_own_arrays;

size_t sort_own_bytes(uint32_t n);

/** Appends the launches. */
void launch_sort_own(const sort_own_arrays *arrays, launch_list *out);

/** marks[k] becomes 1 where the element at place k of `order` is the first of its like in its segment, else 0. */
void launch_sort_own_marks(const sort_own_arrays *arrays, const uint32_t *order, uint32_t *marks,
                           launch_list *out);

#endif
