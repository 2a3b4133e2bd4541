/* SPDX-License-Identifier: Apache-2.0
 *
 * The arrays that a kernel may access: buffers of global memory, variables of the kernel's own object, shared
 * memory.
 */
#ifndef RIFFLE_MACHINE_CHECK_ARRAYS_H
#define RIFFLE_MACHINE_CHECK_ARRAYS_H

#include <stdbool.h>

#include "machine/check/shadow.h"
#include "machine/count/account.h"

typedef struct machine_array {
    uintptr_t start;
    size_t bytes;             /**< for dynamic shared memory: what the launch asked for */
    size_t room;              /**< from its start, where nothing else lies: an access there is harmless */
    size_t front;             /**< bytes before it of the same kind */
    uintptr_t code, code_end; /**< the kernel's that alone has this shared array; 0: any may have it */
    bool dynamic;             /**< dynamic shared memory */
    bool shared_with_host;    /**< the host's writes to it are not told */
    bool registered;          /**< the host's own memory, taken until it is given back */
    bool constant;            /**< a __constant__, for messages */
    bool foreign;             /**< the compiler's: tables of virtual functions; nobody counts or checks */
    report_space space;
    place base; /**< its number, and whose it is, as places have it */
    unsigned
        unit; /**< bytes of the widest access to it in this launch, or that another must find together and aligned */
    uint64_t stretch; /**< bytes of the longest copy in bulk that it has the whole of */
    char *name;       /**< for messages */
    char called[48];  /**< instead, while a launch runs whose parameter leads to it; "": nothing else */
    bool freed;       /**< it has been released or deleted, and no byte is its any more */
    bool heap;        /**< a kernel's own */
    struct machine_array *
        home; /**< the running block's array for which this stands in the window of another one of its cluster; else NULL */
    unsigned rank; /**< that block's */
    void *owned;   /**< memory of its own, `room` bytes; NULL: adopted */
    shadow shadow;
} machine_array;

enum { MACHINE_MAX_ARRAYS = 1 << 15, ARRAYS_FREED = 64, ARRAYS_STRAYS = 16 };

typedef struct machine_arrays {
    size_t count, capacity, numbers; /**< numbers that were ever given at once */
    machine_array **array;
    uint16_t *unused; /**< numbers of those that were taken away */
    size_t unused_count;
    machine_array *gone
        [ARRAYS_FREED]; /**< the last ones that were released: nothing else comes to their place, so that who uses them is seen */
    size_t gone_count;
    size_t lacked;                  /**< bytes of the largest one that there was no memory for */
    uintptr_t stray[ARRAYS_STRAYS]; /**< parameters of the launch that runs which lead to no array */
    size_t stray_count;
} machine_arrays;

/** Appends an array of memory that is there. */
riffle_status arrays_adopt(machine_arrays *all, const char *name, report_space space, void *start, size_t bytes,
                           machine_array **out);

/** Appends one of new memory, on a page of its own and with a page behind it that belongs to no array. */
riffle_status arrays_create(machine_arrays *all, const char *name, size_t bytes, machine_array **out);

void arrays_free(machine_arrays *all);

/** Takes away the one that begins here; false if none does. Its pages stay for a while, empty. */
bool arrays_remove(machine_arrays *all, uintptr_t start);

/** The name that messages use. */
static inline const char *array_name(const machine_array *a) {
    return a->called[0] != '\0' ? a->called : a->name;
}

/** Makes these bytes zeros where its memory is the machine's, and they are as many as it takes to give their pages back to the system; else false. */
bool array_clear(const machine_array *a, size_t offset, size_t bytes);

/** Takes all bytes of the one that begins here, of new memory; its pages stay. False if none does. */
bool arrays_give_up(machine_arrays *all, uintptr_t start);

/** The one that holds this address, or NULL. */
machine_array *arrays_find(const machine_arrays *all, uintptr_t address);

/** One that has been released, and held this address; or NULL. */
machine_array *arrays_find_freed(const machine_arrays *all, uintptr_t address);

/** True if an address lies in it or where nothing but it is near. */
bool array_surrounds(const machine_array *a, uintptr_t address);

/** The first one that has any of these bytes, or NULL. */
machine_array *arrays_overlapping(const machine_arrays *all, uintptr_t start, size_t bytes);

/** True if these bytes, which are in no array, lie where nothing else than arrays is near: an access to them is harmless. */
bool arrays_are_apart(const machine_arrays *all, uintptr_t address, size_t bytes);

/** The one that an access to what is in no array was meant for: `likely` (NULL: unknown) if it is near, else one that surrounds the address,
 *  the nearest of these, else the nearest of all, or NULL if none is within 64 KiB, or a stray parameter is nearer. */
const machine_array *arrays_nearest(const machine_arrays *all, uintptr_t address, const machine_array *likely);

#endif
