/* SPDX-License-Identifier: Apache-2.0
 *
 * A move along indices used once as launches, the same on a GPU and on the memory machine.
 */
#ifndef RIFFLE_MOVE_GPU_ONCE_H
#define RIFFLE_MOVE_GPU_ONCE_H

#include "move/gpu/launch.h"
#include "move/kernels/once/kernel.h"
#include "plan/once/once.h"

/** Where the indices come from, and between what they move. All are the device's. */
typedef struct once_arrays {
    void *dst;
    const void *src;
    const void *indices;       /**< NULL: those of `random` */
    size_t index_bytes;        /**< 4 or 8 */
    const riffle_perm *random; /**< a permutation of m = n indices */
    /** Room of shape->at.bytes. Its record has been set to ones, where indices may be wrong and it is asked for, and the marks
     *  of a put to zeros. */
    void *workspace;
} once_arrays;

/** Appends all launches. */
void launch_once(const once_request *r, const once_shape *s, const once_arrays *arrays,
                 const plan_target *target, launch_list *out);

/** The launches of a shape that sorts: those that read src and leave the workspace full, and the one that writes dst from it. */
void launch_once_sort(const once_request *r, const once_shape *s, const once_arrays *arrays,
                      const plan_target *target, launch_list *out);
void launch_once_collect(const once_request *r, const once_shape *s, const once_arrays *arrays,
                         const plan_target *target, launch_list *out);

#endif
