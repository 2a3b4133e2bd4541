/* SPDX-License-Identifier: Apache-2.0
 *
 * Arrays of a workspace, one behind the other.
 */
#ifndef RIFFLE_DEVICE_WORKSPACE_H
#define RIFFLE_DEVICE_WORKSPACE_H

#include <stddef.h>

enum { LAUNCH_ARRAY_ALIGNMENT = 256 };

typedef struct launch_workspace {
    char *start;  /**< or NULL, while bytes are only counted */
    size_t bytes; /**< taken so far */
} launch_workspace;

/** The next array, or NULL where there is no workspace. */
static inline void *launch_take(launch_workspace *from, size_t bytes) {
    void *const out = from->start == NULL ? NULL : from->start + from->bytes;
    from->bytes += (bytes + LAUNCH_ARRAY_ALIGNMENT - 1) / LAUNCH_ARRAY_ALIGNMENT * LAUNCH_ARRAY_ALIGNMENT;
    return out;
}

#endif
