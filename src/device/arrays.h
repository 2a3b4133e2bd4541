/* SPDX-License-Identifier: Apache-2.0
 *
 * The arrays of a call, one table: whether they are there, begin where they may, and are apart, and how those of a host come
 * to a device and back (device/carry.h). A feature makes its table in one function, whatever is done with it then.
 */
#ifndef RIFFLE_DEVICE_ARRAYS_H
#define RIFFLE_DEVICE_ARRAYS_H

#include "device/device.h"

/** How a call uses an array. */
typedef enum array_use {
    ARRAY_SCRATCH, /**< it begins and ends with nothing that anyone wants */
    ARRAY_READ,
    ARRAY_WRITTEN,
    ARRAY_CHANGED, /**< parts of it may stay as they are */
} array_use;

/** An array of a call. */
typedef struct call_array {
    const char *name; /**< plural, in messages */
    const void *at;
    size_t item_bytes;       /**< 0: the plan has none */
    uint64_t count;          /**< number of items */
    bool is_wanted;          /**< it has to be there */
    const void *may_be_also; /**< the array whose place it may take */
    array_use use;
    size_t kept_before, kept_behind; /**< bytes at both ends that are not fetched from a device */
    const struct call_array
        *joined_to; /**< the array of this call in whose place on a device it lies, or NULL */
    void *there;    /**< the like of it on the device that it was carried to; NULL: none */
} call_array;

static inline size_t call_array_bytes(const call_array *a) { return (size_t)a->count * a->item_bytes; }

/** An array that is used so, and must be there unless it is said otherwise; one of bytes. */
static inline call_array call_array_of(const char *name, const void *at, size_t item_bytes, uint64_t count,
                                       array_use use) {
    return (call_array){name, at, item_bytes, count, .is_wanted = item_bytes > 0, .use = use};
}
static inline call_array call_array_of_bytes(const char *name, const void *at, size_t bytes, array_use use) {
    return call_array_of(name, at, 1, bytes, use);
}

/** The largest power of two that divides items of so many bytes, at most 16: their alignment, and what kernels move at a time. */
size_t array_alignment(size_t item_bytes);

/** True if so many bytes here and so many there have one in common. */
static inline bool bytes_overlap(const void *a, size_t a_bytes, const void *b, size_t b_bytes) {
    const uintptr_t x = (uintptr_t)a, y = (uintptr_t)b;
    return a_bytes > 0 && b_bytes > 0 && (x < y ? y - x < a_bytes : x - y < b_bytes);
}

/** Checks that each is there, and aligned to the largest power of two that divides its items, 16 at most. */
riffle_status arrays_check(const call_array *arrays, unsigned count);

/** Checks that one array is aligned to so many bytes, "which this plan's accesses want". */
riffle_status array_check_aligned(const char *name, const void *at, size_t alignment, const char *wanted_by);

/** Checks that results, the arrays from number `first` on, are apart from each other and from what is before them. */
riffle_status arrays_check_apart(const call_array *arrays, unsigned count, unsigned first);

enum { WORKSPACE_ALIGNMENT = 256 };

/** Checks that a workspace has the bytes that are needed, is aligned to WORKSPACE_ALIGNMENT, and is apart from all arrays; NULL has
 *  none. */
riffle_status arrays_check_workspace(const call_array *arrays, unsigned count, const void *workspace,
                                     size_t bytes, size_t needed);

#endif
