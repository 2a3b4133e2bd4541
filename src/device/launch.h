/* SPDX-License-Identifier: Apache-2.0
 *
 * A list of launches: the work of a device, one step after the other. Every feature makes one of a plan and
 * arrays, and a device (device/device.h) queues it, a GPU or the memory machine.
 *
 *     list | launch, its arguments | launch, its arguments | ...
 *
 * Arguments are copied into the list at their true size. Kernels are appended by functions that follow from a family's list
 * (move/kernels/kernel.h), one for each kind of arguments: a kernel with other arguments than its own does not compile.
 */
#ifndef RIFFLE_DEVICE_LAUNCH_H
#define RIFFLE_DEVICE_LAUNCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "device/families.h"
#include "riffle.h"

/** An argument of a kernel. */
typedef struct kernel_argument {
    uint32_t bytes, alignment;
} kernel_argument;

/** The steps of a cooperative kernel, for devices whose blocks cannot wait for each other: there each step is a launch of
 *  its own, whose arguments are the table and a cursor that says which step it is. */
typedef struct kernel_steps {
    /** Makes the first cursor. Where there is no step the table's *length becomes 0, and its address is returned; else NULL. */
    uint64_t *(*begin)(const void *table, uint32_t *cursor);
    void (*next)(const void *table, uint32_t *cursor);
    uint32_t last; /**< the cursor's first word, when all is done */
} kernel_steps;

enum { KERNEL_MAX_ARGUMENTS = 8, KERNEL_CURSOR_WORDS = 16 };

/** A kernel: a line of its family's list. It takes two arrays, what it writes and what it reads, and then the arguments;
 *  where it has steps, the arguments alone. */
typedef struct kernel_record {
    const char *name; /**< in reports */
    kernel_family family;
    unsigned number; /**< in the family */
    unsigned arguments;
    const kernel_argument *argument;
    const kernel_steps *steps; /**< or NULL */
} kernel_record;

/** A kernel that was compiled with what a user wrote. */
typedef struct users_kernel {
    const void *address;              /**< on a GPU */
    void (*entry)(void *const *args); /**< on the memory machine */
    void *shared;                     /**< on the machine too: where its dynamic shared memory lies */
    void *module;                     /**< the object that has it */
    void (*unload)(void *module);     /**< NULL: there is no kernel */
} users_kernel;

/** The kernel for launches; NULL where there is none. */
static inline const users_kernel *users_kernel_of(const users_kernel *kernel) {
    return kernel->unload != NULL ? kernel : NULL;
}

/** Does nothing where there is none. */
static inline void users_kernel_unload(users_kernel *kernel) {
    if (kernel->unload != NULL) kernel->unload(kernel->module);
    kernel->unload = NULL;
}

typedef enum launch_kind { LAUNCH_KERNEL, LAUNCH_COOPERATIVE, LAUNCH_COPY, LAUNCH_FILL } launch_kind;

typedef struct launch {
    struct launch *next;
    launch_kind kind;
    bool
        follows; /**< it may be made ready while the launch before it runs, for which the kernel waits by itself */
    unsigned char value;         /**< value of each byte that is filled */
    const kernel_record *kernel; /**< whose instance for elem_bytes is launched, unless there is ... */
    const users_kernel *users;   /**< ... this one, which takes the same */
    size_t elem_bytes;           /**< bytes of elements; for kernels with steps what their family says */
    unsigned grid, block_x, block_y;
    size_t shared_bytes;
    void *to;
    const void *from;
    const void *arguments; /**< as the kernel's record has them */
    size_t bytes;          /**< that are copied, or filled */
} launch;

enum { LAUNCH_LIST_BYTES = 12 << 10 };

typedef struct launch_chunk launch_chunk;

/** To be begun by launch_list_begin, and not to be moved while it has launches. */
typedef struct launch_list {
    launch *first, *last;
    riffle_status status; /**< status of appending: devices refuse a list that is not whole */
    launch nowhere;       /**< receives launches where memory is short */
    launch_chunk *more;
    size_t used; /**< bytes used of the newest chunk, or of: */
    _Alignas(16) unsigned char inside[LAUNCH_LIST_BYTES];
} launch_list;

void launch_list_begin(launch_list *list);

/** Frees what the list has. It may be begun again. */
void launch_list_free(launch_list *list);

/** Appends a kernel, of one block of one thread so far, and a copy of its arguments. Called by what follows from lists. */
launch *launch_append(launch_list *list, const kernel_record *kernel, size_t elem_bytes, const void *arguments,
                      size_t bytes);

/** Appends a launch of another list, which outlives this one: its arguments stay there. */
launch *launch_append_again(launch_list *list, const launch *ready);

/** Appends a copy of so many bytes, and one value for so many. None of 0 bytes. */
void launch_append_copy(launch_list *list, void *to, const void *from, size_t bytes);
void launch_append_fill(launch_list *list, void *to, unsigned char value, size_t bytes);

/** Has a launch move from `from` to `to`. */
static inline void launch_between(launch *work, void *to, const void *from) {
    work->to = to;
    work->from = from;
}

/** The same, with its grid and its blocks, and the shared memory of one. */
static inline launch *launch_set(launch *work, unsigned grid, unsigned block, size_t shared_bytes, void *to,
                                 const void *from) {
    work->grid = grid;
    work->block_x = block;
    work->shared_bytes = shared_bytes;
    launch_between(work, to, from);
    return work;
}

/** The addresses of what the kernel takes, in its order, as devices want them; how many there are. */
unsigned launch_addresses(launch *work, void *out[KERNEL_MAX_ARGUMENTS]);

#endif
