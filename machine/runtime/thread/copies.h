/* SPDX-License-Identifier: Apache-2.0
 *
 * A thread's asynchronous copies into shared memory (cp.async), from when they are asked for until it has waited for them:
 *
 *     asked for    the source is read; the destination keeps what it holds, and is marked: whoever accesses it is told of
 *     committed    all that were open become a group
 *     landed       the bytes are there, written by the thread that waited; others still want a barrier
 *
 * Those that an mbarrier waits for are its own instead (cluster/mbarrier.h), and land where its phase ends.
 */
#ifndef RIFFLE_MACHINE_RUNTIME_THREAD_COPIES_H
#define RIFFLE_MACHINE_RUNTIME_THREAD_COPIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "machine/check/arrays.h"
#include "machine/check/shadow.h"

enum { COPY_BYTES = 16 };
static const unsigned COPY_OPEN = UINT32_MAX; /* the group of those that are in none yet */

typedef struct copy {
    char *to;
    machine_array *array;
    const void *pc;
    unsigned bytes, group;
    uint16_t site; /**< the write's, as shadow_accessor has it */
    unsigned char data[COPY_BYTES];
} copy;

typedef struct copies {
    copy *copy;
    size_t count, capacity;
    unsigned groups;
} copies;

/** One more, in no group yet; its destination is marked. False without memory. */
bool copies_add(copies *own, const copy *one);

/** Makes one group of the open ones. */
void copies_commit(copies *own);

/** Lands all, the open ones too. */
void copies_land(copies *own, const shadow_accessor *who);

/** Lands all groups but the last `left`. */
void copies_land_prior(copies *own, unsigned left, const shadow_accessor *who);

/** One that is under way to these bytes, or NULL. */
const copy *copies_find(const copies *own, uintptr_t address, size_t bytes);

/** Forgets all, and takes the marks off. */
void copies_drop(copies *own);
void copies_free(copies *own);

#endif
