/* SPDX-License-Identifier: Apache-2.0
 *
 * The arrays of a call: whether they are there, begin where they may, and are apart. device/carry.h has their way to a device and
 * back.
 */
#ifndef RIFFLE_DEVICE_ARRAYS_H
#define RIFFLE_DEVICE_ARRAYS_H

#include "device/device.h"

/** An array of a call. */
typedef struct call_array {
    const char *name; /**< plural, in messages */
    const void *at;
    size_t item_bytes;       /**< 0: the plan has none */
    uint64_t count;          /**< number of items */
    bool is_wanted;          /**< it has to be there */
    const void *may_be_also; /**< the array whose place it may take */
} call_array;

static inline size_t call_array_bytes(const call_array *a) { return (size_t)a->count * a->item_bytes; }

/** True if so many bytes here and so many there have one in common. */
bool bytes_overlap(const void *a, size_t a_bytes, const void *b, size_t b_bytes);

/** Checks that each is there, and aligned to the largest power of two that divides its items, 16 at most. */
riffle_status arrays_check(const call_array *arrays, unsigned count);

/** Checks that results, the arrays from number `first` on, are apart from each other and from what is before them. */
riffle_status arrays_check_apart(const call_array *arrays, unsigned count, unsigned first);

enum { WORKSPACE_ALIGNMENT = 256 };

/** Checks that a workspace has the bytes that are needed, is aligned to WORKSPACE_ALIGNMENT, and is apart from all arrays; NULL has
 *  none. */
riffle_status arrays_check_workspace(const call_array *arrays, unsigned count, const void *workspace,
                                     size_t bytes, size_t needed);

#endif
