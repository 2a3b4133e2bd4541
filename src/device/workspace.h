/* SPDX-License-Identifier: Apache-2.0
 *
 * Arrays of a workspace, one behind the other.
 */
#ifndef RIFFLE_DEVICE_WORKSPACE_H
#define RIFFLE_DEVICE_WORKSPACE_H

#include "base/arithmetic.h"

enum { LAUNCH_ARRAY_ALIGNMENT = 256 };

typedef struct launch_workspace {
    char *start;  /**< or NULL, while bytes are only counted */
    size_t bytes; /**< taken so far */
} launch_workspace;

/** Where the next array begins, behind *bytes, which go on. */
static inline size_t launch_lay(size_t *bytes, size_t array_bytes) {
    const size_t at = *bytes;
    *bytes += round_up(array_bytes, LAUNCH_ARRAY_ALIGNMENT);
    return at;
}

/** The next array, or NULL where there is no workspace. */
static inline void *launch_take(launch_workspace *from, size_t bytes) {
    const size_t at = launch_lay(&from->bytes, bytes);
    return from->start == NULL ? NULL : from->start + at;
}

#endif
