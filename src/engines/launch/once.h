/* SPDX-License-Identifier: Apache-2.0
 *
 * A move along indices used once as launches, the same on a GPU and on the memory machine.
 */
#ifndef RIFFLE_ENGINES_LAUNCH_ONCE_H
#define RIFFLE_ENGINES_LAUNCH_ONCE_H

#include "engines/launch/launch.h"
#include "plan/once/once.h"

enum { ONCE_LAUNCHES = LAUNCH_MOST };

/** Where the indices come from, and between what they move. All are the device's. */
typedef struct once_arrays {
    void *dst;
    const void *src;
    const void *indices;       /**< NULL: those of `random` */
    size_t index_bytes;        /**< 4 or 8 */
    const riffle_perm *random; /**< of m = n indices */
    /** Of shape->at.bytes. Its record has been set to ones, where indices may be wrong and it is asked for, and the marks of
     *  a put to zeros. */
    void *workspace;
} once_arrays;

/** The launches, one after the other, into out; how many there are. */
unsigned launch_once(const once_request *r, const once_shape *s, const once_arrays *arrays,
                     const plan_target *target, launch out[ONCE_LAUNCHES]);

#endif
